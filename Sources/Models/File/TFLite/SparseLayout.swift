import FaceKitTensor

/// How the stored values of a sparse constant are spread over its dense shape.
///
/// A tree with one level for each dimension, in traversal order; block dimensions subdivide others
/// and come last. A dense level has all its children, a compressed one lists them (CSR). `init`
/// checks all of it, so that decoding touches each stored value once and stays in bounds.
struct SparseLayout: Sendable {
  private let shape: Shape
  private let levels: [Level]
  /// For each block dimension: the dimension it subdivides, and its extent.
  private let blocks: [(dimension: Int, extent: Int)]

  private struct Level: Sendable {
    /// The logical dimension this level walks.
    var dimension: Int
    var extent: Int
    /// Compressed levels only.
    var children: (segments: Indices, indices: Indices)?
  }

  /// A vector of unsigned or 32-bit integers in the file.
  private struct Indices: Sendable {
    var view: StorageView
    var width: Int
    var count: Int { view.count / width }

    subscript(index: Int) -> Int {
      let at = index * width
      return switch width {
      case 1: Int(view.bytes[at])
      case 2:
        Int(UInt16(littleEndian: view.base.loadUnaligned(fromByteOffset: at, as: UInt16.self)))
      default: Int(Int32(littleEndian: view.base.loadUnaligned(fromByteOffset: at, as: Int32.self)))
      }
    }
  }

  /// Reads a table `SparsityParameters`.
  init(
    _ table: FlatTable, shape: Shape, type: ElementType, dataBytes: Int
  ) throws(ModelError) {
    let width = type.byteWidth
    guard width > 0, dataBytes % width == 0 else {
      throw ModelError(.sparsity, "\(dataBytes) bytes of sparse \(type.name)")
    }
    self.shape = shape
    let rank = shape.rank
    let blockCount = try table.count(1, width: 4) ?? 0
    let levelCount = try table.count(2, width: 4) ?? 0
    guard blockCount <= rank, levelCount == rank + blockCount,
      try table.count(0, width: 4) ?? 0 == levelCount
    else {
      throw ModelError(.sparsity, "\(levelCount) levels for rank \(rank) and \(blockCount) blocks")
    }
    let order = try table.int32s(0) ?? []
    try SparseLayout.checkPermutation(order, rank: rank)
    let blockMap = try table.int32s(1) ?? []
    var metadata = [FlatTable]()
    for index in 0..<levelCount { metadata.append(try table.table(2, index)) }

    // The sizes of blocks come first, for they shrink the extents of what they subdivide.
    var extents = shape.extents + [Int](repeating: 0, count: blockCount)
    var blocks = [(dimension: Int, extent: Int)](repeating: (0, 0), count: blockCount)
    for level in rank..<levelCount {
      let block = order[level] - rank
      let size = try metadata[level].int32(1)
      let dimension = blockMap[block]
      guard dimension >= 0, dimension < rank, block == 0 || dimension > blockMap[block - 1] else {
        throw ModelError(.sparsity, "block \(block) subdivides dimension \(dimension)")
      }
      guard try metadata[level].int8(0) == 0, size >= 1, extents[dimension] % size == 0 else {
        throw ModelError(.sparsity, "blocks of \(size) for an extent of \(extents[dimension])")
      }
      extents[dimension] /= size
      extents[rank + block] = size
      blocks[block] = (dimension, size)
    }
    self.blocks = blocks

    var levels = [Level]()
    var nodes = 1
    for (level, table) in metadata.enumerated() {
      let next = try SparseLayout.level(
        table, dimension: order[level], extent: extents[order[level]], parents: nodes)
      levels.append(next.level)
      nodes = next.nodes
    }
    guard nodes == dataBytes / width else {
      throw ModelError(.sparsity, "\(dataBytes / width) values stored where \(nodes) are listed")
    }
    self.levels = levels
  }

  private static func checkPermutation(_ order: [Int], rank: Int) throws(ModelError) {
    var seen = [Bool](repeating: false, count: order.count)
    for (level, dimension) in order.enumerated() {
      guard dimension >= 0, dimension < order.count, !seen[dimension],
        (dimension < rank) == (level < rank)
      else {
        throw ModelError(.sparsity, "the traversal order is not a permutation")
      }
      seen[dimension] = true
    }
  }

