import FaceKit
import ImageCodecs
import FaceKitModels

/// A task that can be measured on a picture that is already decoded. Another one is a value here.
struct BenchmarkTask: Sendable {
  let name: String
  /// Loads the models and returns one run.
  let prepare: @Sendable (MPImage, ModelStore, EngineOptions) throws -> () throws -> Void

  static let all: [BenchmarkTask] = [detect, landmarks, landmarksVideo, faceMesh]

  static let detect = BenchmarkTask(name: "detect") { image, store, engine in
    let detector = try FaceDetector(options: try detectorOptions(store, engine))
    return { _ = try detector.detect(image: image) }
  }

  /// Detection, landmarks, blendshapes and matrix.
  static let landmarks = BenchmarkTask(name: "landmarks") { image, store, engine in
    let landmarker = try FaceLandmarker(options: try landmarkerOptions(store, engine))
    return { _ = try landmarker.detect(image: image) }
  }

  /// The same on a video of one picture: after the first frame the face is tracked.
  static let landmarksVideo = BenchmarkTask(name: "landmarks-video") { image, store, engine in
    let options = try landmarkerOptions(store, engine)
    options.runningMode = .video
    let landmarker = try FaceLandmarker(options: options)
    var timestamp = 0
    return {
      timestamp += 33
      _ = try landmarker.detect(videoFrame: image, timestampInMilliseconds: timestamp)
    }
  }

  /// The older face mesh with attention: short-range detector and refined landmarks.
  static let faceMesh = BenchmarkTask(name: "facemesh") { image, store, engine in
    let options = FaceLandmarkerOptions()
    options.models = FaceModels(
      detector: try MappedFile.open(try store.model("face_detection_short_range.tflite")),
      landmarks: try MappedFile.open(try store.model("face_landmark_with_attention.tflite")))
    options.baseOptions.engine = engine
    let landmarker = try FaceLandmarker(options: options)
    return { _ = try landmarker.detect(image: image) }
  }

  static func detectorOptions(
    _ store: ModelStore, _ engine: EngineOptions
  ) throws -> FaceDetectorOptions {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = try store.model("face_detector.tflite")
    options.baseOptions.engine = engine
    return options
  }

  static func landmarkerOptions(
    _ store: ModelStore, _ engine: EngineOptions
  ) throws -> FaceLandmarkerOptions {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = try store.model("face_landmarker.task")
    options.baseOptions.engine = engine
    options.outputFaceBlendshapes = true
    options.outputFacialTransformationMatrixes = true
    return options
  }
}
