import Testing
import ToolSupport

@testable import Inspection

@Suite("Statistics, tables, pages")
struct ReportTests {
  @Test("statistics leave out what is not finite, and count it")
  func statistics() throws {
    let found = try #require(TensorStatistics([0, 1, 2, 3, .nan, .infinity]))
    #expect(found.minimum == 0 && found.maximum == 3 && found.mean == 1.5)
    #expect(abs(found.standardDeviation - 1.25.squareRoot()) < 1e-12)
    #expect(found.zeros == 1 && found.notFinite == 2 && found.count == 6)
    #expect(found.histogram.reduce(0, +) == 4)
    #expect(found.histogram[0] == 1 && found.histogram[31] == 1)
    #expect(TensorStatistics([.nan]) == nil)
    #expect(TensorStatistics([5, 5])?.histogram[0] == 2)
  }

  @Test("a table is as wide as its widest cells, and numbers stand to the right")
  func table() {
    var table = TextTable([.left("name"), .right("µs")])
    table.add(["a", "1.5"])
    table.add(["longer", "10.5"])
    #expect(
      table.text == """
        name      µs
        ──────  ────
        a        1.5
        longer  10.5
        """)
    #expect(TextTable.bar(0.5, width: 4) == "██")
    #expect(TextTable.bar(1.0 / 32, width: 4) == "▏")
    #expect(TextTable.bar(.nan, width: 4) == "" && TextTable.bar(7, width: 2) == "██")
    #expect(Formatting.short(999) == "999" && Formatting.short(112_900_000) == "112.9 M")
  }

  @Test("no tensor's name can end the script of the page")
  func scriptSafety() {
    let page = String(
      decoding: HTMLReport.page(title: "<b>", data: ["model": "</script><script>alert(1)"]),
      as: UTF8.self)
    #expect(page.contains(#"\u003c/script>\u003cscript>alert(1)"#))
    #expect(!page.contains("</script><script>alert"))
    #expect(page.contains("<title>&lt;b>"))
    #expect(!page.contains("http:") || page.contains("http://www.w3.org/2000/svg"))
  }
}
