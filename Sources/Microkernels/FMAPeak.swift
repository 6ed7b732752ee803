import MicrokernelInterface

/// `rounds` turns of eight independent multiply–adds in registers: what the core can do at most.
/// - Returns: floating-point operations done, two for each multiply–add and lane.
@inline(never)
public func f32_fma_peak(_ rounds: Int) -> Int {
  var sums = Eight<Vector> { _ in .broadcast(1) }
  // Below 1, so that the sums stay finite for ever; not a constant, or the loop would be folded.
  let factor = Vector.broadcast(rounds > 0 ? 0.999 : 0.5)
  let one = Vector.broadcast(0.001)
  for _ in 0..<rounds {
    sums.update { _, sum in sum = one.adding(product: sum, factor) }
  }
  var total = Vector.zeros
  sums.forEach { _, sum in total = total + sum }
  // The result must depend on the sums, or the loop is not there.
  return firstLane(total) > -1 ? rounds * 8 * Vector.lanes * 2 : 0
}

@inline(__always)
private func firstLane(_ vector: Vector) -> Float {
  var memory = vector
  return withUnsafeBytes(of: &memory) { $0.baseAddress!.load(as: Float.self) }
}
