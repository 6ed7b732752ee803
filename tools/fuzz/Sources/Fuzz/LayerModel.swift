/// A small sound network made from a recipe: an input and up to five layers of odd shapes.
struct LayerModel {
  enum Element: Int8 {
    case float32 = 0
    case uint8 = 3
    case int8 = 9
  }

  private(set) var builder = ModelBuilder()
  let element: Element
  private var recipe: Recipe
  /// Every activation so far with its extents; layers continue the last.
  private var activations: [(index: Int32, extents: [Int])] = []
  private var noise: UInt64 = 1

  init(_ recipe: Recipe) {
    self.recipe = recipe
    element = self.recipe.pick([.float32, .int8, .uint8])
    let extents = [
      self.recipe.choose(1...2), self.recipe.choose(1...9), self.recipe.choose(1...20),
      self.recipe.choose(1...36),
    ]
    builder.inputs = [activation(extents)]
    for _ in 0..<5 where !self.recipe.isFinished { layer() }
    builder.outputs = [activations[activations.count - 1].index]
  }

  // MARK: Tensors

  private mutating func activation(_ extents: [Int]) -> Int32 {
    let zero = element == .uint8 ? 120 : 3
    let index = tensor(extents, quantization: (scales: [0.04], zeros: [zero]))
    activations.append((index, extents))
    return index
  }

  private mutating func tensor(
    _ extents: [Int], data: [UInt8]? = nil, type: Int8? = nil,
    quantization: (scales: [Float], zeros: [Int])?, axis: Int32 = 0
  ) -> Int32 {
    var fields: ModelBuilder.Fields = [:]
    if let quantization, element != .float32 {
      fields[4] = .table([
        2: .floats(quantization.scales), 3: .int64s(quantization.zeros.map(Int64.init)),
        6: .int32(axis),
      ])
    }
    return builder.tensor(
      extents.map(Int32.init), type: type ?? element.rawValue, data: data, fields)
  }

  private mutating func random() -> UInt64 {
    noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return noise >> 33
  }

  private func bytes(_ values: [Int32]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  }

  private mutating func integers(_ values: [Int]) -> Int32 {
    tensor([values.count], data: bytes(values.map(Int32.init)), type: 2, quantization: nil)
  }

  /// Constant weights; int8 ones with a scale for each index of `axis`, as converters write them.
  private mutating func weights(_ extents: [Int], gain: Float, axis: Int? = nil) -> Int32 {
    let count = extents.reduce(1, *)
    if element == .float32 {
      var floats: [Int32] = []
      for _ in 0..<count {
        let value = (Float(random() % 2001) / 1000 - 1) * gain
        floats.append(Int32(bitPattern: value.bitPattern))
      }
      return tensor(extents, data: bytes(floats), quantization: nil)
    }
    var data: [UInt8] = []
    for _ in 0..<count { data.append(UInt8(truncatingIfNeeded: random())) }
    guard element == .int8, let axis else {
      let zero = element == .uint8 ? 127 : 0
      return tensor(extents, data: data, quantization: ([gain / 128], [zero]))
    }
    let scales = (0..<extents[axis]).map { gain / 128 * (1 + Float($0 % 3)) }
    return tensor(
      extents, data: data, quantization: (scales, scales.map { _ in 0 }), axis: Int32(axis))
  }

  private mutating func bias(_ count: Int) -> Int32 {
    var values: [Int32] = []
    for _ in 0..<count {
      let value = Int32(random() % 2001) - 1000
      values.append(
        element == .float32 ? Int32(bitPattern: (Float(value) / 1000).bitPattern) : value)
    }
    return tensor(
      [count], data: bytes(values), type: element == .float32 ? 0 : 2,
      quantization: (Array(repeating: 0.001, count: 1), [0]))
  }

  // MARK: Layers

  private mutating func layer() {
    let (input, extents) = activations[activations.count - 1]
    // Kernels are slow under the sanitizer; odd shapes need not be large.
    if extents.reduce(1, *) > 6000 { return }
    switch recipe.choose(extents.count == 4 ? 15 : 3) {
    case 0: elementwise(input, extents)
    case 1: fullyConnected(input, extents)
    case 2: binary(input, extents)
    case 3, 4, 5: convolution(input, extents)
    case 6, 7: depthwise(input, extents)
    case 8: pool(input, extents)
    case 9: pad(input, extents)
    case 10: resize(input, extents)
    case 11: concatenate(input, extents)
    case 12: mean(input, extents)
    case 13: prelu(input, extents)
    default: transposeConvolution(input, extents)
    }
  }

