// The kernels of MediaPipe's custom operators. Coordinates are pixels, x to the right and y down;
// transforms are 4×4 and row-major, and only their first two rows act.

/// The options of `Landmarks2TransformMatrix`.
public struct LandmarkFraming: Sendable, Hashable {
  /// The landmarks whose connecting line is turned to `targetAngle` (radians).
  public var leftIndex, rightIndex: Int
  public var targetAngle: Float
  public var outputHeight, outputWidth: Int
  /// How much larger than the landmarks' box the frame is.
  public var scaleX, scaleY: Float
  /// The landmarks that the frame must hold.
  public var subset: [Int]

  public init(
    leftIndex: Int, rightIndex: Int, targetAngle: Float, outputHeight: Int, outputWidth: Int,
    scaleX: Float, scaleY: Float, subset: [Int]
  ) {
    self.leftIndex = leftIndex
    self.rightIndex = rightIndex
    self.targetAngle = targetAngle
    self.outputHeight = outputHeight
    self.outputWidth = outputWidth
    self.scaleX = scaleX
    self.scaleY = scaleY
    self.subset = subset
  }
}

extension Reference {
  /// The transform from a frame of `outputWidth` × `outputHeight` pixels to the turned and enlarged
  /// bounding box of some landmarks:
  /// `Translate(centre) · R(−θ) · Scale(box / frame) · Translate(−frame / 2)`.
  ///
  /// - `landmarks`: `[n, 3]`, of which x and y count.
  public static func landmarksToTransform(
    landmarks: UnsafePointer<Float>, framing: LandmarkFraming,
    transform: UnsafeMutablePointer<Float>
  ) {
    let (left, right) = (landmarks + 3 * framing.leftIndex, landmarks + 3 * framing.rightIndex)
    let angle = framing.targetAngle - Elementary.atan2(right[1] - left[1], right[0] - left[0])
    let (cosine, sine) = (Elementary.cos(angle), Elementary.sin(angle))
    // The box in the turned frame.
    var (minX, minY) = (Float.infinity, Float.infinity)
    var (maxX, maxY) = (-Float.infinity, -Float.infinity)
    for index in framing.subset {
      let (x, y) = (landmarks[3 * index], landmarks[3 * index + 1])
      let (u, v) = (cosine * x - sine * y, sine * x + cosine * y)
      (minX, maxX) = (Swift.min(minX, u), Swift.max(maxX, u))
      (minY, maxY) = (Swift.min(minY, v), Swift.max(maxY, v))
    }
    // Its centre, turned back.
    let (middleX, middleY) = ((minX + maxX) / 2, (minY + maxY) / 2)
    let centreX = cosine * middleX + sine * middleY
    let centreY = -sine * middleX + cosine * middleY
    let (width, height) = (Float(framing.outputWidth), Float(framing.outputHeight))
    let scaleX = framing.scaleX * (maxX - minX) / width
    let scaleY = framing.scaleY * (maxY - minY) / height
    // R(−θ) · Scale, then the translation that sends the frame's middle to the centre.
    let (a, b) = (cosine * scaleX, sine * scaleY)
    let (c, d) = (-sine * scaleX, cosine * scaleY)
    func store(_ row: Int, _ values: SIMD4<Float>) {
      for column in 0..<4 { transform[4 * row + column] = values[column] }
    }
    store(0, SIMD4(a, b, 0, centreX - (a * width + b * height) / 2))
    store(1, SIMD4(c, d, 0, centreY - (c * width + d * height) / 2))
    store(2, SIMD4(0, 0, 1, 0))
    store(3, SIMD4(0, 0, 0, 1))
  }

