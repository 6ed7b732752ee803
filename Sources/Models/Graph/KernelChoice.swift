import FaceKitKernels
import FaceKitTensor

/// What kernels are chosen for: a back end, an instruction set, a number of threads.
public struct KernelTarget: Sendable, Hashable {
  /// Where kernels may come from.
  public var backend: Backend
  /// The tier of the SIMD kernels.
  public var isa: InstructionSet
  /// Threads a session computes with.
  public var threads: Int

  /// A target.
  ///
  /// - Parameters:
  ///   - backend: where kernels may come from.
  ///   - isa: the tier of the SIMD kernels.
  ///   - threads: threads a session computes with, at least 1.
  public init(backend: Backend, isa: InstructionSet, threads: Int = 1) {
    self.backend = backend
    self.isa = isa
    self.threads = threads
  }

  /// The definition of correct: scalar loops on one thread.
  static let reference = KernelTarget(backend: .reference, isa: .baseline)
}

/// A node in need of a kernel, as candidates see it.
public struct KernelRequest: Sendable {
  /// The node's inputs, constants with their values.
  public let inputs: Operands
  /// Types and shapes of its outputs.
  public let outputs: [TensorType]
  /// What it is compiled for.
  public let target: KernelTarget

  /// A request.
  ///
  /// - Parameters:
  ///   - inputs: the node's inputs, constants with their values.
  ///   - outputs: types and shapes of its outputs, as `infer` gave them.
  ///   - target: what it is compiled for.
  public init(inputs: Operands, outputs: [TensorType], target: KernelTarget) {
    self.inputs = inputs
    self.outputs = outputs
    self.target = target
  }

  /// Whether an input is a constant of this type.
  func isConstant(_ index: Int, _ type: ElementType) -> Bool {
    guard let operand = inputs.optional(index) else { return false }
    return operand.type == type && operand.constant != nil
  }

  /// Whether an input is left out, or a constant of this type.
  func isAbsentOrConstant(_ index: Int, _ type: ElementType) -> Bool {
    inputs.optional(index) == nil || isConstant(index, type)
  }

  /// Whether an input is a float tensor of rank 4 that is computed: a map, in whichever layout.
  func isFloatMap(_ index: Int) -> Bool {
    guard let operand = inputs.optional(index) else { return false }
    return operand.type == .float32 && operand.shape.rank == 4
  }
}

/// The kernel that a node got, and what kept better ones from it.
public struct KernelChoice: Sendable {
  /// A candidate that did not take the node.
  public struct Declined: Sendable, Hashable {
    /// Its name.
    public var kernel: String
    /// What of the node it does not take.
    public var reason: String
  }

  /// The kernel.
  public let kernel: KernelCandidate
  /// What it was chosen for.
  public let target: KernelTarget
  /// Better candidates of the same back end that did not take the node, best first.
  public let declined: [Declined]

  /// The kernel's name, with the instruction set where it has tiers: `f32_conv_row, avx512`.
  public var name: String {
    kernel.hasTiers ? "\(kernel.name), \(target.isa.rawValue)" : kernel.name
  }

  /// Why this kernel, in a line.
  public var reason: String {
    guard !declined.isEmpty else { return kernel.note }
    let list = declined.map { "\($0.kernel): \($0.reason)" }.joined(separator: "; ")
    return kernel.note.isEmpty ? "not \(list)" : "\(kernel.note); not \(list)"
  }
}

extension AnyOperator {
  /// The one choice of a kernel: the first candidate of the target's back ends that takes the node.
  ///
  /// - Parameter request: the node's operands, and what it is compiled for.
  /// - Returns: the candidate, with the reasons of those that declined.
  /// - Throws: `.type` if no candidate takes the node.
  public func chooseKernel(for request: KernelRequest) throws(ModelError) -> KernelChoice {
    var declined: [KernelChoice.Declined] = []
    for candidate in kernels where request.target.backend.mayUse(candidate.backend) {
      if let reason = candidate.refusal(of: request) {
        declined.append(KernelChoice.Declined(kernel: candidate.name, reason: reason))
      } else {
        return KernelChoice(kernel: candidate, target: request.target, declined: declined)
      }
    }
    let reasons = declined.map { "\($0.kernel): \($0.reason)" }.joined(separator: "; ")
    throw ModelError(
      .type, "no kernel takes this \(name)\(reasons.isEmpty ? "" : " (\(reasons))")",
      advice: "export the model with other types, or choose another back end")
  }
}

extension KernelCandidate {
  /// Why the candidate does not take a node; `nil` if it does.
  fileprivate func refusal(of request: KernelRequest) -> String? {
    if !types.isEmpty, let operand = request.inputs.optional(dataInput),
      !types.contains(operand.type)
    {
      return "does not take \(operand.type.name)"
    }
    return declines(request)
  }
}
