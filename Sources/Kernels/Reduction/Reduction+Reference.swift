import FaceKitTensor

/// What a reduction makes of the elements it folds.
public enum ReductionFunction: Sendable, Hashable {
  case sum, mean, product, maximum, minimum, any, all
}

/// A reduction over a set of axes, as two nests of loops: one over the results, and inside it one over
/// the elements that a result folds.
public struct Reduction: Sendable {
  /// Over the results; operand 0 is the input.
  let kept: StridedLoop
  /// Over the elements of one result; operand 0 is the input.
  let folded: StridedLoop
  /// Elements in one result.
  public let foldedCount: Int

  /// - `axes`: For each axis of `extents`, whether it is folded.
  public init(extents: [Int], isFolded axes: [Bool]) {
    precondition(extents.count == axes.count)
    var keptExtents: [Int] = []
    var keptStrides: [Int] = []
    var foldedExtents: [Int] = []
    var foldedStrides: [Int] = []
    var stride = 1
    for axis in extents.indices.reversed() {
      if axes[axis] {
        foldedExtents.insert(extents[axis], at: 0)
        foldedStrides.insert(stride, at: 0)
      } else {
        keptExtents.insert(extents[axis], at: 0)
        keptStrides.insert(stride, at: 0)
      }
      stride *= extents[axis]
    }
    kept = StridedLoop(extents: keptExtents, strides: [keptStrides])
    folded = StridedLoop(extents: foldedExtents, strides: [foldedStrides])
    foldedCount = foldedExtents.reduce(1, *)
  }

  /// Calls `result` with the number of each result, in row-major order, and a function that visits
  /// the indices of the elements it folds.
  @inline(__always)
  func forEachResult(_ result: (_ index: Int, _ base: Int) -> Void) {
    var index = 0
    let (count, step) = (kept.rowCount, kept.rowStrides[0])
    kept.forEachRow { row in
      for i in 0..<count {
        result(index, row[0] &+ i &* step)
        index &+= 1
      }
    }
  }

  @inline(__always)
  func forEachElement(of base: Int, _ body: (_ index: Int) -> Void) {
    let (count, step) = (folded.rowCount, folded.rowStrides[0])
    folded.forEachRow { row in
      for i in 0..<count { body(base &+ row[0] &+ i &* step) }
    }
  }
}

extension Reference {
  /// Folds floats. Sums, means and products are kept in `Double`.
  public static func reduce(
    _ function: ReductionFunction, input: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, reduction: Reduction
  ) {
    reduction.forEachResult { index, base in
      var value: Double =
        switch function {
        case .product: 1
        case .maximum: -.infinity
        case .minimum: .infinity
        default: 0
        }
      reduction.forEachElement(of: base) { element in
        let x = Double(input[element])
        switch function {
        case .product: value *= x
        case .maximum: value = x > value ? x : value
        case .minimum: value = x < value ? x : value
        default: value += x
        }
      }
      if function == .mean { value /= Double(reduction.foldedCount) }
      output[index] = Float(value)
    }
  }

  /// Folds integers; sums and products wrap, a mean is truncated toward zero.
  ///
  /// - Returns: `false` if the type is none of int8, uint8, int16, int32, int64.
  public static func reduce(
    _ function: ReductionFunction, integers type: ElementType, input: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, reduction: Reduction
  ) -> Bool {
    switch type {
    case .int8: reduce(function, input, output, reduction, of: Int8.self)
    case .uint8: reduce(function, input, output, reduction, of: UInt8.self)
    case .int16: reduce(function, input, output, reduction, of: Int16.self)
    case .int32: reduce(function, input, output, reduction, of: Int32.self)
    case .int64: reduce(function, input, output, reduction, of: Int64.self)
    default: return false
    }
    return true
  }

  private static func reduce<Element: FixedWidthInteger>(
    _ function: ReductionFunction, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer,
    _ reduction: Reduction, of _: Element.Type
  ) {
    let input = input.assumingMemoryBound(to: Element.self)
    let output = output.assumingMemoryBound(to: Element.self)
    reduction.forEachResult { index, base in
      var value: Int64 =
        switch function {
        case .product: 1
        case .maximum: Int64(Element.min)
        case .minimum: Int64(Element.max)
        default: 0
        }
      reduction.forEachElement(of: base) { element in
        let x = Int64(truncatingIfNeeded: input[element])
        switch function {
        case .product: value = value &* x
        case .maximum: value = Swift.max(value, x)
        case .minimum: value = Swift.min(value, x)
        default: value = value &+ x
        }
      }
      if function == .mean && reduction.foldedCount > 0 {
        value /= Int64(reduction.foldedCount)
      }
      output[index] = Element(truncatingIfNeeded: value)
    }
  }

  /// REDUCE_ANY and REDUCE_ALL.
  public static func reduce(
    _ function: ReductionFunction, booleans input: UnsafePointer<UInt8>,
    output: UnsafeMutablePointer<UInt8>, reduction: Reduction
  ) {
    reduction.forEachResult { index, base in
      var any = false
      var all = true
      reduction.forEachElement(of: base) { element in
        if input[element] != 0 { any = true } else { all = false }
      }
      output[index] = (function == .any ? any : all) ? 1 : 0
    }
  }
}

extension FixedPointFactor {
  /// The factor over a count, with as many of its bits kept as TensorFlow Lite keeps.
  public func divided(by count: Int) -> FixedPointFactor {
    if count < 1 { return .zero }
    let logarithm = Int.bitWidth - 1 - count.leadingZeroBitCount
    let extra = Swift.max(0, Swift.min(logarithm, 32, 31 + shift))
    return FixedPointFactor(
      multiplier: Int32(truncatingIfNeeded: (Int64(multiplier) << extra) / Int64(count)),
      shift: shift - extra)
  }
}

extension Reference {
  /// SUM and MEAN of quantised values: `clamp(Σ(x − zero) · factor + outputZero)`.
  public static func quantizedSum(
    type: ElementType, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    reduction: Reduction, factor: FixedPointFactor, zeros: (input: Int, output: Int),
    bounds: ClosedRange<Int>
  ) {
    reduction.forEachResult { index, base in
      var sum = 0
      reduction.forEachElement(of: base) { element in
        sum &+= (integer(input, type, element) ?? 0) - zeros.input
      }
      let value = Int(factor.multiply(Int32(truncatingIfNeeded: sum))) + zeros.output
      store(clamp(value, bounds), output, type, index)
    }
  }
}
