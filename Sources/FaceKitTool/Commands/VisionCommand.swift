import FaceKit
import Inspection
import ToolSupport

extension Command {
  static let vision = Command(
    name: "vision",
    summary: "finds faces as ML Kit describes them: angles, contours, smile, open eyes",
    synopsis: "[options] <pictures>",
    options: [
      Option("--performance", value: "MODE", help: "fast or accurate (fast)"),
      Option(
        "--features", value: "LIST",
        help:
          "of landmarks, contours, classification, tracking, none\n(landmarks,contours,classification)"
      ),
      Option("--all-contours", help: "contours of every face, not of the most prominent alone"),
      Option(
        "--min-face-size", value: "X",
        help: "smallest face, as a share of the picture's width, 0 to 1 (0.1)"),
      Option(
        "--region-confidence",
        help: "how sure it is that eyes, brows, nose and mouth are seen, not covered"),
      Option("--hide-occluded", help: "leave out what is covered"),
      Option("--zoom", help: "draw the faces' surroundings only, enlarged"),
      Option("--model", value: "FILE", role: .input, help: "another bundle (face_landmarker.task)"),
    ] + EngineArguments.options + PictureBatch.options,
    details: """
      With tracking, the pictures are taken for the frames of one stream, a thirtieth of a second apart.
      JSON: {"file", "width", "height", "faces": [{"framePixels": {"originX", "originY", "width", "height"},
      "confidence", "headEulerAngleX", "headEulerAngleY", "headEulerAngleZ", "landmarks": {type: [x, y]},
      "contours": {type: [[x, y] …]}, "smilingProbability", "leftEyeOpenProbability",
      "rightEyeOpenProbability", "trackingID", "regionConfidence": {part: 0…1}}]}.
      Coordinates are in pixels of the upright picture, angles in degrees; what is off or unknown is left out.
      """
  ) { arguments, console in
    let store = ModelStore(folder: arguments.string("--models"))
    let options = try VisionArguments.options(arguments)
    var batch = try PictureBatch(arguments, console, store)
    let model = try arguments.string("--model") ?? store.model("face_landmarker.task")
    options.modelPath = try InputFile.lastingUTF8Path(model)
    let detector = Vision.vision().faceDetector(options: options)
    do throws(FaceKitError) {
      try detector.prepare()
    } catch {
      throw ToolError(error, in: model)
    }
    let zooms = arguments.has("--zoom")
    return batch.run { image in
      let faces = try detector.results(in: VisionImage(image: image))
      return PictureResult(
        json: [.init(name: "faces", value: .array(faces.map(VisionOutput.json)))],
        text: VisionOutput.text(faces),
        drawing: { try VisionOutput.drawing(faces, on: image, zooms: zooms) })
    }
  }
}

enum VisionArguments {
  private enum Performance: String, CaseIterable {
    case fast, accurate
  }

  private static let features = ["landmarks", "contours", "classification", "tracking"]

  /// The options but for the model, which is looked for when everything else is known to be right.
  static func options(_ arguments: Arguments) throws(UsageError) -> VisionFaceDetectorOptions {
    let options = VisionFaceDetectorOptions()
    if let mode = try arguments.choice("--performance", of: Performance.self) {
      options.performanceMode = mode == .fast ? .fast : .accurate
    }
    var chosen = ["landmarks", "contours", "classification"]
    if let list = arguments.string("--features") {
      chosen = list.split(separator: ",").map(String.init).filter { $0 != "none" }
      for word in chosen where !features.contains(word) {
        throw arguments.invalid(
          "--features", word, "give some of \(features.joined(separator: ",")), or none")
      }
    }
    options.landmarkMode = chosen.contains("landmarks") ? .all : .none
    options.contourMode = chosen.contains("contours") ? .all : .none
    options.classificationMode = chosen.contains("classification") ? .all : .none
    options.isTrackingEnabled = chosen.contains("tracking")
    if arguments.has("--all-contours") { options.contourScope = .allFaces }
    options.hidesOccludedRegions = arguments.has("--hide-occluded")
    options.estimatesRegionConfidence = arguments.has("--region-confidence")
    if let size = try arguments.number("--min-face-size", in: 0...1) {
      options.minFaceSize = VisionScalar(size)
    }
    options.engine = try EngineArguments.engine(arguments)
    return options
  }
}

/// Faces as the contract, a person and a drawing want them.
enum VisionOutput {
  static func json(_ face: VisionFace) -> JSON {
    let frame = face.frameRect
    return .object([
      "framePixels": [
        "originX": .float(frame.minX), "originY": .float(frame.minY),
        "width": .float(frame.width), "height": .float(frame.height),
      ],
      "confidence": number(face.confidence),
      "headEulerAngleX": face.headEulerAngles.map { .double($0.x) },
      "headEulerAngleY": face.headEulerAngles.map { .double($0.y) },
      "headEulerAngleZ": face.headEulerAngles.map { .double($0.z) },
      "landmarks": face.landmarks.isEmpty
        ? nil
        : .object(
          face.landmarks.map { .init(name: $0.type.rawValue, value: point($0.position)) }),
      "contours": face.contours.isEmpty
        ? nil
        : .object(
          face.contours.map {
            .init(name: $0.type.rawValue, value: .array($0.points.map(point)))
          }),
      "smilingProbability": face.smile.map(number),
      "leftEyeOpenProbability": face.leftEyeOpen.map(number),
      "rightEyeOpenProbability": face.rightEyeOpen.map(number),
      "trackingID": face.trackID.map { .integer($0) },
      "regionConfidence": face.regionConfidence.map { confidence in
        .object(
          FaceRegion.allCases.map { .init(name: $0.rawValue, value: .float(confidence[$0])) })
      },
    ])
  }

