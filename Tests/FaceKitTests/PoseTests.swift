import FaceKitKernels
import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKit

@Suite("Pose")
struct PoseTests {
  // MARK: SVD

  @Test("the decomposition multiplies back, with orthogonal factors and descending values")
  func svd() {
    var random = LinearCongruentialGenerator(seed: 11)
    for round in 0..<200 {
      var a = Matrix3(random.floats(9, -3, 3).map(Double.init))
      // Rank two and one, too.
      if round % 5 == 1 { for i in 0..<3 { a[i, 2] = a[i, 0] - 2 * a[i, 1] } }
      if round % 5 == 2 { for i in 0..<3 { (a[i, 1], a[i, 2]) = (2 * a[i, 0], -a[i, 0]) } }
      let svd = SVD3(a)
      #expect(svd.sigma[0] >= svd.sigma[1] && svd.sigma[1] >= svd.sigma[2] && svd.sigma[2] >= 0)
      let scaled = Matrix3([svd.sigma[0], 0, 0, 0, svd.sigma[1], 0, 0, 0, svd.sigma[2]])
      let product = svd.u * scaled * svd.v.transposed
      #expect(distance(product, a) < 1e-13 * 10)
      #expect(distance(svd.u.transposed * svd.u, .identity) < 1e-12, "round \(round)")
      #expect(distance(svd.v.transposed * svd.v, .identity) < 1e-12)
    }
    #expect(SVD3(Matrix3()).u == .identity)
  }

  private func distance(_ a: Matrix3, _ b: Matrix3) -> Double {
    zip(a.m, b.m).map { abs($0 - $1) }.max() ?? 0
  }

  // MARK: Procrustes

  @Test("a similarity that was applied is recovered, and points without weight don't matter")
  func recovers() throws {
    var random = LinearCongruentialGenerator(seed: 5)
    let points = random.floats(60, -10, 10)
    var weights = random.floats(20, 0.1, 1)
    weights[3] = 0
    let rotation = turn(0.3, axis: 0) * turn(-0.7, axis: 1) * turn(1.9, axis: 2)
    var target = apply(rotation, 1.7, [3, -4, -50], points)
    target[9] += 100
    let found = try ProcrustesSolver(points: points, weights: weights).solve(target: target)
    #expect(distance(found.rotation, rotation) < 1e-6)
    #expect(abs(found.scale - 1.7) < 1e-6)
    #expect(abs(found.translation[2] + 50) < 1e-5)
    #expect(abs(found.firstColumnNorm - 1.7) < 1e-6)
  }

  @Test("a mirror image is answered with a rotation, never a reflection")
  func noReflection() throws {
    var random = LinearCongruentialGenerator(seed: 6)
    let points = random.floats(60, -10, 10)
    let mirrored = points.enumerated().map {
      $0.offset % 3 == 0 ? -Double($0.element) : Double($0.element)
    }
    let found = try ProcrustesSolver(points: points, weights: [Float](repeating: 1, count: 20))
      .solve(target: mirrored)
    #expect(abs(found.rotation.determinant - 1) < 1e-12)
  }

