/// A line between two of the 478 landmarks, by index.
public struct Connection: Hashable, Sendable {
  /// Index of the landmark where the line begins, `0...477`.
  public let start: Int
  /// Index of the landmark where it ends.
  public let end: Int

  /// Creates a line from two indices.
  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }
}

/// Which landmarks to join to draw a face: MediaPipe's published sets, in their published order.
///
/// Left and right are the subject's. MediaPipe's iOS library returns the left iris for the right one;
/// here the right iris is the right iris.
public enum FaceLandmarkConnections {
  /// The outer and inner outline of the lips.
  public static let lips = joined(lipsTable)
  /// The left eye's lids.
  public static let leftEye = joined(leftEyeTable)
  /// The left eyebrow's upper and lower edge.
  public static let leftEyebrow = joined(leftEyebrowTable)
  /// The edge of the left iris.
  public static let leftIris = joined(leftIrisTable)
  /// The right eye's lids.
  public static let rightEye = joined(rightEyeTable)
  /// The right eyebrow's upper and lower edge.
  public static let rightEyebrow = joined(rightEyebrowTable)
  /// The edge of the right iris.
  public static let rightIris = joined(rightIrisTable)
  /// The outline of the face.
  public static let faceOval = joined(faceOvalTable)
  /// The bridge and bottom of the nose.
  public static let nose = joined(noseTable)

  /// Lips, eyes, eyebrows and oval, without irises and nose.
  public static let contours =
    lips + leftEye + leftEyebrow + rightEye + rightEyebrow + faceOval

  /// 852 closed triples of connections. Not the triangles of the canonical face mesh, which are others.
  public static let tesselation = triangles(FaceTesselation.corners)

  private static func joined(_ table: [(Int, Int)]) -> [Connection] {
    table.map { Connection(start: $0.0, end: $0.1) }
  }

  private static func triangles(_ corners: [UInt16]) -> [Connection] {
    var connections: [Connection] = []
    connections.reserveCapacity(corners.count)
    for first in stride(from: 0, to: corners.count, by: 3) {
      for side in 0..<3 {
        connections.append(
          Connection(start: Int(corners[first + side]), end: Int(corners[first + (side + 1) % 3])))
      }
    }
    return connections
  }

  private static let lipsTable: [(Int, Int)] = [
    (61, 146), (146, 91), (91, 181), (181, 84), (84, 17), (17, 314), (314, 405), (405, 321),
    (321, 375), (375, 291), (61, 185), (185, 40), (40, 39), (39, 37), (37, 0), (0, 267),
    (267, 269), (269, 270), (270, 409), (409, 291), (78, 95), (95, 88), (88, 178), (178, 87),
    (87, 14), (14, 317), (317, 402), (402, 318), (318, 324), (324, 308), (78, 191), (191, 80),
    (80, 81), (81, 82), (82, 13), (13, 312), (312, 311), (311, 310), (310, 415), (415, 308),
  ]

  private static let leftEyeTable: [(Int, Int)] = [
    (263, 249), (249, 390), (390, 373), (373, 374), (374, 380), (380, 381), (381, 382), (382, 362),
    (263, 466), (466, 388), (388, 387), (387, 386), (386, 385), (385, 384), (384, 398), (398, 362),
  ]

  private static let leftEyebrowTable: [(Int, Int)] = [
    (276, 283), (283, 282), (282, 295), (295, 285), (300, 293), (293, 334), (334, 296), (296, 336),
  ]

  private static let leftIrisTable: [(Int, Int)] = [
    (474, 475), (475, 476), (476, 477), (477, 474),
  ]

  private static let rightEyeTable: [(Int, Int)] = [
    (33, 7), (7, 163), (163, 144), (144, 145), (145, 153), (153, 154), (154, 155), (155, 133),
    (33, 246), (246, 161), (161, 160), (160, 159), (159, 158), (158, 157), (157, 173), (173, 133),
  ]

  private static let rightEyebrowTable: [(Int, Int)] = [
    (46, 53), (53, 52), (52, 65), (65, 55), (70, 63), (63, 105), (105, 66), (66, 107),
  ]

  private static let rightIrisTable: [(Int, Int)] = [
    (469, 470), (470, 471), (471, 472), (472, 469),
  ]

  private static let faceOvalTable: [(Int, Int)] = [
    (10, 338), (338, 297), (297, 332), (332, 284), (284, 251), (251, 389), (389, 356), (356, 454),
    (454, 323), (323, 361), (361, 288), (288, 397), (397, 365), (365, 379), (379, 378), (378, 400),
    (400, 377), (377, 152), (152, 148), (148, 176), (176, 149), (149, 150), (150, 136), (136, 172),
    (172, 58), (58, 132), (132, 93), (93, 234), (234, 127), (127, 162), (162, 21), (21, 54),
    (54, 103), (103, 67), (67, 109), (109, 10),
  ]

  private static let noseTable: [(Int, Int)] = [
    (168, 6), (6, 197), (197, 195), (195, 5), (5, 4), (4, 1), (1, 19), (19, 94), (94, 2), (98, 97),
    (97, 2), (2, 326), (326, 327), (327, 294), (294, 278), (278, 344), (344, 440), (440, 275),
    (275, 4), (4, 45), (45, 220), (220, 115), (115, 48), (48, 64), (64, 98),
  ]
}