  private static func number(_ value: VisionScalar) -> JSON { .double(Double(value)) }

  private static func point(_ point: VisionPoint) -> JSON {
    .floats([Float(point.x), Float(point.y)])
  }

  static func text(_ faces: [VisionFace]) -> String {
    var text = Counting.faces(faces.count)
    for (index, face) in faces.enumerated() {
      let frame = face.frameRect
      text += "\n  face \(index + 1)"
      if let id = face.trackID { text += " (tracking ID \(id))" }
      text += ": \(Formatting.fixed(frame.width, 0))×\(Formatting.fixed(frame.height, 0))"
      text += " at (\(Formatting.fixed(frame.minX, 0)), \(Formatting.fixed(frame.minY, 0)))"
      if let angles = face.headEulerAngles { text += ", turned \(self.angles(angles))" }
      var expression: [String] = []
      if let smile = face.smile { expression.append("smiling \(share(smile))") }
      if let left = face.leftEyeOpen { expression.append("left eye open \(share(left))") }
      if let right = face.rightEyeOpen { expression.append("right eye open \(share(right))") }
      if !expression.isEmpty { text += "\n    " + expression.joined(separator: ", ") }
      if let confidence = face.regionConfidence {
        text += "\n    seen: "
        text += FaceRegion.allCases
          .map { "\($0.rawValue) \(Formatting.fixed(confidence[$0], 2))" }.joined(separator: ", ")
      }
      if !face.contours.isEmpty {
        let points = face.contours.map(\.points.count).reduce(0, +)
        text += "\n    \(face.contours.count) contours of \(points) points"
      }
    }
    return text
  }

  private static func share(_ probability: VisionScalar) -> String {
    Formatting.fixed(Double(probability), 2)
  }

  private static func angles(_ angles: HeadEulerAngles) -> String {
    "x \(Formatting.fixed(angles.x, 1))° y \(Formatting.fixed(angles.y, 1))°"
      + " z \(Formatting.fixed(angles.z, 1))°"
  }

  // MARK: Drawing

  static func drawing(
    _ faces: [VisionFace], on image: MPImage, zooms: Bool
  ) throws -> FaceDrawing {
    let window = zooms ? try Window.around(faces, in: image) : Window(whole: image)
    let drawing = try FaceDrawing(window.image)
    for face in faces {
      drawing.draw(vision: drawn(face, shiftedBy: window), isAlone: faces.count == 1)
    }
    return drawing
  }

  private static func drawn(_ face: VisionFace, shiftedBy window: Window) -> DrawnVisionFace {
    func place(_ point: VisionPoint) -> CanvasPoint {
      CanvasPoint(x: Double(point.x) - window.left, y: Double(point.y) - window.top)
    }
    func points(_ type: FaceContourType) -> [CanvasPoint] {
      (face.contour(ofType: type)?.points ?? []).map(place)
    }
    let frame = face.frameRect
    var drawn = DrawnVisionFace(
      x: Double(frame.minX) - window.left, y: Double(frame.minY) - window.top,
      width: Double(frame.width), height: Double(frame.height))
    drawn.curves = VisionCurves.curves(points)
    drawn.contourPoints = face.contours.flatMap { $0.points.map(place) }
    drawn.landmarks = face.landmarks.filter(\.isVisible).map { place($0.position) }
    if let angles = face.headEulerAngles {
      let axes = angles.projectedAxes
      drawn.axes = [axes.right, axes.up, axes.forward].map {
        CanvasPoint(x: Double($0.x), y: Double($0.y))
      }
      drawn.lines.append(self.angles(angles))
    }
    drawn.nose =
      points(.noseBridge).last ?? face.landmark(ofType: .noseBase).map { place($0.position) }
    for (name, value) in [
      ("smiling", face.smile), ("left eye open", face.leftEyeOpen),
      ("right eye open", face.rightEyeOpen),
    ] {
      if let value { drawn.shares.append((name, Double(value))) }
    }
    if let id = face.trackID { drawn.lines.append("ID \(id)") }
    return drawn
  }

  /// The part of the picture that is drawn.
  private struct Window {
    let image: MPImage
    var left = 0.0
    var top = 0.0

    init(whole image: MPImage) { self.image = image }

    /// All faces with half a face of surroundings.
    static func around(_ faces: [VisionFace], in image: MPImage) throws -> Window {
      guard let first = faces.first?.frameRect else { return Window(whole: image) }
      var bounds = first
      var margin = first.width / 2
      for frame in faces.map(\.frameRect) {
        bounds = Rect(
          minX: min(bounds.minX, frame.minX), minY: min(bounds.minY, frame.minY),
          maxX: max(bounds.maxX, frame.maxX), maxY: max(bounds.maxY, frame.maxY))
        margin = max(margin, frame.width / 2)
      }
      // The labels stand to the right.
      let x0 = max(0, Int(bounds.minX - margin))
      let x1 = min(image.width, Int(bounds.maxX + margin * 2))
      let y0 = max(0, Int(bounds.minY - margin / 2))
      let y1 = min(image.height, Int(bounds.maxY + margin / 2))
      guard x1 > x0, y1 > y0 else { return Window(whole: image) }
      let row = (x1 - x0) * image.format.bytesPerPixel
      var bytes: [UInt8] = []
      bytes.reserveCapacity(row * (y1 - y0))
      for y in y0..<y1 {
        let start = y * image.rowStride + x0 * image.format.bytesPerPixel
        bytes += image.pixels.bytes[start..<start + row]
      }
      var window = Window(
        whole: try MPImage(
          copying: bytes, width: x1 - x0, height: y1 - y0, format: image.format))
      (window.left, window.top) = (Double(x0), Double(y0))
      return window
    }
  }
}
