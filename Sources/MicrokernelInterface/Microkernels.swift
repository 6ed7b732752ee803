/// The kernels of one instruction set: what dispatch picks from, and what tests and benchmarks walk.
///
/// Calling one costs some nanoseconds, so the unit of work is a row, never a tile.
public struct Microkernels: Sendable {
  /// `baseline`, `avx2`, `avx512`: the values of `FACEKIT_ISA`.
  public let isa: StaticString
  public let convRow: @Sendable (UnsafePointer<ConvRow>) -> Void
  public let depthwiseRow: @Sendable (UnsafePointer<DepthwiseRow>) -> Void
  public let elementwise: @Sendable (UnsafePointer<Elementwise>) -> Void
  public let maxPoolRow: @Sendable (UnsafePointer<PoolRow>) -> Void
  /// 16-bit values on both sides.
  public let dotRow: @Sendable (UnsafePointer<DotRow>) -> Void
  /// `nil` in the tier without a byte shuffle.
  public let sampleRun: (@Sendable (UnsafePointer<SampleRun>) -> Void)?
  /// A dependent-free chain of multiply–adds in registers: the yardstick for share of peak.
  /// Returns the floating-point operations done.
  public let fmaPeak: @Sendable (_ rounds: Int) -> Int

  public init(
    isa: StaticString,
    convRow: @escaping @Sendable (UnsafePointer<ConvRow>) -> Void,
    depthwiseRow: @escaping @Sendable (UnsafePointer<DepthwiseRow>) -> Void,
    elementwise: @escaping @Sendable (UnsafePointer<Elementwise>) -> Void,
    maxPoolRow: @escaping @Sendable (UnsafePointer<PoolRow>) -> Void,
    dotRow: @escaping @Sendable (UnsafePointer<DotRow>) -> Void,
    sampleRun: (@Sendable (UnsafePointer<SampleRun>) -> Void)?,
    fmaPeak: @escaping @Sendable (_ rounds: Int) -> Int
  ) {
    self.isa = isa
    self.convRow = convRow
    self.depthwiseRow = depthwiseRow
    self.elementwise = elementwise
    self.maxPoolRow = maxPoolRow
    self.dotRow = dotRow
    self.sampleRun = sampleRun
    self.fmaPeak = fmaPeak
  }
}
