import FaceKitKernels
import FaceKitTensor

extension Graph {
  /// Infers the types and shapes of a node's outputs and holds the types against the graph's.
  mutating func infer(_ index: Int, limits: ModelLimits) throws(ModelError) {
    let node = nodes[index]
    do throws(ModelError) {
      let inferred = try node.operator.infer(operands(of: node))
      guard inferred.count == node.outputs.count else {
        throw ModelError(
          .graph, "\(node.outputs.count) outputs where the operator has \(inferred.count)")
      }
      for (output, type) in zip(node.outputs, inferred) {
        guard limits.bytes(of: type.type, type.shape) != nil else {
          throw ModelError(
            .resourceLimit, "an output of \(type.shape) \(type.type.name) elements is too large")
        }
        if values[output].type != type.type {
          throw ModelError(
            .type,
            "the output is declared \(values[output].type.name), but computes \(type.type.name)")
        }
        values[output].shape = type.shape
      }
    } catch {
      throw error.at(place(of: index))
    }
  }

  /// Computes a node whose inputs are all known, on the spot. This is constant folding, and also how
  /// graphs run whose shapes depend on data.
  func evaluate(_ index: Int, limits: ModelLimits) throws(ModelError) -> [StorageView] {
    let node = nodes[index]
    do throws(ModelError) {
      var inputs: [TensorBinding?] = []
      for input in node.inputs {
        guard let input else {
          inputs.append(nil)
          continue
        }
        let operand = self.operand(input)
        guard let constant = operand.constant else {
          throw ModelError(.graph, "input '\(values[input].name)' has no value")
        }
        inputs.append(
          TensorBinding(operand: operand, layout: .rowMajor, place: .constant(constant)))
      }
      var results: [StorageView] = []
      var outputs: [TensorBinding] = []
      for output in node.outputs {
        let operand = self.operand(output)
        guard let bytes = operand.type.bytes(for: operand.shape.count) else {
          throw ModelError(.resourceLimit, "an output is too large")
        }
        let view = StorageView(Storage(count: bytes))
        results.append(view)
        outputs.append(TensorBinding(operand: operand, layout: .rowMajor, place: .constant(view)))
      }
      var context = LoweringContext(
        inputs: inputs, outputs: outputs, isa: .baseline, scratchBase: 0)
      let kernel = try chooseKernel(for: node, .reference).kernel.make(&context)
      if context.scratchBytes > limits.arenaBytes {
        throw ModelError(
          .resourceLimit, "the operator needs \(context.scratchBytes) bytes to work in")
      }
      let scratch = Storage(count: context.scratchBytes)
      try kernel(Workspace(arena: scratch.base))
      return results
    } catch {
      throw error.at(place(of: index))
    }
  }
}

// MARK: - Memory that is found while evaluating

extension Graph {
  /// Bytes that constants may unfold to. Widening halfs doubles them; a graph whose constants come
  /// out far larger than what the file holds was made to fill memory.
  func foldingBudget(_ limits: ModelLimits) -> Int {
    var held = 0
    for value in values { held += value.constant?.count ?? 0 }
    let (plausible, overflow) = held.multipliedReportingOverflow(by: 16)
    return overflow ? limits.constantBytes : min(limits.constantBytes, max(plausible, 1 << 25))
  }

  /// Takes the outputs of a node off a budget, before they are reserved.
  func spend(_ budget: inout Int, outputsOf index: Int) throws(ModelError) {
    for output in nodes[index].outputs {
      guard let bytes = values[output].type.bytes(for: values[output].shape.count),
        bytes <= budget
      else {
        throw ModelError(
          .resourceLimit, "the values computed one by one need too much memory",
          at: place(of: index))
      }
      budget -= bytes
    }
  }
}
