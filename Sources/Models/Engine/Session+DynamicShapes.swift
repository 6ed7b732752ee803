import FaceKitTensor

// Shapes that depend on data.

extension Session {
  func prepareDynamicInputs() throws(ModelError) {
    let graph = compiled.source
    dynamicValues = graph.values.map { $0.constant }
    dynamicShapes = [Shape?](repeating: nil, count: graph.values.count)
    for input in graph.inputs where dynamicValues[input] == nil {
      guard let bytes = graph.values[input].type.bytes(for: graph.values[input].shape.count) else {
        throw ModelError(.resourceLimit, "input '\(graph.values[input].name)' is too large")
      }
      dynamicValues[input] = StorageView(Storage(count: bytes))
    }
  }

  /// Node after node, each planned when its inputs' values are known: the one way of running that
  /// allocates, and only for graphs that cannot be planned ahead.
  func runDynamically(
    observer: (_ node: Int, _ outputs: [Tensor]) -> Void
  ) throws(ModelError) {
    var graph = compiled.source
    for input in graph.inputs { graph.values[input].constant = dynamicValues[input] }
    let limits = compiled.options.limits
    var budget = limits.arenaBytes
    for index in graph.nodes.indices {
      try graph.infer(index, limits: limits)
      try graph.spend(&budget, outputsOf: index)
      let results = try graph.evaluate(index, limits: limits)
      for (output, result) in zip(graph.nodes[index].outputs, results) {
        graph.values[output].constant = result
      }
      observer(
        index,
        zip(graph.nodes[index].outputs, results).map {
          Tensor(type: graph.values[$0].type, shape: graph.values[$0].shape, data: $1)
        })
    }
    for output in graph.outputs {
      dynamicValues[output] = graph.values[output].constant
      dynamicShapes[output] = graph.values[output].shape
    }
  }
}