  private mutating func elementwise(_ input: Int32, _ extents: [Int]) {
    // RELU, RELU6, RELU_N1_TO_1, LOGISTIC, TANH, HARD_SWISH.
    let code = recipe.pick([19, 21, 20, 14, 28, 117] as [Int32])
    builder.operation(code, inputs: [input], outputs: [activation(extents)])
  }

  private mutating func binary(_ input: Int32, _ extents: [Int]) {
    // ADD, MUL, SUB, MAXIMUM with a constant or with an earlier activation of the same shape.
    let (code, options) = recipe.pick([(0, 11), (18, 21), (41, 28), (55, 39)] as [(Int32, UInt8)])
    let earlier = activations.dropLast().last { $0.extents == extents }
    let other: Int32
    if recipe.choose(2) == 0, let earlier {
      other = earlier.index
    } else {
      other = weights(recipe.choose(2) == 0 ? [extents[extents.count - 1]] : extents, gain: 1)
    }
    let operands = recipe.choose(2) == 0 ? [input, other] : [other, input]
    let fields: ModelBuilder.Fields = code == 55 ? [:] : [0: .int8(Int8(recipe.choose(4)))]
    builder.operation(
      code, inputs: operands, outputs: [activation(extents)], options: (options, fields))
  }

  private mutating func fullyConnected(_ input: Int32, _ extents: [Int]) {
    let depth = extents[extents.count - 1]
    let units = recipe.choose(1...40)
    let keeps = recipe.choose(2) == 0
    let matrix = weights([units, depth], gain: 1 / Float(depth).squareRoot())
    let operands = [input, matrix, recipe.choose(3) == 0 ? -1 : bias(units)]
    let rows = extents.dropLast().reduce(1, *)
    let output = activation(keeps ? extents.dropLast() + [units] : [rows, units])
    builder.operation(
      9, inputs: operands, outputs: [output],
      options: (8, [0: .int8(Int8(recipe.choose(4))), 2: .bool(keeps)]))
  }

  /// Kernel, stride, dilation and padding of a window, and the extents it leaves.
  private struct Window {
    var kernel: [Int]
    var stride: [Int]
    var dilation: [Int]
    var isValid: Bool
    var output: [Int]

    init?(_ recipe: inout Recipe, _ extents: [Int], dilates: Bool = true) {
      kernel = [recipe.choose(1...4), recipe.choose(1...4)]
      stride = [recipe.choose(1...3), recipe.choose(1...3)]
      dilation = dilates ? recipe.pick([[1, 1], [1, 1], [2, 1], [1, 3]]) : [1, 1]
      isValid = recipe.choose(2) == 1
      output = []
      for axis in 0..<2 {
        let reach = isValid ? (kernel[axis] - 1) * dilation[axis] : 0
        output.append((extents[1 + axis] - reach + stride[axis] - 1) / stride[axis])
      }
      if output[0] < 1 || output[1] < 1 { return nil }
    }

    var padding: FlatBuilder.Value { .int8(isValid ? 1 : 0) }
  }

  private mutating func convolution(_ input: Int32, _ extents: [Int]) {
    guard let window = Window(&recipe, extents) else { return }
    let outputs = recipe.choose(1...40)
    let depth = window.kernel[0] * window.kernel[1] * extents[3]
    let filter = weights(
      [outputs] + window.kernel + [extents[3]], gain: 1 / Float(depth).squareRoot(), axis: 0)
    let operands = [input, filter, bias(outputs)]
    builder.operation(
      3, inputs: operands, outputs: [activation([extents[0]] + window.output + [outputs])],
      options: (
        1,
        [
          0: window.padding, 1: .int32(Int32(window.stride[1])), 2: .int32(Int32(window.stride[0])),
          3: .int8(Int8(recipe.choose(4))), 4: .int32(Int32(window.dilation[1])),
          5: .int32(Int32(window.dilation[0])),
        ]
      ))
  }