  /// `TransformTensorBilinear`: each output pixel shows the input at its transformed place, bilinear;
  /// places outside the input are 0. Pixels are sampled at their centres.
  ///
  /// - `input`: `[height, width, channels]`.
  public static func transformBilinear(
    input: UnsafePointer<Float>, height: Int, width: Int, channels: Int,
    transform: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, outputHeight: Int,
    outputWidth: Int
  ) {
    let t = transform
    let offsetX = t[3] + 0.5 * t[0] + 0.5 * t[1] - 0.5
    let offsetY = t[7] + 0.5 * t[4] + 0.5 * t[5] - 0.5
    for i in 0..<outputHeight {
      for j in 0..<outputWidth {
        let target = output + (i * outputWidth + j) * channels
        let x = t[0] * Float(j) + t[1] * Float(i) + offsetX
        let y = t[4] * Float(j) + t[5] * Float(i) + offsetY
        // Written so that NaN is outside as well.
        guard x >= 0, x <= Float(width - 1), y >= 0, y <= Float(height - 1) else {
          for c in 0..<channels { target[c] = 0 }
          continue
        }
        let (x0, y0) = (Int(x), Int(y))
        let (dx, dy) = (x - Float(x0), y - Float(y0))
        // A neighbour beyond the edge has weight 0; the edge itself stands in for it.
        let (x1, y1) = (Swift.min(x0 + 1, width - 1), Swift.min(y0 + 1, height - 1))
        let (top, bottom) = (input + y0 * width * channels, input + y1 * width * channels)
        let (left, right) = (x0 * channels, x1 * channels)
        for c in 0..<channels {
          let upper = top[left &+ c] * (1 - dx) + top[right &+ c] * dx
          let lower = bottom[left &+ c] * (1 - dx) + bottom[right &+ c] * dx
          target[c] = upper * (1 - dy) + lower * dy
        }
      }
    }
  }

  /// `TransformLandmarks`: x and y transformed, z kept.
  ///
  /// - `landmarks`: `[count, dimensions]`, dimensions 2 or 3.
  public static func transformLandmarks(
    landmarks: UnsafePointer<Float>, transform: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, count: Int, dimensions: Int
  ) {
    let t = transform
    for i in 0..<count {
      let (from, to) = (landmarks + i * dimensions, output + i * dimensions)
      let (x, y) = (from[0], from[1])
      to[0] = t[0] * x + t[1] * y + t[3]
      to[1] = t[4] * x + t[5] * y + t[7]
      if dimensions == 3 { to[2] = from[2] }
    }
  }

  /// `MaxPoolingWithArgmax2D`: the largest element of each window, and its place in the window,
  /// `ky · kernelWidth + kx + 0.1`, as a float. The first of equal elements wins.
  public static func maxPoolWithArgument(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    places: UnsafeMutablePointer<Float>, shape: PoolShape, activation: ClosedRange<Float>
  ) {
    shape.forEachOutput { index, n, i, j, c in
      var largest = -Float.greatestFiniteMagnitude
      var place = 0
      shape.window.forEachTap(row: i, column: j) { ky, kx, y, x in
        let value = input[shape.input(n, y, x) + c]
        if value > largest {
          largest = value
          place = ky * shape.window.kernelWidth + kx
        }
      }
      output[index] = clamp(largest, activation)
      // The tenth keeps the truncation that reads it back on the right side of rounding.
      places[index] = Float(place) + 0.1
    }
  }

  /// `MaxUnpooling2D`: each element put back at its place in its window, into zeros. Places outside
  /// the image are dropped.
  ///
  /// - `shape`: that of the pool this undoes; its "output" is our input.
  public static func maxUnpool(
    input: UnsafePointer<Float>, places: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, shape: PoolShape
  ) {
    let window = shape.window
    let count = shape.batch * window.inputHeight * window.inputWidth * shape.channels
    output.update(repeating: 0, count: count)
    shape.forEachOutput { index, n, i, j, c in
      let stored = places[index]
      guard stored >= 0, stored < Float(window.kernelHeight * window.kernelWidth) else { return }
      let place = Int(stored)
      let y = i * window.strideHeight - window.paddingTop + place / window.kernelWidth
      let x = j * window.strideWidth - window.paddingLeft + place % window.kernelWidth
      guard y >= 0, y < window.inputHeight, x >= 0, x < window.inputWidth else { return }
      output[shape.input(n, y, x) + c] = input[index]
    }
  }
}
