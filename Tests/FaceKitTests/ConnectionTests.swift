import FaceKit
import Testing

@Suite("Connections")
struct ConnectionTests {
  @Test("every set has the published number of connections, between landmarks that exist")
  func counts() {
    typealias Sets = FaceLandmarkConnections
    let sets: [(name: String, connections: [Connection], count: Int)] = [
      ("lips", Sets.lips, 40), ("left eye", Sets.leftEye, 16), ("right eye", Sets.rightEye, 16),
      ("left eyebrow", Sets.leftEyebrow, 8), ("right eyebrow", Sets.rightEyebrow, 8),
      ("left iris", Sets.leftIris, 4), ("right iris", Sets.rightIris, 4),
      ("face oval", Sets.faceOval, 36), ("nose", Sets.nose, 25), ("contours", Sets.contours, 124),
      ("tesselation", Sets.tesselation, 2556),
    ]
    for set in sets {
      #expect(set.connections.count == set.count, "\(set.name)")
      #expect(
        set.connections.allSatisfy { (0..<478).contains($0.start) && (0..<478).contains($0.end) })
    }
  }

  @Test("the right iris is not the left one")
  func irises() {
    #expect(FaceLandmarkConnections.rightIris.map(\.start) == [469, 470, 471, 472])
    #expect(FaceLandmarkConnections.leftIris.map(\.start) == [474, 475, 476, 477])
  }

  @Test("MediaPipe's functions give the same sets")
  func names() {
    #expect(FaceLandmarker.rightIrisConnections() == FaceLandmarkConnections.rightIris)
    #expect(FaceLandmarker.leftIrisConnections() == FaceLandmarkConnections.leftIris)
    #expect(FaceLandmarker.faceConnections().count == 124 + 2556)
  }

  @Test("the tesselation has 852 triangles and 1322 distinct edges, and leaves the irises out")
  func tesselation() {
    let connections = FaceLandmarkConnections.tesselation
    for first in stride(from: 0, to: connections.count, by: 3) {
      let (a, b, c) = (connections[first], connections[first + 1], connections[first + 2])
      #expect(a.end == b.start && b.end == c.start && c.end == a.start)
    }
    let edges = Set(connections.map { [min($0.start, $0.end), max($0.start, $0.end)] })
    #expect(edges.count == 1322)
    #expect(connections.allSatisfy { $0.start < 468 })
  }
}
