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
public struct NonMaxSuppression: Operator {
  public var isSoft: Bool

  public init(isSoft: Bool) { self.isSoft = isSoft }

  public var name: String { isSoft ? "NON_MAX_SUPPRESSION_V5" : "NON_MAX_SUPPRESSION_V4" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
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

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
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

/// `TFLite_Detection_PostProcess`: boxes decoded from their anchors, each with its best classes, and
/// non-maximum suppression on the best class of each ("fast" mode).
struct DetectionPostProcess: Operator {
  let maximumDetections, classesPerDetection, classCount: Int
  let scoreThreshold, overlapThreshold: Float
  /// Divisors of y, x, h and w.
  let scale: SIMD4<Float>

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.flexOptions()
    func required(_ key: StaticString) throws(ModelError) -> Float {
      guard let value = try options.float(key) else { throw ModelError(.option, "no '\(key)'") }
      return value
    }
    func positive(_ key: StaticString) throws(ModelError) -> Int {
      guard let value = try options.int(key), value >= 1, value <= 1 << 20 else {
        throw ModelError(.option, "'\(key)' is not a number from 1")
      }
      return value
    }
    maximumDetections = try positive("max_detections")
    classesPerDetection = try positive("max_classes_per_detection")
    classCount = try positive("num_classes")
    scoreThreshold = try required("nms_score_threshold")
    overlapThreshold = try required("nms_iou_threshold")
    scale = SIMD4(
      try required("y_scale"), try required("x_scale"), try required("h_scale"),
      try required("w_scale"))
    if try options.bool("use_regular_nms") == true {
      throw ModelError(.unsupportedOperator, "suppression class by class is not supported")
    }
    guard overlapThreshold > 0, overlapThreshold <= 1 else {
      throw ModelError(.option, "nms_iou_threshold \(overlapThreshold)")
    }
  }

  var name: String { "TFLite_Detection_PostProcess" }
  var attributes: [Attribute] {
    [
      Attribute("max_detections", "\(maximumDetections)"),
      Attribute("num_classes", "\(classCount)"),
    ]
  }

  private var rows: Int { maximumDetections * classesPerDetection }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let (encodings, scores, anchors) = (try inputs[0], try inputs[1], try inputs[2])
    try encodings.check("the boxes", type: .float32, rank: 3...3)
    try scores.check("the scores", type: .float32, rank: 3...3)
    try anchors.check("the anchors", type: .float32, rank: 2...2)
    let count = encodings.shape[1]
    guard encodings.shape[0] == 1, scores.shape[0] == 1, encodings.shape[2] >= 4,
      scores.shape[1] == count, anchors.shape == [count, 4], scores.shape[2] >= classCount,
      scores.shape[2] - classCount <= 1
    else {
      throw ModelError(
        .shape, "boxes \(encodings.shape), scores \(scores.shape), anchors \(anchors.shape)")
    }
    return [
      TensorType(.float32, [1, rows, 4]), TensorType(.float32, [1, rows]),
      TensorType(.float32, [1, rows]), TensorType(.float32, [1]),
    ]
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (encodings, scores, anchors) = (context.input(0), context.input(1), context.input(2))
    guard context.outputs.count == 4 else { throw ModelError(.graph, "4 outputs are needed") }
    let outputs = context.outputs
    let (count, columns) = (encodings.shape[1], scores.shape[2])
    let (rows, offset) = (rows, columns - classCount)
    let perBox = Swift.min(classesPerDetection, classCount)
    let decoded = context.scratch(bytes: count * 16)
    let best = context.scratch(bytes: count * 4)
    let selection = context.scratch(bytes: maximumDetections * 4)
    let this = self
    return { (workspace) throws(ModelError) in
      func floats(_ offset: Int) -> UnsafeMutablePointer<Float> {
        (workspace.arena + offset).assumingMemoryBound(to: Float.self)
      }
      let (boxes, bestScores) = (floats(decoded), floats(best))
      Reference.decodeBoxes(
        encodings: encodings.floats(workspace), width: encodings.shape[2],
        anchors: anchors.floats(workspace), scale: this.scale, boxes: boxes, count: count)
      let all = scores.floats(workspace)
      for i in 0..<count {
        bestScores[i] = all[i * columns + offset + this.bestClass(all + i * columns + offset, 0)]
      }
      let selected = (workspace.arena + selection).assumingMemoryBound(to: Int32.self)
      // TensorFlow keeps scores at the threshold itself.
      let rule = SuppressionRule(
        overlap: this.overlapThreshold, score: this.scoreThreshold.nextDown)
      let found = Reference.suppress(
        boxes: boxes, scores: bestScores, count: count, rule: rule,
        limit: this.maximumDetections, selected: selected, selectedScores: nil)
      let targets = (
        boxes: outputs[0].floats(workspace), classes: outputs[1].floats(workspace),
        scores: outputs[2].floats(workspace)
      )
      targets.boxes.update(repeating: 0, count: 4 * rows)
      targets.classes.update(repeating: 0, count: rows)
      targets.scores.update(repeating: 0, count: rows)
      var row = 0
      for place in 0..<found {
        let box = Int(selected[place])
        let classScores = all + box * columns + offset
        for rank in 0..<perBox {
          let label = this.bestClass(classScores, rank)
          for k in 0..<4 { targets.boxes[4 * row + k] = boxes[4 * box + k] }
          targets.classes[row] = Float(label)
          targets.scores[row] = classScores[label]
          row += 1
        }
      }
      outputs[3].floats(workspace)[0] = Float(row)
    }
  }

  /// The class of the given rank by score, equal scores by index.
  private func bestClass(_ scores: UnsafePointer<Float>, _ rank: Int) -> Int {
    for candidate in 0..<classCount {
      var better = 0
      for other in 0..<classCount {
        let isBetter =
          scores[other] > scores[candidate]
          || (scores[other] == scores[candidate] && other < candidate)
        if isBetter { better += 1 }
      }
      if better == rank { return candidate }
    }
    return 0
  }
}

extension OperatorRegistry {
  static let detection: [OperatorEntry] = [
    OperatorEntry(
      code: 120, name: "NON_MAX_SUPPRESSION_V4",
      read: { (_) throws(ModelError) in NonMaxSuppression(isSoft: false).erased }),
    OperatorEntry(
      code: 121, name: "NON_MAX_SUPPRESSION_V5",
      read: { (_) throws(ModelError) in NonMaxSuppression(isSoft: true).erased }),
  ]
}
