/// How integers stand for real numbers: `real = scale · (quantised − zeroPoint)`.
public struct Quantization: Hashable, Sendable {
  /// One scale for the whole tensor, or one for each slice along ``axis``.
  public var scales: [Float]
  /// As many as ``scales``.
  public var zeroPoints: [Int]
  /// The axis that has a scale for each slice. Without meaning where one scale serves all.
  public var axis: Int

  /// As many scales as zero points: one for the tensor, or one for each slice along `axis`.
  public init(scales: [Float], zeroPoints: [Int], axis: Int = 0) {
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.axis = axis
  }

  /// Whether one scale serves the whole tensor.
  public var isPerTensor: Bool { scales.count == 1 }
  /// The first scale; the only one if ``isPerTensor``.
  public var scale: Float { scales[0] }
  /// The first zero point; the only one if ``isPerTensor``.
  public var zeroPoint: Int { zeroPoints[0] }
}

/// A value on its own: type, shape and row-major bytes. What goes into and comes out of a session
/// where convenience matters more than a copy.
public struct Tensor: Sendable {
  /// The type of each element.
  public let type: ElementType
  /// The extents, outermost first.
  public let shape: Shape
  /// The elements in row-major order, packed.
  public let data: StorageView

  /// - Precondition: `data` holds exactly the bytes of `shape` elements of `type`.
  public init(type: ElementType, shape: Shape, data: StorageView) {
    precondition(
      type.bytes(for: shape.count) == data.count, "\(shape) of \(type.name) does not fit")
    self.type = type
    self.shape = shape
    self.data = data
  }

  /// A float tensor from values in row-major order.
  public init(_ values: [Float], shape: Shape) {
    precondition(values.count == shape.count, "\(values.count) values for \(shape)")
    let storage = Storage(count: values.count * 4)
    values.withUnsafeBytes {
      if let from = $0.baseAddress { storage.base.copyMemory(from: from, byteCount: $0.count) }
    }
    self.init(type: .float32, shape: shape, data: StorageView(storage))
  }

  /// The elements as values of a trivial type, whose width must be that of ``type``.
  public func array<Element: BitwiseCopyable>(of _: Element.Type = Element.self) -> [Element] {
    precondition(MemoryLayout<Element>.size == type.byteWidth)
    return data.array(of: Element.self)
  }

  /// The elements in row-major order.
  ///
  /// - Precondition: ``type`` is `float32`.
  public var floats: [Float] { array(of: Float.self) }
}