  /// One level of the tree, and how many nodes it has under `parents` nodes.
  private static func level(
    _ table: FlatTable, dimension: Int, extent: Int, parents: Int
  ) throws(ModelError) -> (level: Level, nodes: Int) {
    let format = try table.int8(0)
    if format == 0 {
      let size = try table.int32(1)
      let (nodes, overflow) = parents.multipliedReportingOverflow(by: size)
      guard size == extent, !overflow else {
        throw ModelError(.sparsity, "a dense level of \(size) for an extent of \(extent)")
      }
      return (Level(dimension: dimension, extent: extent), nodes)
    }
    guard format == 1, let segments = try indices(table, 2), let indices = try indices(table, 4)
    else {
      throw ModelError(.sparsity, "a level of format \(format) without its index lists")
    }
    guard segments.count - 1 == parents, segments[0] == 0 else {
      throw ModelError(.sparsity, "\(segments.count) segment bounds for \(parents) rows")
    }
    try table.budget.spend(segments.count)
    try table.budget.spend(indices.count)
    for row in 0..<parents where segments[row + 1] < segments[row] {
      throw ModelError(.sparsity, "segment \(row) ends before it starts")
    }
    guard segments[parents] == indices.count else {
      throw ModelError(.sparsity, "segments up to \(segments[parents]) of \(indices.count) indices")
    }
    for position in 0..<indices.count where indices[position] < 0 || indices[position] >= extent {
      throw ModelError(.sparsity, "index \(indices[position]) of an extent of \(extent)")
    }
    return (
      Level(dimension: dimension, extent: extent, children: (segments, indices)), indices.count
    )
  }

  private static func indices(_ table: FlatTable, _ typeSlot: Int) throws(ModelError) -> Indices? {
    let (type, values) = try table.union(typeSlot)
    let width: Int
    switch type {
    case 1: width = 4
    case 2: width = 2
    case 3: width = 1
    default: return nil
    }
    guard let view = try values?.bytes(0, width: width) else { return nil }
    return Indices(view: view, width: width)
  }
}

extension SparseLayout {
  /// The dense tensor: row-major, zero where nothing is stored.
  ///
  /// - Precondition: `values` and `width` are the data and element width `init` was given; the caller
  ///   has checked the dense size against its limits.
  func densify(_ values: StorageView, width: Int) -> Storage {
    let dense = Storage(count: shape.count * width)
    var walk = Walk(
      values: values, width: width, dense: dense, strides: steps(),
      coordinates: [Int](repeating: 0, count: levels.count))
    visit(0, 0, &walk)
    return dense
  }

  private struct Walk {
    let values: StorageView
    let width: Int
    let dense: Storage
    /// What one step along each logical dimension adds to the dense index.
    let strides: [Int]
    var coordinates: [Int]
    var next = 0
  }

  private func steps() -> [Int] {
    let strides = shape.strides
    var steps = strides + blocks.map { strides[$0.dimension] }
    for block in blocks { steps[block.dimension] *= block.extent }
    return steps
  }

  /// Depth is the number of levels, at most twice the rank.
  private func visit(_ depth: Int, _ parent: Int, _ walk: inout Walk) {
    if depth == levels.count {
      var index = 0
      for (dimension, coordinate) in walk.coordinates.enumerated() {
        index += coordinate * walk.strides[dimension]
      }
      (walk.dense.base + index * walk.width).copyMemory(
        from: walk.values.base + walk.next * walk.width, byteCount: walk.width)
      walk.next += 1
      return
    }
    let level = levels[depth]
    if let (segments, indices) = level.children {
      for position in segments[parent]..<segments[parent + 1] {
        walk.coordinates[level.dimension] = indices[position]
        visit(depth + 1, position, &walk)
      }
    } else {
      for coordinate in 0..<level.extent {
        walk.coordinates[level.dimension] = coordinate
        visit(depth + 1, parent * level.extent + coordinate, &walk)
      }
    }
  }
}
