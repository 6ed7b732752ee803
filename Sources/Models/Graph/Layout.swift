import FaceKitKernels
import FaceKitTensor

/// How a value's elements lie in memory.
public enum Layout: Sendable, Hashable {
  /// Innermost extent contiguous: NHWC for images.
  case rowMajor
  /// `[N·H][C/16][W][16]`: rows of channel blocks, padding lanes zero. See docs/architecture.md.
  case blocked
}

extension Graph.Value {
  /// Elements as they lie in memory, padding lanes included.
  var layoutCount: Int {
    switch layout {
    case .rowMajor: shape.count
    case .blocked: shape[0] * BlockedMap(shape).floatCount
    }
  }
}

extension TensorBinding {
  /// Elements in memory: a blocked value's padding lanes count.
  var storedCount: Int {
    guard layout == .blocked, shape.rank == 4 else { return count }
    return shape[0] * shape[1] * shape[2] * ((shape[3] + 15) / 16 * 16)
  }
}

extension BlockedMap {
  /// The map of one image of an NHWC shape.
  init(_ shape: Shape) {
    self.init(height: shape[1], width: shape[2], channels: shape[3])
  }
}
