import FaceKitKernels
import FaceKitTensor

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
