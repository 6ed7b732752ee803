import Foundation
import FaceKitModels
import FaceKitTensor
import TestSupport
import Testing
import Inspection
import ToolSupport

@testable import FaceKitTool

/// `facekit run` on models made here, and on the conformance suite's integer models.
@Suite("facekit run")
struct RunCommandTests {
  private let scratch: TestFolder

  init() throws { scratch = try TestFolder() }

  private func run(_ words: [String]) -> (status: ToolStatus, output: [String], errors: [String]) {
    let record = Record()
    let status = Tool.run(["run"] + words, console: record.console)
    return (status, record.output, record.errors)
  }

  /// The first output of a run as its file has it.
  private func output(of words: [String]) throws -> Tensor {
    let result = run(words + ["--json", "--output-dir", scratch.path + "/out"])
    let json = try JSON(parsing: #require(result.output.first, "\(result.errors)").utf8)
    let file = try #require(json["outputs"]?.array?.first?["file"]?.string)
    return try NPYFile.tensor([UInt8](Data(contentsOf: URL(fileURLWithPath: file))))
  }

  private func model(_ builder: ModelBuilder) throws -> String {
    try scratch.file("model.tflite", builder.bytes)
  }

  /// What NumPy would write, with the elements turned round for `>`.
  private func npy(_ tensor: Tensor, order: Character) throws -> [UInt8] {
    var file = try NPYFile.bytes(tensor)
    let width = tensor.type.byteWidth
    guard order == ">", width > 1 else { return file }
    let sign = try #require(file.firstIndex(of: UInt8(ascii: "<")))
    file[sign] = UInt8(ascii: ">")
    let data = file.count - tensor.data.count
    for start in stride(from: data, to: file.count, by: width) {
      file[start..<(start + width)].reverse()
    }
    return file
  }

  @Test("half-precision arrays are widened for a float32 input, in both byte orders")
  func half() throws {
    // 1, −2, 65504 and the smallest subnormal.
    let bits: [UInt16] = [0x3C00, 0xC000, 0x7BFF, 0x0001]
    let tensor = Tensor(
      type: .float16, shape: [1, 4],
      data: StorageView(Storage(copying: bits.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })))
    let path = try model(.addition())
    for order in "<>" {
      let file = try scratch.file("half.npy", npy(tensor, order: order))
      let sum = try output(of: [path, "--input", file])
      #expect(sum.floats == [2, 0, 65507, 4 + 0x1p-24])
    }
  }

  @Test("no other type is converted: the error names both types, on a line of JSON too")
  func otherTypes() throws {
    let path = try model(.addition())
    for type in [ElementType.float64, .int32, .int8, .uint8] {
      let tensor = Tensor(
        type: type, shape: [1, 4],
        data: StorageView(Storage(copying: .init(repeating: 0, count: 4 * type.byteWidth))))
      let file = try scratch.file("other.npy", NPYFile.bytes(tensor))
      let result = run([path, "--input", file, "--json"])
      #expect(result.status == .failed && result.errors.count == 1)
      #expect(result.errors[0].contains("takes 1×4 float32, not 1×4 \(type.name)"))
      let json = try JSON(parsing: #require(result.output.first).utf8)
      #expect(json["file"]?.string == path && json["error"]?["code"]?.string == "input")
    }
  }

  @Test("a Fortran-order array is refused with advice")
  func fortran() throws {
    let tensor = Tensor([1, 2, 3, 4], shape: [1, 4])
    var file = try NPYFile.bytes(tensor)
    let place = try #require(file.firstRange(of: Array("False".utf8)))
    file.replaceSubrange(place, with: Array("True ".utf8))
    let result = run([
      try model(.addition()), "--input", try scratch.file("fortran.npy", file),
    ])
    #expect(result.status == .failed && result.output.isEmpty)
    #expect(result.errors.first?.contains("Fortran order") == true)
    #expect(result.errors.first?.contains("np.ascontiguousarray") == true)
  }

  @Test("inputs of open shape are all resized before any is filled")
  func severalResized() throws {
    var builder = ModelBuilder()
    let open: ModelBuilder.Fields = [7: .int32s([-1, 2])]
    builder.inputs = [builder.tensor([1, 2], open), builder.tensor([1, 2], open)]
    builder.outputs = [builder.tensor([1, 2], open)]
    builder.operation(0, inputs: builder.inputs, outputs: builder.outputs, options: (11, [:]))
    let a = try scratch.file("a.npy", NPYFile.bytes(Tensor([1, 2, 3, 4], shape: [2, 2])))
    let b = try scratch.file("b.npy", NPYFile.bytes(Tensor([10, 20, 30, 40], shape: [2, 2])))
    let sum = try output(of: [try model(builder), "--input", "0=\(a)", "--input", "1=\(b)"])
    #expect(sum.shape == [2, 2] && sum.floats == [11, 22, 33, 44])
  }

  @Test(
    "integer models answer as the conformance suite says, from files in both byte orders",
    .enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.reason)))
  func integers() throws {
    let types = ["int8": ElementType.int8, "uint8": .uint8, "int32": .int32]
    var seen: Set<String> = []
    for item in try ConformanceCase.loadAll() {
      guard item.tags.isEmpty, item.inputs.count == 1, let type = types[item.inputs[0].dtype],
        seen.insert("\(item.group) \(item.inputs[0].dtype)").inserted
      else { continue }
      let data = StorageView(Storage(copying: try item.inputs[0].bytes()))
      let tensor = Tensor(type: type, shape: Shape(item.inputs[0].shape), data: data)
      for order in "<>" {
        let file = try scratch.file("input.npy", npy(tensor, order: order))
        let result = try output(of: [Conformance.url(item.model).path, "--input", file])
        #expect(result.shape == Shape(item.outputs[0].shape), "\(item)")
        let departure = try item.outputs[0].departure(
          of: result.data.array(of: UInt8.self), item.id)
        #expect(departure == nil)
      }
    }
    #expect(seen.contains("qconv2d int8") || seen.contains("qconv int8"), "\(seen.sorted())")
    #expect(seen.count > 10)
  }
}
