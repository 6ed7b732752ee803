import FaceKitKernels
import FaceKitTensor

/// A box cut out of a tensor, possibly with steps: what SLICE, STRIDED_SLICE and SPLIT copy.
struct BoxCut {
  /// Per axis of the input: first element, step, and number of elements.
  var start: [Int] = []
  var step: [Int] = []
  var count: [Int] = []

  /// The copy from `input` to a packed tensor of `count` elements.
  func copy(of input: Shape, width: Int) -> StridedCopy {
    let strides = input.strides
    var offset = 0
    for axis in strides.indices where count[axis] > 0 { offset += start[axis] * strides[axis] }
    // An empty cut copies nothing, wherever it starts.
    return StridedCopy(
      extents: count, source: strides.indices.map { strides[$0] * step[$0] },
      sourceOffset: offset, destination: Shape(count).strides, width: width)
  }
}

/// SLICE: a box given by its first element and size; size −1 means "to the end".
public struct Slice: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "SLICE" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    return [TensorType(input.type, Shape(try cut(inputs).count))]
  }

  private func cut(_ inputs: Operands) throws(ModelError) -> BoxCut {
    let shape = try inputs[0].shape
    let (begin, size) = (try inputs.integers(1), try inputs.integers(2))
    guard begin.count == shape.rank, size.count == shape.rank else {
      throw ModelError(.shape, "\(begin.count) begins, \(size.count) sizes for \(shape)")
    }
    var cut = BoxCut()
    for axis in 0..<shape.rank {
      let extent = shape[axis]
      guard begin[axis] >= 0, begin[axis] <= extent else {
        throw ModelError(.option, "begin \(begin[axis]) on axis \(axis) of \(shape)")
      }
      let count = size[axis] == -1 ? extent - begin[axis] : size[axis]
      guard count >= 0, count <= extent - begin[axis] else {
        throw ModelError(
          .option, "size \(size[axis]) from \(begin[axis]) on axis \(axis) of \(shape)")
      }
      cut.start.append(begin[axis])
      cut.step.append(1)
      cut.count.append(count)
    }
    return cut
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let input = context.input(0)
    return context.copyKernel(
      try cut(context.operands).copy(of: input.shape, width: input.type.byteWidth))
  }
}

