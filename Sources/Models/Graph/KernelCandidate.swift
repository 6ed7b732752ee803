import FaceKitKernels
import FaceKitTensor

/// One way to compute an operator: which back end it belongs to, what it accepts, how it is made.
///
/// An operator lists its candidates best first and the reference last, in ``Operator/kernels``. Choosing,
/// layouts, the memory plan, reports, benchmarks and tests all walk that list.
public struct KernelCandidate: Sendable {
  /// What reports call it: `f32_conv_row`.
  public let name: String
  /// The back end it belongs to. A reference kernel is open to all of them.
  public let backend: Backend
  /// Element types it takes in the operand at index ``dataInput``; empty for all that `infer` accepts.
  public let types: [ElementType]
  /// Index of the input whose type ``types`` speak of.
  public let dataInput: Int
  /// The layouts it reads and writes.
  public let layout: LayoutPolicy
  /// Inputs whose memory the first output may take over, if nothing reads them afterwards: the kernel
  /// then gets the same address for both.
  public let overwrites: [Int]
  /// Whether it differs between instruction sets, so that reports name the tier too.
  public let hasTiers: Bool
  /// Why it is fast, or what it is for: a line for reports.
  public let note: String
  /// What the node has that the kernel does not take, in a few words; `nil` if it takes the node.
  public let declines: @Sendable (KernelRequest) -> String?
  /// Prepares constants and returns the work of one inference.
  public let make: @Sendable (inout LoweringContext) throws(ModelError) -> NodeKernel

  /// A kernel of the back end `backend`.
  ///
  /// - Parameters:
  ///   - name: what reports call it.
  ///   - backend: the back end it belongs to; not `.automatic`.
  ///   - types: element types of the input `dataInput`; empty for all that `infer` accepts.
  ///   - dataInput: index of the input whose type decides.
  ///   - layout: the layouts it reads and writes.
  ///   - overwrites: inputs whose memory the first output may take over.
  ///   - hasTiers: whether it differs between instruction sets.
  ///   - note: why it is fast, or what it is for.
  ///   - declines: what of a node it does not take; `nil` if it takes the node. Asked after `types`.
  ///   - make: prepares constants and returns the work of one inference.
  public init(
    _ name: String, backend: Backend, types: [ElementType] = [], dataInput: Int = 0,
    layout: LayoutPolicy = .rowMajor, overwrites: [Int] = [], hasTiers: Bool = false,
    note: String = "",
    declines: @escaping @Sendable (KernelRequest) -> String? = { _ in nil },
    make: @escaping @Sendable (inout LoweringContext) throws(ModelError) -> NodeKernel
  ) {
    self.name = name
    self.backend = backend
    self.types = types
    self.dataInput = dataInput
    self.layout = layout
    self.overwrites = overwrites
    self.hasTiers = hasTiers
    self.note = note
    self.declines = declines
    self.make = make
  }
}

/// Which layouts a kernel understands.
public enum LayoutPolicy: Sendable, Hashable {
  /// Row-major in and out.
  case rowMajor
  /// Blocked out; activations blocked in, except that the first may be row-major if so stated.
  case blocked(acceptsRowMajor: Bool)
  /// Element by element: whatever layout its maps have, if it is the same for all. The maps are the
  /// first `maps` inputs; what comes after them are row-major constants, such as slopes.
  case follows(maps: Int)
}
