import FaceKitTensor
import Testing
import ToolSupport

@testable import Inspection

private func file(_ header: String, _ data: [UInt8], version: UInt8 = 1) -> [UInt8] {
  let text = Array(header.utf8)
  let length =
    version == 1
    ? [UInt8(text.count & 255), UInt8(text.count >> 8)]
    : [UInt8(text.count & 255), UInt8(text.count >> 8), 0, 0]
  return [0x93] + Array("NUMPY".utf8) + [version, 0] + length + text + data
}

@Suite("NumPy files")
struct NPYTests {
  @Test("a tensor of every type NumPy has reads back", arguments: ElementType.allCases)
  func roundTrip(type: ElementType) throws {
    let bytes = (0..<(6 * type.byteWidth)).map { UInt8($0) }
    guard type.byteWidth > 0, type != .bfloat16 else { return }
    for shape in [Shape([2, 3]), Shape([6]), Shape([1, 6, 1])] {
      let tensor = Tensor(type: type, shape: shape, data: StorageView(Storage(copying: bytes)))
      let written = try NPYFile.bytes(tensor)
      let read = try NPYFile.tensor(written)
      #expect(read.type == type && read.shape == shape)
      #expect(read.data.array(of: UInt8.self) == bytes)
      // NumPy aligns the data to 64 bytes.
      #expect((written.count - bytes.count) % 64 == 0)
    }
  }

  @Test("scalars and empty arrays have their shapes")
  func edges() throws {
    let scalar = Tensor([1.5], shape: .scalar)
    #expect(try NPYFile.tensor(NPYFile.bytes(scalar)).shape == .scalar)
    let empty = Tensor([], shape: [0, 4])
    #expect(try NPYFile.tensor(NPYFile.bytes(empty)).shape == [0, 4])
  }

  @Test("what NumPy itself writes is read, in both byte orders and all versions")
  func numpy() throws {
    // np.array([1, -2], '>f4'); versions differ in the width of the header's length.
    for version in UInt8(1)...3 {
      let big = file(
        "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }     \n",
        [0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0], version: version)
      #expect(try NPYFile.tensor(big).floats == [1, -2])
    }
    let little = file(
      "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }\n", [1, 0, 255, 255])
    #expect(try NPYFile.tensor(little).array(of: Int16.self) == [1, -1])
    let bytes = file("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n", [1, 2, 3])
    #expect(try NPYFile.tensor(bytes).array(of: UInt8.self) == [1, 2, 3])
  }

  @Test(
    "damaged headers are errors",
    arguments: [
      "", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (2",
      "\0\0\0",
      "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }",
      "{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }",
      "{'descr': '', 'fortran_order': False, 'shape': (1,), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 9999999999, 9999999999), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
    ])
  func damaged(header: String) {
    #expect(throws: ToolError.self) { try NPYFile.tensor(file(header, [0, 0, 0, 0])) }
  }

  @Test("a file cut at any length is an error")
  func truncated() throws {
    let whole = try NPYFile.bytes(Tensor([1, 2, 3], shape: [3]))
    for count in 0..<whole.count {
      #expect(throws: ToolError.self) { try NPYFile.tensor(Array(whole.prefix(count))) }
    }
  }

  @Test("tensor names become safe and distinct file names")
  func names() {
    #expect(TensorFiles.fileName("a/b:0;c") == "a_b_0_c")
    #expect(TensorFiles.fileName("../../etc") == "_.._.._etc")
    #expect(TensorFiles.fileName("") == "_")
    #expect(TensorFiles.fileName(String(repeating: "é", count: 999)).utf8.count == 120)
    var names = FileNames()
    #expect([names.next("x"), names.next("x"), names.next("x/")] == ["x", "x-2", "x_"])
  }
}
