import FaceKitKernels
import FaceKitTensor

/// ADD of equal shapes, RELU, RELU6 or PRELU by channel, on maps of either layout.
///
/// Inputs: one or two maps, then the slopes if the epilogue is PReLU.
public struct BlockedElementwise: Operator {
  public enum Function: Sendable, Hashable {
    case copy, add
  }

  public var function: Function
  public var epilogue: PostActivation

  public var name: String {
    switch function {
    case .copy: "ACTIVATION"
    case .add: "ADD"
    }
  }

  public var pattern: RewritePattern {
    switch function {
    case .copy: .blockedActivation(self)
    case .add: .blockedAdd(self)
    }
  }

  public var attributes: [Attribute] { [Attribute("epilogue", epilogue.name)] }

  public func layoutPolicy(_ inputs: Operands) -> LayoutPolicy { .follows }

  public var overwritableInputs: [Int] { function == .add ? [0, 1] : [0] }

  private var mapCount: Int { function == .add ? 2 : 1 }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    [TensorType(.float32, try inputs[0].shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (a, b, output) = (context.input(0), context.input(mapCount - 1), context.output)
    let slopes = epilogue == .prelu ? context.input(mapCount).constantFloats : nil
    let slopesOwner = epilogue == .prelu ? context.input(mapCount) : nil
    let kernel = ElementwiseMap(
      operation: function == .add ? .add : .copy, epilogue: epilogue, isa: context.isa)
    let shape = output.shape
    if output.layout == .blocked, epilogue == .prelu {
      let map = BlockedMap(shape)
      let padded = Storage(count: map.blocks * channelBlock * 4)
      let floats = padded.base.assumingMemoryBound(to: Float.self)
      for channel in 0..<map.channels { floats[channel] = slopes![channel] }
      let rows = shape[0] * shape[1]
      return { (workspace) throws(ModelError) in
        kernel.runBlocked(
          map, rows: rows, a.floats(workspace), b.floats(workspace), output.floats(workspace),
          slopes: padded.base.assumingMemoryBound(to: Float.self))
      }
    }
    if epilogue == .prelu, let slopesOwner {
      let channels = shape[3]
      let count = shape.count
      return { (workspace) throws(ModelError) in
        kernel.runRowMajor(
          count: count, channels: channels, a.floats(workspace), b.floats(workspace),
          output.floats(workspace), slopes: slopesOwner.floats(workspace))
      }
    }
    let count = output.storedCount
    return { (workspace) throws(ModelError) in
      kernel.run(count: count, a.floats(workspace), b.floats(workspace), output.floats(workspace))
    }
  }
}
