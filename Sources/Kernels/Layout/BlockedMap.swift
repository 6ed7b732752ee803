/// A feature map in the blocked layout: `[height][blocks][width][16]` floats.
///
/// A row keeps its channel blocks together, so that row-streamed kernels touch one piece of memory,
/// and a pixel's channel is at a constant displacement, so that broadcasts fold into multiply–adds.
/// Lanes beyond the last channel are zero.
public struct BlockedMap: Sendable, Hashable {
  public var height: Int
  public var width: Int
  public var channels: Int

  public init(height: Int, width: Int, channels: Int) {
    self.height = height
    self.width = width
    self.channels = channels
  }

  public var blocks: Int { (channels + channelBlock - 1) / channelBlock }
  /// Floats from one block to the next within a row.
  public var blockStride: Int { width * channelBlock }
  /// Floats from one row to the next.
  public var rowStride: Int { blocks * blockStride }
  public var floatCount: Int { height * rowStride }

  /// Row-major `[height][width][channels]` to blocked.
  public func pack(from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    for y in 0..<height {
      for block in 0..<blocks {
        let first = block * channelBlock
        let real = min(channelBlock, channels - first)
        var input = source + y * width * channels + first
        var output = target + y * rowStride + block * blockStride
        for _ in 0..<width {
          for lane in 0..<real { output[lane] = input[lane] }
          for lane in real..<channelBlock { output[lane] = 0 }
          input += channels
          output += channelBlock
        }
      }
    }
  }

  /// Blocked to row-major.
  public func unpack(from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    for y in 0..<height {
      for block in 0..<blocks {
        let first = block * channelBlock
        let real = min(channelBlock, channels - first)
        var input = source + y * rowStride + block * blockStride
        var output = target + y * width * channels + first
        for _ in 0..<width {
          for lane in 0..<real { output[lane] = input[lane] }
          input += channelBlock
          output += channels
        }
      }
    }
  }
}
