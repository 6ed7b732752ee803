import FaceKitKernels
import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

/// What the passes must not do. Each network is one that a careless rule would rewrite to wrong numbers.
@Suite("Passes leave alone: padding")
struct PinsFoldPaddingTests {
  typealias Window = PinnedNetwork.Window

  @Test(
    "a PAD that also pads channels or images is not a convolution's padding",
    arguments: [
      [0, 0, 1, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 1, 0, 0],
      [1, 0, 1, 1, 1, 1, 0, 0],
    ] as [[Int32]])
  func otherAxes(amounts: [Int32]) throws {
    var net = PinnedNetwork("other axes")
    let x = net.pad(net.input([1, 5, 6, 3]), amounts)
    net.model.outputs = [net.conv(x, 8, Window(kernel: (3, 3), isSame: false))]
    try net.expectSameResults([[0], [1]])
  }

  @Test("a PAD with a second reader stays for it")
  func secondReader() throws {
    var net = PinnedNetwork("second reader")
    let x = net.pad(net.input([1, 6, 6, 3]), [0, 0, 1, 1, 1, 1, 0, 0])
    let y = net.conv(x, 8, Window(kernel: (3, 3), isSame: false))
    net.model.outputs = [y, net.pool(x, 17, Window(kernel: (2, 2), stride: (2, 2)))]
    try net.expectSameResults()
    net.model.outputs = [y, x]
    try net.expectSameResults()
  }

  @Test("a PAD read by two convolutions goes with the second")
  func twoConvolutions() throws {
    var net = PinnedNetwork("two readers")
    let x = net.pad(net.input([1, 6, 6, 3]), [0, 0, 1, 1, 1, 1, 0, 0])
    let window = Window(kernel: (3, 3), isSame: false)
    net.model.outputs = [net.conv(x, 8, window), net.conv(x, 24, window)]
    try net.expectSameResults([[0, 1], [0, 2]])
  }

  @Test("a convolution with padding of its own keeps the PAD before it")
  func ownPadding() throws {
    var net = PinnedNetwork("own padding")
    let x = net.pad(net.input([1, 5, 5, 3]), [0, 0, 1, 1, 1, 1, 0, 0])
    net.model.outputs = [net.conv(x, 8, Window(kernel: (3, 3)))]
    try net.expectSameResults([[0], [1]])
  }

  @Test(
    "each side keeps its own amount, of full and of depthwise convolutions",
    arguments: [
      [0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 2, 0, 0],
      [0, 0, 0, 0, 2, 0, 0, 0], [0, 0, 3, 1, 2, 4, 0, 0],
    ] as [[Int32]], [Int32(1), 2])
  func sides(amounts: [Int32], stride: Int32) throws {
    let window = Window(kernel: (3, 3), stride: (stride, stride), isSame: false)
    var net = PinnedNetwork("sides")
    net.model.outputs = [net.conv(net.pad(net.input([1, 7, 8, 3]), amounts), 16, window)]
    try net.expectSameResults([[0, 1]])
    net = PinnedNetwork("sides")
    net.model.outputs = [net.depthwise(net.pad(net.input([1, 7, 8, 20]), amounts), window)]
    try net.expectSameResults([[0, 1]])
  }

  @Test("padding with a value, or with the map's own pixels, is no padding of zeros")
  func values() throws {
    let amounts: [Int32] = [0, 0, 1, 1, 1, 1, 0, 0]
    let window = Window(kernel: (3, 3), isSame: false)
    var net = PinnedNetwork("values")
    net.model.outputs = [net.conv(net.pad(net.input([1, 5, 5, 3]), amounts, value: 2), 8, window)]
    try net.expectSameResults([[0], [1]])
    net = PinnedNetwork("mirrored")
    let x = net.input([1, 5, 5, 3])
    let mirrored = net.node(
      100, [x, net.integers(amounts, [4, 2])], [1, 7, 7, 3], options: (77, [:]))
    net.model.outputs = [net.conv(mirrored, 8, window)]
    try net.expectSameResults([[0], [1]])
  }
}

@Suite("Passes leave alone: epilogues")
struct PinsEpilogueTests {
  typealias Window = PinnedNetwork.Window

