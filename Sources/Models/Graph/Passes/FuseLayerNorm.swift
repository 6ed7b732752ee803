import FaceKitKernels
import FaceKitTensor

extension GraphPass {
  /// Converters spell layer normalisation out in ten small operators, each a pass over the map:
  ///
  /// ```
  /// m = MEAN(x)   n = NEG(m)   v = MEAN(SQUARED_DIFFERENCE(x, m))   s = RSQRT(v + ε) · γ
  /// y = x · s + n · s
  /// ```
  ///
  /// One node that visits each row once takes their place. Recognised backwards from the last addition.
  static let fuseLayerNorm = GraphPass(
    name: "fuse-layer-norm", summary: "MEAN, SQUARED_DIFFERENCE, RSQRT … → one node"
  ) { graph, _ in
    var dead: Set<Int> = []
    let producers = graph.producers()
    let uses = graph.useCounts()
    for index in graph.nodes.indices {
      guard let match = LayerNormMatch(graph, producers, uses, lastAddition: index) else {
        continue
      }
      let output = graph.nodes[index].outputs
      graph.nodes[index] = Graph.Node(
        LayerNormalization(epsilon: match.epsilon).erased, inputs: [match.input, match.scale],
        outputs: output, sources: match.members.flatMap { graph.nodes[$0].sources }.sorted())
      dead.formUnion(match.members.filter { $0 != index })
    }
    graph.removeNodes(dead)
  }
}

/// The nodes of one spelled-out layer normalisation.
private struct LayerNormMatch {
  var input: Int
  var scale: Int
  var epsilon: Float
  var members: [Int] = []

  /// `nil` if the node is not the last of the pattern, or anything within has another reader.
  init?(_ graph: Graph, _ producers: [Int?], _ uses: [Int], lastAddition index: Int) {
    func producer(_ value: Int, uses expected: Int, _ matches: (RewritePattern.Kind) -> Bool)
      -> Int?
    {
      guard let node = producers[value], uses[value] == expected,
        matches(graph.nodes[node].operator.pattern.kind)
      else { return nil }
      return node
    }
    let last = graph.nodes[index]
    guard case .add(.none) = last.operator.pattern.kind, let left = last.inputs[0],
      let right = last.inputs[1],
      let scaled = producer(left, uses: 1, { $0.isProduct }),
      let shift = producer(right, uses: 1, { $0.isProduct }),
      let x = graph.nodes[scaled].inputs[0], let factor = graph.nodes[scaled].inputs[1],
      graph.nodes[shift].inputs[1] == factor,
      let negated = graph.nodes[shift].inputs[0],
      let negation = producer(negated, uses: 1, { $0.isNegation }),
      let mean = graph.nodes[negation].inputs[0],
      let meanNode = producer(mean, uses: 2, { $0.isMean }), graph.nodes[meanNode].inputs[0] == x,
      let factorNode = producer(factor, uses: 2, { $0.isProduct }),
      let inverse = graph.nodes[factorNode].inputs[0],
      let gamma = graph.nodes[factorNode].inputs[1],
      let root = producer(inverse, uses: 1, { $0.isInverseRoot }),
      let sum = graph.nodes[root].inputs[0],
      let sumNode = producer(sum, uses: 1, { $0.isSum }),
      let variance = graph.nodes[sumNode].inputs[0], let small = graph.nodes[sumNode].inputs[1],
      let varianceNode = producer(variance, uses: 1, { $0.isMean }),
      let squares = graph.nodes[varianceNode].inputs[0],
      let squaresNode = producer(squares, uses: 1, { $0.isSquaredDifference }),
      graph.nodes[squaresNode].inputs == [x, mean],
      graph.values[x].type == .float32,
      graph.isFloatConstant(gamma, count: graph.values[x].shape.last),
      // One factor for each column: with as many rows, it could also be one for each row.
      graph.values[gamma].shape.last == graph.values[x].shape.last,
      graph.isFloatConstant(small, count: 1),
      // Both means fold the innermost axis, and only that.
      graph.values[mean].shape.extents == Array(graph.values[x].shape.extents.dropLast()) + [1],
      graph.values[variance].shape == graph.values[mean].shape
    else { return nil }
    input = x
    scale = gamma
    epsilon = graph.values[small].constant!.array(of: Float.self)[0]
    members = [
      meanNode, negation, squaresNode, varianceNode, sumNode, root, factorNode, scaled, shift,
      index,
    ]
  }
}

extension RewritePattern.Kind {
  fileprivate var isProduct: Bool { if case .binary(.multiply) = self { true } else { false } }
  fileprivate var isMean: Bool {
    if case .mean(keepsDimensions: true) = self { true } else { false }
  }
  fileprivate var isNegation: Bool { if case .unary(.negate) = self { true } else { false } }
  fileprivate var isInverseRoot: Bool { if case .unary(.rsqrt) = self { true } else { false } }
  fileprivate var isSum: Bool { if case .add(.none) = self { true } else { false } }
  fileprivate var isSquaredDifference: Bool {
    if case .binary(.squaredDifference) = self { true } else { false }
  }
}
