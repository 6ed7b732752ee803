import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// What a detector pipeline is asked for. See ``FaceDetectorOptions`` for the meaning and ranges.
public struct DetectorSettings: Sendable, Hashable {
  public var minDetectionConfidence: Float = 0.5
  public var minSuppressionThreshold: Float = 0.3
  /// The part of the picture to look at, normalised; `nil` for all of it.
  public var regionOfInterest: Rect?
  /// How many tiles the longer side is cut into, to find faces that are small in a large picture; 1 for
  /// none. Tiles are looked at beside the whole picture, not in place of it.
  public var tiles = 1

  public init() {}

  /// - Throws: ``FaceKitError`` `invalidArgument` that names the option, its value and its range.
  public func validate() throws(FaceKitError) {
    try Validation.unitInterval(minDetectionConfidence, "minDetectionConfidence")
    try Validation.unitInterval(minSuppressionThreshold, "minSuppressionThreshold")
    try Validation.region(regionOfInterest)
    try Validation.tiles(tiles)
  }
}

/// Finds faces in a picture: image to tensor → BlazeFace → decoding → suppression → projection.
///
/// No state is carried from call to call; not for use from two threads at once.
public final class DetectorPipeline {
  public let settings: DetectorSettings
  public let kind: DetectorKind
  let model: FaceModel
  let sampler: ImageToTensor
  private let decoder: DetectionDecoder

  /// Reads and compiles a detector model.
  ///
  /// - Throws: ``FaceKitError`` for an option out of range, or a model that is damaged or not a face
  ///   detector.
  public init(
    model bytes: StorageView, settings: DetectorSettings = DetectorSettings(),
    engine: EngineOptions = EngineOptions()
  ) throws(FaceKitError) {
    try settings.validate()
    self.settings = settings
    model = try FaceModel(bytes, role: "face detector", engine: engine)
    kind = try DetectorPipeline.recognise(model)
    let side = kind.inputSide
    sampler = ImageToTensor(
      width: side, height: side, range: model.inputRange ?? (-1, 1), border: .black,
      keepsAspect: true, isa: engine.isa)
    decoder = DetectionDecoder(kind: kind, minimumScore: settings.minDetectionConfidence)
  }

  /// Tells the detector by its tensors.
  private static func recognise(_ model: FaceModel) throws(FaceKitError) -> DetectorKind {
    for kind in DetectorKind.allCases
    where model.squareInputSide == kind.inputSide
      && model.outputCounts == [kind.anchorCount * 16, kind.anchorCount]
    {
      return kind
    }
    throw .invalid(
      "a model with tensors \(model.signature)", at: "face detector",
      advice: """
        give a BlazeFace detector: 1×128×128×3 → 1×896×16, 1×896×1 (short range) \
        or 1×192×192×3 → 1×2304×16, 1×2304×1 (full range)
        """)
  }

  /// The faces of a picture, best score first, in normalised coordinates of the image as it is read.
  func detect(_ image: MPImage) throws(FaceKitError) -> [FaceCandidate] {
    if settings.tiles > 1 { return try detectTiled(image) }
    return try detect(image, in: image.detectionRect(settings.regionOfInterest))
  }

  /// The faces in one region.
  func detect(_ image: MPImage, in rect: NormalizedRect) throws(FaceKitError) -> [FaceCandidate] {
    let region = try model.run(on: image, rect: rect, using: sampler, role: "face detector")
    let projection = Projection(
      region: region, imageWidth: image.width, imageHeight: image.height)
    var faces = weightedNonMaximumSuppression(
      candidates(), threshold: settings.minSuppressionThreshold)
    for index in faces.indices { faces[index].project(by: projection) }
    return faces
  }

  /// What the model's last run found, before suppression, in fractions of its tensor.
  func candidates() -> [FaceCandidate] {
    model.session.withOutput(0) { (regressors: UnsafeBufferPointer<Float>) in
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

extension FaceCandidate {
  mutating func project(by projection: Projection) {
    box = projection(box)
    for k in keypoints.indices { keypoints[k] = projection(keypoints[k]) }
  }

  /// The candidate on the other side, if `isMirrored`: from the picture as it was read to the pixels as
  /// they are stored.
  func mirrored(_ isMirrored: Bool) -> FaceCandidate {
    if !isMirrored { return self }
    var other = self
    other.box.minX = 1 - box.maxX
    other.box.maxX = 1 - box.minX
    for k in keypoints.indices { other.keypoints[k].x = 1 - keypoints[k].x }
    return other
  }
}

extension MPImage {
  /// Where the detector looks: the region of interest or everything, turned so that the picture is upright.
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