  @Test("a second activation is not merged into the first")
  func twoActivations() throws {
    var net = PinnedNetwork("two activations")
    net.model.outputs = [
      net.prelu(net.conv(net.input([1, 6, 6, 3]), 16, Window(activation: 3)))
    ]
    try net.expectSameResults([[0], [1]])
    net = PinnedNetwork("three activations")
    net.model.outputs = [net.prelu(net.relu6(net.conv(net.input([1, 6, 6, 3]), 16)))]
    try net.expectSameResults([[0, 1], [2]])
    net = PinnedNetwork("activation of a sum")
    let (a, b) = (net.input([1, 4, 4, 16]), net.input([1, 4, 4, 16]))
    net.model.outputs = [net.prelu(net.add(a, b, activation: 3))]
    try net.expectSameResults([[0], [1]])
  }

  @Test("an activation whose input somebody else reads stays")
  func sharedSum() throws {
    var net = PinnedNetwork("shared sum")
    let (a, b) = (net.input([1, 4, 4, 16]), net.input([1, 4, 4, 16]))
    let sum = net.add(a, b)
    net.model.outputs = [net.relu(sum), sum]
    try net.expectSameResults([[0], [1]])
  }

  @Test("a sum keeps its own activation, RELU6 above and below")
  func sumActivation() throws {
    var net = PinnedNetwork("sum activation")
    let (a, b) = (net.input([1, 4, 4, 16]), net.input([1, 4, 4, 16]))
    net.model.outputs = [net.add(a, b, activation: 1)]
    try net.expectSameResults()
    net = PinnedNetwork("residual activation")
    let x = net.tanh(net.input([1, 4, 4, 16]))
    net.model.outputs = [net.add(net.conv(x, 16), x, activation: 3)]
    try net.expectSameResults([[0], [1, 2]])
  }

  @Test("an added constant is no residual")
  func constantResidual() throws {
    var net = PinnedNetwork("constant residual")
    let y = net.conv(net.input([1, 4, 4, 3]), 20)
    net.model.outputs = [net.add(y, net.constant([1, 4, 4, 20]))]
    try net.expectSameResults([[0], [1]])
  }

  @Test("a convolution that is also read elsewhere takes no residual")
  func sharedConvolution() throws {
    var net = PinnedNetwork("shared convolution")
    let x = net.tanh(net.input([1, 4, 4, 16]))
    let y = net.conv(x, 16)
    net.model.outputs = [net.add(y, x), y]
    try net.expectSameResults([[0], [1], [2]])
  }

  @Test("a convolution with an activation, or a depthwise one, takes no residual")
  func activatedConvolution() throws {
    var net = PinnedNetwork("activated convolution")
    var x = net.tanh(net.input([1, 4, 4, 16]))
    net.model.outputs = [net.add(net.conv(x, 16, Window(activation: 1)), x)]
    try net.expectSameResults([[0], [1], [2]])
    net = PinnedNetwork("depthwise residual")
    x = net.tanh(net.input([1, 4, 4, 16]))
    net.model.outputs = [net.add(net.depthwise(x), x)]
    try net.expectSameResults([[0], [1], [2]])
  }

  @Test("of two sums in a row only the first is a residual")
  func twoResiduals() throws {
    var net = PinnedNetwork("two residuals")
    let x = net.tanh(net.input([1, 4, 4, 16]))
    let z = net.tanh(x)
    net.model.outputs = [net.add(net.add(net.conv(x, 16), x), z)]
    try net.expectSameResults([[0], [1], [2, 3], [4]])
  }

  @Test("the network's input is a residual like any other, and a convolution of itself")
  func inputResidual() throws {
    var net = PinnedNetwork("input residual")
    var x = net.input([1, 5, 5, 20])
    net.model.outputs = [net.add(net.conv(x, 20, Window(kernel: (3, 3))), x)]
    try net.expectSameResults([[0, 1]])
    net = PinnedNetwork("in place residual")
    x = net.tanh(net.input([1, 7, 7, 16]))
    net.model.outputs = [net.prelu(net.add(net.conv(x, 16, Window(kernel: (3, 3))), x))]
    try net.expectSameResults([[0], [1, 2, 3]])
  }

