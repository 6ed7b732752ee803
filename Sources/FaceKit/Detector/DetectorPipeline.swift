import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// Finds faces in a picture: image to tensor → BlazeFace → decoding → suppression → projection.
///
/// No state is carried from call to call; not for use from two threads at once.
public final class DetectorPipeline {
  /// The settings the pipeline was made with.
  public let settings: DetectorSettings
  let specification: DetectorSpecification
  let model: PipelineModel
  let sampler: ImageToTensor
  private let decoder: DetectionDecoder
  /// For regions that are looked at again, where a weak answer says something too.
  private let lenientDecoder: DetectionDecoder

  /// Reads and compiles a face detector, which is recognised by its tensors.
  ///
  /// - Parameters:
  ///   - bytes: The `.tflite` file: BlazeFace short range (128×128) or full range (192×192).
  ///   - settings: Thresholds, region and tiles.
  ///   - engine: How the model is compiled.
  /// - Throws: ``FaceKitError`` `invalidArgument` for a setting out of range, or a model that is damaged or no
  ///   face detector.
  public convenience init(
    model bytes: StorageView, settings: DetectorSettings = DetectorSettings(),
    engine: EngineOptions = EngineOptions()
  ) throws(FaceKitError) {
    try self.init(model: bytes, settings: Validated(settings), engine: engine)
  }

  /// The same for settings that were checked; `role` is what is detected, in errors, and `known` has the
  /// detectors that are accepted, with their names.
  init(
    model bytes: StorageView, settings: Validated<DetectorSettings>, engine: EngineOptions,
    role: String = "face detector",
    known: [(name: String, specification: DetectorSpecification)] = DetectorSpecification.faces
  ) throws(FaceKitError) {
    self.settings = settings.value
    model = try PipelineModel(bytes, role: role, engine: engine)
    specification = try DetectorPipeline.recognise(model, among: known)
    let side = specification.inputSide
    sampler = ImageToTensor(
      width: side, height: side, range: model.inputRange ?? (-1, 1), border: .black,
      keepsAspect: true, isa: engine.isa)
    decoder = DetectionDecoder(
      specification, minimumScore: settings.value.minDetectionConfidence)
    lenientDecoder = DetectionDecoder(specification, minimumScore: 0.05)
  }

  /// Tells the detector by its tensors.
  private static func recognise(
    _ model: PipelineModel, among known: [(name: String, specification: DetectorSpecification)]
  ) throws(FaceKitError) -> DetectorSpecification {
    var accepted = ""
    for (name, specification) in known {
      if model.squareInputSide == specification.inputSide
        && model.outputCounts == specification.outputCounts
      {
        return specification
      }
      accepted += (accepted.isEmpty ? "" : " or ") + "\(specification.signature) (\(name))"
    }
    throw .invalid(
      "a model with tensors \(model.signature)", at: model.role,
      advice: "give a model with tensors \(accepted)")
  }

  /// The faces of a picture, best score first, in normalised coordinates of the image as it is read.
  func detect(_ image: MPImage) throws(FaceKitError) -> [DetectionCandidate] {
    let finest = finestTiles(image)
    if finest > 1 { return try detectTiled(image, finest: finest) }
    return try detect(image, in: image.detectionRect(settings.regionOfInterest))
  }

  /// The faces in one region; with `isLenient` those of 0.05 and more, whatever the settings say.
  func detect(
    _ image: MPImage, in rect: NormalizedRect, isLenient: Bool = false
  ) throws(FaceKitError) -> [DetectionCandidate] {
    let region = try model.run(on: image, rect: rect, using: sampler)
    let projection = Projection(
      region: region, imageWidth: image.width, imageHeight: image.height)
    var faces = suppressed(
      candidates(isLenient: isLenient), by: .weighted(settings.minSuppressionThreshold))
    for index in faces.indices { faces[index].project(by: projection) }
    return faces
  }

  /// What the model's last run found, before suppression, in fractions of its tensor.
  func candidates(isLenient: Bool = false) -> [DetectionCandidate] {
    let decoder = isLenient ? lenientDecoder : self.decoder
    return model.session.withOutput(0) { (regressors: UnsafeBufferPointer<Float>) in
      model.session.withOutput(1) { (logits: UnsafeBufferPointer<Float>) in
        decoder.decode(regressors: regressors, logits: logits)
      }
    }
  }

  /// The faces of a picture as the task reports them, in coordinates of the stored pixels.
  public func detections(in image: MPImage) throws(FaceKitError) -> [Detection] {
    var detections: [Detection] = []
    for face in try detect(image) {
      detections.append(
        Detection(
          face.mirrored(image.orientation.isMirrored), imageWidth: image.width,
          imageHeight: image.height))
    }
    return detections
  }
}

extension DetectionCandidate {
  mutating func project(by projection: Projection) {
    box = projection(box)
    for k in keypoints.indices { keypoints[k] = projection(keypoints[k]) }
  }

  /// The candidate on the other side, if `isMirrored`: from the picture as it was read to the pixels as
  /// they are stored.
  func mirrored(_ isMirrored: Bool) -> DetectionCandidate {
    if !isMirrored { return self }
    var other = self
    other.box.minX = 1 - box.maxX
    other.box.maxX = 1 - box.minX
    for k in keypoints.indices { other.keypoints[k].x = 1 - keypoints[k].x }
    return other
  }
}

extension MPImage {
  /// The region that is searched: the region of interest or everything, turned so that the picture is upright.
  func detectionRect(_ regionOfInterest: Rect?) -> NormalizedRect {
    var roi = regionOfInterest ?? Rect(minX: 0, minY: 0, maxX: 1, maxY: 1)
    // Regions are given in stored coordinates, and the picture is read mirrored.
    if orientation.isMirrored { (roi.minX, roi.maxX) = (1 - roi.maxX, 1 - roi.minX) }
    let turns = orientation.quarterTurns
    var rect = NormalizedRect(
      centerX: (roi.minX + roi.maxX) / 2, centerY: (roi.minY + roi.maxY) / 2, width: roi.width,
      height: roi.height, rotation: Float(-Double(turns * 90) * Double.pi / 180))
    if turns % 2 == 1 {
      // The tensor's x axis runs along the image's y axis.
      let (w, h) = (Float(width), Float(height))
      (rect.width, rect.height) = (rect.height * h / w, rect.width * w / h)
    }
    return rect
  }
}
