import Testing

@testable import FaceKitTool

@Suite("The list of models")
struct ModelListTests {
  @Test("the built-in list of models names each file once, with a hash")
  func models() throws {
    let files = try ModelList.builtIn().files
    #expect(files.count >= 11)
    #expect(Set(files.map(\.name)).count == files.count)
    #expect(files.allSatisfy { $0.sha256.count == 64 && $0.bytes > 0 })
    #expect(files.contains { $0.name == "face_landmarker.task" })
  }
}
