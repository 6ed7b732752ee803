import FaceKitTensor

/// The extents of a 2-D pool.
public struct PoolShape: Sendable, Hashable {
  public var batch: Int
  public var channels: Int
  public var window: WindowGrid

  public init(batch: Int, channels: Int, window: WindowGrid) {
    self.batch = batch
    self.channels = channels
    self.window = window
  }

  @inline(__always)
  func input(_ n: Int, _ y: Int, _ x: Int) -> Int {
    // Wrapping, as in ``WindowGrid/forEachTap(row:column:_:)``: the whole map was counted without overflow.
    ((n &* window.inputHeight &+ y) &* window.inputWidth &+ x) &* channels
  }

  /// Calls `body` with every output's index and place.
  @inline(__always)
  func forEachOutput(_ body: (_ index: Int, _ n: Int, _ i: Int, _ j: Int, _ c: Int) -> Void) {
    var index = 0
    for n in 0..<batch {
      for i in 0..<window.outputHeight {
        for j in 0..<window.outputWidth {
          for c in 0..<channels {
            body(index, n, i, j, c)
            index &+= 1
          }
        }
      }
    }
  }
}

extension Reference {
  /// MAX_POOL_2D over the part of each window inside the image, for any comparable element.
  ///
  /// - `lowest`: What an empty window gives, and no element is below.
  private static func maxPool<Element: Comparable>(
    _ input: UnsafePointer<Element>, _ output: UnsafeMutablePointer<Element>, _ shape: PoolShape,
    lowest: Element, activation: ClosedRange<Element>
  ) {
    shape.forEachOutput { index, n, i, j, c in
      var largest = lowest
      shape.window.forEachTap(row: i, column: j) { _, _, y, x in
        let value = input[shape.input(n, y, x) &+ c]
        if value > largest { largest = value }
      }
      output[index] = clamp(largest, activation)
    }
  }

  public static func maxPool(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, shape: PoolShape,
    activation: ClosedRange<Float>
  ) {
    maxPool(
      input, output, shape, lowest: -Float.greatestFiniteMagnitude, activation: activation)
  }

  /// MAX_POOL_2D on quantised values, whose scale the output shares.
  public static func maxPool(
    quantized type: ElementType, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    shape: PoolShape, activation: ClosedRange<Int>
  ) {
    switch type {
    case .int8: integerPool(input, output, shape, activation, of: Int8.self, average: false)
    case .uint8: integerPool(input, output, shape, activation, of: UInt8.self, average: false)
    default: integerPool(input, output, shape, activation, of: Int16.self, average: false)
    }
  }

  /// AVERAGE_POOL_2D on quantised values, whose scale the output shares: the integer mean, rounded
  /// half away from zero.
  public static func averagePool(
    quantized type: ElementType, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    shape: PoolShape, activation: ClosedRange<Int>
  ) {
    switch type {
    case .int8: integerPool(input, output, shape, activation, of: Int8.self, average: true)
    case .uint8: integerPool(input, output, shape, activation, of: UInt8.self, average: true)
    default: integerPool(input, output, shape, activation, of: Int16.self, average: true)
    }
  }

  private static func integerPool<Element: FixedWidthInteger>(
    _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer, _ shape: PoolShape,
    _ activation: ClosedRange<Int>, of _: Element.Type, average: Bool
  ) {
    let input = input.assumingMemoryBound(to: Element.self)
    let output = output.assumingMemoryBound(to: Element.self)
    let activation =
      Element(clamping: activation.lowerBound)...Element(clamping: activation.upperBound)
    if average {
      averagePool(input, output, shape, activation: activation)
    } else {
      maxPool(input, output, shape, lowest: .min, activation: activation)
    }
  }

  /// AVERAGE_POOL_2D: padding does not count, neither in the sum nor in the divisor.
  public static func averagePool(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, shape: PoolShape,
    activation: ClosedRange<Float>
  ) {
    shape.forEachOutput { index, n, i, j, c in
      var sum = 0.0
      var count = 0
      shape.window.forEachTap(row: i, column: j) { _, _, y, x in
        sum += Double(input[shape.input(n, y, x) &+ c])
        count &+= 1
      }
      output[index] = clamp(count == 0 ? 0 : Float(sum / Double(count)), activation)
    }
  }

  /// L2_POOL_2D: the root of the mean of squares over the window inside the image.
  public static func l2Pool(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, shape: PoolShape,
    activation: ClosedRange<Float>
  ) {
    shape.forEachOutput { index, n, i, j, c in
      var sum = 0.0
      var count = 0
      shape.window.forEachTap(row: i, column: j) { _, _, y, x in
        let value = Double(input[shape.input(n, y, x) &+ c])
        sum += value * value
        count &+= 1
      }
      output[index] = clamp(count == 0 ? 0 : Float((sum / Double(count)).squareRoot()), activation)
    }
  }

  private static func averagePool<Element: FixedWidthInteger>(
    _ input: UnsafePointer<Element>, _ output: UnsafeMutablePointer<Element>, _ shape: PoolShape,
    activation: ClosedRange<Element>
  ) {
    shape.forEachOutput { index, n, i, j, c in
      var sum = 0
      var count = 0
      shape.window.forEachTap(row: i, column: j) { _, _, y, x in
        sum += Int(input[shape.input(n, y, x) &+ c])
        count &+= 1
      }
      let half = count / 2
      let mean = count == 0 ? 0 : (sum > 0 ? sum + half : sum - half) / count
      output[index] = clamp(Element(clamping: mean), activation)
    }
  }
}