  @Test(
    "only channels behind the others are left out of a residual",
    arguments: [
      [0, 0, 0, 0, 0, 0, 16, 0], [0, 0, 0, 0, 0, 0, 1, 15], [0, 0, 0, 0, 0, 1, 0, 16],
      [0, 0, 0, 0, 1, 0, 0, 16], [0, 0, 0, 1, 0, 0, 0, 16], [0, 0, 1, 0, 0, 0, 0, 16],
      [1, 0, 0, 0, 0, 0, 0, 16], [0, 1, 0, 0, 0, 0, 0, 16],
    ] as [[Int32]])
  func paddedResidual(amounts: [Int32]) throws {
    var net = PinnedNetwork("padded residual")
    let narrow = net.tanh(net.input([1, 5, 6, 16]))
    let wide = net.pad(narrow, amounts)
    let y = net.tanh(net.input(net.shapes[Int(wide)]))
    net.model.outputs = [net.add(net.conv(y, 32), wide)]
    try net.expectSameResults([[0], [1], [2], [3, 4]])
  }

  @Test("a padded residual that somebody else reads stays padded for them")
  func sharedPaddedResidual() throws {
    var net = PinnedNetwork("shared padded residual")
    let x = net.tanh(net.input([1, 5, 6, 16]))
    let wide = net.pad(x, [0, 0, 0, 0, 0, 0, 0, 16])
    net.model.outputs = [net.add(net.conv(x, 32), wide), wide]
    try net.expectSameResults()
  }
}

@Suite("Passes leave alone: layer normalisation")
struct PinsLayerNormTests {
  /// The ten operators, each with something that a test may change.
  struct Spelled {
    var net = PinnedNetwork("layer norm")
    var shape: [Int32] = [1, 1, 13, 40]
    var gamma: [Int32] = [40]
    var epsilon: [Int32] = []
    var epsilonActivation: Int8 = 0
    var lastActivation: Int8 = 0
    var meanAxes: [Int32] = [-1]
    var varianceAxes: [Int32] = [-1]
    var hasOtherFactor = false
    var hasOtherMean = false
    var hasOtherSquares = false
    var scale: Double = 1
    /// Values between the operators, in order.
    var inner: [Int32] = []

    mutating func build() {
      let axis = net.integers(meanAxes, [Int32(meanAxes.count)])
      let varianceAxis = net.integers(varianceAxes, [Int32(varianceAxes.count)])
      func reduced(_ axes: [Int32]) -> [Int32] {
        shape.enumerated().map { index, extent in
          axes.contains(Int32(index - 4)) || axes.contains(Int32(index)) ? 1 : extent
        }
      }
      func mean(_ value: Int32, _ axes: Int32, _ list: [Int32]) -> Int32 {
        net.node(40, [value, axes], reduced(list), options: (27, [0: .bool(true)]))
      }
      let input = net.input(shape)
      let x = net.multiply(input, net.constant([Float(scale)], []), shape)
      let other = net.tanh(input)
      let m = mean(hasOtherMean ? other : x, axis, meanAxes)
      let n = net.node(59, [m], net.shapes[Int(m)], options: (42, [:]))
      let d = net.node(99, [x, hasOtherSquares ? n : m], shape, options: (76, [:]))
      let v = mean(d, varianceAxis, varianceAxes)
      let e = net.constant(epsilon, 0.01, 0.1)
      let s = net.node(
        0, [v, e], net.shapes[Int(v)], options: (11, [0: .int8(epsilonActivation)]))
      let r = net.node(76, [s], net.shapes[Int(s)])
      func product(_ gamma: Int32) -> Int32 {
        let other = net.shapes[Int(gamma)]
        let padded = [Int32](repeating: 1, count: 4 - other.count) + other
        return net.multiply(r, gamma, zip(net.shapes[Int(r)], padded).map { max($0, $1) })
      }
      let g = product(net.constant(gamma, 0.5, 2))
      let scaled = net.multiply(x, g, shape)
      let g2 = hasOtherFactor ? product(net.constant(gamma, 0.5, 2)) : g
      let shift = net.multiply(n, g2, shape)
      net.model.outputs = [
        net.node(0, [scaled, shift], shape, options: (11, [0: .int8(lastActivation)]))
      ]
      inner = [m, n, d, v, s, r, g, scaled, shift]
    }