/// STRIDED_SLICE: NumPy's slicing, the masks bit sets over the positions of the begin vector.
public struct StridedSlice: Operator, ReadableOperator {
  public var beginMask, endMask, ellipsisMask, newAxisMask, shrinkAxisMask: Int
  /// Whether the end counts from the begin.
  public var isOffset: Bool

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options(32)
    beginMask = try options.int(0)
    endMask = try options.int(1)
    ellipsisMask = try options.int(2)
    newAxisMask = try options.int(3)
    shrinkAxisMask = try options.int(4)
    isOffset = try options.bool(5)
  }

  public init(
    beginMask: Int = 0, endMask: Int = 0, ellipsisMask: Int = 0, newAxisMask: Int = 0,
    shrinkAxisMask: Int = 0, isOffset: Bool = false
  ) {
    self.beginMask = beginMask
    self.endMask = endMask
    self.ellipsisMask = ellipsisMask
    self.newAxisMask = newAxisMask
    self.shrinkAxisMask = shrinkAxisMask
    self.isOffset = isOffset
  }

  public var name: String { "STRIDED_SLICE" }
  public var attributes: [Attribute] {
    [
      Attribute("begin_mask", "\(beginMask)"), Attribute("end_mask", "\(endMask)"),
      Attribute("ellipsis_mask", "\(ellipsisMask)"), Attribute("new_axis_mask", "\(newAxisMask)"),
      Attribute("shrink_axis_mask", "\(shrinkAxisMask)"),
    ]
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(4...4)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let plan = try plan(inputs)
    guard plan.shape.rank <= Dimensions.maximumRank else {
      throw ModelError(.shape, "the result has rank \(plan.shape.rank)")
    }
    return [TensorType(input.type, plan.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let input = context.input(0)
    return context.copyKernel(
      try plan(context.operands).cut.copy(of: input.shape, width: input.type.byteWidth))
  }

  /// Walks the positions of the specification: each consumes an axis of the input, inserts one of
  /// extent 1, or (the ellipsis) stands for as many whole axes as are left over.
  private func plan(_ inputs: Operands) throws(ModelError) -> (cut: BoxCut, shape: Shape) {
    let shape = try inputs[0].shape
    let begin = try inputs.integers(1)
    let (end, strides) = (try inputs.integers(2), try inputs.integers(3))
    guard end.count == begin.count, strides.count == begin.count, begin.count <= 32 else {
      throw ModelError(.shape, "begin, end and strides are of different lengths")
    }
    func isSet(_ mask: Int, _ position: Int) -> Bool { mask >> position & 1 == 1 }
    let positions = begin.indices
    let newAxes = positions.filter { isSet(newAxisMask, $0) && !isSet(ellipsisMask, $0) }.count
    let ellipses = positions.filter { isSet(ellipsisMask, $0) }.count
    let consumed = begin.count - newAxes - ellipses
    guard ellipses <= 1, consumed <= shape.rank else {
      throw ModelError(.option, "a slice of \(consumed) axes of a tensor of rank \(shape.rank)")
    }
    var cut = BoxCut()
    var result: [Int] = []
    func takeWhole(_ axes: Int) {
      for _ in 0..<axes {
        let extent = shape[cut.count.count]
        cut.start.append(0)
        cut.step.append(1)
        cut.count.append(extent)
        result.append(extent)
      }
    }
    for position in positions {
      if isSet(ellipsisMask, position) {
        takeWhole(shape.rank - consumed)
      } else if isSet(newAxisMask, position) {
        result.append(1)
      } else {
        let axis = cut.count.count
        let range = try range(
          position, extent: shape[axis], begin: begin[position], end: end[position],
          step: strides[position])
        cut.start.append(range.start)
        cut.step.append(strides[position])
        cut.count.append(range.count)
        if !isSet(shrinkAxisMask, position) { result.append(range.count) }
      }
    }
    takeWhole(shape.rank - cut.count.count)
    return (cut, Shape(result))
  }

  /// The elements one position takes of an axis.
  private func range(
    _ position: Int, extent: Int, begin: Int, end: Int, step: Int
  ) throws(ModelError) -> (start: Int, count: Int) {
    guard step != 0 else { throw ModelError(.option, "a stride of 0") }
    func isSet(_ mask: Int) -> Bool { mask >> position & 1 == 1 }
    if isSet(shrinkAxisMask) {
      let index = begin < 0 ? try begin.plus(extent) : begin
      guard index >= 0, index < extent else {
        throw ModelError(.option, "element \(begin) of an axis of extent \(extent)")
      }
      return (index, 1)
    }
    let forward = step > 0
    let limits = forward ? 0...extent : -1...(extent - 1)
    func clamped(_ value: Int) -> Int {
      Swift.min(Swift.max(value, limits.lowerBound), limits.upperBound)
    }
    func placed(_ value: Int) throws(ModelError) -> Int {
      clamped(value < 0 ? try value.plus(extent) : value)
    }
    let start = isSet(beginMask) ? (forward ? 0 : extent - 1) : try placed(begin)
    let stop: Int
    if isSet(endMask) {
      stop = forward ? extent : -1
    } else if isOffset {
      stop = clamped(try start.plus(end))
    } else {
      stop = try placed(end)
    }
    let distance = forward ? stop - start : start - stop
    let stride = Int(clamping: step.magnitude)
    return (start, distance <= 0 ? 0 : (distance - 1) / stride + 1)
  }
}

/// SPLIT into equal parts and SPLIT_V into given ones, along one axis.
public struct Split: Operator {
  /// Where the axis is among the inputs, and the tensor, and the sizes if they are given.
  public var hasSizes: Bool
  public var parts: Int

  public init(parts: Int, hasSizes: Bool) {
    self.parts = parts
    self.hasSizes = hasSizes
  }

  public var name: String { hasSizes ? "SPLIT_V" : "SPLIT" }
  public var attributes: [Attribute] { [Attribute("num_splits", "\(parts)")] }

  private var tensorIndex: Int { hasSizes ? 0 : 1 }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(hasSizes ? 3...3 : 2...2)
    let input = try inputs[tensorIndex]
    try input.checkAddressable("the input")
    let (axis, sizes) = try plan(inputs)
    var types: [TensorType] = []
    for size in sizes {
      var shape = input.shape
      shape[axis] = size
      types.append(TensorType(input.type, shape))
    }
    return types
  }

  private func plan(_ inputs: Operands) throws(ModelError) -> (axis: Int, sizes: [Int]) {
    let shape = try inputs[tensorIndex].shape
    let axes = try inputs.integers(hasSizes ? 2 : 0)
    guard axes.count == 1 else { throw ModelError(.shape, "\(axes.count) axes to split along") }
    let axis = try shape.axis(axes[0])
    let extent = shape[axis]
    guard hasSizes else {
      guard parts >= 1, extent % parts == 0 else {
        throw ModelError(.option, "an extent of \(extent) in \(parts) equal parts")
      }
      // The outputs are listed in the file, so there cannot be more than it names.
      guard parts <= 1 << 16 else { throw ModelError(.resourceLimit, "\(parts) parts") }
      return (axis, [Int](repeating: extent / parts, count: parts))
    }
    var sizes = try inputs.integers(1)
    var known = 0
    var open: Int?
    for (index, size) in sizes.enumerated() {
      if size == -1 && open == nil {
        open = index
      } else if size >= 0 {
        known = try known.plus(size)
      } else {
        throw ModelError(.option, "the size \(size)")
      }
    }
    if let open, known <= extent {
      sizes[open] = extent - known
      known = extent
    }
    guard known == extent else {
      throw ModelError(.shape, "parts of \(known) in all for an extent of \(extent)")
    }
    return (axis, sizes)
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let input = context.input(tensorIndex)
    let (axis, _) = try plan(context.operands)
    let unit = input.shape.inner(after: axis) * input.type.byteWidth
    let rows = input.shape.outer(before: axis)
    let rowBytes = input.shape[axis] * unit
    let outputs = context.outputs
    return { (workspace) throws(ModelError) in
      var offset = 0
      for output in outputs {
        let bytes = output.shape[axis] * unit
        Reference.copyRows(
          from: input.pointer(workspace) + offset, to: output.pointer(workspace), rows: rows,
          rowBytes: bytes, sourceRowBytes: rowBytes, targetRowBytes: bytes)
        offset += bytes
      }
    }
  }
}

