import FaceKitTensor

/// How an axis of `input` pixels is sampled at `output` places.
public struct ResizeAxis: Sendable, Hashable {
  public var input, output: Int
  public var alignCorners, halfPixelCenters: Bool

  public init(input: Int, output: Int, alignCorners: Bool, halfPixelCenters: Bool) {
    self.input = input
    self.output = output
    self.alignCorners = alignCorners
    self.halfPixelCenters = halfPixelCenters
  }

  private var scale: Float {
    alignCorners && output > 1 ? Float(input - 1) / Float(output - 1) : Float(input) / Float(output)
  }

  /// The two pixels between which output `i` lies, and its distance from the lower one.
  @inline(__always)
  public func bilinear(_ i: Int) -> (low: Int, high: Int, fraction: Float) {
    let place = halfPixelCenters ? (Float(i) + 0.5) * scale - 0.5 : Float(i) * scale
    let floor = Reference.floor(place)
    let low = Swift.max(Int(floor), 0)
    let high = Swift.min(floor == place ? Int(floor) : Int(floor) + 1, input - 1)
    // At the borders both are the same pixel, so a fraction outside 0...1 does no harm.
    return (Swift.min(low, input - 1), Swift.max(high, 0), place - Float(low))
  }

  /// The pixel that output `i` shows.
  @inline(__always)
  public func nearest(_ i: Int) -> Int {
    let place = (halfPixelCenters ? Float(i) + 0.5 : Float(i)) * scale
    let index = alignCorners ? Reference.roundHalfAway(place) : Reference.floor(place)
    return Swift.min(Swift.max(Int(index), 0), input - 1)
  }

  /// The same in the 10-bit fixed point of the quantised kernels: the lower and upper pixel, and the
  /// upper one's weight out of 1024 — which may lie outside 0...1024 where the pixels were clamped.
  @inline(__always)
  public func bilinearFixed(_ i: Int) -> (low: Int, high: Int, weight: Int) {
    let scale10 =
      alignCorners && output > 1
      ? (((input - 1) << 10) + (output - 1) / 2) / (output - 1)
      : ((input << 10) + output / 2) / output
    let place = halfPixelCenters ? i * scale10 + scale10 / 2 - 512 : i * scale10
    let low = Swift.max(place / 1024, 0)
    let high = Swift.min((place + 1023) / 1024, input - 1)
    return (Swift.min(low, input - 1), Swift.max(high, 0), place - 1024 * low)
  }
}

extension Reference {
  /// RESIZE_BILINEAR of `[batch, vertical.input, horizontal.input, channels]`.
  public static func resizeBilinear(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, batch: Int, channels: Int,
    vertical: ResizeAxis, horizontal: ResizeAxis
  ) {
    var target = output
    for n in 0..<batch {
      let image = input + n * vertical.input * horizontal.input * channels
      for i in 0..<vertical.output {
        let (y0, y1, dy) = vertical.bilinear(i)
        for j in 0..<horizontal.output {
          let (x0, x1, dx) = horizontal.bilinear(j)
          let topLeft = image + (y0 &* horizontal.input &+ x0) &* channels
          let topRight = image + (y0 &* horizontal.input &+ x1) &* channels
          let bottomLeft = image + (y1 &* horizontal.input &+ x0) &* channels
          let bottomRight = image + (y1 &* horizontal.input &+ x1) &* channels
          for c in 0..<channels {
            target[c] =
              topLeft[c] * (1 - dy) * (1 - dx) + topRight[c] * (1 - dy) * dx
              + bottomLeft[c] * dy * (1 - dx) + bottomRight[c] * dy * dx
          }
          target += channels
        }
      }
    }
  }

  /// RESIZE_BILINEAR of int8 or uint8, whose scale the output shares, in 10-bit fixed point.
  public static func resizeBilinear(
    quantized type: ElementType, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    batch: Int, channels: Int, vertical: ResizeAxis, horizontal: ResizeAxis
  ) {
    if type == .int8 {
      resizeFixed(
        input.assumingMemoryBound(to: Int8.self), output.assumingMemoryBound(to: Int8.self), batch,
        channels, vertical, horizontal)
    } else {
      resizeFixed(
        input.assumingMemoryBound(to: UInt8.self), output.assumingMemoryBound(to: UInt8.self),
        batch, channels, vertical, horizontal)
    }
  }

  private static func resizeFixed<Element: FixedWidthInteger>(
    _ input: UnsafePointer<Element>, _ output: UnsafeMutablePointer<Element>, _ batch: Int,
    _ channels: Int, _ vertical: ResizeAxis, _ horizontal: ResizeAxis
  ) {
    var target = output
    for n in 0..<batch {
      let image = input + n * vertical.input * horizontal.input * channels
      for i in 0..<vertical.output {
        let (y0, y1, wy) = vertical.bilinearFixed(i)
        for j in 0..<horizontal.output {
          let (x0, x1, wx) = horizontal.bilinearFixed(j)
          for c in 0..<channels {
            let topLeft = Int64(image[(y0 * horizontal.input + x0) * channels + c])
            let topRight = Int64(image[(y0 * horizontal.input + x1) * channels + c])
            let bottomLeft = Int64(image[(y1 * horizontal.input + x0) * channels + c])
            let bottomRight = Int64(image[(y1 * horizontal.input + x1) * channels + c])
            let (wy, wx) = (Int64(wy), Int64(wx))
            let sum =
              topLeft * (1024 - wy) * (1024 - wx) + topRight * (1024 - wy) * wx
              + bottomLeft * wy * (1024 - wx) + bottomRight * wy * wx
            let half: Int64 = sum > 0 ? 1 << 19 : -(1 << 19)
            target[c] = Element(clamping: (sum + half) / (1 << 20))
          }
          target += channels
        }
      }
    }
  }

  /// RESIZE_NEAREST_NEIGHBOR of pixels of any type.
  ///
  /// - `pixelBytes`: Bytes of a pixel, all channels.
  public static func resizeNearest(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, batch: Int, pixelBytes: Int,
    vertical: ResizeAxis, horizontal: ResizeAxis
  ) {
    var target = output
    for n in 0..<batch {
      let image = input + n * vertical.input * horizontal.input * pixelBytes
      for i in 0..<vertical.output {
        let row = image + vertical.nearest(i) * horizontal.input * pixelBytes
        for j in 0..<horizontal.output {
          target.copyMemory(
            from: row + horizontal.nearest(j) * pixelBytes, byteCount: pixelBytes)
          target += pixelBytes
        }
      }
    }
  }
}
