import FaceKitTensor

// Operators whose places or results depend on indices that are data.

extension Reference {
  /// Element `i` of an index tensor, int32 or int64.
  @inline(__always)
  static func index(_ base: UnsafeRawPointer, _ type: ElementType, _ i: Int) -> Int {
    type == .int64
      ? Int(truncatingIfNeeded: base.load(fromByteOffset: i * 8, as: Int64.self))
      : Int(base.load(fromByteOffset: i * 4, as: Int32.self))
  }

  /// The offset of a box whose start is data, held within `room` elements of the origin on each axis.
  public static func clampedOffset(
    _ start: UnsafeRawPointer, type: ElementType, room: Dimensions, strides: Dimensions
  ) -> Int {
    var offset = 0
    for axis in 0..<room.rank {
      offset += clamp(index(start, type, axis), 0...room[axis]) * strides[axis]
    }
    return offset
  }

  /// GATHER: for every outer element and every index, the block of `blockBytes` that it names.
  ///
  /// - Returns: `false` if an index is outside `0 ..< extent`; the output is then incomplete.
  public static func gather(
    _ shape: GatherShape, input: UnsafeRawPointer, indices: UnsafeRawPointer,
    type indexType: ElementType, output: UnsafeMutableRawPointer
  ) -> Bool {
    var target = output
    for batch in 0..<shape.batch {
      for outer in 0..<shape.outer {
        let source =
          input + (batch * shape.outer + outer) * shape.extent * shape.blockBytes
        for i in 0..<shape.indices {
          let place = index(indices, indexType, batch * shape.indices + i)
          if place < 0 || place >= shape.extent { return false }
          target.copyMemory(
            from: source + place * shape.blockBytes, byteCount: shape.blockBytes)
          target += shape.blockBytes
        }
      }
    }
    return true
  }

  /// GATHER_ND: each index tuple names a block.
  ///
  /// - `extents`: The axes a tuple addresses; `strides` their distances in blocks.
  /// - Returns: `false` if an index is out of range.
  public static func gatherND(
    input: UnsafeRawPointer, indices: UnsafeRawPointer, type indexType: ElementType,
    output: UnsafeMutableRawPointer, tuples: Int, extents: Dimensions, strides: Dimensions,
    blockBytes: Int
  ) -> Bool {
    for tuple in 0..<tuples {
      guard let block = place(tuple, indices, indexType, extents, strides) else { return false }
      (output + tuple * blockBytes).copyMemory(
        from: input + block * blockBytes, byteCount: blockBytes)
    }
    return true
  }

  /// The block that an index tuple names, or `nil` if out of range.
  private static func place(
    _ tuple: Int, _ indices: UnsafeRawPointer, _ type: ElementType, _ extents: Dimensions,
    _ strides: Dimensions
  ) -> Int? {
    var block = 0
    for axis in 0..<extents.rank {
      let i = index(indices, type, tuple * extents.rank + axis)
      if i < 0 || i >= extents[axis] { return nil }
      block += i * strides[axis]
    }
    return block
  }

  /// SCATTER_ND: adds each update's block of elements at the place its index tuple names, in an
  /// output of zeros.
  ///
  /// - Returns: `false` if an index is out of range, or the type cannot be added.
  public static func scatterND(
    indices: UnsafeRawPointer, type indexType: ElementType, updates: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, type: ElementType, outputCount: Int, tuples: Int,
    extents: Dimensions, strides: Dimensions, block: Int
  ) -> Bool {
    output.initializeMemory(as: UInt8.self, repeating: 0, count: outputCount * type.byteWidth)
    for tuple in 0..<tuples {
      guard let place = place(tuple, indices, indexType, extents, strides) else { return false }
      for i in 0..<block {
        let (from, to) = (tuple * block + i, place * block + i)
        switch type {
        case .float32:
          let sum =
            output.load(fromByteOffset: to * 4, as: Float.self)
            + updates.load(fromByteOffset: from * 4, as: Float.self)
          output.storeBytes(of: sum, toByteOffset: to * 4, as: Float.self)
        case .int32: add(updates, from, output, to, Int32.self)
        case .int64: add(updates, from, output, to, Int64.self)
        case .int8: add(updates, from, output, to, Int8.self)
        case .uint8: add(updates, from, output, to, UInt8.self)
        default: return false
        }
      }
    }
    return true
  }

