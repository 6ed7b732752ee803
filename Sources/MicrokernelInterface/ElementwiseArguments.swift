/// The `∘` of ``ElementwiseArguments``.
public enum ElementwiseOperation: Sendable, Hashable {
  /// `a` alone; `b` is not read.
  case copy
  case add
}

/// Arguments of the element-wise kernel: `output[i] = epilogue(a[i] ∘ b[i])`.
///
/// Slopes repeat every 16 elements: one call covers one block of channels, or one slope repeated.
public struct ElementwiseArguments {
  public var operation: ElementwiseOperation
  public var a: UnsafePointer<Float>
  public var b: UnsafePointer<Float>
  /// May be `a` or `b`.
  public var output: UnsafeMutablePointer<Float>
  public var count: Int
  public var epilogue: Epilogue
  /// Sixteen PReLU slopes. Read by no other epilogue.
  public var slopes: UnsafePointer<Float>

  public init(
    operation: ElementwiseOperation, a: UnsafePointer<Float>, b: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, count: Int, epilogue: Epilogue,
    slopes: UnsafePointer<Float>
  ) {
    self.operation = operation
    self.a = a
    self.b = b
    self.output = output
    self.count = count
    self.epilogue = epilogue
    self.slopes = slopes
  }
}
