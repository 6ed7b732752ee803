/// A 4×4 matrix that takes canonical face coordinates (centimetres) to camera space: x to the right, y
/// up, the camera at the origin looking along −z. Translation is in the last column, the last row is
/// `0 0 0 1`.
///
/// ``value(atRow:column:)`` is the mathematical element. (MediaPipe's accessor for iOS of the same name
/// reads its column-major buffer as if it were row-major, and so returns the transpose. If your code
/// swaps the arguments to make up for that, stop.)
public struct TransformMatrix: Sendable, Hashable {
  /// Always 4.
  public let rows = 4
  /// Always 4.
  public let columns = 4
  /// The sixteen elements in rows.
  public let rowMajor: [Float]

  /// Takes sixteen elements in rows.
  init(rowMajor: [Float]) { self.rowMajor = rowMajor }

  init(_ pose: Similarity) {
    var elements: [Float] = []
    elements.reserveCapacity(16)
    for row in 0..<3 {
      for column in 0..<3 { elements.append(Float(pose.scale * pose.rotation[row, column])) }
      elements.append(Float(pose.translation[row]))
    }
    elements += [0, 0, 0, 1]
    rowMajor = elements
  }

  /// The element in a row and column, both `0...3`.
  public func value(atRow row: Int, column: Int) -> Float {
    precondition((0..<4).contains(row) && (0..<4).contains(column), "no element \(row), \(column)")
    return rowMajor[4 * row + column]
  }

  /// The element in a row and column, both `0...3`.
  public subscript(row: Int, column: Int) -> Float { value(atRow: row, column: column) }

  /// The sixteen elements in columns, as graphics interfaces take them: translation at 12, 13, 14.
  public var columnMajor: [Float] {
    var elements: [Float] = []
    elements.reserveCapacity(16)
    for column in 0..<4 {
      for row in 0..<4 { elements.append(self[row, column]) }
    }
    return elements
  }
}
