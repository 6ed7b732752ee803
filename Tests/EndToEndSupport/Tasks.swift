import FaceKit
import ImageCodecs
import FaceKitModels
import FaceKitTensor
import TestSupport

/// The tasks under test, made once: weights are packed when a model is loaded.
package enum Tasks {
  package static let available = Corpus.isAvailable && ModelFiles.isAvailable
  package static let reason = Corpus.isAvailable ? ModelFiles.reason : Corpus.reason

  package static let images: [CorpusImage] =
    Corpus.isAvailable
    ? ((try? CorpusManifest.load().images.filter { $0.sameAs == nil }) ?? []) : []
  package static let sequences: [CorpusSequence] =
    Corpus.isAvailable ? ((try? CorpusManifest.load().sequences) ?? []) : []

  package static func image(_ picture: CorpusImage) throws -> MPImage {
    try MPImage(contentsOf: Corpus.url(picture.decoded).path)
  }

  package static func landmarkerOptions() -> FaceLandmarkerOptions {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = ModelFiles.url("face_landmarker.task").path
    options.outputFaceBlendshapes = true
    options.outputFacialTransformationMatrixes = true
    return options
  }

  package static let oneFace = Result { try FaceLandmarker(options: landmarkerOptions()) }
  package static let fiveFaces = Result {
    let options = landmarkerOptions()
    options.numFaces = 5
    return try FaceLandmarker(options: options)
  }

  package static func detector(_ model: String, confidence: Float = 0.5) throws -> FaceDetector {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = ModelFiles.url(model).path
    options.minDetectionConfidence = confidence
    return try FaceDetector(options: options)
  }

  package static let detector = Result { try detector("face_detector.tflite") }
  package static let eagerDetector = Result {
    try detector("face_detector.tflite", confidence: 0.2)
  }
  package static let shortRange = Result { try detector("face_detection_short_range.tflite") }
  /// The older solution has a fixed score threshold of 0.6 for this model, whatever confidence it is asked for (the
  /// lowest score in its goldens is 0.604), and what is below does not enter its averages.
  package static let fullRange = Result {
    try detector("face_detection_full_range_sparse.tflite", confidence: 0.6)
  }

  package static func bytes(_ name: String) throws -> StorageView {
    try MappedFile.open(ModelFiles.url(name).path)
  }

  package static func mesh(_ model: String) throws -> FaceLandmarker {
    let options = FaceLandmarkerOptions()
    options.numFaces = 5
    options.models = FaceModels(
      detector: try bytes("face_detection_short_range.tflite"), landmarks: try bytes(model))
    return try FaceLandmarker(options: options)
  }

  package static let attentionMesh = Result { try mesh("face_landmark_with_attention.tflite") }
  package static let basicMesh = Result { try mesh("face_landmark.tflite") }
}
