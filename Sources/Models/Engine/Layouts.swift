import FaceKitKernels
import FaceKitTensor

/// A graph and its kernels being written anew, node after node, with a layout for each value and
/// conversions where two layouts meet.
struct LayoutAssignment {
  private(set) var graph: Graph
  private(set) var kernels: [KernelChoice] = []
  /// The value that holds the same elements in the other layout, once it was made.
  private var twin: [Int: Int] = [:]

  /// Starts with the values of `graph` and none of its nodes.
  init(_ graph: Graph) {
    self.graph = graph
    self.graph.nodes = []
  }

  /// Adds the next node with the kernel it will run on.
  mutating func append(_ node: Graph.Node, _ choice: KernelChoice) {
    var node = node
    let policy = choice.kernel.layout
    let layout = outputLayout(of: node, policy)
    for (index, input) in node.inputs.enumerated() {
      guard let input, graph.values[input].constant == nil else { continue }
      switch policy {
      case .blocked(let acceptsRowMajor):
        if index == 0 && acceptsRowMajor { continue }
        let wanted: Layout = canBeBlocked(input) ? .blocked : .rowMajor
        node.inputs[index] = converted(input, to: wanted, choice.target)
      case .rowMajor, .follows: node.inputs[index] = converted(input, to: layout, choice.target)
      }
    }
    // A graph output must be row-major: compute into a twin, then convert.
    var unpack: [(from: Int, to: Int)] = []
    for (index, output) in node.outputs.enumerated() {
      guard layout == .blocked, canBeBlocked(output) else { continue }
      if graph.outputs.contains(output) {
        let blocked = copy(of: output, in: .blocked)
        node.outputs[index] = blocked
        unpack.append((blocked, output))
        twin[output] = blocked
      } else {
        graph.values[output].layout = .blocked
      }
    }
    graph.nodes.append(node)
    kernels.append(choice)
    for pair in unpack { convert(pair.from, into: pair.to, .rowMajor, choice.target) }
  }

  private mutating func converted(
    _ value: Int, to layout: Layout, _ target: KernelTarget
  ) -> Int {
    if graph.values[value].layout == layout || graph.values[value].constant != nil {
      return value
    }
    if let known = twin[value] { return known }
    let made = copy(of: value, in: layout)
    graph.values[made].sourceTensor = nil
    twin[value] = made
    convert(value, into: made, layout, target)
    return made
  }

  private mutating func copy(of value: Int, in layout: Layout) -> Int {
    var copy = graph.values[value]
    copy.layout = layout
    graph.values.append(copy)
    return graph.values.count - 1
  }

  private mutating func convert(
    _ source: Int, into target: Int, _ layout: Layout, _ kernels: KernelTarget
  ) {
    let conversion = LayoutConversion(to: layout)
    graph.nodes.append(
      Graph.Node(conversion.erased, inputs: [source], outputs: [target], sources: []))
    self.kernels.append(
      KernelChoice(kernel: conversion.kernels[0], target: kernels, declined: []))
  }

  private func canBeBlocked(_ value: Int) -> Bool {
    graph.values[value].type == .float32 && graph.values[value].shape.rank == 4
      && graph.values[value].constant == nil
  }

  private func outputLayout(of node: Graph.Node, _ policy: LayoutPolicy) -> Layout {
    guard node.outputs.count == 1, canBeBlocked(node.outputs[0]) else { return .rowMajor }
    switch policy {
    case .rowMajor: return .rowMajor
    case .blocked: return .blocked
    case .follows(let maps):
      let shape = graph.values[node.outputs[0]].shape
      for input in node.inputs.prefix(maps) {
        guard let input, graph.values[input].layout == .blocked, graph.values[input].shape == shape
        else { return .rowMajor }
      }
      return .blocked
    }
  }
}

/// Moves a map from one layout to the other. Made by ``LayoutAssignment``, never read from a file.
struct LayoutConversion: Operator {
  let to: Layout

  var name: String { to == .blocked ? "PACK_BLOCKED" : "UNPACK_BLOCKED" }

  var kernels: [KernelCandidate] {
    [
      KernelCandidate(
        "layout copy", backend: .reference, note: "producer and consumer want different layouts",
        make: { (context) throws(ModelError) in try lower(&context) })
    ]
  }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    [TensorType(try inputs[0].type, try inputs[0].shape)]
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let source = context.input(0)
    let target = context.output
    let map = BlockedMap(source.shape)
    let images = source.shape[0]
    let image = map.height * map.width * map.channels
    let packs = to == .blocked
    return { (workspace) throws(ModelError) in
      let input = source.floats(workspace)
      let output = target.floats(workspace)
      for n in 0..<images {
        if packs {
          map.pack(from: input + n * image, to: output + n * map.floatCount)
        } else {
          map.unpack(from: input + n * map.floatCount, to: output + n * image)
        }
      }
    }
  }
}
