import FaceKitTensor

/// Convolution weights in panels, bias and slopes padded to whole blocks: made once for a model and
/// shared by its sessions.
public struct PackedWeights: Sendable {
  // The pointers below lead into `storage`, which is written in `init` and never again.
  let storage: Storage
  let panelCount: Int
  /// Whether panels hold half-precision numbers.
  let isHalf: Bool
  let weightBytes: Int
  /// Rows of a panel: taps times input channels.
  let rows: Int
  private let panelsOffset: Int
  private let biasOffset: Int
  private let alphaOffset: Int

  /// Packs `[outputs][rows]` weights.
  ///
  /// - `weights`: row-major, as TFLite's OHWI is: a row for each output channel.
  /// - `bias`: one for each output; `nil` for zeros.
  /// - `alpha`: PReLU slopes, one for each output; `nil` for zeros.
  /// - `uses`: how often a run reads each weight. Weights that are read once, and that half precision
  ///   holds without loss, as those of models stored in it, are packed so: reading them is all the time
  ///   such a layer takes.
  /// - `isa`: decides the panel widths.
  public init(
    weights: UnsafePointer<Float>, outputs: Int, rows: Int, bias: UnsafePointer<Float>?,
    alpha: UnsafePointer<Float>?, uses: Int, isa: InstructionSet
  ) {
    let widths = PackedWeights.panelWidths(outputs: outputs, isa: isa)
    let padded = (outputs + channelBlock - 1) / channelBlock * channelBlock
    let weightCount = widths.reduce(0, +) * rows
    panelCount = widths.count
    self.rows = rows
    isHalf =
      uses == 1 && isa.widensHalf && PackedWeights.areHalves(weights, count: outputs * rows)
    weightBytes = weightCount * (isHalf ? 2 : 4)
    biasOffset = (weightBytes + 63) & ~63
    alphaOffset = biasOffset + padded * 4
    panelsOffset = alphaOffset + padded * 4
    storage = Storage(count: panelsOffset + widths.count * MemoryLayout<WeightPanel>.stride)

    let base = storage.base
    let panels = (base + panelsOffset).bindMemory(to: WeightPanel.self, capacity: widths.count)
    var firstChannel = 0
    var offset = 0
    for (index, width) in widths.enumerated() {
      let real = min(width, outputs - firstChannel)
      let first = isHalf ? base + offset * 2 : base + offset * 4
      for row in 0..<rows {
        for lane in 0..<real {
          let weight = weights[(firstChannel + lane) * rows + row]
          if isHalf {
            first.storeBytes(
              of: Half.narrow(weight), toByteOffset: (row * width + lane) * 2, as: UInt16.self)
          } else {
            first.storeBytes(of: weight, toByteOffset: (row * width + lane) * 4, as: Float.self)
          }
        }
      }
      panels[index] = WeightPanel(weights: first, width: width, firstChannel: firstChannel)
      offset += rows * width
      firstChannel += width
    }
    let biasTarget = (base + biasOffset).assumingMemoryBound(to: Float.self)
    let alphaTarget = (base + alphaOffset).assumingMemoryBound(to: Float.self)
    for channel in 0..<outputs {
      if let bias { biasTarget[channel] = bias[channel] }
      if let alpha { alphaTarget[channel] = alpha[channel] }
    }
  }

  /// Whether half precision holds all `count` weights exactly.
  private static func areHalves(_ weights: UnsafePointer<Float>, count: Int) -> Bool {
    for index in 0..<count {
      let weight = weights[index]
      if Half.widen(Half.narrow(weight)).bitPattern != weight.bitPattern { return false }
    }
    return true
  }

  var panels: UnsafePointer<WeightPanel> {
    UnsafePointer((storage.base + panelsOffset).assumingMemoryBound(to: WeightPanel.self))
  }
  var bias: UnsafePointer<Float> {
    UnsafePointer((storage.base + biasOffset).assumingMemoryBound(to: Float.self))
  }
  var alpha: UnsafePointer<Float> {
    UnsafePointer((storage.base + alphaOffset).assumingMemoryBound(to: Float.self))
  }

  /// Splits the output channels into panels the tier has tiles for. Only the last may be half a
  /// block, so that every panel starts at a block.
  static func panelWidths(outputs: Int, isa: InstructionSet) -> [Int] {
    let available = isa == .avx512 ? [64, 48, 32, 16, 8] : [16, 8]
    var widths: [Int] = []
    var left = (outputs + 7) & ~7
    while left > 0 {
      let width = available.first { $0 <= left } ?? 8
      widths.append(width)
      left -= width
    }
    return widths
  }
}

/// The activation after a convolution, as the kernels take it.
public enum PostActivation: Sendable, Hashable {
  case none
  case clamp(low: Float, high: Float)
  /// Slopes are part of the packed weights.
  case prelu

  func epilogue(alpha: UnsafePointer<Float>) -> RowEpilogue {
    switch self {
    case .none: RowEpilogue(kind: Epilogue.none, low: 0, high: 0, alpha: alpha)
    case .clamp(let low, let high):
      RowEpilogue(kind: Epilogue.clamp, low: low, high: high, alpha: alpha)
    case .prelu: RowEpilogue(kind: Epilogue.prelu, low: 0, high: 0, alpha: alpha)
    }
  }
}
