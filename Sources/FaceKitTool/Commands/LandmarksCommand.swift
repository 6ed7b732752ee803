import FaceKit
import FaceKitModels
import FaceKitTensor
import Inspection
import ToolSupport

extension Command {
  static let landmarks = Command(
    name: "landmarks",
    summary: "finds faces' 478 landmarks, blendshapes and head pose",
    synopsis: "[options] <pictures>",
    options: LandmarkerArguments.options + EngineArguments.options + PictureBatch.options,
    details: """
      JSON: {"file", "width", "height", "faces": [{"landmarks": [[x, y, z] × 478], "blendshapes": {name:
      score × 52}, "matrix": [[4] × 4, row-major], "presence"}]}. x and y are fractions of the upright
      picture's sides, z is in units of its width; the matrix takes canonical face coordinates (cm) to the camera.
      """
  ) { arguments, console in
    let store = ModelStore(folder: arguments.string("--models"))
    let options = try LandmarkerArguments.options(arguments)
    var batch = try PictureBatch(arguments, console, store)
    try LandmarkerArguments.chooseModels(arguments, store, options)
    let landmarker = try LandmarkerArguments.landmarker(options)
    return batch.run { image in
      let result = try landmarker.detect(image: image)
      return PictureResult(
        json: [.init(name: "faces", value: .array(LandmarkOutput.json(result)))],
        text: LandmarkOutput.text(result),
        drawing: { try LandmarkOutput.drawing(result, on: image) })
    }
  }
}

enum LandmarkerArguments {
  static let options: [Option] = [
    Option("--faces", value: "N", help: "most faces to find (1)"),
    Option("--blendshapes", help: "also the 52 blendshapes"),
    Option("--matrix", help: "also the facial transformation matrix"),
    Option("--detection-confidence", value: "X", help: "lowest detector score, 0 to 1 (0.5)"),
    Option("--presence-confidence", value: "X", help: "lowest face presence, 0 to 1 (0.5)"),
    Option(
      "--tracking-confidence", value: "X",
      help: "overlap from which two regions are one face, 0 to 1 (0.5)"),
    Option(
      "--model", value: "FILE", role: .input,
      help:
        "another bundle (face_landmarker.task), or a face mesh:\nface_landmark.tflite, face_landmark_with_attention.tflite"
    ),
    Option(
      "--detector", value: "FILE", role: .input,
      help:
        "another detector (the bundle's; beside a plain mesh,\nface_detection_short_range.tflite)"),
    Option(
      "--tiles", value: "N", help: TileArguments.help
    ),
  ]

  /// The landmarker, or an error that names the bundle.
  static func landmarker(_ options: FaceLandmarkerOptions) throws(ToolError) -> FaceLandmarker {
    do throws(FaceKitError) {
      return try FaceLandmarker(options: options)
    } catch {
      throw ToolError(error, in: options.baseOptions.modelAssetPath ?? "")
    }
  }

  /// The options but for the model, which is looked for when everything else is known to be right.
  static func options(_ arguments: Arguments) throws(UsageError) -> FaceLandmarkerOptions {
    let options = FaceLandmarkerOptions()
    options.numFaces = try arguments.integer("--faces", in: 1...1000) ?? 1
    options.outputFaceBlendshapes = arguments.has("--blendshapes")
    options.outputFacialTransformationMatrixes = arguments.has("--matrix")
    if let value = try arguments.number("--detection-confidence", in: 0...1) {
      options.minFaceDetectionConfidence = value
    }
    if let value = try arguments.number("--presence-confidence", in: 0...1) {
      options.minFacePresenceConfidence = value
    }
    if let value = try arguments.number("--tracking-confidence", in: 0...1) {
      options.minTrackingConfidence = value
    }
    let tiles = try TileArguments(arguments)
    if let count = tiles.count { options.tiles = count }
    options.minFaceSize = tiles.minFaceSize
    options.baseOptions.engine = try EngineArguments.engine(arguments)
    return options
  }

  /// Finds the models: a bundle, a plain face mesh with the detector of its time, or either with a detector
  /// of the user's choice.
  static func chooseModels(
    _ arguments: Arguments, _ store: ModelStore, _ options: FaceLandmarkerOptions
  ) throws {
    let path = try arguments.string("--model") ?? store.model("face_landmarker.task")
    options.baseOptions.modelAssetPath = try InputFile.lastingUTF8Path(path)
    let bytes = try open(path)
    let isMesh = FaceModels.isPlainModel(bytes)
    if isMesh {
      let detector =
        try arguments.string("--detector") ?? store.model("face_detection_short_range.tflite")
      // Expression is for 478 points; the canonical face is the same for all meshes.
      let bundle = try? FaceModels(bundle: open(store.model("face_landmarker.task")))
      options.models = FaceModels(
        detector: try open(detector), landmarks: bytes, blendshapes: bundle?.blendshapes,
        geometry: bundle?.geometry)
    } else {
      do throws(FaceKitError) {
        options.models = try FaceModels(bundle: bytes)
      } catch {
        throw ToolError(error, in: path)
      }
      if let detector = arguments.string("--detector") {
        options.models?.detector = try open(detector)
      }
    }
  }

