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
  private var ringBytes: Int { ringRows * depthwise.input.rowStride * 4 }
  private var rowBytes: Int { depthwise.output.rowStride * 4 }

  /// Multiply–accumulates of one image.
  public var multiplyAccumulates: Int {
    (expand?.multiplyAccumulates ?? 0) + depthwise.multiplyAccumulates
      + project.multiplyAccumulates
  }

  /// Working memory of one thread.
  public var scratchBytes: Int { ringBytes + rowBytes + 1024 }

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
    let ring = scratch.assumingMemoryBound(to: Float.self)
    let line = (scratch + ringBytes).assumingMemoryBound(to: Float.self)
    let lists = scratch + ringBytes + rowBytes
    let window = depthwise.window
    let ringStride = depthwise.input.rowStride
    var expanded = max(0, rows.lowerBound * window.strideHeight - window.paddingTop)

    for y in rows {
      if let expand {
        let needed = min(
          depthwise.input.height,
          window.inputRow(outputRow: y, kernelRow: window.kernelHeight - 1) + 1)
        while expanded < needed {
          expand.row(
            expanded, inputRow: { source + $0 * expand.input.rowStride },
            to: ring + expanded % ringRows * ringStride, residual: nil, scratch: lists,
            clearsPadding: false)
          expanded += 1
        }
        depthwise.row(
          y, inputRow: { UnsafePointer(ring) + $0 % ringRows * ringStride }, to: line,
          scratch: lists, clearsPadding: false)
      } else {
        depthwise.row(
          y, inputRow: { source + $0 * ringStride }, to: line, scratch: lists,
          clearsPadding: false)
      }
      project.row(
        y, inputRow: { _ in UnsafePointer(line) }, to: target + y * project.output.rowStride,
        residual: residual.map { ($0.map, $0.data + y * $0.map.rowStride) }, scratch: lists)
    }
  }
}
