import Testing

@testable import FaceKit

@Suite("Iris distance")
struct IrisTests {
  private func eye(x: Float, y: Float, radius: Float) -> EyeLandmarks {
    let offsets: [(Float, Float)] = [(0, 0), (1, 0), (0, -1), (-1, 0), (0, 1)]
    return EyeLandmarks(
      contour: [],
      iris: offsets.map {
        NormalizedLandmark(x: (x + $0.0 * radius) / 640, y: (y + $0.1 * radius) / 480, z: 0)
      })
  }

  @Test("an iris of 11.8 mm in the middle is as far as similar triangles say")
  func centre() {
    let eye = eye(x: 320, y: 240, radius: 5.9)
    #expect(abs(eye.irisDiameterInPixels(imageWidth: 640, imageHeight: 480) - 11.8) < 1e-3)
    let distance = eye.distanceInMillimeters(
      focalLengthInPixels: 600, imageWidth: 640, imageHeight: 480)
    #expect(abs(distance - 600) < 0.1)
  }

  @Test("off the axis the ray is longer")
  func offAxis() {
    let distance = eye(x: 320 + 300, y: 240 - 160, radius: 5.9).distanceInMillimeters(
      focalLengthInPixels: 600, imageWidth: 640, imageHeight: 480)
    #expect(abs(distance - Float(360_000 + 90_000 + 25_600).squareRoot()) < 0.2)
  }

  @Test("a filled tensor is flipped left to right, pixels staying whole")
  func flip() {
    let sampler = ImageToTensor(
      width: 3, height: 2, range: (0, 255), border: .replicate, keepsAspect: false)
    var tensor = (0..<18).map(Float.init)
    tensor.withUnsafeMutableBufferPointer { sampler.flip($0) }
    #expect(tensor == [6, 7, 8, 3, 4, 5, 0, 1, 2, 15, 16, 17, 12, 13, 14, 9, 10, 11])
  }
}
