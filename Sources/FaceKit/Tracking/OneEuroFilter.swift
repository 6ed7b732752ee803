/// The One Euro filter over all landmarks of one face: heavy smoothing at rest, little in motion.
///
/// It works on pixels, each coordinate on its own, with speeds measured in face sizes. The quirks are the
/// reference's: the derivative uses the last *raw* value, and a timestamp of exactly 0 leaves the
/// frequency as it was.
///
/// Source: Casiez, Roussel and Vogel, "1€ Filter", CHI 2012; the constants are those of the face task.
struct LandmarkSmoother: Sendable {
  // A float32 constant, widened, as the reference configures it.
  private static let minimumCutoff = Double(Float(0.05))
  private static let beta = 80.0
  private static let derivativeCutoff = 1.0
  private static let initialFrequency = 30.0
  private static let minimumScale: Float = 1e-6

  private struct Channel: Sendable {
    var raw: Float
    var value: Float
    var derivative: Float
  }

  private var frequency = LandmarkSmoother.initialFrequency
  private var lastTime: Int64 = -1
  private var channels: [Channel] = []

  init() {}

  /// Forgets everything: the next face starts raw.
  mutating func reset() { self = LandmarkSmoother() }

  /// The smoothed landmarks of a frame, which has as many as the frames before. `time` is in nanoseconds; a
  /// frame that is not later than the last one passes unchanged.
  mutating func smooth(
    _ landmarks: [NormalizedLandmark], imageWidth: Int, imageHeight: Int, time: Int64
  ) -> [NormalizedLandmark] {
    let width = Float(imageWidth)
    let height = Float(imageHeight)
    let scale = LandmarkSmoother.objectScale(landmarks, width, height)
    if scale < LandmarkSmoother.minimumScale || lastTime >= time { return landmarks }
    if lastTime != 0 && time != 0 { frequency = 1 / (Double(time - lastTime) * 1e-9) }
    lastTime = time
    let isFirst = channels.count != landmarks.count * 3
    if isFirst {
      channels = [Channel](
        repeating: Channel(raw: 0, value: 0, derivative: 0), count: landmarks.count * 3)
    }
    let speedScale = Double(1 / scale)
    var smoothed = landmarks
    for index in landmarks.indices {
      let landmark = landmarks[index]
      let c = 3 * index
      smoothed[index].x = filter(c, landmark.x * width, isFirst, speedScale) / width
      smoothed[index].y = filter(c + 1, landmark.y * height, isFirst, speedScale) / height
      smoothed[index].z = filter(c + 2, landmark.z * width, isFirst, speedScale) / width
    }
    return smoothed
  }

  private mutating func filter(
    _ index: Int, _ value: Float, _ isFirst: Bool, _ speedScale: Double
  ) -> Float {
    if isFirst {
      channels[index] = Channel(raw: value, value: value, derivative: 0)
      return value
    }
    let old = channels[index]
    let derivative = Double(value - old.raw) * speedScale * frequency
    let smoothedDerivative = LandmarkSmoother.lowPass(
      derivative, old.derivative, alpha(LandmarkSmoother.derivativeCutoff))
    let cutoff =
      LandmarkSmoother.minimumCutoff + LandmarkSmoother.beta * Double(abs(smoothedDerivative))
    let result = LandmarkSmoother.lowPass(Double(value), old.value, alpha(cutoff))
    channels[index] = Channel(raw: value, value: result, derivative: smoothedDerivative)
    return result
  }

  private func alpha(_ cutoff: Double) -> Float {
    Float(1 / (1 + frequency / (2 * .pi * cutoff)))
  }

  private static func lowPass(_ value: Double, _ old: Float, _ alpha: Float) -> Float {
    Float(Double(alpha) * value + (1 - Double(alpha)) * Double(old))
  }

  /// Half the sum of the bounds' sides, in pixels.
  private static func objectScale(
    _ landmarks: [NormalizedLandmark], _ width: Float, _ height: Float
  ) -> Float {
    guard let first = landmarks.first else { return 0 }
    var bounds = Rect(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    for landmark in landmarks {
      bounds.minX = min(bounds.minX, landmark.x)
      bounds.maxX = max(bounds.maxX, landmark.x)
      bounds.minY = min(bounds.minY, landmark.y)
      bounds.maxY = max(bounds.maxY, landmark.y)
    }
    return (bounds.width * width + bounds.height * height) / 2
  }
}
