import FaceKit
import Foundation
import ImageCodecs
import FaceKitModels
import FaceKitTensor
import TestSupport

/// How far our answer is from MediaPipe's, in the units of the bounds that docs/testing.md explains.
struct FaceDistance: CustomStringConvertible {
  /// Furthest landmark, in pixels of the picture, over x and y.
  var pixels: Float = 0
  var blendshape: Float = 0
  /// Furthest matrix element, as a share of the largest.
  var matrix: Float = 0

  init(_ result: FaceLandmarkerResult, _ goldens: [FaceGolden], width: Int, height: Int) {
    for (index, golden) in goldens.enumerated() {
      add(result.faceLandmarks[index], golden.landmarks, width, height)
      for (k, expected) in golden.blendshapes.enumerated() {
        let actual = result.faceBlendshapes[index].categories[k].score
        blendshape = max(blendshape, abs(actual - expected))
      }
      let largest = golden.matrix.map(abs).max() ?? 1
      for (k, expected) in golden.matrix.enumerated() {
        let actual = result.facialTransformationMatrixes[index].rowMajor[k]
        matrix = max(matrix, abs(actual - expected) / largest)
      }
    }
  }

  init(_ landmarks: [NormalizedLandmark], _ golden: [[Float]], width: Int, height: Int) {
    add(landmarks, golden, width, height)
  }

  private mutating func add(
    _ landmarks: [NormalizedLandmark], _ golden: [[Float]], _ width: Int, _ height: Int
  ) {
    for (actual, expected) in zip(landmarks, golden) {
      pixels = max(
        pixels, abs(actual.x - expected[0]) * Float(width),
        abs(actual.y - expected[1]) * Float(height))
    }
  }

  var description: String {
    "landmarks \(pixels) px, blendshapes \(blendshape), matrix \(matrix)"
  }
}

/// The tasks under test, made once: weights are packed when a model is loaded.
enum Tasks {
  static let available = Corpus.isAvailable && ModelFiles.isAvailable
  static let reason = Corpus.isAvailable ? ModelFiles.reason : Corpus.reason

  static let images: [CorpusImage] =
    Corpus.isAvailable
    ? ((try? CorpusManifest.load().images.filter { $0.sameAs == nil }) ?? []) : []
  static let sequences: [CorpusSequence] =
    Corpus.isAvailable ? ((try? CorpusManifest.load().sequences) ?? []) : []

  static func image(_ picture: CorpusImage) throws -> MPImage {
    try MPImage(contentsOf: Corpus.url(picture.decoded).path)
  }

  static func landmarkerOptions() -> FaceLandmarkerOptions {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = ModelFiles.url("face_landmarker.task").path
    options.outputFaceBlendshapes = true
    options.outputFacialTransformationMatrixes = true
    return options
  }

  static let oneFace = Result { try FaceLandmarker(options: landmarkerOptions()) }
  static let fiveFaces = Result {
    let options = landmarkerOptions()
    options.numFaces = 5
    return try FaceLandmarker(options: options)
  }

  static func detector(_ model: String, confidence: Float = 0.5) throws -> FaceDetector {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = ModelFiles.url(model).path
    options.minDetectionConfidence = confidence
    return try FaceDetector(options: options)
  }

  static let detector = Result { try detector("face_detector.tflite") }
  static let eagerDetector = Result { try detector("face_detector.tflite", confidence: 0.2) }
  static let shortRange = Result { try detector("face_detection_short_range.tflite") }
  /// The older solution has a fixed score threshold of 0.6 for this model, whatever confidence it is asked for (the
  /// lowest score in its goldens is 0.604), and what is below does not enter its averages.
  static let fullRange = Result {
    try detector("face_detection_full_range_sparse.tflite", confidence: 0.6)
  }

  static func bytes(_ name: String) throws -> StorageView {
    try MappedFile.open(ModelFiles.url(name).path)
  }

  static func mesh(_ model: String) throws -> FaceLandmarker {
    let options = FaceLandmarkerOptions()
    options.numFaces = 5
    options.models = FaceModels(
      detector: try bytes("face_detection_short_range.tflite"), landmarks: try bytes(model))
    return try FaceLandmarker(options: options)
  }

  static let attentionMesh = Result { try mesh("face_landmark_with_attention.tflite") }
  static let basicMesh = Result { try mesh("face_landmark.tflite") }
}
