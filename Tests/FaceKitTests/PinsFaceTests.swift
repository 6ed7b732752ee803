import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKit

/// Rules of the face pipeline at their edges, each seen from outside.
@Suite("Tiles, by what is found in them")
struct PinsTileTests {
  /// A detector that sees the same face wherever it looks: at `center`, `size` wide and high, in
  /// fractions of what it looks at.
  static func pipeline(
    center: (x: Float, y: Float), size: Float, tiles: Int, region: Rect? = nil
  ) throws -> DetectorPipeline {
    var model = ModelBuilder()
    model.inputs = [model.tensor([1, 128, 128, 3])]
    let (anchor, side) = (Float(0.03125), Float(128))
    var face = [Float](repeating: 0, count: 16)
    face.replaceSubrange(
      0..<4,
      with: [(center.x - anchor) * side, (center.y - anchor) * side, size * side, size * side])
    let regressors = face + [Float](repeating: 0, count: 895 * 16)
    let logits = [Float(3)] + [Float](repeating: -50, count: 895)
    model.outputs = [
      model.tensor([1, 896, 16], data: littleEndianBytes(regressors)),
      model.tensor([1, 896, 1], data: littleEndianBytes(logits)),
    ]
    var settings = DetectorSettings()
    settings.tiles = tiles
    settings.regionOfInterest = region
    return try DetectorPipeline(
      model: StorageView(Storage(copying: model.bytes)), settings: settings)
  }

  /// Middles of the boxes found in a black picture, in pixels, in the order they are reported.
  static func middles(
    _ pipeline: DetectorPipeline, _ width: Int, _ height: Int,
    orientation: ImageOrientation = .up
  ) throws -> [(x: Float, y: Float)] {
    let image = try MPImage(
      copying: [UInt8](repeating: 0, count: 3 * width * height), width: width, height: height,
      format: .rgb, orientation: orientation)
    return try pipeline.detections(in: image).map {
      let box = $0.pixelBox
      return (Float(box.originX) + Float(box.width) / 2, Float(box.originY) + Float(box.height) / 2)
    }
  }

  /// Whether `found` are these points, to two pixels, in any order.
  static func match(_ found: [(x: Float, y: Float)], _ expected: [(x: Float, y: Float)]) -> Bool {
    var rest = expected
    for point in found {
      guard
        let index = rest.firstIndex(where: { abs($0.x - point.x) < 2 && abs($0.y - point.y) < 2 })
      else { return false }
      rest.remove(at: index)
    }
    return rest.isEmpty
  }

  @Test("tiles cover the region of interest and nothing else")
  func region() throws {
    let pipeline = try Self.pipeline(
      center: (0.3, 0.3), size: 0.05, tiles: 2,
      region: Rect(x: 0.5, y: 0.25, width: 0.5, height: 0.5))
    // 300 pixels from (300, 150) in tiles of 180.
    let found = try Self.middles(pipeline, 600, 600)
    var expected: [(x: Float, y: Float)] = [(390, 240)]
    for y in [Float(150), 270] {
      for x in [Float(300), 420] { expected.append((x + 54, y + 54)) }
    }
    #expect(Self.match(found, expected), "\(found)")
  }

  @Test(
    "a face that reaches over a tile's edge counts only where the picture ends with the tile",
    arguments: [0, 1, 2, 3], [ImageOrientation.up, .upMirrored])
  func edges(side: Int, orientation: ImageOrientation) throws {
    let (near, far) = (Float(0.05), Float(0.95))
    let centers = [(near, 0.3), (far, 0.3), (0.3, near), (0.3, far)] as [(x: Float, y: Float)]
    let pipeline = try Self.pipeline(center: centers[side], size: 0.2, tiles: 2)
    // Tiles of 360 pixels from 0 and from 240: of the four, two end with the picture there. And the
    // face in the whole picture.
    let found = try Self.middles(pipeline, 600, 600, orientation: orientation)
    #expect(found.count == 3, "\(found)")
    let along = found.map { side < 2 ? $0.x : $0.y }
    let isLow = side == 0 || side == 2
    let isMirrored = orientation == .upMirrored && side < 2
    #expect(along.allSatisfy { ($0 < 300) == (isLow != isMirrored) }, "\(found)")
  }

  @Test("of two boxes one of which lies more than half in the other, the first best stays")
  func coverage() throws {
    // In the tile at the origin the face is 0.6 of the way, and 0.6 and 0.4 of its area, in the whole
    // picture's. The other three tiles are clear of it.
    for (center, size, count) in [(Float(0.2514), Float(0.3), 4), (0.2102, 0.2, 5)] {
      let pipeline = try Self.pipeline(center: (center, center), size: size, tiles: 2)
      #expect(try Self.middles(pipeline, 600, 600).count == count)
    }
  }
}

