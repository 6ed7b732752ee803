// Code in the shape of MediaPipe's published iOS guides: only the import differs. That it compiles is the
// test; the names, labels and optionality of everything here are our promise to existing apps. The bodies are
// in `GuideSnippetTests`, which runs what can run without Apple's frameworks.
import FaceKit
import Foundation

class FaceLandmarkerResultProcessor: NSObject, FaceLandmarkerLiveStreamDelegate {

  func faceLandmarker(
    _ faceLandmarker: FaceLandmarker,
    didFinishDetection result: FaceLandmarkerResult?,
    timestampInMilliseconds: Int,
    error: Error?
  ) {

    if let error { received.append("error \(error)") }
    if let result { received.append("faces \(result.faceLandmarks.count)") }
    finished.signal()
  }

  var received: [String] = []
  let finished = DispatchSemaphore(value: 0)
}

class FaceDetectorResultProcessor: NSObject, FaceDetectorLiveStreamDelegate {

  func faceDetector(
    _ faceDetector: FaceDetector,
    didFinishDetection result: FaceDetectorResult?,
    timestampInMilliseconds: Int,
    error: Error?
  ) {

    finished.signal()
  }

  let finished = DispatchSemaphore(value: 0)
}

enum GuideSnippets {
  static func landmarkerForImages(modelPath: String?) throws -> FaceLandmarker {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = .image
    options.minFaceDetectionConfidence = 0.5
    options.minFacePresenceConfidence = 0.5
    options.minTrackingConfidence = 0.5
    options.numFaces = 2

    let faceLandmarker = try FaceLandmarker(options: options)
    return faceLandmarker
  }

  static func landmarkerForVideo(modelPath: String?) throws -> FaceLandmarker {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.baseOptions.delegate = .GPU
    options.runningMode = .video
    options.numFaces = 1
    options.outputFaceBlendshapes = true
    options.outputFacialTransformationMatrixes = true

    return try FaceLandmarker(options: options)
  }

  static func landmarkerForLiveStream(
    modelPath: String?, processor: FaceLandmarkerResultProcessor
  ) throws -> FaceLandmarker {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.baseOptions.delegate = .CPU
    options.runningMode = .liveStream

    // Assign an object of the class to the `faceLandmarkerLiveStreamDelegate`
    // property.
    options.faceLandmarkerLiveStreamDelegate = processor

    return try FaceLandmarker(options: options)
  }

  static func bundledModel() throws -> FaceDetector? {
    let modelPath = Bundle.main.path(
      forResource: "model",
      ofType: "tflite")
    guard let modelPath else { return nil }
    return try FaceDetector(modelPath: modelPath)
  }

  static func detector(
    modelPath: String?, mode: RunningMode, processor: FaceDetectorResultProcessor? = nil
  ) throws -> FaceDetector {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    options.runningMode = mode
    options.minDetectionConfidence = 0.5
    options.minSuppressionThreshold = 0.3
    options.faceDetectorLiveStreamDelegate = processor

    let faceDetector = try FaceDetector(options: options)
    return faceDetector
  }

  /// Reads everything there is in a result.
  static func describe(_ result: FaceLandmarkerResult) -> [String] {
    var lines = ["\(result.timestampInMilliseconds) ms"]
    for landmarks in result.faceLandmarks {
      let first: NormalizedLandmark = landmarks[0]
      let visibility = first.visibility ?? 0
      let presence = first.presence ?? 0
      lines.append(
        "\(landmarks.count) landmarks, \(first.x) \(first.y) \(first.z) \(visibility) \(presence)")
    }
    if let blendshapes = result.faceBlendshapes.first {
      let best = blendshapes.categories.max { $0.score < $1.score }
      if let category: ResultCategory = best, let name = category.categoryName {
        lines.append("\(name): \(category.score)")
      }
    }
    if let matrix: TransformMatrix = result.facialTransformationMatrixes.first {
      for row in 0..<matrix.rows {
        lines.append(
          (0..<matrix.columns).map { "\(matrix.value(atRow: row, column: $0))" }.joined(
            separator: " "))
      }
    }
    return lines
  }

  /// As the sample app's overlay does: boxes and keypoints scaled to a view.
  static func boxes(_ result: FaceDetectorResult, in size: CGSize) -> [CGRect] {
    var boxes: [CGRect] = []
    for detection: Detection in result.detections {
      let box: CGRect = detection.boundingBox
      boxes.append(box)
      guard let category = detection.categories.first, category.score > 0 else { continue }
      detection.keypoints?.forEach { keypoint in
        boxes.append(
          CGRect(
            x: keypoint.location.x * size.width, y: CGFloat(keypoint.y) * size.height, width: 1,
            height: 1))
      }
    }
    return boxes
  }

  /// As the sample app's overlay does: lines between landmarks.
  static func lines(_ landmarks: [NormalizedLandmark]) -> Int {
    let sets = [
      FaceLandmarker.lipsConnections(), FaceLandmarker.leftEyeConnections(),
      FaceLandmarker.rightEyeConnections(), FaceLandmarker.leftEyebrowConnections(),
      FaceLandmarker.rightEyebrowConnections(), FaceLandmarker.leftIrisConnections(),
      FaceLandmarker.rightIrisConnections(), FaceLandmarker.faceOvalConnections(),
      FaceLandmarker.tesselationConnections(),
    ]
    var count = 0
    for connection in sets.joined() {
      let start = landmarks[Int(connection.start)]
      let end = landmarks[Int(connection.end)]
      if start.x != end.x || start.y != end.y { count += 1 }
    }
    return count
  }
}
