/// Expansion, depthwise convolution and projection in one pass over the rows.
///
/// The map between two of these layers is never whole: the expansion's rows live in a ring as tall as
/// the depthwise window, the depthwise row in one row buffer, both in the first-level cache. With an
/// expansion the output may overwrite the input: when row *y* is written, all later rows that need
/// input row *y* are already in the ring.
public struct RowStream: Sendable {
  public let expand: BlockedConv2D?
  public let depthwise: BlockedDepthwise
  public let project: BlockedConv2D

  /// - Precondition: the maps fit each other, and both convolutions are 1×1 with stride 1.
  public init(expand: BlockedConv2D?, depthwise: BlockedDepthwise, project: BlockedConv2D) {
    precondition(expand.map { $0.output == depthwise.input && $0.window.isPointwise } ?? true)
    precondition(depthwise.output == project.input && project.window.isPointwise)
    self.expand = expand
    self.depthwise = depthwise
    self.project = project
  }

  private var ringRows: Int {
    expand == nil
      ? 0 : (depthwise.window.kernelHeight - 1) * depthwise.window.dilationHeight + 1
  }
  /// Floats from one pixel to the next in ring and row buffer. A map of eight channels leaves no gaps
  /// there: half the memory, and the first-level cache holds it.
  private var pixelStride: Int {
    expand != nil && depthwise.input.channels <= channelBlock / 2 ? channelBlock / 2 : channelBlock
  }
  private var ringRowFloats: Int { depthwise.input.blocks * depthwise.input.width * pixelStride }
  private var lineFloats: Int { depthwise.output.blocks * depthwise.output.width * channelBlock }

  /// Multiply–accumulates of one image.
  public var multiplyAccumulates: Int {
    (expand?.multiplyAccumulates ?? 0) + depthwise.multiplyAccumulates
      + project.multiplyAccumulates
  }

  /// Working memory of one thread.
  public var scratchBytes: Int { scratchLayout.bytes }

  /// Where ring, row buffer and the calls' own lists are in a thread's working memory, in bytes.
  private var scratchLayout: (line: Int, expand: Int, depthwise: Int, project: Int, bytes: Int) {
    let line = ringRows * ringRowFloats * 4
    let expandTaps = line + lineFloats * 4
    let projectTaps = expandTaps + (expand?.scratchBytes ?? 0)
    let addresses = projectTaps + project.scratchBytes
    return (line, expandTaps, addresses, projectTaps, addresses + depthwise.scratchBytes)
  }

  /// Whether the output may take the input's place.
  public var worksInPlace: Bool {
    guard let expand else { return false }
    return expand.input == project.output && depthwise.window.strideHeight == 1
  }

  /// Computes output rows `rows`.
  ///
  /// The padding lanes of ring and row buffer are never written: the depthwise kernel skips them, and
  /// the projection reads channels one by one.
  public func run(
    rows: Range<Int>, from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>,
    residual: (map: BlockedMap, data: UnsafePointer<Float>)?, scratch: UnsafeMutableRawPointer
  ) {
    if rows.isEmpty { return }
    let layout = scratchLayout
    let line = (scratch + layout.line).assumingMemoryBound(to: Float.self)
    var filter = depthwise.makeCall(
      pixelStride: pixelStride, clearsPadding: false, scratch: scratch + layout.depthwise)
    var projection = project.makeCall(
      residual: residual?.map, pixelStrides: (pixelStride, channelBlock),
      scratch: scratch + layout.project)
    // Computed properties, each once: a row takes a microsecond.
    let residualStride = residual?.map.rowStride ?? 0
    let outputStride = project.output.rowStride

    @inline(__always)
    func finish(_ y: Int) {
      depthwise.row(y, &filter, to: line)
      project.row(
        y, &projection, inputRow: { _ in UnsafePointer(line) },
        to: target + y &* outputStride,
        residual: residual.map { $0.data + y &* residualStride })
    }

    guard let expand else {
      filter.locate(
        depthwise.inputRows(rows), in: source, rowStride: depthwise.input.rowStride)
      for y in rows { finish(y) }
      return
    }
    var expansion = expand.makeCall(
      residual: nil, pixelStrides: (channelBlock, pixelStride), clearsPadding: false,
      scratch: scratch + layout.expand)
    let ring = scratch.assumingMemoryBound(to: Float.self)
    let (rowFloats, rowCount, inputStride) = (ringRowFloats, ringRows, expand.input.rowStride)
    var (next, slot) = (depthwise.inputRows(rows).lowerBound, 0)
    for y in rows {
      let needed = depthwise.inputRows(y..<(y + 1)).upperBound
      while next < needed {
        let target = ring + slot &* rowFloats
        expand.row(
          next, &expansion, inputRow: { source + $0 &* inputStride }, to: target,
          residual: nil)
        filter.addresses[next] = UnsafePointer(target)
        next &+= 1
        slot = slot &+ 1 == rowCount ? 0 : slot &+ 1
      }
      finish(y)
    }
  }
}
