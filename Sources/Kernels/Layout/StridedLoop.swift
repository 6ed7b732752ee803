/// Up to eight extents, strides or indices in a fixed-size value, so that loops over any rank need no
/// heap memory.
public struct Dimensions: Sendable, Hashable {
  /// The largest rank kernels take.
  public static let maximumRank = 8

  public private(set) var rank: Int
  private var values: SIMD8<Int>

  /// - Precondition: At most ``maximumRank`` values.
  public init(_ values: [Int]) {
    precondition(values.count <= Dimensions.maximumRank, "rank \(values.count)")
    rank = values.count
    self.values = .zero
    for i in 0..<values.count { self.values[i] = values[i] }
  }

  public init(repeating value: Int, rank: Int) {
    precondition(rank <= Dimensions.maximumRank, "rank \(rank)")
    self.rank = rank
    values = .init(repeating: value)
  }

  @inline(__always)
  public subscript(axis: Int) -> Int {
    get { values[axis] }
    set { values[axis] = newValue }
  }
}

/// A nest of loops that walks up to four operands in step, each with its own strides.
///
/// Extents of 1 are dropped and neighbouring axes merged where all operands allow it, so that the
/// innermost loop — the row — is as long as it can be.
public struct StridedLoop: Sendable {
  /// Elements of a row, and the distance between them in each operand.
  public let rowCount: Int
  public let rowStrides: SIMD4<Int>
  /// The axes around the row, outermost first.
  let extents: Dimensions
  let strides: (Dimensions, Dimensions, Dimensions, Dimensions)

  /// - `extents`: Iterations of each axis, outermost first; any number of axes that merges to eight.
  /// - `strides`: For each operand (at most four) as many strides as axes, in elements.
  public init(extents: [Int], strides: [[Int]]) {
    precondition(strides.count <= 4 && strides.allSatisfy { $0.count == extents.count })
    var merged: [(extent: Int, strides: SIMD4<Int>)] = []
    for axis in extents.indices where extents[axis] != 1 {
      var step = SIMD4<Int>.zero
      for operand in strides.indices { step[operand] = strides[operand][axis] }
      if let last = merged.last, last.strides == step &* extents[axis] {
        merged[merged.count - 1] = (last.extent * extents[axis], step)
      } else {
        merged.append((extents[axis], step))
      }
    }
    let row = merged.popLast() ?? (1, .zero)
    rowCount = row.extent
    rowStrides = row.strides
    self.extents = Dimensions(merged.map { $0.extent })
    self.strides = (
      Dimensions(merged.map { $0.strides[0] }), Dimensions(merged.map { $0.strides[1] }),
      Dimensions(merged.map { $0.strides[2] }), Dimensions(merged.map { $0.strides[3] })
    )
  }

  /// Calls `body` with the offset of each row in each operand.
  @inline(__always)
  func forEachRow(_ body: (SIMD4<Int>) -> Void) {
    if rowCount == 0 { return }
    for axis in 0..<extents.rank where extents[axis] == 0 { return }
    var index = Dimensions(repeating: 0, rank: extents.rank)
    var offsets = SIMD4<Int>.zero
    while true {
      body(offsets)
      var axis = extents.rank - 1
      while axis >= 0 {
        let step = SIMD4(
          strides.0[axis], strides.1[axis], strides.2[axis], strides.3[axis])
        index[axis] &+= 1
        offsets &+= step
        if index[axis] < extents[axis] { break }
        // Carry into the next axis, as an odometer does.
        offsets &-= step &* extents[axis]
        index[axis] = 0
        axis &-= 1
      }
      if axis < 0 { return }
    }
  }
}
