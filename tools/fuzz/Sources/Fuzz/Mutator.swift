import Foundation

// libFuzzer's own mutations insert, erase and shuffle bytes, and a FlatBuffer rarely survives that: most
// mutants die in the reader. For the drivers that run models, three of four mutations change numbers
// where they stand instead, so that operators meet odd shapes, options, types and indices.

@_extern(c, "LLVMFuzzerMutate")
func mutateAsUsual(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximum: Int) -> Int

private let changesNumbers = [
  "session", "file", "model",
].contains(ProcessInfo.processInfo.environment["FACEKIT_FUZZ"])

/// Extents, strides, counts and indices that code tends to get wrong: around tiles, and the ends.
private let temptations: [Int32] = [
  0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 1023, 65_536,
  .max, .min, -1, -2, -128,
]

/// libFuzzer's entry point; all randomness is from `seed`.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximum: Int, _ seed: UInt32
) -> Int {
  var state = UInt64(seed)
  func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
  guard changesNumbers, size >= 64, random(4) != 0 else {
    return mutateAsUsual(data, size, maximum)
  }
  let bytes = UnsafeMutableRawBufferPointer(start: data, count: size)
  for _ in 0...random(3) {
    let place = random(size / 4) * 4
    let word = bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)
    func put(_ value: Int32) { bytes.storeBytes(of: value, toByteOffset: place, as: Int32.self) }
    switch random(6) {
    case 0: put(word &+ 1)
    case 1: put(word &- 1)
    case 2: put(bytes.loadUnaligned(fromByteOffset: random(size / 4) * 4, as: Int32.self))
    case 3: bytes[place + random(4)] = UInt8(truncatingIfNeeded: temptations[random(26)])
    default: put(temptations[random(temptations.count)])
    }
  }
  return size
}
