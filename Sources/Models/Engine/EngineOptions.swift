import FaceKitKernels

/// How a model is compiled.
public struct EngineOptions: Sendable, Hashable {
  /// Which kernels compute it.
  public var backend: Backend
  /// The tier of SIMD kernels; one this machine cannot run falls back to the best it can.
  public var isa: InstructionSet
  /// Threads a session computes with, the caller's included. Results do not depend on it.
  public var threads: Int
  /// Graph passes not to run, by ``GraphPass/name``: for study, and for reading tensors that fusion
  /// would swallow. `all` stands for every pass that can be left out.
  public var disabledPasses: [String]
  /// What a model may ask for.
  public var limits: ModelLimits

  /// Options; each has a default that suits most callers.
  ///
  /// - Parameters:
  ///   - backend: which kernels compute it.
  ///   - isa: the tier of SIMD kernels.
  ///   - threads: threads a session computes with, the caller's included.
  ///   - disabledPasses: names of graph passes not to run.
  ///   - limits: what a model may ask for.
  public init(
    backend: Backend = .automatic, isa: InstructionSet = .preferred, threads: Int = 1,
    disabledPasses: [String] = [], limits: ModelLimits = .default
  ) {
    self.backend = backend
    self.isa = isa
    self.threads = max(1, threads)
    self.disabledPasses = disabledPasses
    self.limits = limits
  }

  /// The options after falling back to what this machine can run.
  var resolved: EngineOptions {
    var options = self
    if !isa.isAvailable { options.isa = .preferred }
    return options
  }
}
