import FaceKitKernels

/// How a head is turned, in degrees, with ML Kit's signs.
///
/// The axes are the canonical face's: x to the image's right, y up, z towards the viewer. The rotation is
/// `R = Rz(z) · Ry(y) · Rx(−x)`: tilt outermost, so that turning the picture in its plane changes `z` alone.
///
/// ```
/// y = asin(−R₂₀)    x = −atan2(R₂₁, R₂₂)    z = atan2(R₁₀, R₀₀)
/// ```
///
/// Near `y` = ±90°, `x` and `z` turn about the same axis: `x` is then given as 0.
public struct HeadEulerAngles: Sendable, Hashable {
  /// Positive: the face looks up. −180…180, in practice within ±90.
  public var x: Double
  /// Positive: the face looks to the right side of the image. −90…90.
  public var y: Double
  /// Positive: the head is turned counter-clockwise as the viewer sees it. −180…180.
  public var z: Double

  /// Creates angles in degrees.
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Where `|R₂₀|` is larger, x and z turn about the same axis (gimbal lock).
  private static let gimbalLock = 0.999999

  init(rotation r: Matrix3) {
    let sine = max(-1, min(1, -r[2, 0]))
    let toDegrees = 180 / Double.pi
    // asin by atan2: `Elementary` has no asin.
    y = Elementary.atan2(sine, max(0, 1 - sine * sine).squareRoot()) * toDegrees
    if abs(r[2, 0]) < HeadEulerAngles.gimbalLock {
      x = -Elementary.atan2(r[2, 1], r[2, 2]) * toDegrees
      z = Elementary.atan2(r[1, 0], r[0, 0]) * toDegrees
    } else {
      x = 0
      z = Elementary.atan2(-r[0, 1], r[1, 1]) * toDegrees
    }
  }

  /// The angles of a facial transformation matrix. They depend on where in the picture the face is, as that
  /// matrix assumes a camera; ``VisionFace/headEulerAngles`` don't.
  public init(_ matrix: TransformMatrix) {
    var linear = Matrix3()
    for row in 0..<3 {
      for column in 0..<3 { linear[row, column] = Double(matrix[row, column]) }
    }
    let determinant = linear.determinant
    if determinant > 0 {
      let scale = Elementary.pow(determinant, 1 / 3.0)
      for index in linear.m.indices { linear.m[index] /= scale }
    }
    self.init(rotation: linear)
  }

  /// The rotation with these angles.
  var rotation: Matrix3 {
    let toRadians = Double.pi / 180
    let (cx, sx) = (Elementary.cos(-x * toRadians), Elementary.sin(-x * toRadians))
    let (cy, sy) = (Elementary.cos(y * toRadians), Elementary.sin(y * toRadians))
    let (cz, sz) = (Elementary.cos(z * toRadians), Elementary.sin(z * toRadians))
    return Matrix3([cz, -sz, 0, sz, cz, 0, 0, 0, 1]) * Matrix3([cy, 0, sy, 0, 1, 0, -sy, 0, cy])
      * Matrix3([1, 0, 0, 0, cx, -sx, 0, sx, cx])
  }

  /// The three axes of the head (to the image's right, up, towards the viewer in a frontal face) as they are seen in
  /// the picture: unit vectors, foreshortened, with y down.
  public var projectedAxes: (right: Point, up: Point, forward: Point) {
    let r = rotation
    func axis(_ column: Int) -> Point { Point(x: Float(r[0, column]), y: Float(-r[1, column])) }
    return (axis(0), axis(1), axis(2))
  }

  /// Whether the head looks within 18° of the camera, the range for which ML Kit documents its classifiers.
  public var isFrontal: Bool { abs(x) <= 18 && abs(y) <= 18 }
}
