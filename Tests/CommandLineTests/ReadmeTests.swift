import FaceKit
import Foundation
import ImageCodecs
import TestSupport
import Testing

@testable import FaceKitTool

/// The README's example, line by line; change both together.
@Suite("README")
struct ReadmeTests {
  private static let sample = try? ModelStore(folder: nil).sample()

  @Test(
    "the example runs and prints what the README says",
    .enabled(if: ModelFiles.isAvailable && sample != nil, Comment(rawValue: ModelFiles.reason)))
  func example() throws {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = ModelFiles.url("face_landmarker.task").path
    options.outputFaceBlendshapes = true
    let landmarker = try FaceLandmarker(options: options)
    let result = try landmarker.detect(image: MPImage(contentsOf: ReadmeTests.sample!))
    let nose = result.faceLandmarks[0][4]
    let smile = result.faceBlendshapes[0].categories.first { $0.categoryName == "mouthSmileLeft" }!
    #expect("\(nose.x)".hasPrefix("0.4368") && "\(nose.y)".hasPrefix("0.2479"))
    #expect("\(smile.score)".hasPrefix("0.899"))
  }
}
