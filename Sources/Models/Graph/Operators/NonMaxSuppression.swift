import FaceKitKernels
import FaceKitTensor

extension Operands {
  /// A scalar float that is an input.
  fileprivate func checkScalar(_ index: Int, _ type: ElementType) throws(ModelError) {
    let operand = try self[index]
    try operand.check("a limit", type: type)
    guard operand.shape.count == 1 else {
      throw ModelError(.shape, "input \(index) is not a scalar")
    }
  }
}

/// NON_MAX_SUPPRESSION_V4 and V5: the best boxes that do not overlap. Inputs: boxes `[n, 4]`, scores
/// `[n]`, how many at most, IoU and score thresholds, and for V5 the σ of soft suppression. Outputs:
/// indices, for V5 scores, both padded with 0, and how many are valid.
package struct NonMaxSuppression: Operator {
  package var isSoft: Bool

  package init(isSoft: Bool) { self.isSoft = isSoft }

  package var name: String { isSoft ? "NON_MAX_SUPPRESSION_V5" : "NON_MAX_SUPPRESSION_V4" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(isSoft ? 6...6 : 5...5)
    let (boxes, scores) = (try inputs[0], try inputs[1])
    try boxes.check("the boxes", type: .float32, rank: 2...2)
    try scores.check("the scores", type: .float32, rank: 1...1)
    guard boxes.shape[1] == 4, boxes.shape[0] == scores.shape[0] else {
      throw ModelError(.shape, "boxes \(boxes.shape) with scores \(scores.shape)")
    }
    for index in 3..<inputs.count { try inputs.checkScalar(index, .float32) }
    let limit = try inputs.integers(2)
    guard limit.count == 1, limit[0] >= 0 else {
      throw ModelError(.option, "the largest number of boxes is not one number from 0")
    }
    let list: Shape = [limit[0]]
    let (indices, count) = (TensorType(.int32, list), TensorType(.int32, .scalar))
    return isSoft ? [indices, TensorType(.float32, list), count] : [indices, count]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (boxes, scores, outputs) = (context.input(0), context.input(1), context.outputs)
    let (overlap, threshold, sigma) = (context.input(3), context.input(4), context.optional(5))
    let (count, limit) = (scores.count, context.output.count)
    let working = context.scratch(bytes: count * 4)
    let isSoft = isSoft
    return { (workspace) throws(ModelError) in
      let remaining = (workspace.arena + working).assumingMemoryBound(to: Float.self)
      remaining.update(from: scores.floats(workspace), count: count)
      let rule = SuppressionRule(
        overlap: overlap.floats(workspace)[0], score: threshold.floats(workspace)[0],
        softSigma: sigma?.floats(workspace)[0] ?? 0)
      let indices = outputs[0].pointer(workspace, as: Int32.self)
      indices.update(repeating: 0, count: limit)
      let selectedScores = isSoft ? outputs[1].floats(workspace) : nil
      selectedScores?.update(repeating: 0, count: limit)
      let found = Reference.suppress(
        boxes: boxes.floats(workspace), scores: remaining, count: count, rule: rule,
        limit: limit, selected: indices, selectedScores: selectedScores)
      outputs[isSoft ? 2 : 1].pointer(workspace, as: Int32.self)[0] = Int32(found)
    }
  }
}

extension NonMaxSuppression {
  static func reader(isSoft: Bool) -> OperatorReader {
    { (_) throws(ModelError) in NonMaxSuppression(isSoft: isSoft).erased }
  }
}
