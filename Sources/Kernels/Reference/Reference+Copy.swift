/// A copy between two strided arrays: what transposes, slices, pads, tiles, concatenations and
/// block rearrangements all come down to.
public struct StridedCopy: Sendable {
  /// Operand 0 is the source, operand 1 the destination; strides are in elements.
  let loop: StridedLoop
  /// Elements to skip at the start of each.
  let sourceOffset, destinationOffset: Int
  /// Bytes of an element.
  let width: Int

  /// - `extents`: Elements along each axis, outermost first.
  /// - `source`: Strides of the source; 0 repeats it, negative ones walk backwards.
  /// - `width`: Bytes of an element: 1, 2, 4, 8 or 16.
  public init(
    extents: [Int], source: [Int], sourceOffset: Int = 0, destination: [Int],
    destinationOffset: Int = 0, width: Int
  ) {
    loop = StridedLoop(extents: extents, strides: [source, destination])
    self.sourceOffset = sourceOffset
    self.destinationOffset = destinationOffset
    self.width = width
  }
}

extension Reference {
  public static func copy(
    _ plan: StridedCopy, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    switch plan.width {
    case 1: copy(plan, source, destination, of: UInt8.self)
    case 2: copy(plan, source, destination, of: UInt16.self)
    case 4: copy(plan, source, destination, of: UInt32.self)
    case 8: copy(plan, source, destination, of: UInt64.self)
    default: copy(plan, source, destination, of: SIMD2<UInt64>.self)
    }
  }

  private static func copy<Element: BitwiseCopyable>(
    _ plan: StridedCopy, _ source: UnsafeRawPointer, _ destination: UnsafeMutableRawPointer,
    of _: Element.Type
  ) {
    let from = source.assumingMemoryBound(to: Element.self) + plan.sourceOffset
    let to = destination.assumingMemoryBound(to: Element.self) + plan.destinationOffset
    let (count, step) = (plan.loop.rowCount, plan.loop.rowStrides)
    plan.loop.forEachRow { row in
      let (x, y) = (from + row[0], to + row[1])
      if step[0] == 1 && step[1] == 1 {
        y.update(from: x, count: count)
      } else {
        for i in 0..<count { y[i * step[1]] = x[i * step[0]] }
      }
    }
  }

  /// Copies of whole tensors that change only their shape. Does nothing if they share memory.
  public static func copy(
    from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, bytes: Int
  ) {
    if source != UnsafeRawPointer(destination) && bytes > 0 {
      destination.copyMemory(from: source, byteCount: bytes)
    }
  }

  /// Copies rows between arrays whose rows lie a different distance apart.
  ///
  /// - `rowBytes`: Bytes of a row to copy; the source has its rows without gaps unless
  ///   `sourceRowBytes` says otherwise.
  /// - `table`: What each byte becomes; empty to copy it as it is.
  public static func copyRows(
    from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, rows: Int,
    rowBytes: Int, sourceRowBytes: Int? = nil, targetRowBytes: Int, table: [UInt8] = []
  ) {
    let step = sourceRowBytes ?? rowBytes
    for row in 0..<rows {
      let (from, to) = (source + row * step, destination + row * targetRowBytes)
      if table.isEmpty {
        to.copyMemory(from: from, byteCount: rowBytes)
      } else {
        lookUp(
          table, input: from.assumingMemoryBound(to: UInt8.self),
          output: to.assumingMemoryBound(to: UInt8.self), count: rowBytes)
      }
    }
  }

  /// Repeats the element at `value` `count` times.
  public static func fill(
    _ destination: UnsafeMutableRawPointer, with value: UnsafeRawPointer, width: Int, count: Int
  ) {
    switch width {
    case 1: fill(destination, value, count, of: UInt8.self)
    case 2: fill(destination, value, count, of: UInt16.self)
    case 4: fill(destination, value, count, of: UInt32.self)
    case 8: fill(destination, value, count, of: UInt64.self)
    default: fill(destination, value, count, of: SIMD2<UInt64>.self)
    }
  }

  private static func fill<Element: BitwiseCopyable>(
    _ destination: UnsafeMutableRawPointer, _ value: UnsafeRawPointer, _ count: Int,
    of _: Element.Type
  ) {
    let element = value.loadUnaligned(as: Element.self)
    destination.assumingMemoryBound(to: Element.self).update(repeating: element, count: count)
  }
}

/// A copy whose source index is, along every axis, a function of the destination's alone.
public struct AxisGather: Sendable {
  /// For each axis of the destination, the source offset of each place, in elements.
  let offsets: [[Int]]
  let width: Int

  public init(offsets: [[Int]], width: Int) {
    precondition(offsets.count <= Dimensions.maximumRank)
    self.offsets = offsets
    self.width = width
  }
}

extension Reference {
  /// `destination[i, j, …] = source[offsets[0][i] + offsets[1][j] + …]`.
  public static func gather(
    _ plan: AxisGather, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    let rank = plan.offsets.count
    for axis in 0..<rank where plan.offsets[axis].isEmpty { return }
    var index = Dimensions(repeating: 0, rank: rank)
    var target = destination
    while true {
      var offset = 0
      for axis in 0..<rank { offset += plan.offsets[axis][index[axis]] }
      target.copyMemory(from: source + offset * plan.width, byteCount: plan.width)
      target += plan.width
      var axis = rank - 1
      while axis >= 0 {
        index[axis] += 1
        if index[axis] < plan.offsets[axis].count { break }
        index[axis] = 0
        axis -= 1
      }
      if axis < 0 { return }
    }
  }
}
