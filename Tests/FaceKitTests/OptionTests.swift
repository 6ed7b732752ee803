import Foundation
import FaceKitModels
import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKit

@Suite("Options")
struct OptionTests {
  @Test("defaults are the published ones")
  func defaults() {
    let landmarker = FaceLandmarkerOptions()
    #expect(landmarker.runningMode == .image && landmarker.numFaces == 1)
    #expect(landmarker.minFaceDetectionConfidence == 0.5)
    #expect(landmarker.minFacePresenceConfidence == 0.5 && landmarker.minTrackingConfidence == 0.5)
    #expect(!landmarker.outputFaceBlendshapes && !landmarker.outputFacialTransformationMatrixes)
    let detector = FaceDetectorOptions()
    #expect(detector.minDetectionConfidence == 0.5 && detector.minSuppressionThreshold == 0.3)
    #expect(detector.baseOptions.delegate == .CPU && detector.baseOptions.modelAssetPath == nil)
  }

  private static let wrongLandmarkerOptions:
    [(name: String, set: @Sendable (FaceLandmarkerOptions) -> Void)] = [
      ("numFaces", { $0.numFaces = 0 }), ("numFaces", { $0.numFaces = -3 }),
      ("minFaceDetectionConfidence", { $0.minFaceDetectionConfidence = 1.5 }),
      ("minFaceDetectionConfidence", { $0.minFaceDetectionConfidence = -0.1 }),
      ("minFacePresenceConfidence", { $0.minFacePresenceConfidence = 2 }),
      ("minFacePresenceConfidence", { $0.minFacePresenceConfidence = .nan }),
      ("minTrackingConfidence", { $0.minTrackingConfidence = -1 }),
      ("minTrackingConfidence", { $0.minTrackingConfidence = .infinity }),
      ("tiles", { $0.tiles = 0 }), ("tiles", { $0.tiles = 1000 }),
      ("regionOfInterest", { $0.regionOfInterest = Rect(x: 0.5, y: 0, width: 0.6, height: 1) }),
      ("regionOfInterest", { $0.regionOfInterest = Rect(x: 0.5, y: 0, width: 0, height: 1) }),
      ("faceLandmarkerLiveStreamDelegate", { $0.runningMode = .liveStream }),
      ("baseOptions.modelAssetPath", { _ in }),
      ("baseOptions.modelAssetPath", { $0.baseOptions.modelAssetPath = "" }),
    ]

  @Test("a wrong option is named", arguments: wrongLandmarkerOptions.indices)
  func landmarker(index: Int) {
    let (name, set) = OptionTests.wrongLandmarkerOptions[index]
    let options = FaceLandmarkerOptions()
    set(options)
    let error = #expect(throws: FaceKitError.self) { try FaceLandmarker(options: options) }
    #expect(error?.code == .invalidArgument && error?.location == name)
  }

  @Test("a wrong detector option is named")
  func detector() {
    let options = FaceDetectorOptions()
    options.minDetectionConfidence = 1.5
    let error = #expect(throws: FaceKitError.self) { try FaceDetector(options: options) }
    #expect(
      error?.description == "1.5 is out of range — minDetectionConfidence — give a value in 0...1")
    options.minDetectionConfidence = 0
    options.minSuppressionThreshold = -0.5
    #expect(throws: FaceKitError.self) { try FaceDetector(options: options) }
  }

  private final class Receiver: FaceDetectorLiveStreamDelegate {
    func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) {}
  }

  @Test("a delegate outside live streams is refused")
  func superfluousDelegate() {
    let receiver = Receiver()
    for mode in [RunningMode.image, .video] {
      let options = FaceDetectorOptions()
      options.runningMode = mode
      options.faceDetectorLiveStreamDelegate = receiver
      let error = #expect(throws: FaceKitError.self) { try FaceDetector(options: options) }
      #expect(error?.location == "faceDetectorLiveStreamDelegate")
    }
  }

  @Test("a missing file is not found, and named")
  func missingFile() {
    let error = #expect(throws: FaceKitError.self) {
      try FaceLandmarker(modelPath: "/nowhere/face_landmarker.task")
    }
    #expect(error?.code == .notFound)
    #expect(error?.description.contains("/nowhere/face_landmarker.task") == true)
    let bridged = (error as (any Error)?) as NSError?
    #expect(bridged?.domain == "com.google.mediapipe.tasks" && bridged?.code == 5)
  }

  private static let hasModels = ModelFiles.isAvailable
  private static let reason = Comment(rawValue: ModelFiles.reason)

  private func load(_ name: String) throws -> StorageView {
    StorageView(Storage(copying: try ModelFiles.bytes(name)))
  }

  @Test(
    "a plain .tflite is no bundle: its first entry is not found", .enabled(if: hasModels, reason))
  func plainModel() throws {
    let error = #expect(throws: FaceKitError.self) {
      try FaceLandmarker(modelPath: ModelFiles.url("face_detector.tflite").path)
    }
    #expect(error?.code == .notFound)
    #expect(error?.what.contains("face_detector.tflite") == true)
  }

  @Test("a file that is no archive at all has an error of its own")
  func notABundle() {
    let text = StorageView(Storage(copying: Array("not a bundle, but long enough".utf8)))
    let error = #expect(throws: FaceKitError.self) { try FaceModels(bundle: text) }
    #expect(error?.code == .unknown)
  }

  @Test(
    "the wrong model is told by its tensors, and the error says what was expected",
    .enabled(if: hasModels, reason))
  func wrongModel() throws {
    let options = FaceDetectorOptions()
    options.model = try load("face_landmarks_detector.tflite")
    let error = #expect(throws: FaceKitError.self) { try FaceDetector(options: options) }
    #expect(error?.code == .invalidArgument && error?.location == "face detector")
    #expect(error?.what.contains("1×256×256×3") == true)
    #expect(error?.advice.contains("1×896×16") == true)
    let swapped = FaceLandmarkerOptions()
    swapped.models = FaceModels(
      detector: try load("face_detector.tflite"), landmarks: try load("face_detector.tflite"))
    let other = #expect(throws: FaceKitError.self) { try FaceLandmarker(options: swapped) }
    #expect(other?.location == "face landmark model")
  }

  @Test("what is asked for must be in the bundle, and only that", .enabled(if: hasModels, reason))
  func missingEntries() throws {
    let options = FaceLandmarkerOptions()
    var models = try FaceModels(bundle: load("face_landmarker.task"))
    models.blendshapes = nil
    models.geometry = nil
    options.models = models
    _ = try FaceLandmarker(options: options)
    options.outputFaceBlendshapes = true
    let blendshapes = #expect(throws: FaceKitError.self) { try FaceLandmarker(options: options) }
    #expect(
      blendshapes?.code == .invalidArgument && blendshapes?.location == "outputFaceBlendshapes")
    options.outputFaceBlendshapes = false
    options.outputFacialTransformationMatrixes = true
    let matrices = #expect(throws: FaceKitError.self) { try FaceLandmarker(options: options) }
    #expect(matrices?.code == .notFound)
  }
}
