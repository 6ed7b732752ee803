import FaceKitKernels
import FaceKitTensor

/// LOGICAL_AND and LOGICAL_OR.
package struct Logical: Operator {
  package let name: String
  package let function: LogicalFunction

  package init(_ name: String, _ function: LogicalFunction) {
    self.name = name
    self.function = function
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (a, b) = (try inputs[0], try inputs[1])
    try a.check("the first input", type: .bool)
    try b.check("the second input", type: .bool)
    return [TensorType(.bool, try a.shape.broadcast(with: b.shape))]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (a, b, output, function) = (context.input(0), context.input(1), context.output, function)
    let loop = StridedLoop(
      broadcasting: [a.shape, b.shape, output.shape], to: output.shape)
    return { (workspace) throws(ModelError) in
      Reference.logical(
        function, a.pointer(workspace, as: UInt8.self), b.pointer(workspace, as: UInt8.self),
        output: output.pointer(workspace, as: UInt8.self), loop: loop)
    }
  }
}

extension Logical {
  static func reader(_ function: LogicalFunction) -> OperatorReader {
    { (source) throws(ModelError) in Logical(source.name, function).erased }
  }
}
