@_exported public import MicrokernelInterface

/// An instruction set that kernels are built for: a value of `FACEKIT_ISA`.
///
/// The list is that of `Microkernels.rows`, hence of this build's architecture.
public struct InstructionSet: Sendable, Hashable, CaseIterable, RawRepresentable {
  /// Where it stands in ``Microkernels.rows``.
  private let index: Int

  private init(index: Int) { self.index = index }

  /// The instruction set of a name; `nil` if this build has none of it.
  public init?(rawValue: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = found
  }

  /// `baseline`, `avx2` …
  public var rawValue: String { microkernels.name.description }

  /// Those this build contains, portable first.
  public static var allCases: [InstructionSet] {
    Microkernels.rows.indices.map { InstructionSet(index: $0) }
  }

  /// What every processor of the architecture can run.
  public static let baseline = InstructionSet(index: 0)

  /// Its kernels. Only for processors that have what it requires.
  package var microkernels: Microkernels { Microkernels.rows[index] }

  /// What the processor must have.
  public var requires: CPUFeatures { microkernels.requires }

  /// Whether this machine can run it.
  public var isAvailable: Bool { CPUFeatures.current.isSuperset(of: requires) }

  /// Those this machine can run, portable first. Tests and benchmarks walk this list.
  public static var available: [InstructionSet] { allCases.filter { $0.isAvailable } }

  /// The one to use: the one `FACEKIT_ISA` names if this machine can run it, else the best.
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
  /// The kernels of an instruction set this machine can run, else the portable ones.
  static func running(_ isa: InstructionSet) -> Microkernels {
    (isa.isAvailable ? isa : .baseline).microkernels
  }
}
