import FaceKitKernels
import FaceKitTensor

extension LoweringContext {
  /// A kernel that writes integers known when the model is loaded.
  func constantKernel(_ values: [Int]) -> NodeKernel {
    let (output, isWide) = (output, output.type == .int64)
    return { (workspace) throws(ModelError) in
      for (index, value) in values.enumerated() {
        if isWide {
          output.pointer(workspace, as: Int64.self)[index] = Int64(value)
        } else {
          output.pointer(workspace, as: Int32.self)[index] = Int32(clamping: value)
        }
      }
    }
  }
}

extension TensorBinding {
  /// Bytes of the elements, packed ones rounded up; 0 for types without a fixed width.
  var byteCount: Int { type.bytes(for: count) ?? 0 }
}

extension LoweringContext {
  /// The bytes of input 0, copied to the output unless they are there already.
  func copyKernel() -> NodeKernel {
    let (input, output, bytes) = (input(0), output, output.byteCount)
    return { (workspace) throws(ModelError) in
      Reference.copy(
        from: input.pointer(workspace), to: output.pointer(workspace), bytes: bytes)
    }
  }
}

extension LoweringContext {
  /// A kernel that copies elements of input `index` into place.
  func copyKernel(_ plan: StridedCopy, input index: Int = 0) -> NodeKernel {
    let (input, output) = (input(index), output)
    return { (workspace) throws(ModelError) in
      Reference.copy(plan, from: input.pointer(workspace), to: output.pointer(workspace))
    }
  }
}