    func expectUnfused(sourceLocation: SourceLocation = #_sourceLocation) throws {
      let groups = try net.groups()
      #expect(groups.allSatisfy { $0.count == 1 }, sourceLocation: sourceLocation)
      try net.expectSameResults(sourceLocation: sourceLocation)
    }
  }

  static func unfused(
    sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout Spelled) -> Void
  ) throws {
    var spelled = Spelled()
    change(&spelled)
    spelled.build()
    try spelled.expectUnfused(sourceLocation: sourceLocation)
  }

  @Test("the pattern as it is written becomes one node")
  func pattern() throws {
    var spelled = Spelled()
    spelled.build()
    #expect(try spelled.net.groups().contains { $0.count == 10 })
    try spelled.net.expectSameResults()
  }

  @Test("a value within that somebody else reads keeps all as it is", arguments: 0..<9)
  func sharedInner(index: Int) throws {
    var spelled = Spelled()
    spelled.build()
    spelled.net.model.outputs.append(spelled.inner[index])
    try spelled.expectUnfused()
  }

  @Test("activations within and after are not part of it")
  func activations() throws {
    try Self.unfused { $0.lastActivation = 1 }
    // A variance above 6, so that RELU6 tells.
    try Self.unfused {
      $0.epsilonActivation = 3
      $0.scale = 20
    }
  }

  @Test("mean, squares and factor belong to the same map")
  func operands() throws {
    try Self.unfused { $0.hasOtherFactor = true }
    try Self.unfused { $0.hasOtherMean = true }
    try Self.unfused { $0.hasOtherSquares = true }
    // The value that is not read where the pattern has it is read twice all the same.
    for (change, read) in [
      ({ $0.hasOtherFactor = true }, 6), ({ $0.hasOtherSquares = true }, 0),
    ] as [((inout Spelled) -> Void, Int)] {
      var spelled = Spelled()
      change(&spelled)
      spelled.build()
      spelled.net.model.outputs.append(spelled.inner[read])
      try spelled.expectUnfused()
    }
  }

  @Test("one factor for each column, and one epsilon")
  func parameters() throws {
    try Self.unfused {
      $0.shape = [1, 1, 13, 13]
      $0.gamma = [13, 1]
    }
    try Self.unfused { $0.gamma = [1] }
    try Self.unfused { $0.gamma = [13, 40] }
    try Self.unfused { $0.epsilon = [13, 1] }
  }

  @Test("both means fold the innermost axis, and only that")
  func axes() throws {
    try Self.unfused { $0.meanAxes = [2] }
    try Self.unfused { $0.varianceAxes = [2, 3] }
    try Self.unfused {
      $0.meanAxes = [2, 3]
      $0.varianceAxes = [2, 3]
    }
    try Self.unfused {
      $0.shape = [1, 1, 13, 13]
      $0.gamma = [13]
      $0.meanAxes = [2]
      $0.varianceAxes = [2]
    }
  }
}

@Suite("Passes leave alone: streamed rows")
struct PinsStreamRowsTests {
  typealias Window = PinnedNetwork.Window

  /// Expansion, depthwise and projection behind another operator.
  static func block(
    expand: Window = Window(), depthwise: Window = Window(kernel: (3, 3)),
    project: Window = Window(), shape: [Int32] = [1, 9, 8, 16], hidden: Int32 = 24
  ) -> (net: PinnedNetwork, x: Int32, expanded: Int32, filtered: Int32) {
    var net = PinnedNetwork("block")
    let x = net.tanh(net.input(shape))
    let expanded = net.conv(x, hidden, expand)
    let filtered = net.depthwise(expanded, depthwise)
    net.model.outputs = [net.conv(filtered, 16, project)]
    return (net, x, expanded, filtered)
  }

