import FaceKitKernels

/// The map from tensor indices to pixel indices, formed exactly as the reference forms it.
///
/// It is affine in exact arithmetic, yet it is computed as a homography in double precision, in a
/// fixed order of operations: its last-bit noise decides how sampling coordinates on exact ties round,
/// and such ties are common. No operation here may be fused or reordered.
struct Homography: Sendable, Equatable {
  /// Row-major 3×3, tensor → image.
  var m: (Double, Double, Double, Double, Double, Double, Double, Double, Double)

  static func == (a: Homography, b: Homography) -> Bool { a.elements == b.elements }

  var elements: [Double] { [m.0, m.1, m.2, m.3, m.4, m.5, m.6, m.7, m.8] }

  /// Whether coordinates formed with it stay finite: false if a coefficient is not finite or at least 1e12, as of
  /// regions that are degenerate or unbounded.
  var isUsable: Bool {
    for element in elements where !(abs(element) < 1e12) { return false }
    return true
  }

  /// The corners of a region: bottom left, top left, top right, bottom right.
  static func corners(of region: PixelRegion) -> [Point] {
    let degrees = Float(Double(region.rotation * 180) / Double.pi)
    let angle = Double(degrees) * Double.pi / 180
    let b = Float(Elementary.cos(angle)) * 0.5
    let a = Float(Elementary.sin(angle)) * 0.5
    let (x, y, w, h) = (region.centerX, region.centerY, region.width, region.height)
    let p0 = Point(x: x - a * h - b * w, y: y + b * h - a * w)
    let p1 = Point(x: x + a * h - b * w, y: y - b * h - a * w)
    let p2 = Point(x: 2 * x - p0.x, y: 2 * y - p0.y)
    let p3 = Point(x: 2 * x - p1.x, y: 2 * y - p1.y)
    return [p0, p1, p2, p3]
  }

  /// The map that takes the corners of a `tensorWidth`×`tensorHeight` tensor to those of `region`.
  init(region: PixelRegion, tensorWidth: Int, tensorHeight: Int) {
    let image = Homography.corners(of: region)
    let (w, h) = (Float(tensorWidth), Float(tensorHeight))
    let tensor = [Point(x: 0, y: h), Point(x: 0, y: 0), Point(x: w, y: 0), Point(x: w, y: h)]
    self.init(inverting: Homography.solve(from: image, to: tensor))
  }

  /// The coefficients of the map `from` → `to` of four point pairs; the ninth is 1.
  private static func solve(from: [Point], to: [Point]) -> [Double] {
    var a = [[Double]](repeating: [Double](repeating: 0, count: 8), count: 8)
    var r = [Double](repeating: 0, count: 8)
    for k in 0..<4 {
      let (p, q) = (from[k], to[k])
      let (x, y) = (Double(p.x), Double(p.y))
      // The mixed products are rounded to single precision before they are widened.
      a[k] = [x, y, 1, 0, 0, 0, Double(-p.x * q.x), Double(-p.y * q.x)]
      a[k + 4] = [0, 0, 0, x, y, 1, Double(-p.x * q.y), Double(-p.y * q.y)]
      r[k] = Double(q.x)
      r[k + 4] = Double(q.y)
    }
    // Gaussian elimination with partial pivoting; the first row wins a tie.
    for i in 0..<8 {
      var pivot = i
      for row in i..<8 where abs(a[row][i]) > abs(a[pivot][i]) { pivot = row }
      if pivot != i {
        a.swapAt(i, pivot)
        r.swapAt(i, pivot)
      }
      let d = -1 / a[i][i]
      for j in (i + 1)..<8 {
        let f = a[j][i] * d
        for k in (i + 1)..<8 { a[j][k] += f * a[i][k] }
        r[j] += f * r[i]
      }
    }
    for i in (0..<8).reversed() {
      var s = r[i]
      for k in (i + 1)..<8 { s -= a[i][k] * r[k] }
      r[i] = s / a[i][i]
    }
    return r
  }

  /// The inverse by the adjugate: each minor first, then times the reciprocal determinant.
  private init(inverting n: [Double]) {
    let (n00, n01, n02) = (n[0], n[1], n[2])
    let (n10, n11, n12) = (n[3], n[4], n[5])
    let (n20, n21, n22) = (n[6], n[7], 1.0)
    let determinant =
      n00 * (n11 * n22 - n12 * n21) - n01 * (n10 * n22 - n12 * n20) + n02 * (n10 * n21 - n11 * n20)
    let g = 1 / determinant
    m = (
      (n11 * n22 - n12 * n21) * g, (n02 * n21 - n01 * n22) * g, (n01 * n12 - n02 * n11) * g,
      (n12 * n20 - n10 * n22) * g, (n00 * n22 - n02 * n20) * g, (n02 * n10 - n00 * n12) * g,
      (n10 * n21 - n11 * n20) * g, (n01 * n20 - n00 * n21) * g, (n00 * n11 - n01 * n10) * g
    )
  }
}
