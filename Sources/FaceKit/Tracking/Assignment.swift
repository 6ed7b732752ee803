/// The pairing of rows and columns with the least total cost.
///
/// The Hungarian method with potentials: rows are added one at a time, each by the shortest augmenting path.
/// Of pairings that cost the same, the one that prefers earlier rows, then earlier columns, is taken.
///
/// - Parameters:
///   - costs: One row of costs each; `nil` for a pair that must not be.
///   - columns: How many columns every row has.
/// - Returns: The column of each row, `nil` for rows without one. As many rows as possible are paired.
/// - Complexity: O((rows + columns)³).
///
/// Source: Kuhn, "The Hungarian Method for the Assignment Problem", 1955; in the form of Jonker and Volgenant, 1987.
func leastCostAssignment(_ costs: [[Double?]], columns: Int) -> [Int?] {
  let rows = costs.count
  let n = max(rows, columns)
  guard rows > 0, columns > 0 else { return [Int?](repeating: nil, count: rows) }
  // Far above any sum of allowed costs, and the cost of a row without a column.
  let forbidden = 1e6
  func cost(_ i: Int, _ j: Int) -> Double {
    guard i < rows, j < columns, let cost = costs[i][j] else { return forbidden }
    // Too little to matter beside a real difference: it only orders equals.
    return cost + 1e-9 * Double(i * columns + j) / Double(n * n)
  }
  var rowPotential = [Double](repeating: 0, count: n + 1)
  var columnPotential = [Double](repeating: 0, count: n + 1)
  // Index 0 stands for "none"; rows and columns count from 1.
  var rowOfColumn = [Int](repeating: 0, count: n + 1)
  for row in 1...n {
    rowOfColumn[0] = row
    var minimum = [Double](repeating: .infinity, count: n + 1)
    var isUsed = [Bool](repeating: false, count: n + 1)
    var way = [Int](repeating: 0, count: n + 1)
    var column = 0
    repeat {
      isUsed[column] = true
      let current = rowOfColumn[column]
      var delta = Double.infinity
      var next = 0
      for j in 1...n where !isUsed[j] {
        let reduced = cost(current - 1, j - 1) - rowPotential[current] - columnPotential[j]
        if reduced < minimum[j] {
          minimum[j] = reduced
          way[j] = column
        }
        if minimum[j] < delta {
          delta = minimum[j]
          next = j
        }
      }
      for j in 0...n {
        if isUsed[j] {
          rowPotential[rowOfColumn[j]] += delta
          columnPotential[j] -= delta
        } else {
          minimum[j] -= delta
        }
      }
      column = next
    } while rowOfColumn[column] != 0
    while column != 0 {
      rowOfColumn[column] = rowOfColumn[way[column]]
      column = way[column]
    }
  }
  var result = [Int?](repeating: nil, count: rows)
  for column in 1...columns {
    let row = rowOfColumn[column] - 1
    if row < rows, costs[row][column - 1] != nil { result[row] = column - 1 }
  }
  return result
}
