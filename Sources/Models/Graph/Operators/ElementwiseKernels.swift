import FaceKitKernels
import FaceKitTensor

extension KernelCandidate {
  /// A copy or an addition of float tensors with an activation: `f32_elementwise`.
  ///
  /// - Parameters:
  ///   - operation: what happens before the activation.
  ///   - maps: how many inputs are maps, 1 or 2. PReLU slopes are the input after them.
  ///   - activation: the activation. PReLU needs maps of rank 4 and a constant slope for each channel.
  ///   - declines: what else a node must not have.
  /// - Returns: the candidate.
  static func elementwise(
    _ operation: ElementwiseOperation, maps: Int, _ activation: Activation,
    declines: @escaping @Sendable (KernelRequest) -> String? = { _ in nil }
  ) -> KernelCandidate {
    KernelCandidate(
      "f32_elementwise", backend: .simd, types: [.float32], layout: .follows(maps: maps),
      overwrites: [Int](0..<maps), hasTiers: true,
      note: "element by element, in whatever layout its maps have",
      declines: { request in
        if maps > 1 || activation == .prelu {
          if !request.isFloatMap(0) { return "the input is no float map of rank 4" }
        }
        if activation == .prelu {
          // As many slopes as channels, but along another axis, are another matter.
          let channels = request.inputs.optional(0)?.shape.last
          guard request.isConstant(maps, .float32),
            let slopes = request.inputs.optional(maps)?.shape,
            slopes.count == channels, slopes.last == channels
          else { return "the slopes are not a constant for each channel" }
        }
        return declines(request)
      },
      make: { (context) throws(ModelError) in
        context.elementwiseKernel(operation, maps: maps, activation)
      })
  }
}

extension LoweringContext {
  fileprivate func elementwiseKernel(
    _ operation: ElementwiseOperation, maps: Int, _ activation: Activation
  ) -> NodeKernel {
    let (a, b, output) = (input(0), input(maps - 1), output)
    let kernel = ElementwiseMap(operation: operation, epilogue: activation.epilogue, isa: isa)
    guard activation == .prelu else {
      let count = output.storedCount
      return { (workspace) throws(ModelError) in
        kernel.run(
          count: count, a.floats(workspace), b.floats(workspace), output.floats(workspace))
      }
    }
    let (shape, slopes) = (output.shape, input(maps))
    guard output.layout == .blocked else {
      let (count, channels) = (shape.count, shape[3])
      return { (workspace) throws(ModelError) in
        kernel.runRowMajor(
          count: count, channels: channels, a.floats(workspace), b.floats(workspace),
          output.floats(workspace), slopes: slopes.floats(workspace))
      }
    }
    let map = BlockedMap(shape)
    let padded = Storage(count: map.blocks * channelBlock * 4)
    let floats = padded.base.assumingMemoryBound(to: Float.self)
    if let values = slopes.constantFloats {
      for channel in 0..<map.channels { floats[channel] = values[channel] }
    }
    let rows = shape[0] * shape[1]
    return { (workspace) throws(ModelError) in
      kernel.runBlocked(
        map, rows: rows, a.floats(workspace), b.floats(workspace), output.floats(workspace),
        slopes: padded.base.assumingMemoryBound(to: Float.self))
    }
  }
}
