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
        for i in 0..<count { y[i &* step[1]] = x[i &* step[0]] }
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

/// How a place outside a mirrored tensor finds the element it shows.
public enum Mirror: Sendable, Hashable {
  /// The border is not repeated: … 2 1 | 0 1 2.
  case reflect
  /// The border is repeated: … 1 0 | 0 1 2.
  case symmetric
}

extension Reference {
  /// TILE: `output[i, j, …] = input[i mod extent₀, j mod extent₁, …]`.
  public static func tile(
    _ input: UnsafeRawPointer, extents: Dimensions, strides: Dimensions,
    output: UnsafeMutableRawPointer, outputExtents: Dimensions, width: Int
  ) {
    forEachElement(output, outputExtents, width) { index in
      var offset = 0
      for axis in 0..<extents.rank { offset += index[axis] % extents[axis] * strides[axis] }
      return input + offset * width
    }
  }

  /// MIRROR_PAD: each index is turned back at the borders. No padding is longer than the tensor.
  public static func mirrorPad(
    _ input: UnsafeRawPointer, extents: Dimensions, strides: Dimensions, before: Dimensions,
    mirror: Mirror, output: UnsafeMutableRawPointer, outputExtents: Dimensions, width: Int
  ) {
    let repeated = mirror == .symmetric ? 1 : 0
    forEachElement(output, outputExtents, width) { index in
      var offset = 0
      for axis in 0..<extents.rank {
        var place = index[axis] - before[axis]
        if place < 0 { place = -place - repeated }
        if place >= extents[axis] { place = 2 * extents[axis] - 2 - place + repeated }
        offset += place * strides[axis]
      }
      return input + offset * width
    }
  }

  /// Fills a row-major tensor, each element from where `source` says for its indices.
  @inline(__always)
  private static func forEachElement(
    _ output: UnsafeMutableRawPointer, _ extents: Dimensions, _ width: Int,
    _ source: (Dimensions) -> UnsafeRawPointer
  ) {
    for axis in 0..<extents.rank where extents[axis] == 0 { return }
    var index = Dimensions(repeating: 0, rank: extents.rank)
    var target = output
    while true {
      target.copyMemory(from: source(index), byteCount: width)
      target += width
      var axis = extents.rank - 1
      while axis >= 0 {
        index[axis] += 1
        if index[axis] < extents[axis] { break }
        index[axis] = 0
        axis -= 1
      }
      if axis < 0 { return }
    }
  }
}