  @Test("points in one place have no pose")
  func degenerate() {
    let solver = ProcrustesSolver(
      points: [Float](repeating: 1, count: 12), weights: [1, 1, 1, 1])
    let error = #expect(throws: FaceKitError.self) {
      try solver.solve(target: [Double](repeating: 2, count: 12))
    }
    #expect(error?.code == .internalError)
  }

  private func turn(_ angle: Float, axis: Int) -> Matrix3 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3)
    var m = Matrix3.identity
    let (c, s) = (Double(Elementary.cos(Double(angle))), Double(Elementary.sin(Double(angle))))
    (m[i, i], m[i, j], m[j, i], m[j, j]) = (c, -s, s, c)
    return m
  }

  private func apply(_ r: Matrix3, _ k: Double, _ t: [Double], _ points: [Float]) -> [Double] {
    var result: [Double] = []
    for i in stride(from: 0, to: points.count, by: 3) {
      for row in 0..<3 {
        var sum = 0.0
        for column in 0..<3 { sum += r[row, column] * Double(points[i + column]) }
        result.append(k * sum + t[row])
      }
    }
    return result
  }

  // MARK: Metadata

  @Test(
    "the published metadata is read",
    .enabled(
      if: ModelFiles.isAvailable("geometry_pipeline_metadata_landmarks.binarypb"),
      Comment(rawValue: ModelFiles.reason)))
  func publishedMetadata() throws {
    let metadata = try metadata()
    #expect(metadata.vertexCount == 468 && metadata.triangles.count == 2694)
    #expect(Array(metadata.positions[0..<3]) == [0, -3.406404, 5.979507])
    #expect(Array(metadata.triangles[0..<3]) == [173, 155, 133])
    #expect(metadata.weights.count { $0 > 0 } == 33)
    #expect(metadata.weights[129] == 0.120625205 && metadata.weights[4] == 0.07090994)
    #expect(abs(metadata.weights.reduce(0, +) - 1.055) < 1e-3)
  }

  private func metadata() throws -> GeometryMetadata {
    try GeometryMetadata(
      StorageView(
        Storage(copying: ModelFiles.bytes("geometry_pipeline_metadata_landmarks.binarypb"))))
  }

  @Test("packed numbers are read as well")
  func packed() throws {
    let metadata = try GeometryMetadata(Protobuf.metadata(packed: true))
    #expect(metadata == (try GeometryMetadata(Protobuf.metadata(packed: false))))
    #expect(metadata.positions == [0, 1, 2, 5, 6, 7, 10, 11, 12])
    #expect(metadata.textureCoordinates == [3, 4, 8, 9, 13, 14])
    #expect(metadata.triangles == [0, 1, 2] && metadata.weights == [0, 0.5, 0])
  }

  @Test("inconsistent metadata is refused")
  func inconsistent() {
    for bytes in [
      Protobuf.metadata(packed: false, vertices: 14), Protobuf.metadata(packed: false, index: 3),
      Protobuf.metadata(packed: false, weight: -1), Protobuf.metadata(packed: false, weight: .nan),
      Protobuf.metadata(packed: false, weightID: 3), Protobuf.metadata(packed: false, weight: nil),
      StorageView(Storage(copying: [0x0A, 0xFF, 0xFF])), StorageView(Storage(copying: [0x0F])),
      StorageView(Storage(count: 0)),
    ] {
      let error = #expect(throws: FaceKitError.self) { try GeometryMetadata(bytes) }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test("metadata cut anywhere is refused, or is none the worse")
  func truncated() {
    let whole = Protobuf.metadata(packed: true).array(of: UInt8.self)
    func isRead(_ count: Int) -> Bool {
      (try? GeometryMetadata(StorageView(Storage(copying: Array(whole.prefix(count)))))) != nil
    }
    #expect(isRead(whole.count))
    // The mesh takes up most of the file, and nothing can be done without it.
    for count in 0..<(whole.count / 2) { #expect(!isRead(count), "cut at \(count)") }
    #expect((whole.count / 2..<whole.count).count { isRead($0) } < whole.count / 4)
  }

  // MARK: The whole solver

  @Test(
    "from MediaPipe's own landmarks, MediaPipe's own matrix",
    .enabled(
      if: Corpus.isAvailable
        && ModelFiles.isAvailable("geometry_pipeline_metadata_landmarks.binarypb"),
      "needs corpus and models"), arguments: ["astronaut", "two-kids", "hopper"])
  func matrixFromGoldenLandmarks(id: String) throws {
    let golden = try LandmarkerGolden.load(id)
    let geometry = FaceGeometry(try metadata())
    for face in golden.numFaces5 {
      let landmarks = face.landmarks.map { NormalizedLandmark(x: $0[0], y: $0[1], z: $0[2]) }
      let matrix = try #require(
        try geometry.transform(
          of: landmarks, imageWidth: golden.width, imageHeight: golden.height))
      for row in 0..<4 {
        for column in 0..<4 {
          let bound: Float = column == 3 ? 1e-3 : 1e-5
          let difference = abs(
            matrix.value(atRow: row, column: column) - face.matrix[4 * row + column])
          #expect(difference < bound, "\(id) [\(row)][\(column)]")
        }
      }
    }
  }

  @Test("a face without an extent has no matrix")
  func pointFace() throws {
    let geometry = FaceGeometry(try GeometryMetadata(Protobuf.metadata(packed: true)))
    let points = [NormalizedLandmark](
      repeating: NormalizedLandmark(x: 0.5, y: 0.5, z: 0), count: 478)
    #expect(try geometry.transform(of: points, imageWidth: 10, imageHeight: 10) == nil)
  }

  @Test("elements are where mathematics has them: translation in the last column")
  func matrixAccess() {
    let matrix = TransformMatrix(rowMajor: (0..<16).map(Float.init))
    #expect(matrix.value(atRow: 0, column: 3) == 3 && matrix[2, 0] == 8)
    #expect(matrix.columnMajor[12] == 3 && matrix.columnMajor[1] == 4)
  }
}

/// A tiny metadata message: three vertices, one triangle, one weight.
private enum Protobuf {
  static func metadata(
    packed: Bool, vertices: Int = 15, index: UInt8 = 2, weightID: UInt8 = 1, weight: Float? = 0.5
  ) -> StorageView {
    var mesh: [UInt8] = [0x08, 0, 0x10, 0]
    let values = (0..<vertices).map(Float.init)
    let indices: [UInt8] = [0, 1, index]
    if packed {
      mesh += [0x1A, UInt8(values.count * 4)] + values.flatMap(bytes) + [0x22, 3] + indices
    } else {
      for value in values { mesh += [0x1D] + bytes(value) }
      for index in indices { mesh += [0x20, index] }
    }
    var root: [UInt8] = [0x0A, UInt8(mesh.count)] + mesh
    if let weight { root += [0x12, 7, 0x08, weightID, 0x15] + bytes(weight) }
    root += [0x18, 1]
    return StorageView(Storage(copying: root))
  }

  private static func bytes(_ value: Float) -> [UInt8] { littleEndianBytes([value.bitPattern]) }
}
