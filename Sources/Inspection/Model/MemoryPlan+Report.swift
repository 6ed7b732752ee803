import FaceKitModels
import ToolSupport

extension MemoryPlan {
  /// The most bytes alive at once: no plan can need fewer.
  package func peakAlive(nodes: Int) -> Int {
    // Values that share a place (an output over its dying input) count once.
    var peak = 0
    for node in 0..<max(1, nodes) {
      var alive: [Int: Int] = [:]
      for placement in placements where placement.firstNode <= node && node <= placement.lastNode {
        alive[placement.offset] = max(alive[placement.offset] ?? 0, placement.bytes)
      }
      peak = max(peak, alive.values.reduce(0, +))
    }
    return peak
  }

  package var json: JSON {
    [
      "bytes": .integer(bytes),
      "placements": .array(
        placements.map {
          [
            "value": .integer($0.value), "offset": .integer($0.offset),
            "bytes": .integer($0.bytes), "first": .integer($0.firstNode),
            "last": .integer($0.lastNode),
          ]
        }),
    ]
  }
}
