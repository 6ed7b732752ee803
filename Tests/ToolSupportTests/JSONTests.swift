import Foundation
import Testing

@testable import ToolSupport

@Suite("JSON")
struct JSONTests {
  @Test("floats are written so that they read back to the same bits")
  func floats() throws {
    var bits: UInt32 = 12345
    for _ in 0..<2000 {
      bits = bits &* 1_664_525 &+ 1_013_904_223
      let value = Float(bitPattern: bits)
      guard value.isFinite else { continue }
      let text = JSON.float(value).text
      #expect(Float(text)?.bitPattern == value.bitPattern)
      #expect(throws: Never.self) {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      }
    }
    #expect(JSON.float(.nan).text == "null" && JSON.double(.infinity).text == "null")
  }

  @Test("strings are escaped, names too, and read back")
  func strings() throws {
    let text = "a\"b\\c\n\t\u{1}é🙂"
    let json = JSON.object([JSON.Member(name: text, value: .string(text))])
    #expect(try JSON(parsing: json.text.utf8) == json)
    let other = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: String]
    #expect(other == [text: text])
  }

  @Test("members that are not there are left out")
  func absent() {
    #expect(
      JSON.object(["a": .integer(1), "b": nil, "c": .array([])]).text == #"{"a": 1, "c": []}"#)
  }

  @Test("what JSON allows is read")
  func reading() throws {
    let json = try JSON(parsing: #" {"a":[1,-2.5e1,true,null,"\u00e9\ud83d\ude42"], "b":{}} "#.utf8)
    #expect(
      json
        == .object([
          JSON.Member(
            name: "a",
            value: .array([.integer(1), .double(-25), .bool(true), .null, .string("é🙂")])),
          JSON.Member(name: "b", value: .object([])),
        ]))
  }

  @Test(
    "what JSON does not allow is an error",
    arguments: [
      "", "{", "[1,", "[1 2]", "{\"a\"}", "{\"a\":1,}", "\"a", "\"\\x\"", "\"\\ud83d\"", "tru",
      "1 2",
      "nan", "[\u{1}]", "\"\\u00+1\"",
    ])
  func refusing(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text.utf8) }
  }

  @Test("deep nesting is an error, not a crash")
  func nesting() {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError.self) { try JSON(parsing: text.utf8) }
  }
}
