import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// The landmarks of one eye.
public struct EyeLandmarks: Sendable, Hashable {
  /// 71 points: the eye's contour (16 first), then rings around it up to the brow. Normalised as
  /// ``NormalizedLandmark``; depth in the scale of the eye's region.
  public var contour: [NormalizedLandmark]
  /// Five points: the iris's centre and four on its edge: right, top, left, bottom.
  public var iris: [NormalizedLandmark]

  /// The iris's diameter in pixels: the mean of its width and height.
  public func irisDiameterInPixels(imageWidth: Int, imageHeight: Int) -> Float {
    func distance(_ a: NormalizedLandmark, _ b: NormalizedLandmark) -> Float {
      let (dx, dy) = ((a.x - b.x) * Float(imageWidth), (a.y - b.y) * Float(imageHeight))
      return (dx * dx + dy * dy).squareRoot()
    }
    return (distance(iris[1], iris[3]) + distance(iris[2], iris[4])) / 2
  }

  /// How far the eye is from the camera, in millimetres, from the size its iris appears in.
  ///
  /// Human irises measure 11.8 mm across, within half a millimetre. The focal length is that of the picture as it
  /// is given, in pixels: a camera's focal length in millimetres times picture width over sensor width.
  ///
  /// Source: the depth estimate of MediaPipe's iris solution.
  public func distanceInMillimeters(
    focalLengthInPixels focal: Float, imageWidth: Int, imageHeight: Int
  ) -> Float {
    let diameter = irisDiameterInPixels(imageWidth: imageWidth, imageHeight: imageHeight)
    let dx = iris[0].x * Float(imageWidth) - Float(imageWidth) / 2
    let dy = iris[0].y * Float(imageHeight) - Float(imageHeight) / 2
    // The ray to an eye off the optical axis is longer than the focal length.
    let ray = (focal * focal + dx * dx + dy * dy).squareRoot()
    return EyeLandmarks.irisDiameterInMillimeters * ray / diameter
  }

  static let irisDiameterInMillimeters: Float = 11.8
}

/// Eye contours and irises by `iris_landmark.tflite`, the way of MediaPipe's older iris solution, from any face mesh.
///
/// Not for use from two threads at once. The attention mesh and the bundle's 478-point model find irises themselves;
/// this one samples each eye at 64×64 pixels.
public final class IrisPipeline {
  private let model: PipelineModel
  private let sampler: ImageToTensor

  private static let inputSide = 64
  private static let contourCount = 71
  private static let irisCount = 5
  /// How much larger than the distance of the eye's corners the region is.
  private static let expansion: Float = 2.3

  /// Reads and compiles the model.
  ///
  /// - Throws: ``FaceKitError`` for a model that is damaged or not this one.
  public init(
    model bytes: StorageView, engine: EngineOptions = EngineOptions()
  ) throws(FaceKitError) {
    let side = IrisPipeline.inputSide
    model = try PipelineModel(bytes, role: "iris model", engine: engine)
    guard model.squareInputSide == side,
      model.outputCounts == [IrisPipeline.contourCount * 3, IrisPipeline.irisCount * 3]
    else {
      throw .invalid(
        "a model with tensors \(model.signature)", at: "iris model",
        advice: "give iris_landmark.tflite: 1×64×64×3 → 213, 15 values")
    }
    sampler = ImageToTensor(
      width: side, height: side, range: model.inputRange ?? (0, 1), border: .replicate,
      keepsAspect: false, isa: engine.isa)
  }

  /// Both eyes of a face, the subject's right one and left one.
  ///
  /// - Throws: ``FaceKitError`` `invalidArgument` if `face` is no mesh of 468 or 478 landmarks, or its eyes have no extent.
  public func eyes(
    of image: MPImage, face: [NormalizedLandmark]
  ) throws(FaceKitError) -> (right: EyeLandmarks, left: EyeLandmarks) {
    guard face.count >= 468 else {
      throw .invalid(
        "\(face.count) landmarks", at: "face", advice: "give a face mesh of 468 or 478 landmarks")
    }
    let isMirrored = image.orientation.isMirrored
    func corner(_ index: Int) -> Point {
      Point(x: isMirrored ? 1 - face[index].x : face[index].x, y: face[index].y)
    }
    // Outer to inner corner on the image's left, inner to outer on its right: both run to the right.
    let right = try eye(image, from: corner(33), to: corner(133), isFlipped: false)
    let left = try eye(image, from: corner(362), to: corner(263), isFlipped: true)
    return (right, left)
  }

  private func eye(
    _ image: MPImage, from start: Point, to end: Point, isFlipped: Bool
  ) throws(FaceKitError) -> EyeLandmarks {
    let (w, h) = (Float(image.width), Float(image.height))
    let rotation = Angle.ofLine(
      from: Point(x: start.x * w, y: start.y * h), to: Point(x: end.x * w, y: end.y * h))
    let side =
      max(abs(end.x - start.x) * w, abs(end.y - start.y) * h) * IrisPipeline.expansion
    let rect = NormalizedRect(
      centerX: (start.x + end.x) / 2, centerY: (start.y + end.y) / 2, width: side / w,
      height: side / h, rotation: rotation)
    let region = try model.run(
      on: image, rect: rect, using: sampler, isFlipped: isFlipped)
    let projection = Projection(region: region, imageWidth: image.width, imageHeight: image.height)
    return EyeLandmarks(
      contour: points(0, projection, rect.width, isFlipped, image.orientation.isMirrored),
      iris: points(1, projection, rect.width, isFlipped, image.orientation.isMirrored))
  }

  private func points(
    _ output: Int, _ projection: Projection, _ depthScale: Float, _ isFlipped: Bool,
    _ isMirrored: Bool
  ) -> [NormalizedLandmark] {
    let values = model.output(output)
    let side = Float(IrisPipeline.inputSide)
    var points: [NormalizedLandmark] = []
    for i in stride(from: 0, to: values.count, by: 3) {
      let u = values[i] / side
      let point = projection(isFlipped ? 1 - u : u, values[i + 1] / side)
      points.append(
        NormalizedLandmark(
          x: isMirrored ? 1 - point.x : point.x, y: point.y, z: values[i + 2] / side * depthScale))
    }
    return points
  }
}
