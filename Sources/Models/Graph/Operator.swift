import FaceKitKernels
import FaceKitTensor

/// One operator: its attributes, its shapes, its kernels.
///
/// Conforming types live in `Operators/`, one file for each. CONTRIBUTING tells how to add one.
public protocol Operator: Sendable {
  /// The field's name for it, as in the TFLite schema: `CONV_2D`.
  var name: String { get }

  /// Types and shapes of the outputs; rejects what the operator cannot take.
  ///
  /// - Parameter inputs: the inputs, constants with their values.
  /// - Returns: one type and shape for each output.
  /// - Throws: `ModelError` naming the input and what is wrong with it.
  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType]

  /// The reference kernel: prepares its constants, and returns the work of one inference.
  ///
  /// - Parameter context: the operands bound to memory, as `infer` accepted them.
  /// - Returns: a closure that computes the outputs and allocates nothing.
  /// - Throws: `ModelError` if an operand turns out to be unusable.
  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel

  /// Every way to compute it, best first, the reference last. Left out, it is the reference alone, on
  /// row-major memory that no input shares.
  var kernels: [KernelCandidate] { get }

  /// What graph passes may recognise it as.
  var pattern: RewritePattern { get }

  /// Multiply–accumulates of one run, for reports.
  ///
  /// - Parameters:
  ///   - inputs: the node's inputs.
  ///   - outputs: types and shapes of its outputs.
  /// - Returns: their number; 0 for operators that have none worth counting.
  func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int

  /// Name and value of each attribute, for reports.
  var attributes: [Attribute] { get }
}

/// An attribute as reports print it.
public struct Attribute: Hashable, Sendable {
  /// The schema's name for it.
  public var name: String
  /// Its value as text.
  public var value: String

  /// An attribute.
  ///
  /// - Parameters:
  ///   - name: the schema's name for it.
  ///   - value: its value as text.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension Operator {
  /// The reference alone.
  public var kernels: [KernelCandidate] { [reference()] }
  /// Nothing that passes look for.
  public var pattern: RewritePattern { .other }
  /// None worth counting.
  public func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int { 0 }
  /// None.
  public var attributes: [Attribute] { [] }

  /// ``lower(_:)`` as a candidate, the last of the list.
  ///
  /// - Parameters:
  ///   - types: element types of the input `dataInput`; empty for all that `infer` accepts.
  ///   - dataInput: index of the input whose type decides.
  ///   - layout: the layouts it reads and writes.
  ///   - overwrites: inputs whose memory the first output may take over.
  ///   - note: what there is to say about it in a report.
  /// - Returns: the candidate.
  public func reference(
    types: [ElementType] = [], dataInput: Int = 0, layout: LayoutPolicy = .rowMajor,
    overwrites: [Int] = [], note: String = "scalar loops: the definition of correct"
  ) -> KernelCandidate {
    KernelCandidate(
      "reference", backend: .reference, types: types, dataInput: dataInput, layout: layout,
      overwrites: overwrites, note: note,
      make: { (context) throws(ModelError) in try lower(&context) })
  }

  /// The operator with its type erased; existentials are not available in Embedded Swift.
  public var erased: AnyOperator {
    AnyOperator(
      name: name, pattern: pattern, attributes: attributes, kernels: kernels,
      infer: { (inputs) throws(ModelError) in try infer(inputs) },
      multiplyAccumulates: { multiplyAccumulates($0, $1) })
  }
}

/// An ``Operator`` without its type.
public struct AnyOperator: Sendable {
  /// ``Operator/name``.
  public let name: String
  /// ``Operator/pattern``.
  public let pattern: RewritePattern
  /// ``Operator/attributes``.
  public let attributes: [Attribute]
  /// ``Operator/kernels``.
  public let kernels: [KernelCandidate]
  /// ``Operator/infer(_:)``.
  public let infer: @Sendable (Operands) throws(ModelError) -> [TensorType]
  /// ``Operator/multiplyAccumulates(_:_:)``.
  public let multiplyAccumulates: @Sendable (Operands, [TensorType]) -> Int
}