/// UNPACK: the slices along an axis, each its own output.
public struct Unpack: Operator, ReadableOperator {
  public var axis: Int
  public var count: Int

  public init(axis: Int, count: Int) {
    self.axis = axis
    self.count = count
  }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options(64)
    count = try options.int(0)
    axis = try options.int(1)
  }

  public var name: String { "UNPACK" }
  public var attributes: [Attribute] {
    [Attribute("axis", "\(axis)"), Attribute("num", "\(count)")]
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let axis = try input.shape.axis(axis)
    guard input.shape[axis] == count, count <= 1 << 16 else {
      throw ModelError(.shape, "\(count) slices of \(input.shape) along axis \(axis)")
    }
    var shape = input.shape
    shape.extents.remove(at: axis)
    return [TensorType](repeating: TensorType(input.type, shape), count: count)
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let input = context.input(0)
    let axis = try input.shape.axis(axis)
    let bytes = input.shape.inner(after: axis) * input.type.byteWidth
    let rows = input.shape.outer(before: axis)
    let rowBytes = input.shape[axis] * bytes
    let outputs = context.outputs
    return { (workspace) throws(ModelError) in
      for (index, output) in outputs.enumerated() {
        Reference.copyRows(
          from: input.pointer(workspace) + index * bytes, to: output.pointer(workspace),
          rows: rows, rowBytes: bytes, sourceRowBytes: rowBytes, targetRowBytes: bytes)
      }
    }
  }
}

extension OperatorRegistry {
  static let slicing: [OperatorEntry] = [
    OperatorEntry(45, "STRIDED_SLICE", StridedSlice.self), OperatorEntry(65, "SLICE", Slice.self),
    OperatorEntry(
      code: 49, name: "SPLIT",
      read: { (source) throws(ModelError) in
        Split(parts: try source.options(35).int(0), hasSizes: false).erased
      }),
    OperatorEntry(
      code: 102, name: "SPLIT_V",
      read: { (source) throws(ModelError) in
        Split(parts: try source.options(79).int(0), hasSizes: true).erased
      }),
    OperatorEntry(88, "UNPACK", Unpack.self),
  ]
}