  @Test("the pattern as it is written becomes one node, depthwise strides and dilations included")
  func pattern() throws {
    try Self.block().net.expectSameResults([[0], [1, 2, 3]])
    for window in [
      Window(kernel: (3, 3), stride: (2, 2)), Window(kernel: (3, 3), dilation: (2, 2)),
      Window(kernel: (5, 5)), Window(kernel: (3, 3), isSame: false), Window(kernel: (2, 3)),
    ] {
      try Self.block(depthwise: window).net.expectSameResults([[0], [1, 2, 3]])
    }
    try Self.block(hidden: 8).net.expectSameResults([[0], [1, 2, 3]])
    try Self.block(hidden: 5).net.expectSameResults([[0], [1, 2, 3]])
  }

  @Test("several images go through it one by one")
  func images() throws {
    try Self.block(shape: [3, 5, 8, 16]).net.expectSameResults([[0], [1, 2, 3]])
  }

  @Test(
    "an expansion or projection with a window or a stride is none",
    arguments: [
      Window(kernel: (3, 1)), Window(kernel: (1, 3)), Window(kernel: (3, 3)),
      Window(stride: (2, 1)), Window(stride: (1, 2)), Window(stride: (2, 2)),
    ])
  func windows(window: Window) throws {
    try Self.block(expand: window).net.expectSameResults([[0], [1], [2, 3]])
    try Self.block(project: window).net.expectSameResults([[0], [1], [2], [3]])
  }

  @Test("on maps one pixel high or wide, strides and windows change nothing of that")
  func thinMaps() throws {
    for (shape, stride) in [([1, 1, 8, 16], (2, 1)), ([1, 8, 1, 16], (1, 2))]
      as [([Int32], (Int32, Int32))]
    {
      try Self.block(project: Window(stride: stride), shape: shape).net.expectSameResults()
      try Self.block(expand: Window(stride: stride), shape: shape).net.expectSameResults()
    }
    for kernel in [(3, 1), (1, 3)] as [(Int32, Int32)] {
      try Self.block(
        project: Window(kernel: kernel),
        shape: [1, kernel.0 == 1 ? 8 : 1, kernel.0 == 1 ? 1 : 8, 16]
      ).net.expectSameResults([[0], [1], [2], [3]])
    }
  }

  @Test(
    "an expansion or projection that took over a PAD is none, even if that makes up for a stride")
  func paddedPointwise() throws {
    // Eight rows and seven of zeros, every second one: eight rows again.
    for (window, amounts) in [
      (Window(isSame: false), [0, 0, 1, 1, 1, 1, 0, 0]),
      (Window(stride: (2, 1), isSame: false), [0, 0, 3, 4, 0, 0, 0, 0]),
      (Window(stride: (1, 2), isSame: false), [0, 0, 0, 0, 3, 4, 0, 0]),
      (Window(stride: (2, 2), isSame: false), [0, 0, 3, 4, 3, 4, 0, 0]),
    ] as [(Window, [Int32])] {
      var net = PinnedNetwork("padded expansion")
      let x = net.pad(net.tanh(net.input([1, 8, 8, 16])), amounts)
      net.model.outputs = [net.conv(net.depthwise(net.conv(x, 24, window)), 16)]
      try net.expectSameResults([[0], [1, 2], [3, 4]])
      net = PinnedNetwork("padded projection")
      let y = net.depthwise(net.conv(net.tanh(net.input([1, 8, 8, 16])), 24))
      net.model.outputs = [net.conv(net.pad(y, amounts), 16, window)]
      try net.expectSameResults([[0], [1], [2], [3, 4]])
    }
  }

  @Test("a map between that somebody else reads is made")
  func sharedMaps() throws {
    var block = Self.block()
    block.net.model.outputs.append(block.filtered)
    try block.net.expectSameResults([[0], [1], [2], [3]])
    block = Self.block()
    block.net.model.outputs.append(block.expanded)
    try block.net.expectSameResults([[0], [1], [2, 3]])
  }

  @Test("two convolutions and a 3×3 one between are no block")
  func notDepthwise() throws {
    var net = PinnedNetwork("not depthwise")
    let x = net.tanh(net.input([1, 9, 8, 16]))
    net.model.outputs = [net.conv(net.conv(net.conv(x, 24), 24, Window(kernel: (3, 3))), 16)]
    try net.expectSameResults([[0], [1], [2], [3]])
  }

