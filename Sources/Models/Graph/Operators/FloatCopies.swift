import FaceKitKernels
import FaceKitTensor

extension LoweringContext {
  /// Computes on floats what has no integer formula: dequantises one or two inputs into working
  /// memory, calls the kernel, and quantises its result. Within one quantum of the exact answer.
  mutating func throughFloats(
    _ kernel:
      @escaping @Sendable (
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>?,
        _ output: UnsafeMutablePointer<Float>
      ) -> Void
  ) throws(ModelError) -> NodeKernel {
    let a = try FloatCopy(of: input(0), on: &self)
    var second: FloatCopy?
    if let tensor = optional(1) { second = try FloatCopy(of: tensor, on: &self) }
    let (b, output) = (second, output)
    let scaling = try Scaling(
      try output.operand.checkedQuantization("the output"), shape: output.shape)
    let offset = scratch(bytes: output.count * 4)
    return { (workspace) throws(ModelError) in
      let result = (workspace.arena + offset).assumingMemoryBound(to: Float.self)
      kernel(a.fill(workspace), b?.fill(workspace), result)
      Reference.quantize(
        input: result, output: output.pointer(workspace), type: output.type,
        count: output.count, scaling: scaling)
    }
  }
}

/// An integer operand's place in working memory, as floats.
private struct FloatCopy: Sendable {
  let tensor: TensorBinding
  let scaling: Scaling
  let offset: Int

  init(of tensor: TensorBinding, on context: inout LoweringContext) throws(ModelError) {
    self.tensor = tensor
    scaling = try Scaling(try tensor.operand.checkedQuantization("an input"), shape: tensor.shape)
    offset = context.scratch(bytes: tensor.count * 4)
  }

  func fill(_ workspace: Workspace) -> UnsafePointer<Float> {
    let floats = (workspace.arena + offset).assumingMemoryBound(to: Float.self)
    Reference.dequantize(
      tensor.pointer(workspace), type: tensor.type, output: floats, count: tensor.count,
      scaling: scaling)
    return UnsafePointer(floats)
  }
}
