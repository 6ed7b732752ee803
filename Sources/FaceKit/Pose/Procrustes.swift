/// A similarity: `y = scale · rotation · x + translation`.
struct Similarity: Sendable {
  var rotation: Matrix3
  var scale: Double
  var translation: [Double]

  /// Length of the first column of the linear part, which is the scale as the pose solver reads it.
  var firstColumnNorm: Double {
    let (x, y, z) = rotation.column(0)
    return scale * (x * x + y * y + z * z).squareRoot()
  }
}

/// The similarity that best takes weighted points to others, in the least-squares sense: weighted
/// extended orthogonal Procrustes.
///
/// The weights enter as square roots. Written once for a set of source points, because a pose needs it
/// three times with the same ones.
///
/// Source: Akca, "Generalized Procrustes analysis and its applications in photogrammetry", 2003.
struct ProcrustesSolver: Sendable {
  private let roots: [Double]
  private let totalWeight: Double
  /// Source points times root weights, and the same after subtracting the weighted centre.
  private let weighted: [Double]
  private let centered: [Double]
  private let denominator: Double

  /// - Parameters:
  ///   - points: x, y, z of each point.
  ///   - weights: Not negative. Points of weight 0 play no part.
  init(points: [Float], weights: [Float]) {
    var roots: [Double] = []
    var total = 0.0
    for weight in weights {
      let root = Double(weight).squareRoot()
      roots.append(root)
      total += root * root
    }
    var weighted = [Double](repeating: 0, count: points.count)
    var center = [0.0, 0.0, 0.0]
    for i in weights.indices {
      for axis in 0..<3 {
        weighted[3 * i + axis] = Double(points[3 * i + axis]) * roots[i]
        center[axis] += weighted[3 * i + axis] * roots[i]
      }
    }
    var centered = weighted
    var denominator = 0.0
    for i in weights.indices {
      for axis in 0..<3 {
        centered[3 * i + axis] -= center[axis] / total * roots[i]
        denominator += centered[3 * i + axis] * weighted[3 * i + axis]
      }
    }
    self.roots = roots
    totalWeight = total
    self.weighted = weighted
    self.centered = centered
    self.denominator = denominator
  }

  /// - Throws: ``FaceKitError`` `internalError` where the points are degenerate: all in one place, or
  ///   with no common scale.
  func solve(target: [Double]) throws(FaceKitError) -> Similarity {
    var design = Matrix3()
    var weightedTarget = target
    for i in roots.indices {
      for row in 0..<3 {
        weightedTarget[3 * i + row] *= roots[i]
        for column in 0..<3 {
          design[row, column] += weightedTarget[3 * i + row] * centered[3 * i + column]
        }
      }
    }
    var norm = 0.0
    for value in design.m { norm += value * value }
    guard norm.squareRoot() > 1e-9, denominator > 1e-9 else { throw .pose("points coincide") }
    let rotation = ProcrustesSolver.rotation(design)
    var numerator = 0.0
    for i in roots.indices {
      for row in 0..<3 {
        numerator += apply(rotation, row, centered, i) * weightedTarget[3 * i + row]
      }
    }
    let scale = numerator / denominator
    guard scale > 1e-9 else { throw .pose("no common scale") }
    var translation = [0.0, 0.0, 0.0]
    for i in roots.indices {
      for row in 0..<3 {
        translation[row] +=
          (weightedTarget[3 * i + row] - scale * apply(rotation, row, weighted, i)) * roots[i]
      }
    }
    for row in 0..<3 { translation[row] /= totalWeight }
    return Similarity(rotation: rotation, scale: scale, translation: translation)
  }

  private func apply(_ r: Matrix3, _ row: Int, _ points: [Double], _ i: Int) -> Double {
    r[row, 0] * points[3 * i] + r[row, 1] * points[3 * i + 1] + r[row, 2] * points[3 * i + 2]
  }

  /// The rotation nearest to a matrix; never a reflection.
  private static func rotation(_ design: Matrix3) -> Matrix3 {
    var svd = SVD3(design)
    if svd.u.determinant * svd.v.determinant < 0 {
      for i in 0..<3 { svd.u[i, 2] = -svd.u[i, 2] }
    }
    return svd.u * svd.v.transposed
  }
}

extension FaceKitError {
  static func pose(_ what: String) -> FaceKitError {
    FaceKitError(
      .internalError, what, at: "facial transformation",
      advice: "no pose can be computed from these landmarks")
  }
}
