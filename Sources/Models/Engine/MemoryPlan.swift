import FaceKitKernels
import FaceKitTensor

/// Where each value lives in the arena.
///
/// Values are placed by lifetime, largest first, each at the lowest offset that no value alive at the
/// same time occupies (greedy by size: Pisarchyk and Lee, "Efficient Memory Management for Deep Neural
/// Net Inference", 2020). An output that may overwrite a dying input takes its place.
package struct MemoryPlan: Sendable {
  /// One value's stay in the arena.
  package struct Placement: Sendable, Hashable {
    package var value: Int
    package var offset: Int
    package var bytes: Int
    /// Index of the node that writes it; −1 for graph inputs.
    package var firstNode: Int
    /// Index of the last node that reads it; the node count for graph inputs and outputs.
    package var lastNode: Int

    fileprivate func overlaps(_ other: Self) -> Bool {
      firstNode <= other.lastNode && other.firstNode <= lastNode
    }
  }

  /// In order of the values; constants and unused values are not in it.
  package private(set) var placements: [Placement]
  /// Bytes of the arena before the nodes' working memory.
  package private(set) var bytes = 0
  private var byValue: [Int]

  /// The offset of a value; `nil` if it has no place.
  package func offset(of value: Int) -> Int? {
    byValue[value] < 0 ? nil : placements[byValue[value]].offset
  }

  /// Plans a graph.
  ///
  /// - `overwrites`: for each node, the inputs whose memory its first output may take over.
  init(_ graph: Graph, overwrites: [[Int]], limits: ModelLimits) throws(ModelError) {
    placements = try MemoryPlan.lifetimes(graph)
    byValue = [Int](repeating: -1, count: graph.values.count)
    for (index, placement) in placements.enumerated() { byValue[placement.value] = index }
    var groups = placements
    let leader = shareDyingInputs(graph, overwrites, &groups)
    try place(&groups, leaders: leader, limit: limits.arenaBytes)
    for index in placements.indices { placements[index].offset = groups[leader[index]].offset }
  }

  /// Lets outputs take over dying inputs. Returns, for each placement, the one whose place it has;
  /// that one's entry in `groups` then lives as long as both.
  private func shareDyingInputs(
    _ graph: Graph, _ overwrites: [[Int]], _ groups: inout [Placement]
  ) -> [Int] {
    var leader = Array(placements.indices)
    for (index, node) in graph.nodes.enumerated() {
      guard let output = node.outputs.first, byValue[output] >= 0 else { continue }
      let target = byValue[output]
      let overwritable = overwrites[index]
      for input in overwritable where input < node.inputs.count {
        guard let value = node.inputs[input], byValue[value] >= 0 else { continue }
        // Not where it is read in another role too: `conv(x) + x` would write over what it still reads.
        if node.inputs.indices.contains(where: {
          node.inputs[$0] == value && !overwritable.contains($0)
        }) {
          continue
        }
        let source = leader[byValue[value]]
        // Only where this node is the last to read it, and the output fits.
        guard groups[source].lastNode == index, groups[source].firstNode >= 0,
          groups[target].bytes <= groups[source].bytes, leader[target] == target
        else { continue }
        leader[target] = source
        groups[source].lastNode = groups[target].lastNode
        break
      }
    }
    return leader
  }

  private mutating func place(
    _ groups: inout [Placement], leaders leader: [Int], limit: Int
  ) throws(ModelError) {
    var order = groups.indices.filter { leader[$0] == $0 }
    order.sort {
      let (a, b) = (groups[$0].bytes, groups[$1].bytes)
      return a != b ? a > b : $0 < $1
    }
    var placed: [Int] = []  // by offset
    for index in order {
      var offset = 0
      for other in placed where groups[other].overlaps(groups[index]) {
        if groups[other].offset >= offset + groups[index].bytes { break }
        offset = max(offset, groups[other].offset + groups[other].bytes)
      }
      groups[index].offset = offset
      let (end, overflow) = offset.addingReportingOverflow(groups[index].bytes)
      if overflow || end > limit {
        throw ModelError(
          .resourceLimit, "activations need more than the \(limit) bytes the limits allow")
      }
      bytes = max(bytes, end)
      placed.insert(index, at: placed.firstIndex { groups[$0].offset > offset } ?? placed.count)
    }
  }

  private static func lifetimes(_ graph: Graph) throws(ModelError) -> [Placement] {
    let end = graph.nodes.count
    var first = [Int](repeating: Int.max, count: graph.values.count)
    var last = [Int](repeating: -2, count: graph.values.count)
    for (index, node) in graph.nodes.enumerated() {
      for output in node.outputs {
        first[output] = min(first[output], index)
        last[output] = max(last[output], index)
      }
      for input in node.inputs {
        guard let input else { continue }
        last[input] = max(last[input], index)
      }
    }
    // Inputs survive the run, so that a caller may run again without filling them.
    for input in graph.inputs { (first[input], last[input]) = (-1, end) }
    for output in graph.outputs { last[output] = end }

    var placements: [Placement] = []
    for value in graph.values.indices
    where graph.values[value].constant == nil && first[value] != Int.max {
      guard let bytes = bytes(of: graph.values[value]) else {
        throw ModelError(.resourceLimit, "tensor '\(graph.values[value].name)' is too large")
      }
      placements.append(
        Placement(
          value: value, offset: 0, bytes: bytes, firstNode: first[value], lastNode: last[value]))
    }
    return placements
  }

  /// Bytes of a value as it lies in the arena, rounded up to whole cache lines.
  static func bytes(of value: Graph.Value) -> Int? {
    guard let bytes = value.type.bytes(for: value.layoutCount), bytes <= Int.max - 64 else {
      return nil
    }
    return (bytes + 63) & ~63
  }
}
