/// Merges the outputs of `face_landmark_with_attention.tflite`: 468 points of the whole face, and refined ones for
/// lips, eyes and irises.
///
/// "Left" is the eye on the image's left here, as in the model's own outputs.
enum AttentionMesh {
  /// Points after merging: the mesh and two irises of five.
  static let pointCount = 478

  static let lips: [Int] = [
    61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 185, 40, 39, 37, 0, 267, 269, 270, 409,
    78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 191, 80, 81, 82, 13, 312, 311, 310, 415,
    76, 77, 90, 180, 85, 16, 315, 404, 320, 307, 306, 184, 74, 73, 72, 11, 302, 303, 304, 408,
    62, 96, 89, 179, 86, 15, 316, 403, 319, 325, 292, 183, 42, 41, 38, 12, 268, 271, 272, 407,
  ]
  static let leftEye: [Int] = [
    33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173, 130, 25, 110,
    24, 23, 22, 26, 112, 243, 247, 30, 29, 27, 28, 56, 190, 226, 31, 228, 229, 230, 231, 232,
    233, 244, 113, 225, 224, 223, 222, 221, 189, 35, 124, 46, 53, 52, 65, 143, 111, 117, 118,
    119, 120, 121, 128, 245, 156, 70, 63, 105, 66, 107, 55, 193,
  ]
  static let rightEye: [Int] = [
    263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398, 359, 255,
    339, 254, 253, 252, 256, 341, 463, 467, 260, 259, 257, 258, 286, 414, 446, 261, 448, 449,
    450, 451, 452, 453, 464, 342, 445, 444, 443, 442, 441, 413, 265, 353, 276, 283, 282, 295,
    372, 340, 346, 347, 348, 349, 350, 357, 465, 383, 300, 293, 334, 296, 336, 285, 417,
  ]

  /// How many leading entries of an eye list are its contour, whose depth the iris takes.
  private static let contourCount = 16

  /// The model's outputs, each in pixels of its input.
  struct Outputs {
    var mesh: [Float]
    var lips: [Float]
    var leftEye: [Float]
    var rightEye: [Float]
    var leftIris: [Float]
    var rightIris: [Float]
  }

  /// The 478 points, x, y, z in the units of the outputs. Later parts overwrite earlier ones in x and y
  /// and keep the mesh's depth, which the parts don't have.
  static func merge(_ outputs: Outputs) -> [Float] {
    var points = outputs.mesh + [Float](repeating: 0, count: (pointCount - 468) * 3)
    overwrite(&points, at: lips, with: outputs.lips)
    overwrite(&points, at: leftEye, with: outputs.leftEye)
    overwrite(&points, at: rightEye, with: outputs.rightEye)
    setIris(&points, first: 468, outputs.leftIris, contour: leftEye)
    setIris(&points, first: 473, outputs.rightIris, contour: rightEye)
    return points
  }

  private static func overwrite(_ points: inout [Float], at indices: [Int], with xy: [Float]) {
    for (k, index) in indices.enumerated() {
      points[3 * index] = xy[2 * k]
      points[3 * index + 1] = xy[2 * k + 1]
    }
  }

  private static func setIris(
    _ points: inout [Float], first: Int, _ xy: [Float], contour: [Int]
  ) {
    var depth: Float = 0
    for index in contour.prefix(contourCount) { depth += points[3 * index + 2] }
    depth /= Float(contourCount)
    for k in 0..<5 {
      points[3 * (first + k)] = xy[2 * k]
      points[3 * (first + k) + 1] = xy[2 * k + 1]
      points[3 * (first + k) + 2] = depth
    }
  }
}