  @Test("an expansion with a residual keeps it")
  func expansionWithResidual() throws {
    var net = PinnedNetwork("expansion with residual")
    let x = net.tanh(net.input([1, 9, 8, 16]))
    let y = net.add(net.conv(x, 16), x)
    net.model.outputs = [net.conv(net.depthwise(y), 16)]
    try net.expectSameResults([[0], [1, 2], [3, 4]])
  }

  @Test("the network's input is expanded by a node of its own")
  func graphInput() throws {
    var net = PinnedNetwork("graph input")
    net.model.outputs = [net.conv(net.depthwise(net.conv(net.input([1, 9, 8, 16]), 24)), 16)]
    try net.expectSameResults([[0], [1, 2]])
  }

  @Test("without an expansion, nothing is overwritten that is still read")
  func twoStages() throws {
    var net = PinnedNetwork("two stages")
    let x = net.tanh(net.input([1, 9, 8, 16]))
    net.model.outputs = [net.conv(net.depthwise(x), 16)]
    try net.expectSameResults([[0], [1, 2]])
    net = PinnedNetwork("two stages and a residual")
    let y = net.tanh(net.input([1, 9, 8, 16]))
    net.model.outputs = [net.add(net.conv(net.depthwise(y), 16), y)]
    try net.expectSameResults([[0], [1, 2, 3]])
  }

  @Test("a residual from elsewhere, and a map read again later, survive the block")
  func otherResidual() throws {
    var block = Self.block()
    let other = block.net.tanh(block.x)
    block.net.model.outputs = [block.net.add(block.net.model.outputs[0], other)]
    try block.net.expectSameResults()
    block = Self.block()
    block.net.model.outputs.append(block.net.relu(block.x))
    try block.net.expectSameResults()
  }

  @Test("a block whose output is wider, narrower or smaller than its input")
  func otherShapes() throws {
    for (channels, stride) in [(Int32(48), Int32(1)), (8, 1), (16, 2)] {
      var net = PinnedNetwork("other shapes")
      let x = net.tanh(net.input([2, 9, 8, 16]))
      let window = Window(kernel: (3, 3), stride: (stride, stride))
      net.model.outputs = [net.conv(net.depthwise(net.conv(x, 24), window), channels)]
      try net.expectSameResults([[0], [1, 2, 3]])
    }
  }
}

@Suite("Passes leave alone: kernels on blocked maps")
struct PinsBlockedKernelTests {
  typealias Window = PinnedNetwork.Window

  @Test("grouped convolutions and channel multipliers")
  func groups() throws {
    for groups in [Int32(2), 4, 8] {
      var net = PinnedNetwork("groups")
      net.model.outputs = [
        net.conv(net.input([1, 5, 6, 8]), 16, Window(kernel: (3, 3)), groups: groups)
      ]
      try net.expectSameResults([[0]])
    }
    for channels in [Int32(1), 3, 16] {
      var net = PinnedNetwork("multiplier")
      net.model.outputs = [net.depthwise(net.input([1, 5, 6, channels]), multiplier: 2)]
      try net.expectSameResults([[0]])
    }
  }

  @Test("depthwise windows with two strides or two dilations")
  func unevenWindows() throws {
    for window in [
      Window(kernel: (3, 3), stride: (1, 2)), Window(kernel: (3, 3), stride: (2, 1)),
      Window(kernel: (3, 3), dilation: (1, 2)), Window(kernel: (3, 3), dilation: (2, 1)),
    ] {
      var net = PinnedNetwork("uneven")
      net.model.outputs = [net.depthwise(net.input([1, 9, 8, 20]), window)]
      try net.expectSameResults()
    }
  }

  @Test("pools of other kinds, and a maximum with an activation")
  func pools() throws {
    for code in [Int32(1), 12, 17] {
      for activation in [Int8(0), 1] {
        var net = PinnedNetwork("pools")
        let x = net.conv(net.input([1, 7, 6, 3]), 20)
        net.model.outputs = [
          net.pool(x, code, Window(kernel: (3, 2), stride: (2, 2), activation: activation))
        ]
        try net.expectSameResults([[0], [1]])
      }
    }
  }

