/// Copy or addition with an epilogue, on whole maps.
public struct ElementwiseMap: Sendable {
  let operation: ElementwiseOperation
  let epilogue: Epilogue
  let kernel: Microkernels.Kernel<ElementwiseArguments>

  public init(operation: ElementwiseOperation, epilogue: Epilogue, isa: InstructionSet) {
    self.operation = operation
    self.epilogue = epilogue
    kernel = Microkernels.running(isa).elementwise
  }

  /// `count` elements whatever their layout. The epilogue must not be PReLU.
  public func run(
    count: Int, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    var call = ElementwiseArguments(
      operation: operation, a: a, b: b, output: output, count: count,
      epilogue: epilogue, slopes: a)
    kernel(&call)
  }

  /// `rows` rows of a blocked map; `slopes` padded to whole blocks.
  public func runBlocked(
    _ map: BlockedMap, rows: Int, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, slopes: UnsafePointer<Float>
  ) {
    for row in 0..<rows {
      for block in 0..<map.blocks {
        let offset = row * map.rowStride + block * map.blockStride
        var call = ElementwiseArguments(
          operation: operation, a: a + offset, b: b + offset, output: output + offset,
          count: map.blockStride, epilogue: epilogue,
          slopes: slopes + block * channelBlock)
        kernel(&call)
      }
    }
  }

  /// A row-major map whose `channels` slopes repeat.
  public func runRowMajor(
    count: Int, channels: Int, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, slopes: UnsafePointer<Float>
  ) {
    for i in 0..<count {
      let value = operation == .add ? a[i] + b[i] : a[i]
      output[i] = value < 0 ? value * slopes[i % channels] : value
    }
  }
}
