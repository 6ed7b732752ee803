import FaceKitTensor

/// Convolution weights in panels, bias and slopes padded to whole blocks: made once for a model and
/// shared by its sessions.
struct PackedWeights: Sendable {
  /// Neighbouring panels of one width, and the kernel that takes them.
  struct Group: Sendable {
    let kernel: Microkernels.Kernel<Conv2DRowArguments>
    let panelWidth: Int
    let panelCount: Int
    /// First output channel of the first panel.
    let firstChannel: Int
    /// Bytes from the start of the weights.
    let offset: Int
  }

  // The pointers below lead into `storage`, which is written in `init` and never again.
  let storage: Storage
  /// All panels, in the order of their channels.
  let groups: [Group]
  /// Whether panels hold half-precision numbers.
  let isHalf: Bool
  let weightBytes: Int
  /// Rows of a panel: taps times input channels.
  let rows: Int
  private let biasOffset: Int
  private let slopesOffset: Int

  /// Packs `[outputs][rows]` weights.
  ///
  /// - `weights`: row-major, as TFLite's OHWI is: a row for each output channel.
  /// - `bias`: one for each output; `nil` for zeros.
  /// - `slopes`: of a PReLU, one for each output; `nil` for zeros.
  /// - `uses`: how often a run reads each weight. Weights that are read once, and that half precision
  ///   holds without loss, as those of models stored in it, are packed so: reading them is all the time
  ///   such a layer takes.
  /// - `isa`: has the kernels, which decide how wide panels are.
  init(
    weights: UnsafePointer<Float>, outputs: Int, rows: Int, bias: UnsafePointer<Float>?,
    slopes: UnsafePointer<Float>?, uses: Int, isa: InstructionSet
  ) {
    self.rows = rows
    let tiles = Microkernels.running(isa).conv2D
    isHalf =
      uses == 1 && tiles.allSatisfy { $0.halfWeights != nil }
      && PackedWeights.areHalves(weights, count: outputs * rows)
    let weightSize = isHalf ? 2 : 4
    groups = PackedWeights.groups(
      outputs: outputs, panelRowBytes: rows * weightSize, tiles: tiles, isHalf: isHalf)
    let channels = groups.reduce(0) { $0 + $1.panelWidth * $1.panelCount }
    weightBytes = channels * rows * weightSize
    let padded = (outputs + channelBlock - 1) / channelBlock * channelBlock
    biasOffset = (weightBytes + 63) & ~63
    slopesOffset = biasOffset + padded * 4
    storage = Storage(count: slopesOffset + padded * 4)

    for group in groups {
      for panel in 0..<group.panelCount {
        let width = group.panelWidth
        let first = group.firstChannel + panel * width
        let target = storage.base + (group.offset + panel * width * rows * weightSize)
        for lane in 0..<min(width, outputs - first) {
          pack(weights + (first + lane) * rows, to: target + lane * weightSize, width: width)
        }
      }
    }
    if let bias { (storage.base + biasOffset).copyMemory(from: bias, byteCount: outputs * 4) }
    if let slopes { (storage.base + slopesOffset).copyMemory(from: slopes, byteCount: outputs * 4) }
  }

  /// One output channel, into its column of a panel.
  private func pack(
    _ weights: UnsafePointer<Float>, to column: UnsafeMutableRawPointer, width: Int
  ) {
    for row in 0..<rows {
      if isHalf {
        column.storeBytes(
          of: Half.narrow(weights[row]), toByteOffset: row * width * 2, as: UInt16.self)
      } else {
        column.storeBytes(of: weights[row], toByteOffset: row * width * 4, as: Float.self)
      }
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

  var bias: UnsafePointer<Float> {
    UnsafePointer((storage.base + biasOffset).assumingMemoryBound(to: Float.self))
  }
  var slopes: UnsafePointer<Float> {
    UnsafePointer((storage.base + slopesOffset).assumingMemoryBound(to: Float.self))
  }

  /// Covers the output channels with panels, as many as fit of each width, widest first. Only the last
  /// panel may be half a block, so every panel starts at a block.
  ///
  /// - `tiles`: widest first; the last is of eight channels.
  static func groups(
    outputs: Int, panelRowBytes: Int, tiles: [Conv2DTile], isHalf: Bool
  ) -> [Group] {
    var groups: [Group] = []
    var (first, offset) = (0, 0)
    // Whole halves of blocks.
    let end = (outputs + 7) & ~7
    for tile in tiles {
      let count = (end - first) / tile.channels
      guard count > 0, let kernel = isHalf ? tile.halfWeights : tile.kernel else { continue }
      groups.append(
        Group(
          kernel: kernel, panelWidth: tile.channels, panelCount: count, firstChannel: first,
          offset: offset))
      first += count * tile.channels
      offset += count * tile.channels * panelRowBytes
    }
    return groups
  }
}
