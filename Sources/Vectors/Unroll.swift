/// Calls `body` with 0, 1 … `N` − 1, written out: an index into a register tile must be a constant
/// after inlining, or the tile lands in memory. Keep `body` to a statement or two.
///
/// `N` is at most eight: all cases are written out before the compiler knows `N`, nested uses multiply,
/// and compile time with them.
@inlinable @inline(__always)
public func unroll<let N: Int>(_: InlineArray<N, Int>.Type, _ body: (Int) -> Void) {
  if N > 0 { body(0) }
  if N > 1 { body(1) }
  if N > 2 { body(2) }
  if N > 3 { body(3) }
  if N > 4 { body(4) }
  if N > 5 { body(5) }
  if N > 6 { body(6) }
  if N > 7 { body(7) }
}

/// A register tile: `MR` pixels by `NV` vectors of output channels.
public typealias Tile<let MR: Int, let NV: Int, V> = InlineArray<MR, InlineArray<NV, V>>