  private static func add<Element: FixedWidthInteger & BitwiseCopyable>(
    _ source: UnsafeRawPointer, _ from: Int, _ target: UnsafeMutableRawPointer, _ to: Int,
    _: Element.Type
  ) {
    let elements = target.assumingMemoryBound(to: Element.self)
    elements[to] = elements[to] &+ source.assumingMemoryBound(to: Element.self)[from]
  }

  /// SELECT_V2: `condition ? a : b`, all three broadcast. Loop operands: condition, a, b, output.
  public static func select(
    _ condition: UnsafePointer<UInt8>, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, width: Int, loop: StridedLoop
  ) {
    let (count, step) = (loop.rowCount, loop.rowStrides)
    loop.forEachRow { row in
      for i in 0..<count {
        let place = row &+ step &* i
        let source = condition[place[0]] != 0 ? a + place[1] * width : b + place[2] * width
        (output + place[3] * width).copyMemory(from: source, byteCount: width)
      }
    }
  }

  /// WHERE: the coordinates of the true elements, in row-major order.
  public static func coordinates(
    of condition: UnsafeRawPointer, width: Int, extents: Dimensions, count: Int,
    output: UnsafeMutablePointer<Int64>
  ) {
    var target = output
    for i in 0..<count where isTrue(condition + i * width, width) {
      var rest = i
      for axis in (0..<extents.rank).reversed() {
        target[axis] = Int64(rest % extents[axis])
        rest /= extents[axis]
      }
      target += extents.rank
    }
  }

  /// The number of elements that are not zero.
  public static func countTrue(_ elements: UnsafeRawPointer, width: Int, count: Int) -> Int {
    var sum = 0
    for i in 0..<count where isTrue(elements + i * width, width) { sum += 1 }
    return sum
  }

  private static func isTrue(_ element: UnsafeRawPointer, _ width: Int) -> Bool {
    for byte in 0..<width where element.load(fromByteOffset: byte, as: UInt8.self) != 0 {
      return true
    }
    return false
  }

  /// ONE_HOT: `on` where the depth coordinate is the index, `off` elsewhere; an index outside the
  /// depth has no `on`. Output `[outer, depth, inner]` of indices `[outer, inner]`.
  public static func oneHot(
    indices: UnsafeRawPointer, type indexType: ElementType, on: UnsafeRawPointer,
    off: UnsafeRawPointer, output: UnsafeMutableRawPointer, width: Int, outer: Int, depth: Int,
    inner: Int
  ) {
    for o in 0..<outer {
      for d in 0..<depth {
        for i in 0..<inner {
          let isHot = index(indices, indexType, o * inner + i) == d
          (output + ((o * depth + d) * inner + i) * width).copyMemory(
            from: isHot ? on : off, byteCount: width)
        }
      }
    }
  }
}

/// The extents of a GATHER: indices name blocks along one axis.
public struct GatherShape: Sendable, Hashable {
  /// Batches that input and indices share, and the input's elements between them and the axis.
  public var batch, outer: Int
  /// The axis gathered from, and the bytes of what lies inside it.
  public var extent, blockBytes: Int
  /// Indices of one batch.
  public var indices: Int

  public init(batch: Int, outer: Int, extent: Int, indices: Int, blockBytes: Int) {
    self.batch = batch
    self.outer = outer
    self.extent = extent
    self.indices = indices
    self.blockBytes = blockBytes
  }
}