  private static func open(_ path: String) throws(ToolError) -> StorageView {
    let opened = try InputFile.lastingUTF8Path(path)
    do throws(ModelError) {
      return try MappedFile.open(opened)
    } catch {
      throw ToolError(error, in: path)
    }
  }

  static func smoothing(
    _ arguments: Arguments
  ) throws(UsageError) -> LandmarkerSettings.Smoothing {
    switch arguments.string("--smoothing") {
    case nil, "single": return .singleFace
    case "off": return .off
    case "every": return .everyFace
    case let other?:
      throw arguments.invalid("--smoothing", other, "give one of off, single, every")
    }
  }
}

/// A landmarker's result as the contract, a person and a drawing want it.
enum LandmarkOutput {
  static func json(_ result: FaceLandmarkerResult) -> [JSON] {
    result.faceLandmarks.indices.map { index in
      .object([
        "landmarks": .array(result.faceLandmarks[index].map { .floats([$0.x, $0.y, $0.z]) }),
        "blendshapes": blendshapes(result, index).map { scores in
          .object(scores.map { JSON.Member(name: $0.name, value: .float($0.score)) })
        },
        "matrix": matrix(result, index).map { matrix in
          .array((0..<4).map { row in .floats((0..<4).map { matrix[row, $0] }) })
        },
        "presence": track(result, index).map { .float($0.presence) },
        "trackingID": track(result, index)?.trackID.map { .integer($0) },
      ])
    }
  }

  static func text(_ result: FaceLandmarkerResult) -> String {
    var text = Counting.faces(result.faceLandmarks.count)
    for index in result.faceLandmarks.indices {
      let landmarks = result.faceLandmarks[index]
      text += "\n  face \(index + 1): \(landmarks.count) landmarks"
      if let nose = landmarks.dropFirst(4).first {
        text += ", nose tip at (\(Formatting.fixed(nose.x, 3)), \(Formatting.fixed(nose.y, 3)))"
      }
      if let track = track(result, index) {
        text += ", presence \(Formatting.fixed(track.presence, 3))"
      }
      if let matrix = matrix(result, index) {
        text += ", \(Formatting.fixed(-matrix[2, 3], 0)) cm from the camera"
      }
      if let scores = blendshapes(result, index) {
        let largest = scores.sorted { $0.score > $1.score }.prefix(4)
        text +=
          "\n    "
          + largest.map { "\($0.name) \(Formatting.fixed($0.score, 2))" }
          .joined(separator: ", ")
      }
    }
    return text
  }

  static func drawing(_ result: FaceLandmarkerResult, on image: MPImage) throws -> FaceDrawing {
    // More panels than this would leave no room for the picture.
    let panels = min(3, result.faceBlendshapes.count)
    let drawing = try FaceDrawing(image, panels: panels)
    for index in result.faceLandmarks.indices {
      let face = DrawnFace(
        points: result.faceLandmarks[index].map { DrawnFace.Point(x: $0.x, y: $0.y) },
        blendshapes: blendshapes(result, index) ?? [])
      drawing.draw(landmarks: face)
      if index < panels {
        let title = result.faceLandmarks.count == 1 ? "blendshapes" : "face \(index + 1)"
        drawing.draw(blendshapes: face, index: index, title: title)
      }
    }
    return drawing
  }

  /// A frame of the picture's own size with the meshes on it.
  static func overlay(_ result: FaceLandmarkerResult, on image: MPImage) throws -> MPImage {
    if result.faceLandmarks.isEmpty { return image }
    let drawing = try FaceDrawing(image, scale: 1)
    for landmarks in result.faceLandmarks {
      drawing.draw(
        landmarks: DrawnFace(points: landmarks.map { DrawnFace.Point(x: $0.x, y: $0.y) }))
    }
    return try drawing.rendered()
  }

  private static func blendshapes(
    _ result: FaceLandmarkerResult, _ index: Int
  ) -> [(name: String, score: Float)]? {
    guard index < result.faceBlendshapes.count else { return nil }
    return result.faceBlendshapes[index].categories.map { ($0.categoryName ?? "", $0.score) }
  }

  private static func matrix(_ result: FaceLandmarkerResult, _ index: Int) -> TransformMatrix? {
    index < result.facialTransformationMatrixes.count
      ? result.facialTransformationMatrixes[index] : nil
  }

  private static func track(_ result: FaceLandmarkerResult, _ index: Int) -> FaceTrack? {
    index < result.faceTracks.count ? result.faceTracks[index] : nil
  }
}
