import EndToEndSupport
import FaceKit
import TestSupport
import Testing

@Suite("Orientation and regions", .enabled(if: Tasks.available, Comment(rawValue: Tasks.reason)))
struct OrientationTests {
  private static let orientations = ImageOrientation.allCases

  /// The portrait, stored so that `orientation` brings it upright.
  private func stored(_ upright: MPImage, _ orientation: ImageOrientation) throws -> MPImage {
    // Storing is the inverse of bringing upright; only the quarter turns are not their own inverse.
    let inverse: [ImageOrientation: ImageOrientation] = [.left: .right, .right: .left]
    let pixels = try upright.oriented(inverse[orientation] ?? orientation).upright()
    return pixels.oriented(orientation)
  }

  @Test(
    "whichever way a picture is stored, the same face is found where it is stored",
    arguments: orientations)
  func landmarks(_ orientation: ImageOrientation) throws {
    let upright = try Tasks.image(CorpusManifest.load().image("astronaut"))
    let expected = try Tasks.oneFace.get().detect(image: upright)
    let image = try stored(upright, orientation)
    let again = try image.upright().pixels.array(of: UInt8.self)
    try #require(again == upright.pixels.array(of: UInt8.self))
    let result = try Tasks.oneFace.get().detect(image: image)
    try #require(result.faceLandmarks.count == 1)
    // Sampling runs along other axes, so a few hundredths of a pixel are lost. (1/512 is a pixel.)
    for (found, wanted) in zip(result.faceLandmarks[0], expected.faceLandmarks[0]) {
      let place = storedPlace(wanted, orientation)
      #expect(abs(found.x - place.x) < 2 / 512 && abs(found.y - place.y) < 2 / 512)
    }
    // The subject's left stays left: this face's two eyes differ. (Turned by a quarter, scores differ more: the
    // blendshape model is given the landmarks as the picture is stored, as MediaPipe gives them.)
    guard orientation == .up || orientation == .upMirrored else { return }
    for index in [9, 10, 19, 20] {
      let score = result.faceBlendshapes[0].categories[index].score
      #expect(abs(score - expected.faceBlendshapes[0].categories[index].score) < 0.02)
    }
  }

  /// Where a point of the upright square picture is stored.
  private func storedPlace(
    _ point: NormalizedLandmark, _ orientation: ImageOrientation
  ) -> (x: Float, y: Float) {
    let (x, y) = (point.x, point.y)
    switch orientation {
    case .up: return (x, y)
    case .upMirrored: return (1 - x, y)
    case .down: return (1 - x, 1 - y)
    case .downMirrored: return (x, 1 - y)
    case .right: return (y, 1 - x)
    case .left: return (1 - y, x)
    case .leftMirrored: return (y, x)
    case .rightMirrored: return (1 - y, 1 - x)
    }
  }

  @Test("a region of interest leaves out the faces beside it")
  func regionOfInterest() throws {
    let picture = try CorpusManifest.load().image("two-kids")
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = ModelFiles.url("face_detector.tflite").path
    options.regionOfInterest = Rect(x: 0.5, y: 0, width: 0.5, height: 1)
    let found = try FaceDetector(options: options).detect(image: Tasks.image(picture)).detections
    #expect(found.count == 1)
    #expect(abs((found.first?.pixelBox.originX ?? 0) - 616) < 25)
  }

  @Test("tiles find the small faces of a large picture, and each only once")
  func tiles() throws {
    let portrait = try Tasks.image(CorpusManifest.load().image("astronaut"))
    let large = try tiled(portrait, size: 2400, at: [(200, 150), (1500, 1700)])
    let plain = try Tasks.detector.get().detect(image: large).detections
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = ModelFiles.url("face_detector.tflite").path
    options.tiles = 6
    // The shirt of the portrait, by itself, is a face of 0.58 to the model.
    options.minDetectionConfidence = 0.7
    let found = try FaceDetector(options: options).detect(image: large).detections
    #expect(plain.count < 2)
    try #require(found.count == 2, "\(found.map { ($0.pixelBox, $0.score) })")
    let left = found.map(\.pixelBox.originX).sorted()
    #expect(abs(left[0] - 200 - 177) < 20 && abs(left[1] - 1500 - 177) < 20)
  }

  /// A gray picture with copies of another in it.
  private func tiled(_ image: MPImage, size: Int, at places: [(Int, Int)]) throws -> MPImage {
    var pixels = [UInt8](repeating: 128, count: size * size * 3)
    for (left, top) in places {
      for y in 0..<image.height {
        let row = image.pixels.bytes[y * image.rowStride..<y * image.rowStride + image.width * 3]
        let start = ((top + y) * size + left) * 3
        pixels.replaceSubrange(start..<start + row.count, with: row)
      }
    }
    return try MPImage(copying: pixels, width: size, height: size, format: .rgb)
  }
}