  private mutating func depthwise(_ input: Int32, _ extents: [Int]) {
    guard let window = Window(&recipe, extents) else { return }
    let outputs = extents[3] * recipe.pick([1, 1, 1, 2])
    let depth = window.kernel[0] * window.kernel[1]
    let filter = weights(
      [1] + window.kernel + [outputs], gain: 1 / Float(depth).squareRoot(), axis: 3)
    let operands = [input, filter, bias(outputs)]
    builder.operation(
      4, inputs: operands, outputs: [activation([extents[0]] + window.output + [outputs])],
      options: (
        2,
        [
          0: window.padding, 1: .int32(Int32(window.stride[1])), 2: .int32(Int32(window.stride[0])),
          3: .int32(Int32(outputs / extents[3])), 4: .int8(Int8(recipe.choose(4))),
          5: .int32(Int32(window.dilation[1])), 6: .int32(Int32(window.dilation[0])),
        ]
      ))
  }

  private mutating func pool(_ input: Int32, _ extents: [Int]) {
    guard let window = Window(&recipe, extents, dilates: false) else { return }
    // AVERAGE_POOL_2D, MAX_POOL_2D.
    let code = recipe.pick([1, 17, 17] as [Int32])
    let output = activation([extents[0]] + window.output + [extents[3]])
    builder.operation(
      code, inputs: [input], outputs: [output],
      options: (
        5,
        [
          0: window.padding, 1: .int32(Int32(window.stride[1])), 2: .int32(Int32(window.stride[0])),
          3: .int32(Int32(window.kernel[1])), 4: .int32(Int32(window.kernel[0])),
          5: .int8(Int8(recipe.choose(4))),
        ]
      ))
  }

  private mutating func pad(_ input: Int32, _ extents: [Int]) {
    var amounts: [Int] = [0, 0]
    for _ in 0..<4 { amounts.append(recipe.choose(3)) }
    amounts += recipe.choose(2) == 0 ? [0, 0] : [0, recipe.choose(9)]
    let table = tensor(
      [4, 2], data: bytes(amounts.map(Int32.init)), type: 2, quantization: nil)
    var padded = extents
    for axis in 0..<4 { padded[axis] += amounts[2 * axis] + amounts[2 * axis + 1] }
    builder.operation(
      34, inputs: [input, table], outputs: [activation(padded)], options: (22, [:]))
  }

  private mutating func resize(_ input: Int32, _ extents: [Int]) {
    let size = [recipe.choose(1...12), recipe.choose(1...20)]
    let (alignsCorners, hasHalfPixels) = recipe.pick([(false, false), (true, false), (false, true)])
    let target = integers(size)
    builder.operation(
      23, inputs: [input, target], outputs: [activation([extents[0]] + size + [extents[3]])],
      options: (15, [2: .bool(alignsCorners), 3: .bool(hasHalfPixels)]))
  }

  private mutating func concatenate(_ input: Int32, _ extents: [Int]) {
    let fitting = activations.filter {
      $0.extents.count == 4 && Array($0.extents.dropLast()) == Array(extents.dropLast())
    }
    let other = recipe.pick(fitting)
    let output = activation(extents.dropLast() + [extents[3] + other.extents[3]])
    builder.operation(
      2, inputs: [input, other.index], outputs: [output], options: (10, [0: .int32(3)]))
  }

  private mutating func mean(_ input: Int32, _ extents: [Int]) {
    let axes = integers([1, 2])
    let keeps = recipe.choose(2) == 0
    let output = activation(
      keeps ? [extents[0], 1, 1, extents[3]] : [extents[0], extents[3]])
    builder.operation(
      40, inputs: [input, axes], outputs: [output], options: (27, [0: .bool(keeps)]))
  }

  private mutating func prelu(_ input: Int32, _ extents: [Int]) {
    let slopes = weights([1, 1, extents[3]], gain: 0.5)
    builder.operation(54, inputs: [input, slopes], outputs: [activation(extents)])
  }

  private mutating func transposeConvolution(_ input: Int32, _ extents: [Int]) {
    let (kernel, stride) = (recipe.choose(1...4), recipe.choose(1...2))
    let outputs = recipe.choose(1...20)
    // Of SAME padding, any size that the convolution would bring back to the input's will do.
    let size = [extents[0], extents[1] * stride, extents[2] * stride, outputs]
    let filter = weights([outputs, kernel, kernel, extents[3]], gain: 0.2, axis: 0)
    let operands = [integers(size), filter, input]
    builder.operation(
      67, inputs: operands, outputs: [activation(size)],
      options: (49, [0: .int8(0), 1: .int32(Int32(stride)), 2: .int32(Int32(stride))]))
  }
}
