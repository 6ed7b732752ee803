import Foundation
import FaceKitKernels
import FaceKitModels
import FaceKitTensor
import TestSupport
import Testing
import ToolSupport

@testable import Inspection

/// A browser without a window, where there is one.
private enum Chromium {
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for name in ["chromium", "chromium-browser", "google-chrome"] {
      for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
      {
        return "\(folder)/\(name)"
      }
    }
    return nil
  }()

  /// Opens a page with a script at its end. Gives what the script returns, and what the console shows.
  static func open(_ page: [UInt8], script: String) throws -> (result: String, console: [String]) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("page.html")
    let probe = """
      <script>
      const probe = document.createElement("pre");
      try { probe.textContent = "«" + JSON.stringify((() => {\(script)})()) + "»"; }
      catch (error) { probe.textContent = "«" + JSON.stringify({ thrown: String(error.stack) }) + "»"; }
      document.body.append(probe);
      </script>
      """
    try Data(page + Array(probe.utf8)).write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path!)
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--window-size=1400,900", "--enable-logging=stderr", "--dump-dom",
      "--user-data-dir=\(folder.path)/profile", file.absoluteString,
    ]
    // Through files: nobody has to drain two pipes at once.
    let (output, log) = (folder.appendingPathComponent("out"), folder.appendingPathComponent("log"))
    for url in [output, log] { try Data().write(to: url) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    process.waitUntilExit()
    let dom = try String(contentsOf: output, encoding: .utf8)
    let console = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("CONSOLE") }.map(String.init)
    let from = try #require(dom.range(of: "<pre>«"), "the page did not finish")
    let to = try #require(dom.range(of: "»</pre>"))
    let text = String(dom[from.upperBound..<to.lowerBound])
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    return (text, console)
  }
}

@Suite("The page in a browser", .enabled(if: Chromium.path != nil, "there is no Chromium"))
struct PageTests {
  /// A network of a thousand nodes: a chain with a bridge over every fourth link.
  private var large: Graph {
    var values = [Graph.Value(name: "input", type: .float32, shape: [1, 8, 8, 16])]
    var nodes: [Graph.Node] = []
    let shape = Shape([1, 8, 8, 16])
    for index in 0..<1000 {
      values.append(Graph.Value(name: "value-\(index + 1)", type: .float32, shape: shape))
      let isBridge = index % 4 == 3
      let operation =
        isBridge
        ? Binary("ADD", .add).erased : Unary("LOGISTIC", .logistic).erased
      nodes.append(
        Graph.Node(
          operation, inputs: isBridge ? [index, index - 3] : [index], outputs: [index + 1],
          sources: [index]))
    }
    return Graph(values: values, nodes: nodes, inputs: [0], outputs: [1000])
  }

  /// Searches, clicks on what was found where it is drawn, and reads the panel.
  private let searchAndClick = """
    const search = document.getElementById("search");
    search.value = WANTED; search.dispatchEvent(new Event("input"));
    const found = matches.slice(), node = found[found.length - 1];
    selected = -1; panel(); centre(node);
    const at = place(node), canvas = document.querySelector("canvas");
    for (const type of ["pointerdown", "pointerup"])
      canvas.dispatchEvent(new PointerEvent(type, { clientX: at.x, clientY: at.y, pointerId: 1 }));
    """

  @Test("a thousand nodes: search finds, a click shows, and drawing keeps up with a finger")
  func thousandNodes() throws {
    let page = HTMLReport.page(
      title: "large",
      data: [
        "model": "large", "description": "", "shown": .integer(0),
        "graphs": .array([GraphReport(title: "as in the file", large).json(details: true)]),
      ])
    let (text, console) = try Chromium.open(
      page,
      script: searchAndClick.replacing("WANTED", with: "\"value-777\"") + """
        const start = performance.now();
        for (let k = 0; k < 50; k++) { view.y -= 40; view.scale = k % 2 ? 0.05 : 0.8; paint(); }
        // Reading a pixel waits for what was drawn.
        context.getImageData(0, 0, 1, 1);
        const frame = (performance.now() - start) / 50;
        return { found, selected, panel: $("panel").textContent, frame, nodes: layout.real.length,
          apart: layout.real.every((a, i) => i === 0 || layout.real[i - 1].y !== a.y || Math.abs(layout.real[i - 1].x - a.x) >= W) };
        """)
    #expect(console.isEmpty, "\(console)")
    let result = try JSON(parsing: Array(text.utf8))
    #expect(result["thrown"] == nil, "\(text)")
    #expect(result["nodes"]?.integer == 1000)
    #expect(result["found"]?.array?.compactMap(\.integer) == [776, 777])
    #expect(result["selected"]?.integer == 777)
    #expect(result["panel"]?.string?.contains("value-777") == true)
    #expect(result["apart"] == .bool(true))
    let frame = try #require(result["frame"]?.number)
    #expect(frame < 50, "a frame takes \(frame) ms")
  }

  @Test(
    "a real model: attributes, weights and every tab, without a word on the console",
    .enabled(if: ModelFiles.isAvailable, Comment(rawValue: ModelFiles.reason)))
  func realModel() throws {
    let inspection = try ModelInspection(
      path: ModelFiles.url("face_landmarks_detector.tflite").path, options: EngineOptions())
    let page = HTMLReport.page(title: "real", data: inspection.page(showsOptimised: true))
    let (text, console) = try Chromium.open(
      page,
      script: searchAndClick.replacing("WANTED", with: "\"conv_2d\"") + """
        const shownPanel = $("panel").textContent, bars = document.querySelectorAll("#panel rect").length;
        for (const [name] of tabs) tab(name);
        return { found: found.length, expected: graph.nodes.filter(n => n.op.includes("CONV_2D")).length, selected, node,
          panel: shownPanel, bars, tabs: tabs.map(t => t[0]), rectangles: document.querySelectorAll("#memory rect").length };
        """)
    #expect(console.isEmpty, "\(console)")
    let result = try JSON(parsing: Array(text.utf8))
    #expect(result["thrown"] == nil, "\(text)")
    #expect(try #require(result["found"]?.integer) >= #require(result["expected"]?.integer))
    #expect(result["selected"] == result["node"])
    let panel = try #require(result["panel"]?.string)
    #expect(panel.contains("stride") && panel.contains("activation") && panel.contains("MACs"))
    #expect(try #require(result["bars"]?.integer) >= TensorStatistics.bins)
    #expect(
      result["tabs"]?.array?.compactMap(\.string) == ["graph", "memory", "passes", "metadata"])
    #expect(result["rectangles"]?.integer == inspection.compiled.plan?.placements.count)
  }
}
