import Testing

@testable import FaceKit

@Suite("Attention mesh")
struct AttentionMeshTests {
  private func outputs() -> AttentionMesh.Outputs {
    AttentionMesh.Outputs(
      mesh: (0..<1404).map(Float.init), lips: [Float](repeating: -1, count: 160),
      leftEye: [Float](repeating: -2, count: 142), rightEye: [Float](repeating: -3, count: 142),
      leftIris: (0..<10).map { -10 - Float($0) }, rightIris: (0..<10).map { -20 - Float($0) })
  }

  @Test("parts overwrite x and y of the mesh and keep its depth")
  func parts() {
    let points = AttentionMesh.merge(outputs())
    #expect(points.count == 478 * 3)
    #expect(Array(points[3 * 61..<3 * 61 + 3]) == [-1, -1, 185])
    #expect(Array(points[3 * 33..<3 * 33 + 3]) == [-2, -2, 101])
    #expect(Array(points[3 * 263..<3 * 263 + 3]) == [-3, -3, 791])
    #expect(Array(points[3..<6]) == [3, 4, 5])
  }

  @Test("an iris takes the mean depth of its eye's contour")
  func irises() {
    let points = AttentionMesh.merge(outputs())
    let depth = AttentionMesh.rightEye.prefix(16).map { Float(3 * $0 + 2) }.reduce(0, +) / 16
    #expect(Array(points[3 * 473..<3 * 473 + 3]) == [-20, -21, depth])
    #expect(points[3 * 477 + 2] == depth)
    #expect(Array(points[3 * 468..<3 * 468 + 2]) == [-10, -11])
  }

  @Test("the lists are permutations without repetition")
  func lists() {
    #expect(Set(AttentionMesh.lips).count == 80)
    #expect(Set(AttentionMesh.leftEye).count == 71)
    #expect(Set(AttentionMesh.rightEye).count == 71)
    #expect(Set(AttentionMesh.leftEye).isDisjoint(with: AttentionMesh.rightEye))
  }

  @Test("the blendshape model reads 146 landmarks in pixels")
  func blendshapeInput() {
    let landmarks = (0..<478).map { NormalizedLandmark(x: Float($0), y: Float($0) / 2, z: 9) }
    var input = [Float](repeating: 0, count: 292)
    input.withUnsafeMutableBufferPointer {
      Blendshapes.fill($0, landmarks: landmarks, imageWidth: 10, imageHeight: 20)
    }
    #expect(Array(input[0..<4]) == [0, 0, 10, 10] && input[290] == 4770 && input[291] == 4770)
    #expect(Blendshapes.names.count == 52 && Blendshapes.names[9] == "eyeBlinkLeft")
  }
}
