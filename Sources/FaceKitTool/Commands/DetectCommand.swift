import FaceKit
import Inspection
import ToolSupport

extension Command {
  static let detect = Command(
    name: "detect",
    summary: "finds faces: boxes, scores and six key points",
    synopsis: "[options] <pictures>",
    options: [
      Option("--confidence", value: "X", help: "lowest score of a face, 0 to 1 (0.5)"),
      Option(
        "--suppression", value: "X",
        help: "overlap from which two boxes are one face, 0 to 1 (0.3)"),
      Option(
        "--tiles", value: "N",
        help: TileArguments.help),
      Option(
        "--model", value: "FILE", role: .input,
        help: """
          another detector, short or full range (face_detector.tflite;
          with --tiles auto face_detection_full_range_sparse.tflite)
          """),
    ] + EngineArguments.options + PictureBatch.options,
    details: """
      JSON: {"file", "width", "height", "detections": [{"boundingBox": {"originX", "originY", "width",
      "height"}, "score", "keypoints": [{"x", "y"} × 6]}]}. Boxes are in pixels of the upright picture, key
      points in fractions of its sides: right eye, left eye, nose tip, mouth, right ear, left ear.
      """
  ) { arguments, console in
    let store = ModelStore(folder: arguments.string("--models"))
    let options = FaceDetectorOptions()
    options.minDetectionConfidence = try arguments.number("--confidence", in: 0...1) ?? 0.5
    options.minSuppressionThreshold = try arguments.number("--suppression", in: 0...1) ?? 0.3
    let tiles = try TileArguments(arguments)
    if let count = tiles.count { options.tiles = count }
    options.minFaceSize = tiles.minFaceSize
    options.baseOptions.engine = try EngineArguments.engine(arguments)
    var batch = try PictureBatch(arguments, console, store)
    // Small tiles show hands and shoes too. The full-range model takes fewer of them for faces.
    let standard =
      tiles.minFaceSize == nil ? "face_detector.tflite" : "face_detection_full_range_sparse.tflite"
    let model = try arguments.string("--model") ?? store.model(standard)
    options.baseOptions.modelAssetPath = try InputFile.lastingUTF8Path(model)
    let detector: FaceDetector
    do throws(FaceKitError) {
      detector = try FaceDetector(options: options)
    } catch {
      throw ToolError(error, in: model)
    }
    return batch.run { image in
      let detections = try detector.detect(image: image).detections
      return PictureResult(
        json: [.init(name: "detections", value: .array(detections.map(DetectionOutput.json)))],
        text: DetectionOutput.text(detections),
        drawing: {
          let drawing = try FaceDrawing(image)
          for detection in detections {
            drawing.draw(detection: DetectionOutput.drawn(detection))
          }
          return drawing
        })
    }
  }
}

/// How finely a picture is searched for small faces.
struct TileArguments {
  static let help = """
    also look at N tiles along the longer side, for small faces, or
    auto: as many as faces of 16 pixels need (1)
    """

  var count: Int?
  var minFaceSize: Float?

  init(_ arguments: Arguments) throws(UsageError) {
    if arguments.string("--tiles") == "auto" {
      minFaceSize = 0
    } else {
      count = try arguments.integer("--tiles", in: 1...16)
    }
  }
}

/// A detection as the contract, a person and a drawing want it.
enum DetectionOutput {
  static func json(_ detection: Detection) -> JSON {
    let box = detection.pixelBox
    return [
      "boundingBox": [
        "originX": .integer(box.originX), "originY": .integer(box.originY),
        "width": .integer(box.width), "height": .integer(box.height),
      ],
      "score": .float(detection.score),
      "keypoints": .array(
        (detection.keypoints ?? []).map { ["x": .float($0.x), "y": .float($0.y)] }),
    ]
  }

  static func text(_ detections: [Detection]) -> String {
    var text = Counting.faces(detections.count)
    for (index, detection) in detections.enumerated() {
      let box = detection.pixelBox
      text +=
        "\n  face \(index + 1): \(box.width)×\(box.height) at (\(box.originX), \(box.originY))"
      text += ", score \(Formatting.fixed(detection.score, 3))"
    }
    return text
  }

  static func drawn(_ detection: Detection) -> DrawnFace {
    let box = detection.normalizedBox
    return DrawnFace(
      points: (detection.keypoints ?? []).map { DrawnFace.Point(x: $0.x, y: $0.y) },
      box: DrawnFace.Box(x: box.minX, y: box.minY, width: box.width, height: box.height),
      label: Formatting.fixed(detection.score * 100, 0) + " %")
  }
}

enum Counting {
  static func faces(_ count: Int) -> String {
    switch count {
    case 0: "no face"
    case 1: "1 face"
    default: "\(count) faces"
    }
  }
}
