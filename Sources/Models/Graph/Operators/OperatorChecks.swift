import FaceKitKernels
import FaceKitTensor

// What every operator asks of its operands before it believes them. Shapes come from files, so all
// arithmetic on them reports overflow.

extension Int {
  /// The product, or a typed error on overflow.
  func times(_ other: Int) throws(ModelError) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    if overflow { throw ModelError(.shape, "an extent overflows: \(self) · \(other)") }
    return product
  }

  /// The sum, or a typed error on overflow.
  func plus(_ other: Int) throws(ModelError) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    if overflow { throw ModelError(.shape, "an extent overflows: \(self) + \(other)") }
    return sum
  }
}

extension Shape {
  /// The number of elements, or a typed error.
  func safeCount() throws(ModelError) -> Int {
    guard let count = checkedCount else {
      throw ModelError(.shape, "the shape \(self) is not a possible one")
    }
    return count
  }

  /// A negative axis counts from the end.
  func axis(_ axis: Int) throws(ModelError) -> Int {
    guard axis >= -rank, axis < rank else {
      throw ModelError(.option, "axis \(axis) of a tensor of rank \(rank)")
    }
    return axis < 0 ? axis + rank : axis
  }

  /// Which axes a list of axes names. Repeats and negative axes are allowed.
  func axisSet(_ axes: [Int]) throws(ModelError) -> [Bool] {
    var set = [Bool](repeating: false, count: rank)
    for axis in axes { set[try self.axis(axis)] = true }
    return set
  }

  /// The elements inside an axis: the product of the extents after it.
  func inner(after axis: Int) -> Int { extents[(axis + 1)...].reduce(1, *) }

  /// The elements outside an axis: the product of the extents before it.
  func outer(before axis: Int) -> Int { extents[..<axis].reduce(1, *) }

  /// The shape two operands have together by NumPy's rules.
  ///
  /// Shapes are aligned at the right; missing extents are 1, and an extent of 1 is repeated.
  func broadcast(with other: Shape) throws(ModelError) -> Shape {
    var result = [Int](repeating: 1, count: Swift.max(rank, other.rank))
    for back in 1..<(result.count + 1) {
      let a = back <= rank ? extents[rank - back] : 1
      let b = back <= other.rank ? other.extents[other.rank - back] : 1
      guard a == b || a == 1 || b == 1 else {
        throw ModelError(.shape, "\(self) and \(other) do not broadcast")
      }
      result[result.count - back] = a == 1 ? b : a
    }
    return Shape(result)
  }

  /// Strides that walk this shape in step with `whole`, which it broadcasts to: 0 where it repeats.
  func strides(broadcastTo whole: Shape) -> [Int] {
    let own = strides
    var result = [Int](repeating: 0, count: whole.rank)
    for back in 1..<(rank + 1) where extents[rank - back] != 1 {
      result[whole.rank - back] = own[rank - back]
    }
    return result
  }
}

extension Operand {
  /// - `role`: What the operand is to the operator: "the filter".
  func check(
    _ role: StaticString, type types: ElementType..., rank: ClosedRange<Int> = 0...8
  ) throws(ModelError) {
    if !types.isEmpty && !types.contains(type) {
      throw ModelError(
        .type, "\(role) is \(type.name); supported: \(Operand.list(types))")
    }
    guard rank.contains(shape.rank) else {
      let wanted =
        rank.lowerBound == rank.upperBound
        ? "\(rank.lowerBound)" : "\(rank.lowerBound) to \(rank.upperBound)"
      throw ModelError(.shape, "\(role) has rank \(shape.rank), not \(wanted)")
    }
    _ = try shape.safeCount()
  }

  private static func list(_ types: [ElementType]) -> String {
    var text = ""
    for type in types { text += text.isEmpty ? type.name : ", " + type.name }
    return text
  }

  func checkSameType(as other: Operand, _ role: StaticString) throws(ModelError) {
    if type != other.type {
      throw ModelError(.type, "\(role) is \(type.name), the first input \(other.type.name)")
    }
  }

  /// Whether the values are integers that stand for real numbers.
  var isQuantized: Bool {
    switch type {
    case .int8, .uint8, .int16: quantization != nil
    default: false
    }
  }

  /// One finite positive scale and a zero point of the element's range.
  func perTensorQuantization(_ role: StaticString) throws(ModelError) -> Quantization {
    let quantization = try checkedQuantization(role)
    guard quantization.isPerTensor else {
      throw ModelError(.quantization, "\(role) has several scales where one is needed")
    }
    return quantization
  }

  /// Scales that are finite and positive, and zero points of the element's range.
  func checkedQuantization(_ role: StaticString) throws(ModelError) -> Quantization {
    guard let quantization, !quantization.scales.isEmpty else {
      throw ModelError(.quantization, "\(role) is \(type.name) without a scale")
    }
    for scale in quantization.scales where !(scale > 0) || !scale.isFinite {
      throw ModelError(.quantization, "\(role) has the scale \(scale)")
    }
    guard quantization.zeroPoints.count == quantization.scales.count else {
      throw ModelError(.quantization, "\(role) has not as many zero points as scales")
    }
    let range = type.quantizedRange
    for zeroPoint in quantization.zeroPoints where !range.contains(zeroPoint) {
      throw ModelError(.quantization, "\(role) has the zero point \(zeroPoint)")
    }
    return quantization
  }
}

extension ElementType {
  /// The values a quantised element can have; the widest for types that are never quantised.
  var quantizedRange: ClosedRange<Int> {
    switch self {
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32768...32767
    case .int4: -8...7
    case .uint4: 0...15
    case .int2: -2...1
    default: Int(Int32.min)...Int(Int32.max)
    }
  }
}

extension Operands {
  /// Refuses the wrong number of inputs.
  func checkCount(_ range: ClosedRange<Int>) throws(ModelError) {
    guard range.contains(count) else {
      throw ModelError(
        .graph, "\(count) inputs; \(range.lowerBound) to \(range.upperBound) are needed")
    }
  }
}

extension StridedLoop {
  /// A loop over `whole` for operands that broadcast to it, in order; the result last.
  init(broadcasting operands: [Shape], to whole: Shape) {
    self.init(
      extents: whole.extents, strides: operands.map { $0.strides(broadcastTo: whole) })
  }
}

extension Operand {
  /// Indices: int32 or int64.
  func checkIndices(_ role: StaticString) throws(ModelError) {
    try check(role, type: .int32, .int64)
  }
}

extension ModelError {
  /// Indices are data, so they can be wrong in a sound model.
  static let indexOutOfRange = ModelError(
    .input, "an index is out of range", advice: "check the input's values")
}

extension LoweringContext {
  /// The inputs as `infer` sees them.
  var operands: Operands { Operands(inputs.map { $0?.operand }) }
}

extension Operand {
  /// Refuses elements that cannot be moved as bytes: strings and handles.
  func checkMovable(_ role: StaticString) throws(ModelError) {
    try check(role)
    if type.bitWidth == 0 {
      throw ModelError(.type, "\(role) is of type \(type.name), which has no fixed width")
    }
  }

  /// As ``checkMovable(_:)``, and each element has an address of its own.
  func checkAddressable(_ role: StaticString) throws(ModelError) {
    try checkMovable(role)
    if type.bitWidth < 8 {
      throw ModelError(.type, "\(role) has packed elements (\(type.name))")
    }
  }
}