@Suite("Face pipeline at its edges")
struct PinsFaceTests {
  @Test("the reflection repair turns the axis along which the points reach least")
  func reflection() throws {
    let extents: [Float] = [10, 5, 1]
    for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      // Two points on each axis, and the picture of them in a mirror across the longest.
      var points: [Float] = []
      for axis in 0..<3 {
        for sign in [Float(1), -1] {
          var point: [Float] = [0, 0, 0]
          point[order[axis]] = sign * extents[axis]
          points += point
        }
      }
      let mirrored = points.enumerated().map {
        $0.offset % 3 == order[0] ? -Double($0.element) : Double($0.element)
      }
      let found = try ProcrustesSolver(points: points, weights: [Float](repeating: 1, count: 6))
        .solve(target: mirrored).rotation
      for row in 0..<3 {
        for column in 0..<3 {
          let expected = row != column ? 0.0 : row == order[1] ? 1 : -1
          #expect(abs(found[row, column] - expected) < 1e-9, "\(order) \(row) \(column)")
        }
      }
    }
  }

  @Test("points whose target shrinks to nothing, or turns inside out, have no pose")
  func noScale() {
    var random = LinearCongruentialGenerator(seed: 9)
    let points = random.floats(30)
    let solver = ProcrustesSolver(points: points, weights: [Float](repeating: 1, count: 10))
    for factor in [0, 1e-12] {
      #expect(throws: FaceKitError.self) {
        try solver.solve(target: points.map { Double($0) * factor })
      }
    }
    // Only points of weight 0 stand apart: those with weight are in one place.
    let apart = ProcrustesSolver(points: [1, 1, 1, 1, 1, 1, 5, 6, 7], weights: [1, 1, 0])
    #expect(throws: FaceKitError.self) { try apart.solve(target: [1, 2, 3, 4, 5, 6, 7, 8, 9]) }
  }

  @Test("weights count in the middle as well as in the sums")
  func weights() throws {
    // A heavy point and two light ones are what three points and two would be.
    var random = LinearCongruentialGenerator(seed: 10)
    let base = random.floats(12, -5, 5)
    let noise = random.floats(12, -0.5, 0.5)
    let target = zip(base, noise).map { Double($0 + $1) }
    let weighted = try ProcrustesSolver(points: base, weights: [3, 1, 1, 1]).solve(target: target)
    let repeated = try ProcrustesSolver(
      points: base + base.prefix(3) + base.prefix(3), weights: [1, 1, 1, 1, 1, 1]
    ).solve(target: target + target.prefix(3) + target.prefix(3))
    #expect(abs(weighted.scale - repeated.scale) < 1e-9)
    for index in 0..<9 {
      #expect(abs(weighted.rotation.m[index] - repeated.rotation.m[index]) < 1e-9)
    }
    for axis in 0..<3 {
      #expect(abs(weighted.translation[axis] - repeated.translation[axis]) < 1e-9)
    }
  }

  @Test("landmarks go out of sight beyond 12° and beyond 36°, not before", arguments: [1.0, -1])
  func visibility(side: Double) {
    func count(_ degrees: Double) -> Int {
      FaceLandmarkType.allCases.filter { $0.isVisible(atHeadEulerAngleY: side * degrees) }.count
    }
    // From in front all but the ears; turned, seven; from the side, five.
    for degrees in [0, 5, 12.0] { #expect(count(degrees) == 8, "\(degrees)°") }
    for degrees in [12.01, 14, 30, 36] { #expect(count(degrees) == 7, "\(degrees)°") }
    for degrees in [36.01, 37, 40, 46, 60, 90] { #expect(count(degrees) == 5, "\(degrees)°") }
  }

  @Test("the eye turned away is not judged beyond 36°, nothing is beyond 60°")
  func classification() {
    func known(_ yaw: Double) -> [Bool] {
      let face = FaceClassification(
        scores: [Float](repeating: 0.3, count: 52), yaw: yaw, calibration: .init())
      return [face.smiling != nil, face.leftEyeOpen != nil, face.rightEyeOpen != nil]
    }
    for yaw in [0.0, 36, -36] { #expect(known(yaw) == [true, true, true], "\(yaw)°") }
    for yaw in [36.01, 40, 45, 60] {
      #expect(known(yaw) == [true, false, true], "\(yaw)°")
      #expect(known(-yaw) == [true, true, false], "\(-yaw)°")
    }
    for yaw in [60.01, 65, -60.01] { #expect(known(yaw) == [false, false, false], "\(yaw)°") }
  }

  @Test("a picture of a face in depth, then of another size, is smoothed in pixels of its width")
  func smoothingDepth() {
    // In a picture twice as wide as high: x and z go by the width, y by the height.
    func face(_ offset: Float) -> [NormalizedLandmark] {
      [(0.1, 0.1, 0), (0.5, 0.9, 0.2)].map { (x: Float, y: Float, z: Float) in
        NormalizedLandmark(x: x + offset, y: y + offset * 2, z: z + offset)
      }
    }
    var smoother = LandmarkSmoother()
    _ = smoother.smooth(face(0), imageWidth: 200, imageHeight: 100, time: 1_000_000_000)
    let second = smoother.smooth(
      face(0.01), imageWidth: 200, imageHeight: 100, time: 1_033_000_000)
    // The same step in pixels along all three: the same smoothing.
    let (dx, dy, dz) = (second[0].x - 0.1, second[0].y - 0.1, second[0].z)
    #expect(dx > 0.001 && dx < 0.01)
    #expect(abs(dx - dz) < 1e-6)
    #expect(abs(dx * 200 - dy * 100) < 1e-3)
  }

  @Test("projection keeps a turned region's corners where the region has them", arguments: 0..<8)
  func projection(eighth: Int) {
    let angle = Float(eighth) * .pi / 4
    let region = PixelRegion(centerX: 50, centerY: 30, width: 24, height: 10, rotation: angle)
    let projection = Projection(region: region, imageWidth: 200, imageHeight: 50)
    let (c, s) = (Float.cosine(eighth), Float.sine(eighth))
    for (u, v) in [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.25)] as [(Float, Float)] {
      let (x, y) = ((u - 0.5) * 24, (v - 0.5) * 10)
      let point = projection(u, v)
      #expect(abs(point.x * 200 - (50 + x * c - y * s)) < 1e-3)
      #expect(abs(point.y * 50 - (30 + x * s + y * c)) < 1e-3)
    }
    // A box's bounds hold all four of its corners, and touch them.
    let bounds = projection(Rect(minX: 0.1, minY: 0.2, maxX: 0.9, maxY: 0.6))
    let corners = [(0.1, 0.2), (0.9, 0.2), (0.1, 0.6), (0.9, 0.6)].map {
      projection(Float($0.0), Float($0.1))
    }
    #expect(bounds.minX == corners.map(\.x).min() && bounds.maxX == corners.map(\.x).max())
    #expect(bounds.minY == corners.map(\.y).min() && bounds.maxY == corners.map(\.y).max())
    // Depth goes with the length of the tensor's x axis, in fractions of the picture.
    let (ax, ay) = (24 * c / 200, 24 * s / 50)
    #expect(abs(projection.depthScale - (ax * ax + ay * ay).squareRoot()) < 1e-5)
  }

  @Test("a region is turned by the eyes as they stand in pixels, whatever the picture's shape")
  func regionAngle() {
    var keypoints = [Point](repeating: Point(x: 0.5, y: 0.5), count: 6)
    // 20 pixels right and 20 down in a picture of 400 × 100.
    (keypoints[0], keypoints[1]) = (Point(x: 0.5, y: 0.4), Point(x: 0.55, y: 0.6))
    let face = DetectionCandidate(
      box: Rect(x: 0.4, y: 0.2, width: 0.2, height: 0.6), keypoints: keypoints, score: 1)
    let region = RegionRule.faceDetection.region(of: face, imageWidth: 400, imageHeight: 100)
    #expect(abs(region.rotation - .pi / 4) < 1e-5)
    #expect(abs(region.width - 0.3) < 1e-6 && abs(region.height - 0.9) < 1e-6)
    let square = RegionRule.legacyFaceDetection.region(of: face, imageWidth: 400, imageHeight: 100)
    #expect(abs(square.width * 400 - 120) < 1e-3 && abs(square.height * 100 - 120) < 1e-3)
  }

  @Test("boxes that touch share nothing, and a union counts the shared part once")
  func overlap() {
    let box = Rect(x: 0, y: 0, width: 2, height: 2)
    #expect(box.overlap(Rect(x: 2, y: 0, width: 2, height: 2)) == 0)
    #expect(box.overlap(Rect(x: 3, y: 3, width: 2, height: 2)) == 0)
    #expect(box.overlap(Rect(x: 3, y: 0, width: 2, height: 2)) == 0)
    #expect(abs(box.overlap(Rect(x: 1, y: 0, width: 2, height: 2)) - 1 / 3.0) < 1e-6)
    #expect(box.overlap(box) == 1)
    #expect(Rect(x: 0, y: 0, width: 0, height: 0).overlap(box) == 0)
  }
}

extension Float {
  /// Cosine and sine of eighths of a turn.
  fileprivate static func cosine(_ eighth: Int) -> Float {
    let half = Float(0.5).squareRoot()
    return [1, half, 0, -half, -1, -half, 0, half][eighth % 8]
  }
  fileprivate static func sine(_ eighth: Int) -> Float { cosine(eighth + 6) }
}
