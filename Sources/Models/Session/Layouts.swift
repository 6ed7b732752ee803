import FaceKitKernels
import FaceKitTensor

extension Graph {
  /// Chooses a layout for each value and inserts conversions where producer and consumer differ.
  ///
  /// Only float maps of rank 4 are ever blocked; graph inputs, outputs and constants are row-major.
  mutating func assignLayouts() {
    var rewritten: [Node] = []
    // The value that holds the same elements in the other layout, once it was made.
    var twin: [Int: Int] = [:]

    func converted(_ value: Int, to layout: Layout) -> Int {
      if values[value].layout == layout || values[value].constant != nil { return value }
      if let known = twin[value] { return known }
      var copy = values[value]
      copy.layout = layout
      copy.sourceTensor = nil
      values.append(copy)
      let made = values.count - 1
      twin[value] = made
      rewritten.append(
        Node(LayoutConversion(to: layout).erased, inputs: [value], outputs: [made], sources: []))
      return made
    }

    for var node in nodes {
      let policy = node.operator.layoutPolicy(operands(of: node))
      let layout = outputLayout(of: node, policy)
      for (index, input) in node.inputs.enumerated() {
        guard let input, values[input].constant == nil else { continue }
        switch policy {
        case .blocked(let acceptsRowMajor):
          if index == 0 && acceptsRowMajor { continue }
          node.inputs[index] = converted(input, to: canBeBlocked(input) ? .blocked : .rowMajor)
        case .rowMajor, .follows: node.inputs[index] = converted(input, to: layout)
        }
      }
      // A graph output must be row-major: compute into a twin, then convert.
      var unpack: [(from: Int, to: Int)] = []
      for (index, output) in node.outputs.enumerated() {
        guard layout == .blocked, canBeBlocked(output) else { continue }
        if outputs.contains(output) {
          var copy = values[output]
          copy.layout = .blocked
          values.append(copy)
          node.outputs[index] = values.count - 1
          unpack.append((values.count - 1, output))
          twin[output] = values.count - 1
        } else {
          values[output].layout = .blocked
        }
      }
      rewritten.append(node)
      for pair in unpack {
        rewritten.append(
          Node(
            LayoutConversion(to: .rowMajor).erased, inputs: [pair.from], outputs: [pair.to],
            sources: []))
      }
    }
    nodes = rewritten
  }

  private func canBeBlocked(_ value: Int) -> Bool {
    values[value].type == .float32 && values[value].shape.rank == 4
      && values[value].constant == nil
  }

  private func outputLayout(of node: Node, _ policy: LayoutPolicy) -> Layout {
    guard node.outputs.count == 1, canBeBlocked(node.outputs[0]) else { return .rowMajor }
    switch policy {
    case .rowMajor: return .rowMajor
    case .blocked: return .blocked
    case .follows:
      let shape = values[node.outputs[0]].shape
      for input in node.inputs {
        guard let input, values[input].layout == .blocked, values[input].shape == shape else {
          return .rowMajor
        }
      }
      return .blocked
    }
  }
}

/// Moves a map from one layout to the other. Made by the planner, never read from a file.
struct LayoutConversion: Operator {
  let to: Layout

  var name: String { to == .blocked ? "PACK_BLOCKED" : "UNPACK_BLOCKED" }

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
