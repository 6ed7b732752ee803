import FaceKitTensor

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

  /// TOPK_V2 of rows: the k largest, descending; of equal ones the lower index first.
  ///
  /// A heap of the k best so far, the least of them at the root, lives in `indices`; taking the root to
  /// the end again and again then sorts it. So k = n costs n log n, and no memory.
  ///
  /// - Returns: `false` if the type has no order here.
  public static func topK(
    type: ElementType, input: UnsafeRawPointer, values: UnsafeMutableRawPointer,
    indices: UnsafeMutablePointer<Int32>, rows: Int, count: Int, k: Int
  ) -> Bool {
    guard k > 0 else { return true }
    guard count == 0 || isLess(input, type, 0, 0) != nil else { return false }
    let width = type.byteWidth
    for row in 0..<rows {
      let (base, heap) = (row * count, indices + row * k)
      /// Whether element `a` ranks behind element `b`. NaN equals everything, so it ranks by index.
      func isBehind(_ a: Int32, _ b: Int32) -> Bool {
        let (x, y) = (base + Int(a), base + Int(b))
        if isLess(input, type, x, y) == true { return true }
        return isLess(input, type, y, x) == true ? false : a > b
      }
      /// Restores the heap of `size` elements below `place`.
      func sink(_ place: Int, _ size: Int) {
        var parent = place
        while true {
          var last = parent
          let (left, right) = (2 * parent + 1, 2 * parent + 2)
          if left < size && isBehind(heap[left], heap[last]) { last = left }
          if right < size && isBehind(heap[right], heap[last]) { last = right }
          if last == parent { return }
          (heap[parent], heap[last]) = (heap[last], heap[parent])
          parent = last
        }
      }
      for i in 0..<k { heap[i] = Int32(i) }
      for parent in (0..<k / 2).reversed() { sink(parent, k) }
      for candidate in k..<count where isBehind(heap[0], Int32(candidate)) {
        heap[0] = Int32(candidate)
        sink(0, k)
      }
      for end in (1..<k).reversed() {
        (heap[0], heap[end]) = (heap[end], heap[0])
        sink(0, end)
      }
      for rank in 0..<k {
        (values + (row * k + rank) * width).copyMemory(
          from: input + (base + Int(heap[rank])) * width, byteCount: width)
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
