import FaceKit
import FaceKitModels
import ToolSupport

/// A task that can be measured on a picture that is already decoded. Another one is a value here.
package struct TaskBenchmark: Sendable {
  package let name: String
  /// The path of a model by its file name.
  package typealias ModelLookup = (_ name: String) throws -> String

  /// Loads the models and returns one run.
  package let prepare: @Sendable (MPImage, ModelLookup, EngineOptions) throws -> () throws -> Void

  package static let all: [TaskBenchmark] = [detect, landmarks, landmarksVideo, faceMesh]

  package static let detect = TaskBenchmark(name: "detect") { image, models, engine in
    let detector = try FaceDetector(options: try detectorOptions(models, engine))
    return { _ = try detector.detect(image: image) }
  }

  /// Detection, landmarks, blendshapes and matrix.
  package static let landmarks = TaskBenchmark(name: "landmarks") { image, models, engine in
    let landmarker = try FaceLandmarker(options: try landmarkerOptions(models, engine))
    return { _ = try landmarker.detect(image: image) }
  }

  /// The same on a video of one picture: after the first frame the face is tracked.
  package static let landmarksVideo = TaskBenchmark(name: "landmarks-video") {
    image, models, engine in
    let options = try landmarkerOptions(models, engine)
    options.runningMode = .video
    let landmarker = try FaceLandmarker(options: options)
    var timestamp = 0
    return {
      timestamp += 33
      _ = try landmarker.detect(videoFrame: image, timestampInMilliseconds: timestamp)
    }
  }

  /// The older face mesh with attention: short-range detector and refined landmarks.
  package static let faceMesh = TaskBenchmark(name: "facemesh") { image, models, engine in
    let options = FaceLandmarkerOptions()
    options.models = FaceModels(
      detector: try MappedFile.open(try models("face_detection_short_range.tflite")),
      landmarks: try MappedFile.open(try models("face_landmark_with_attention.tflite")))
    options.baseOptions.engine = engine
    let landmarker = try FaceLandmarker(options: options)
    return { _ = try landmarker.detect(image: image) }
  }

  package static func detectorOptions(
    _ models: ModelLookup, _ engine: EngineOptions
  ) throws -> FaceDetectorOptions {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = try models("face_detector.tflite")
    options.baseOptions.engine = engine
    return options
  }

  package static func landmarkerOptions(
    _ models: ModelLookup, _ engine: EngineOptions
  ) throws -> FaceLandmarkerOptions {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = try models("face_landmarker.task")
    options.baseOptions.engine = engine
    options.outputFaceBlendshapes = true
    options.outputFacialTransformationMatrixes = true
    return options
  }
}
