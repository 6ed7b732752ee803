/// A 3×3 matrix, row-major.
struct Matrix3: Sendable, Equatable {
  var m: [Double]

  init(_ m: [Double]) { self.m = m }
  init() { m = [Double](repeating: 0, count: 9) }

  subscript(row: Int, column: Int) -> Double {
    get { m[3 * row + column] }
    set { m[3 * row + column] = newValue }
  }

  static let identity = Matrix3([1, 0, 0, 0, 1, 0, 0, 0, 1])

  var transposed: Matrix3 { Matrix3([m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]]) }

  var determinant: Double {
    m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2]
      * (m[3] * m[7] - m[4] * m[6])
  }

  static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    var product = Matrix3()
    for i in 0..<3 {
      for j in 0..<3 {
        product[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]
      }
    }
    return product
  }

  func column(_ j: Int) -> (Double, Double, Double) { (self[0, j], self[1, j], self[2, j]) }
}

/// The singular value decomposition `A = U · diag(σ) · Vᵀ`, σ descending.
///
/// One-sided Jacobi: columns are turned against each other until all are orthogonal, which then are
/// `U·diag(σ)`. For 3×3 it needs a handful of sweeps and is accurate to the last bits, small singular
/// values included.
///
/// Source: Hestenes, "Inversion of Matrices by Biorthogonalization", 1958.
struct SVD3: Sendable {
  var u: Matrix3
  var sigma: [Double]
  var v: Matrix3

  init(_ a: Matrix3) {
    var b = a
    var v = Matrix3.identity
    for _ in 0..<30 {
      var isOrthogonal = true
      for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        if SVD3.rotate(&b, &v, p, q) { isOrthogonal = false }
      }
      if isOrthogonal { break }
    }
    var lengths = [0.0, 0.0, 0.0]
    for j in 0..<3 {
      let (x, y, z) = b.column(j)
      lengths[j] = (x * x + y * y + z * z).squareRoot()
    }
    let order = [0, 1, 2].sorted {
      lengths[$0] != lengths[$1] ? lengths[$0] > lengths[$1] : $0 < $1
    }
    var u = Matrix3()
    var sortedV = Matrix3()
    for (to, from) in order.enumerated() {
      for i in 0..<3 {
        u[i, to] = lengths[from] > 0 ? b[i, from] / lengths[from] : 0
        sortedV[i, to] = v[i, from]
      }
    }
    sigma = order.map { lengths[$0] }
    SVD3.complete(&u, sigma)
    self.u = u
    self.v = sortedV
  }

  /// Makes columns `p` and `q` orthogonal; false if they already were.
  private static func rotate(_ b: inout Matrix3, _ v: inout Matrix3, _ p: Int, _ q: Int) -> Bool {
    var (pp, qq, pq) = (0.0, 0.0, 0.0)
    for i in 0..<3 {
      pp += b[i, p] * b[i, p]
      qq += b[i, q] * b[i, q]
      pq += b[i, p] * b[i, q]
    }
    if abs(pq) <= 1e-16 * (pp * qq).squareRoot() || pq == 0 { return false }
    let zeta = (qq - pp) / (2 * pq)
    let t = (zeta < 0 ? -1 : 1) / (abs(zeta) + (1 + zeta * zeta).squareRoot())
    let c = 1 / (1 + t * t).squareRoot()
    let s = c * t
    for i in 0..<3 {
      (b[i, p], b[i, q]) = (c * b[i, p] - s * b[i, q], s * b[i, p] + c * b[i, q])
      (v[i, p], v[i, q]) = (c * v[i, p] - s * v[i, q], s * v[i, p] + c * v[i, q])
    }
    return true
  }

  /// Fills in the columns of U whose singular values vanish, so that it is orthogonal all the same.
  private static func complete(_ u: inout Matrix3, _ sigma: [Double]) {
    let floor = sigma[0] * 1e-14
    if sigma[0] == 0 {
      u = .identity
      return
    }
    if sigma[1] <= floor {
      // Any unit vector across the first column: start from the axis it leans on least.
      let (x, y, z) = u.column(0)
      let axis = abs(x) <= abs(y) && abs(x) <= abs(z) ? 0 : (abs(y) <= abs(z) ? 1 : 2)
      let along = u[axis, 0]
      var length = 0.0
      for i in 0..<3 {
        u[i, 1] = (i == axis ? 1 : 0) - along * u[i, 0]
        length += u[i, 1] * u[i, 1]
      }
      for i in 0..<3 { u[i, 1] /= length.squareRoot() }
    }
    if sigma[2] <= floor {
      u[0, 2] = u[1, 0] * u[2, 1] - u[2, 0] * u[1, 1]
      u[1, 2] = u[2, 0] * u[0, 1] - u[0, 0] * u[2, 1]
      u[2, 2] = u[0, 0] * u[1, 1] - u[1, 0] * u[0, 1]
    }
  }
}
