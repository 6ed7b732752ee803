// Code in the shape of ML Kit's published iOS guide: only the import differs. That it compiles is the test; the names,
// labels and optionality of everything here are our promise to existing apps. `VisionGuideSnippetTests` runs it.
import FaceKit
import Foundation

enum VisionGuideSnippets {
  // MARK: 1. Configure the face detector

  static func accurateOptions() -> VisionFaceDetectorOptions {
    // High-accuracy landmark detection and face classification
    let options = VisionFaceDetectorOptions()
    options.performanceMode = .accurate
    options.landmarkMode = .all
    options.classificationMode = .all
    return options
  }

  static func contourOptions() -> VisionFaceDetectorOptions {
    // Real-time contour detection of multiple faces
    let options = VisionFaceDetectorOptions()
    options.contourMode = .all
    return options
  }

  static func everything() -> VisionFaceDetectorOptions {
    let options = VisionFaceDetectorOptions()
    options.performanceMode = .fast
    options.landmarkMode = .all
    options.contourMode = .all
    options.classificationMode = .all
    options.minFaceSize = CGFloat(0.1)
    options.isTrackingEnabled = true
    return options
  }

  // MARK: 2. Run the face detector

  final class ViewController {
    lazy var vision = Vision.vision()

    func makeDetector(options: VisionFaceDetectorOptions) -> VisionFaceDetector {
      let faceDetector = vision.faceDetector(options: options)
      return faceDetector
    }
  }

  // `UIDeviceOrientation` and `AVCaptureDevice.Position` are Apple's; these have their cases.
  static func imageOrientation(
    deviceOrientation: VisionDeviceOrientation,
    cameraPosition: VisionCameraPosition
  ) -> VisionDetectorImageOrientation {
    switch deviceOrientation {
    case .portrait:
      return cameraPosition == .front ? .leftTop : .rightTop
    case .landscapeLeft:
      return cameraPosition == .front ? .bottomLeft : .topLeft
    case .portraitUpsideDown:
      return cameraPosition == .front ? .rightBottom : .leftBottom
    case .landscapeRight:
      return cameraPosition == .front ? .topRight : .bottomRight
    }
  }

  /// `sampleBuffer` is a camera's picture: on Linux, planes of luma and chroma.
  static func image(sampleBuffer: YUVImage) -> VisionImage {
    let cameraPosition = VisionCameraPosition.back  // Set to the capture device you used.
    let metadata = VisionImageMetadata()
    metadata.orientation = imageOrientation(
      deviceOrientation: .portrait,
      cameraPosition: cameraPosition
    )
    let image = VisionImage(buffer: sampleBuffer)
    image.metadata = metadata
    return image
  }

  static func process(
    _ visionImage: VisionImage, _ faceDetector: VisionFaceDetector,
    finished: @escaping @MainActor ([String]) -> Void
  ) {
    faceDetector.process(visionImage) { faces, error in
      guard error == nil, let faces = faces, !faces.isEmpty else {
        finished([])
        return
      }

      // Faces detected
      finished(describe(faces))
    }
  }

  /// The guide's text still names the older method.
  @available(*, deprecated)
  static func detect(
    _ image: VisionImage, _ faceDetector: VisionFaceDetector,
    finished: @escaping @MainActor (Int) -> Void
  ) {
    faceDetector.detect(in: image) { faces, error in
      finished(error == nil ? faces?.count ?? 0 : -1)
    }
  }

  // MARK: 3. Get information about detected faces

  static func describe(_ faces: [VisionFace]) -> [String] {
    var lines: [String] = []
    for face in faces {
      let frame: CGRect = face.frame
      lines.append("frame \(frame.origin.x) \(frame.size.width)")
      if face.hasHeadEulerAngleY {
        let rotY: CGFloat = face.headEulerAngleY  // Head is rotated to the right rotY degrees
        lines.append("y \(rotY)")
      }
      if face.hasHeadEulerAngleZ {
        let rotZ = face.headEulerAngleZ  // Head is rotated upward rotZ degrees
        lines.append("z \(rotZ)")
      }

      // If landmark detection was enabled (mouth, ears, eyes, cheeks, and
      // nose available):
      if let leftEye = face.landmark(ofType: .leftEye) {
        let leftEyePosition = leftEye.position
        lines.append("leftEye \(CGPoint(x: leftEyePosition.x, y: leftEyePosition.y))")
      }

      // If contour detection was enabled:
      if let leftEyeContour = face.contour(ofType: .leftEye) {
        let leftEyePoints = leftEyeContour.points
        lines.append("leftEyePoints \(leftEyePoints.count)")
      }
      if let upperLipBottomContour = face.contour(ofType: .upperLipBottom) {
        let upperLipBottomPoints = upperLipBottomContour.points
        lines.append("upperLipBottomPoints \(upperLipBottomPoints.count)")
      }

      // If classification was enabled:
      if face.hasSmilingProbability {
        let smileProb: CGFloat = face.smilingProbability
        lines.append("smile \(smileProb)")
      }
      if face.hasRightEyeOpenProbability {
        let rightEyeOpenProb = face.rightEyeOpenProbability
        lines.append("rightEyeOpen \(rightEyeOpenProb)")
      }

      // If face tracking was enabled:
      if face.hasTrackingID {
        let trackingId: Int = face.trackingID
        lines.append("id \(trackingId)")
      }
    }
    return lines
  }
}
