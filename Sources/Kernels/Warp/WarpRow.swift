import MicrokernelInterface

/// The same as ``warpRowReference(_:_:into:)``, faster: columns whose taps all lie inside the picture are sampled
/// without looking at bounds.
public func warpRow(
  _ row: WarpRowArguments, _ source: WarpSource, into output: UnsafeMutablePointer<Float>,
  isa: InstructionSet = .preferred
) {
  let sampler = Sampler(row, source, Microkernels.running(isa).bilinear)
  // One piece of stack for all blocks, since it is cleared when it is made.
  var scratch = CoordinateScratch()
  withUnsafeMutableBytes(of: &scratch) { scratch in
    warpBlocks(row, source, sampler, scratch.baseAddress!, output)
  }
}

/// How a run inside the picture is sampled: by the kernel of an instruction set, or by scalar code.
struct Sampler {
  let kernel: Microkernels.Kernel<BilinearRunArguments>?
  /// Whether runs inside the picture may be sampled without looking at bounds.
  let isUsable: Bool
  /// The last column whose taps, and the bytes that wide loads read behind them, are in the picture.
  let lastColumn: Int

  @inline(__always)
  init(
    _ row: WarpRowArguments, _ source: WarpSource,
    _ kernel: Microkernels.Kernel<BilinearRunArguments>?
  ) {
    let isPacked =
      (source.pixelStride == 3 || source.pixelStride == 4) && source.green == 1
      && source.width * source.height >= 2 && source.rowStride > 0
    let isGray = source.pixelStride == 1 && source.rowStride > 0
    // The kernel's addresses are 32-bit distances.
    let fits = source.rowStride * source.height < 1 << 31
    if fits, isPacked || isGray, let kernel {
      self.kernel = kernel
      isUsable = true
      lastColumn = source.width - (8 + source.pixelStride - 1) / source.pixelStride
    } else {
      self.kernel = nil
      isUsable = isPacked
      lastColumn = source.width - 3
    }
  }
}

private func warpBlocks(
  _ row: WarpRowArguments, _ source: WarpSource, _ sampler: Sampler,
  _ scratch: UnsafeMutableRawPointer,
  _ output: UnsafeMutablePointer<Float>
) {
  let j = Double(row.row)
  var start = 0
  while start < row.count {
    let count = min(64, row.count - start)
    let block = Double(start)
    let line = WarpRun(
      x0: row.m00 * block + row.m01 * j + row.m02, dx: row.m00,
      y0: row.m10 * block + row.m11 * j + row.m12, dy: row.m10,
      w0: row.m20 * block + row.m21 * j + row.m22, dw: row.m20, count: count)
    let to = output + 3 * start
    if !sampler.isUsable {
      warpTapByTap(line, source, row, to)
    } else {
      warpSplit(line, source, row, sampler, scratch, to)
    }
    start += count
  }
}

/// A run that is partly outside: halved until a piece lies inside, or has no more than eight columns.
private func warpSplit(
  _ line: WarpRun, _ source: WarpSource, _ row: WarpRowArguments, _ sampler: Sampler,
  _ scratch: UnsafeMutableRawPointer, _ output: UnsafeMutablePointer<Float>
) {
  if line.isInside(source, lastColumn: sampler.lastColumn) {
    warpUnchecked(line, source, row, sampler, scratch, output)
  } else if line.count > 8 {
    var (left, right) = (line, line)
    left.count = (line.count / 2 + 7) & ~7
    right.first += Double(left.count)
    right.count -= left.count
    warpSplit(left, source, row, sampler, scratch, output)
    warpSplit(right, source, row, sampler, scratch, output + 3 * left.count)
  } else if line.isModerate && source.pixelStride > 1 {
    warpClamped(line, source, row, scratch, output)
  } else {
    warpTapByTap(line, source, row, output)
  }
}