  @Test("a sum of maps of two shapes broadcasts")
  func broadcastSum() throws {
    for small in [[1, 1, 1, 20], [1, 1, 6, 20], [1, 5, 6, 1]] as [[Int32]] {
      var net = PinnedNetwork("broadcast")
      let x = net.conv(net.input([1, 5, 6, 3]), 20)
      let y = net.tanh(net.input(small))
      net.model.outputs = [net.add(x, y)]
      try net.expectSameResults([[0], [1], [2]])
    }
  }

  @Test("slopes that are not one for each channel")
  func slopes() throws {
    for slopes in [[5, 6, 20], [5, 6, 1], [5, 1, 1], [1]] as [[Int32]] {
      var net = PinnedNetwork("slopes")
      net.model.outputs = [net.prelu(net.conv(net.input([1, 5, 6, 3]), 20), slopes: slopes)]
      try net.expectSameResults([[0], [1]])
    }
    // As many slopes as channels, along another axis.
    var net = PinnedNetwork("slopes of columns")
    net.model.outputs = [net.prelu(net.conv(net.input([1, 5, 20, 3]), 20), slopes: [1, 20, 1])]
    try net.expectSameResults()
  }

  @Test("weights and biases that are computed while the network runs")
  func computedParameters() throws {
    var net = PinnedNetwork("computed weights")
    var x = net.input([1, 5, 6, 8])
    let weights = net.tanh(net.input([16, 3, 3, 8]))
    net.model.outputs = [net.conv(x, 16, Window(kernel: (3, 3)), weights: weights)]
    try net.expectSameResults()
    net = PinnedNetwork("computed bias")
    x = net.input([1, 5, 6, 8])
    let bias = net.tanh(net.input([16]))
    net.model.outputs = [net.conv(x, 16, Window(kernel: (3, 3)), bias: bias)]
    try net.expectSameResults()
  }

  @Test("convolutions without a bias, left out or missing")
  func noBias() throws {
    var net = PinnedNetwork("no bias")
    net.model.outputs = [
      net.relu(net.conv(net.input([1, 5, 6, 8]), 16, Window(kernel: (3, 3)), hasBias: false))
    ]
    try net.expectSameResults([[0, 1]])
    net = PinnedNetwork("bias left out")
    net.model.outputs = [net.conv(net.input([1, 5, 6, 8]), 16, bias: -1)]
    try net.expectSameResults([[0]])
  }

  @Test("integer weights with scales, of a float layer")
  func hybrid() throws {
    var net = PinnedNetwork("hybrid")
    let x = net.input([1, 5, 6, 8])
    let weights = net.model.tensor(
      [16, 3, 3, 8], type: 9, data: (0..<16 * 72).map { UInt8(truncatingIfNeeded: $0 * 37) },
      [4: .table([2: .floats([0.01]), 3: .int64s([0])])])
    let bias = net.model.tensor(
      [16], data: littleEndianBytes((0..<16).map { Float($0) / 16 }))
    let output = net.model.tensor([1, 5, 6, 16])
    net.model.operation(
      3, inputs: [x, weights, bias], outputs: [output],
      options: (1, [1: .int32(1), 2: .int32(1), 4: .int32(1), 5: .int32(1)]))
    net.model.outputs = [output]
    try net.expectSameResults([[0]])
  }

  @Test("a result that is read on, in either layout, and is an output too")
  func outputReadOn() throws {
    var net = PinnedNetwork("output read on")
    let x = net.conv(net.input([1, 5, 6, 3]), 20)
    let y = net.tanh(x)
    net.model.outputs = [x, net.conv(x, 8), net.add(x, y), net.relu(x), y]
    try net.expectSameResults()
  }

  @Test("operators that follow the layout of what they read, with maps of both")
  func bothLayouts() throws {
    var net = PinnedNetwork("both layouts")
    let input = net.input([1, 5, 6, 20])
    let x = net.conv(input, 20)
    let y = net.add(input, x)
    net.model.outputs = [net.relu(net.add(y, net.tanh(input))), net.relu(y), net.prelu(y)]
    try net.expectSameResults()
  }
}
