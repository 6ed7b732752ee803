@_exported public import MicrokernelInterface

#if arch(x86_64)
  internal import MicrokernelsAVX2
  internal import MicrokernelsAVX512
  internal import MicrokernelsAVX512VNNI
#endif
internal import MicrokernelsBaseline

/// A tier of kernels: the values of `FACEKIT_ISA`.
public enum InstructionSet: String, Sendable, Hashable, CaseIterable {
  case baseline, avx2, avx512

  /// What the processor must have.
  public var requires: CPUFeatures {
    switch self {
    case .baseline: []
    case .avx2: .avx2
    case .avx512: .avx512
    }
  }

  /// Whether this machine can run the tier.
  public var isAvailable: Bool {
    CPUFeatures.current.isSuperset(of: requires) && Microkernels.of(self) != nil
  }

  /// Whether an instruction widens half-precision numbers as they are loaded.
  var widensHalf: Bool { self != .baseline }

  /// The tiers this machine can run, portable first. Tests and benchmarks walk this list.
  public static var available: [InstructionSet] { allCases.filter { $0.isAvailable } }

  /// The tier to use: the one `FACEKIT_ISA` names if this machine can run it, else the best.
  ///
  /// A name that is unknown or cannot run here is ignored, because dying in a library for the sake
  /// of an environment variable helps nobody; `facekit` reports it as a usage error.
  public static let preferred: InstructionSet = {
    if let name = environment("FACEKIT_ISA"), let forced = InstructionSet(rawValue: name),
      forced.isAvailable
    {
      return forced
    }
    return available.last ?? .baseline
  }()
}

extension Microkernels {
  /// The kernels of a tier; `nil` if this build does not contain them.
  public static func of(_ isa: InstructionSet) -> Microkernels? {
    switch isa {
    case .baseline: return microkernelsBaseline
    #if arch(x86_64)
      case .avx2: return microkernelsAVX2
      case .avx512: return microkernelsAVX512
    #else
      case .avx2, .avx512: return nil
    #endif
    }
  }

  /// The kernels of a tier this machine can run, else the portable ones.
  static func running(_ isa: InstructionSet) -> Microkernels {
    isa.isAvailable ? of(isa) ?? microkernelsBaseline : microkernelsBaseline
  }

  /// The dot products of bytes, for those processors of the AVX-512 tier that have VNNI too.
  static func dotRowVNNI(_ isa: InstructionSet) -> (@Sendable (UnsafePointer<DotRow>) -> Void)? {
    #if arch(x86_64)
      if isa == .avx512, isa.isAvailable, CPUFeatures.current.contains(.avx512VNNI) {
        return dotRowAVX512VNNI
      }
    #endif
    return nil
  }
}
