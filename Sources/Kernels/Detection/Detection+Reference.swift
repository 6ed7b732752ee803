// Selecting boxes: NON_MAX_SUPPRESSION and TensorFlow's detection post-processing. Boxes are
// (y, x, y, x) corners, in either order.

/// What suppresses a box.
public struct SuppressionRule: Sendable, Hashable {
  /// Largest overlap (intersection over union) with a better box that a box survives.
  public var overlap: Float
  /// Scores at or below this are not considered.
  public var score: Float
  /// With a positive σ, an overlapping box is not dropped but its score multiplied by
  /// `exp(−IoU² / 2σ)` (Bodla et al., "Soft-NMS", 2017).
  public var softSigma: Float

  public init(overlap: Float, score: Float, softSigma: Float = 0) {
    self.overlap = overlap
    self.score = score
    self.softSigma = softSigma
  }
}

extension Reference {
  /// Intersection over union of boxes `a` and `b`; 0 if either is empty.
  public static func overlap(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> Float {
    func span(_ box: UnsafePointer<Float>, _ axis: Int) -> (low: Float, high: Float) {
      (Swift.min(box[axis], box[axis + 2]), Swift.max(box[axis], box[axis + 2]))
    }
    let (ay, ax, by, bx) = (span(a, 0), span(a, 1), span(b, 0), span(b, 1))
    let areaA = (ay.high - ay.low) * (ax.high - ax.low)
    let areaB = (by.high - by.low) * (bx.high - bx.low)
    if !(areaA > 0) || !(areaB > 0) { return 0 }
    let height = Swift.max(0, Swift.min(ay.high, by.high) - Swift.max(ay.low, by.low))
    let width = Swift.max(0, Swift.min(ax.high, bx.high) - Swift.max(ax.low, bx.low))
    let intersection = height * width
    return intersection / (areaA + areaB - intersection)
  }

  /// Greedy selection: the best remaining box, again and again; of equal scores the first.
  ///
  /// - `scores`: changed: what is selected or dropped becomes −∞, what overlaps may lose.
  /// - Returns: how many of `selected` were filled, at most `limit`.
  public static func suppress(
    boxes: UnsafePointer<Float>, scores: UnsafeMutablePointer<Float>, count: Int,
    rule: SuppressionRule, limit: Int, selected: UnsafeMutablePointer<Int32>,
    selectedScores: UnsafeMutablePointer<Float>?
  ) -> Int {
    var found = 0
    while found < limit {
      var best = -1
      for i in 0..<count where scores[i] > rule.score && (best < 0 || scores[i] > scores[best]) {
        best = i
      }
      if best < 0 { break }
      selected[found] = Int32(best)
      selectedScores?[found] = scores[best]
      found += 1
      scores[best] = -.infinity
      for i in 0..<count where scores[i] > rule.score {
        let overlap = overlap(boxes + 4 * best, boxes + 4 * i)
        if overlap > rule.overlap {
          scores[i] = -.infinity
        } else if rule.softSigma > 0 {
          scores[i] *= Elementary.exp(-overlap * overlap / (2 * rule.softSigma))
        }
      }
    }
    return found
  }

  /// Boxes from their encodings relative to anchors, both `(y, x, h, w)` with centres:
  /// `centre = encoding / scale · anchor extent + anchor centre`, `extent = exp(encoding / scale) · anchor
  /// extent`.
  ///
  /// - `width`: floats of an encoding, of which the first four count.
  public static func decodeBoxes(
    encodings: UnsafePointer<Float>, width: Int, anchors: UnsafePointer<Float>,
    scale: SIMD4<Float>, boxes: UnsafeMutablePointer<Float>, count: Int
  ) {
    for i in 0..<count {
      let (code, anchor, box) = (encodings + i * width, anchors + 4 * i, boxes + 4 * i)
      let y = code[0] / scale[0] * anchor[2] + anchor[0]
      let x = code[1] / scale[1] * anchor[3] + anchor[1]
      let halfHeight = 0.5 * Elementary.exp(code[2] / scale[2]) * anchor[2]
      let halfWidth = 0.5 * Elementary.exp(code[3] / scale[3]) * anchor[3]
      (box[0], box[1]) = (y - halfHeight, x - halfWidth)
      (box[2], box[3]) = (y + halfHeight, x + halfWidth)
    }
  }
}
