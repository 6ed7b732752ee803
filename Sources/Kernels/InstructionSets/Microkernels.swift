package import MicrokernelInterface

/// The kernels of one instruction set, and what is to be known of it: a row of ``Microkernels/rows``.
///
/// Dispatch, weight packing, tests and benchmarks read it here and nowhere else. Calling a kernel costs some
/// nanoseconds, so the unit of work is a row of a map, never a tile. A kernel that an instruction set has no
/// good instructions for is `nil`, and its caller then runs code of its own.
package struct Microkernels: Sendable {
  package typealias Kernel<Arguments> = @Sendable (UnsafePointer<Arguments>) -> Void

  /// `baseline`, `avx2` …: a value of `FACEKIT_ISA`.
  package let name: StaticString
  /// What the processor must have.
  package let requires: CPUFeatures
  /// Floats in a register.
  package let vectorWidth: Int
  /// Widest panel first; the last is of eight channels, so that every map can be covered.
  package let conv2D: [Conv2DTile]
  package let depthwise: Kernel<DepthwiseRowArguments>
  package let elementwise: Kernel<ElementwiseArguments>
  package let maxPool: Kernel<MaxPoolRowArguments>
  /// Best first; the last requires no more than the instruction set itself.
  package let integerGEMM: [IntegerGEMMKernel]
  package let bilinear: Kernel<BilinearRunArguments>?
  /// `rounds` turns of independent multiply–adds in registers, the yardstick for share of peak. Returns the
  /// floating-point operations done.
  package let fmaPeak: @Sendable (_ rounds: Int) -> Int

  init(
    name: StaticString, requires: CPUFeatures, vectorWidth: Int, conv2D: [Conv2DTile],
    depthwise: @escaping Kernel<DepthwiseRowArguments>,
    elementwise: @escaping Kernel<ElementwiseArguments>,
    maxPool: @escaping Kernel<MaxPoolRowArguments>, integerGEMM: [IntegerGEMMKernel],
    bilinear: Kernel<BilinearRunArguments>?, fmaPeak: @escaping @Sendable (Int) -> Int
  ) {
    self.name = name
    self.requires = requires
    self.vectorWidth = vectorWidth
    self.conv2D = conv2D
    self.depthwise = depthwise
    self.elementwise = elementwise
    self.maxPool = maxPool
    self.integerGEMM = integerGEMM
    self.bilinear = bilinear
    self.fmaPeak = fmaPeak
  }
}

/// A convolution kernel for weight panels of one width. Weights are packed in the panels of this list, so a
/// panel that no kernel takes cannot come to be.
package struct Conv2DTile: Sendable {
  /// Output channels of a panel: eight, or a multiple of sixteen.
  package let channels: Int
  package let kernel: Microkernels.Kernel<Conv2DRowArguments>
  /// The same for half-precision weights; `nil` where no instruction widens them.
  package let halfWeights: Microkernels.Kernel<Conv2DRowArguments>?

  init(
    channels: Int, _ kernel: @escaping Microkernels.Kernel<Conv2DRowArguments>,
    halfWeights: Microkernels.Kernel<Conv2DRowArguments>? = nil
  ) {
    self.channels = channels
    self.kernel = kernel
    self.halfWeights = halfWeights
  }
}

/// An integer matrix product; some need more than their instruction set requires.
package struct IntegerGEMMKernel: Sendable {
  package let factors: IntegerFactors
  package let requires: CPUFeatures
  package let kernel: Microkernels.Kernel<IntegerGEMMArguments>

  init(
    _ factors: IntegerFactors, requires: CPUFeatures = [],
    _ kernel: @escaping Microkernels.Kernel<IntegerGEMMArguments>
  ) {
    self.factors = factors
    self.requires = requires
    self.kernel = kernel
  }
}
