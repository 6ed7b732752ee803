import Tensor

// Operators that compare or accumulate along one axis of `[outer, count, inner]`.

extension Reference {
  /// ARG_MAX and ARG_MIN: the first index of the largest (smallest) element along the axis.
  ///
  /// - Returns: `false` if the type has no order here.
  public static func argument(
    isMaximum: Bool, type: ElementType, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    outputType: ElementType, outer: Int, count: Int, inner: Int
  ) -> Bool {
    for o in 0..<outer {
      for i in 0..<inner {
        var best = 0
        for k in 1..<Swift.max(count, 1) {
          let candidate = (o * count + k) * inner + i
          let champion = (o * count + best) * inner + i
          let (a, b) = isMaximum ? (champion, candidate) : (candidate, champion)
          guard let isBetter = isLess(input, type, a, b) else { return false }
          if isBetter { best = k }
        }
        let place = o * inner + i
        if outputType == .int64 {
          output.storeBytes(of: Int64(best), toByteOffset: place * 8, as: Int64.self)
        } else {
          output.storeBytes(of: Int32(best), toByteOffset: place * 4, as: Int32.self)
        }
      }
    }
    return true
  }

  /// Whether element `a` is below element `b`; `nil` for types without an order.
  @inline(__always)
  private static func isLess(
    _ base: UnsafeRawPointer, _ type: ElementType, _ a: Int, _ b: Int
  ) -> Bool? {
    switch type {
    case .float32:
      base.assumingMemoryBound(to: Float.self)[a] < base.assumingMemoryBound(to: Float.self)[b]
    case .int8:
      base.assumingMemoryBound(to: Int8.self)[a] < base.assumingMemoryBound(to: Int8.self)[b]
    case .uint8, .bool:
      base.assumingMemoryBound(to: UInt8.self)[a] < base.assumingMemoryBound(to: UInt8.self)[b]
    case .int16:
      base.assumingMemoryBound(to: Int16.self)[a] < base.assumingMemoryBound(to: Int16.self)[b]
    case .int32:
      base.assumingMemoryBound(to: Int32.self)[a] < base.assumingMemoryBound(to: Int32.self)[b]
    case .int64:
      base.assumingMemoryBound(to: Int64.self)[a] < base.assumingMemoryBound(to: Int64.self)[b]
    default: nil
    }
  }

  /// TOPK_V2 of rows: the k largest, descending; of equal ones the lower index first. Each is found by
  /// a search for the largest that comes after the one before it, which needs no memory.
  ///
  /// - Returns: `false` if the type has no order here.
  public static func topK(
    type: ElementType, input: UnsafeRawPointer, values: UnsafeMutableRawPointer,
    indices: UnsafeMutablePointer<Int32>, rows: Int, count: Int, k: Int
  ) -> Bool {
    let width = type.byteWidth
    for row in 0..<rows {
      let first = row * count
      var last = -1
      for rank in 0..<k {
        var best = -1
        for candidate in 0..<count {
          if last >= 0 {
            // Only what follows the last one: smaller, or equal and further back.
            guard let isSmaller = isLess(input, type, first + candidate, first + last),
              let isLarger = isLess(input, type, first + last, first + candidate)
            else { return false }
            if isLarger || (!isSmaller && candidate <= last) { continue }
          }
          guard best >= 0 else {
            best = candidate
            continue
          }
          guard let isLarger = isLess(input, type, first + best, first + candidate)
          else { return false }
          if isLarger { best = candidate }
        }
        // NaN has no order; whatever index it leads to must exist.
        last = best < 0 ? Swift.min(rank, count - 1) : best
        (values + (row * k + rank) * width).copyMemory(
          from: input + (first + last) * width, byteCount: width)
        indices[row * k + rank] = Int32(last)
      }
    }
    return true
  }

  /// CUMSUM along the axis. `isExclusive` leaves each element out of its own sum; `isReversed` sums
  /// from the end.
  ///
  /// - Returns: `false` if the type is none of float32, int32, int64.
  public static func cumulativeSum(
    type: ElementType, input: UnsafeRawPointer, output: UnsafeMutableRawPointer, outer: Int,
    count: Int, inner: Int, isExclusive: Bool, isReversed: Bool
  ) -> Bool {
    for o in 0..<outer {
      for i in 0..<inner {
        var real: Float = 0
        var whole: Int64 = 0
        for step in 0..<count {
          let k = isReversed ? count - 1 - step : step
          let place = (o * count + k) * inner + i
          switch type {
          case .float32:
            let x = input.assumingMemoryBound(to: Float.self)[place]
            output.assumingMemoryBound(to: Float.self)[place] = isExclusive ? real : real + x
            real += x
          case .int32:
            let x = Int64(input.assumingMemoryBound(to: Int32.self)[place])
            output.assumingMemoryBound(to: Int32.self)[place] = Int32(
              truncatingIfNeeded: isExclusive ? whole : whole &+ x)
            whole = whole &+ x
          case .int64:
            let x = input.assumingMemoryBound(to: Int64.self)[place]
            output.assumingMemoryBound(to: Int64.self)[place] = isExclusive ? whole : whole &+ x
            whole = whole &+ x
          default: return false
          }
        }
      }
    }
    return true
  }

  /// RANGE: `start + i · delta`.
  public static func range(
    type: ElementType, start: UnsafeRawPointer, delta: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, count: Int
  ) {
    for i in 0..<count {
      switch type {
      case .float32:
        let value = start.load(as: Float.self) + Float(i) * delta.load(as: Float.self)
        output.storeBytes(of: value, toByteOffset: i * 4, as: Float.self)
      case .int64:
        let value = start.load(as: Int64.self) &+ Int64(i) &* delta.load(as: Int64.self)
        output.storeBytes(of: value, toByteOffset: i * 8, as: Int64.self)
      default:
        let value =
          start.load(as: Int32.self) &+ Int32(truncatingIfNeeded: i) &* delta.load(as: Int32.self)
        output.storeBytes(of: value, toByteOffset: i * 4, as: Int32.self)
      }
    }
  }
}
