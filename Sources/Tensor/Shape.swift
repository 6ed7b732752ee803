/// The extents of a tensor, outermost first. A scalar has rank 0 and one element.
public struct Shape: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The number of elements along each axis.
  public var extents: [Int]

  /// A shape of these extents, outermost first.
  public init(_ extents: [Int]) { self.extents = extents }
  /// A shape of these extents, outermost first: `[1, 128, 128, 3]`.
  public init(arrayLiteral extents: Int...) { self.extents = extents }

  /// No axes and one element.
  public static let scalar = Shape([])

  /// The number of axes.
  public var rank: Int { extents.count }

  /// The extent of an axis, `0..<rank`.
  public subscript(axis: Int) -> Int {
    get { extents[axis] }
    set { extents[axis] = newValue }
  }

  /// The innermost extent; 1 for a scalar.
  public var last: Int { extents.last ?? 1 }

  /// The number of elements. Call ``checkedCount`` first for shapes from outside.
  public var count: Int { extents.reduce(1, *) }

  /// The number of elements, or `nil` if an extent is negative or the product overflows.
  public var checkedCount: Int? {
    var product = 1
    for extent in extents {
      if extent < 0 { return nil }
      let (next, overflow) = product.multipliedReportingOverflow(by: extent)
      if overflow { return nil }
      product = next
    }
    return product
  }

  /// Row-major strides, in elements.
  public var strides: [Int] {
    var strides = [Int](repeating: 1, count: rank)
    var step = 1
    for axis in (0..<rank).reversed() {
      strides[axis] = step
      step *= extents[axis]
    }
    return strides
  }
}

extension Shape: CustomStringConvertible {
  /// `1×128×128×3`, or `scalar`.
  public var description: String {
    if extents.isEmpty { return "scalar" }
    var text = ""
    for (axis, extent) in extents.enumerated() {
      if axis > 0 { text += "×" }
      text += "\(extent)"
    }
    return text
  }
}
