import EndToEndSupport
import FaceKit
import TestSupport
import Testing

@Suite(
  "Iris model",
  .enabled(
    if: Tasks.available && ModelFiles.isAvailable("iris_landmark.tflite"),
    Comment(rawValue: Tasks.reason)))
struct IrisPipelineTests {
  private func eyes(_ image: MPImage) throws -> (
    mesh: [NormalizedLandmark], right: EyeLandmarks, left: EyeLandmarks
  ) {
    let mesh = try #require(Tasks.oneFace.get().detect(image: image).faceLandmarks.first)
    let pipeline = try IrisPipeline(model: Tasks.bytes("iris_landmark.tflite"))
    let eyes = try pipeline.eyes(of: image, face: mesh)
    return (mesh, eyes.right, eyes.left)
  }

  private func pixels(_ a: NormalizedLandmark, _ b: NormalizedLandmark, _ image: MPImage) -> Float {
    let (dx, dy) = ((a.x - b.x) * Float(image.width), (a.y - b.y) * Float(image.height))
    return (dx * dx + dy * dy).squareRoot()
  }

  @Test(
    "irises and corners lie where the face mesh sees them",
    arguments: [ImageOrientation.up, .upMirrored])
  func place(_ orientation: ImageOrientation) throws {
    let image = try Tasks.image(CorpusManifest.load().image("astronaut")).oriented(orientation)
    let (mesh, right, left) = try eyes(image)
    #expect(right.contour.count == 71 && right.iris.count == 5)
    // The eyes are 43 pixels apart.
    let between = pixels(mesh[468], mesh[473], image)
    #expect(pixels(right.iris[0], mesh[468], image) < 0.06 * between)
    #expect(pixels(left.iris[0], mesh[473], image) < 0.06 * between)
    // Contours begin at the outer corners.
    #expect(pixels(right.contour[0], mesh[33], image) < 0.08 * between)
    #expect(pixels(left.contour[0], mesh[263], image) < 0.08 * between)
    let diameter = right.irisDiameterInPixels(imageWidth: image.width, imageHeight: image.height)
    #expect(diameter > 0.1 * between && diameter < 0.3 * between)
  }

  @Test("the distance scales with the focal length")
  func distance() throws {
    let image = try Tasks.image(CorpusManifest.load().image("astronaut"))
    let (_, right, left) = try eyes(image)
    for eye in [right, left] {
      let near = eye.distanceInMillimeters(
        focalLengthInPixels: 600, imageWidth: image.width, imageHeight: image.height)
      #expect(near > 300 && near < 1500)
      let far = eye.distanceInMillimeters(
        focalLengthInPixels: 1200, imageWidth: image.width, imageHeight: image.height)
      #expect(far > 1.9 * near && far < 2 * near)
    }
  }

  @Test("another model is refused")
  func wrongModel() throws {
    let error = #expect(throws: FaceKitError.self) {
      try IrisPipeline(model: Tasks.bytes("face_detector.tflite"))
    }
    #expect(error?.code == .invalidArgument)
  }
}
