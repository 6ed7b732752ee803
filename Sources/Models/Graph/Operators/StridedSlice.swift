import FaceKitKernels
import FaceKitTensor

/// STRIDED_SLICE: NumPy's slicing, the masks bit sets over the positions of the begin vector.
package struct StridedSlice: Operator, ReadableOperator {
  package var beginMask, endMask, ellipsisMask, newAxisMask, shrinkAxisMask: Int
  /// Whether the end counts from the begin.
  package var isOffset: Bool

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options()
    beginMask = try options.int(0)
    endMask = try options.int(1)
    ellipsisMask = try options.int(2)
    newAxisMask = try options.int(3)
    shrinkAxisMask = try options.int(4)
    isOffset = try options.bool(5)
  }

  package init(
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

  package var name: String { "STRIDED_SLICE" }
  package var attributes: [Attribute] {
    [
      Attribute("begin_mask", "\(beginMask)"), Attribute("end_mask", "\(endMask)"),
      Attribute("ellipsis_mask", "\(ellipsisMask)"), Attribute("new_axis_mask", "\(newAxisMask)"),
      Attribute("shrink_axis_mask", "\(shrinkAxisMask)"),
    ]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(4...4)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let plan = try plan(inputs)
    guard plan.shape.rank <= Dimensions.maximumRank else {
      throw ModelError(.shape, "the result has rank \(plan.shape.rank)")
    }
    return [TensorType(input.type, plan.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
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
