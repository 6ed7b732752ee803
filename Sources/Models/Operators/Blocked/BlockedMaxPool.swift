import FaceKitKernels
import FaceKitTensor

/// MAX_POOL_2D on blocked maps.
public struct BlockedMaxPool: Operator {
  public var pool: Pool2D

  public var name: String { pool.name }
  public var attributes: [Attribute] { pool.attributes }

  public func layoutPolicy(_ inputs: Operands) -> LayoutPolicy { .blocked(acceptsRowMajor: false) }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try pool.infer(inputs)
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let kernel = BlockedPool(
      channels: input.shape[3], window: try pool.shape(input.shape).window,
      bounds: pool.activation.bounds, isa: context.isa)
    let height = kernel.output.height
    return context.rowKernel(
      rows: input.shape[0] * height, cost: input.storedCount, scratchBytes: kernel.scratchBytes
    ) { workspace, rows, scratch in
      forEachImage(rows, height) { n, rows in
        kernel.run(
          rows: rows, from: input.floats(workspace) + n * kernel.input.floatCount,
          to: output.floats(workspace) + n * kernel.output.floatCount, scratch: scratch)
      }
    }
  }
}
