/// The fuzzer's bytes as a list of choices; after the last byte every choice is the first.
struct Recipe {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isFinished: Bool { position >= bytes.count }

  /// One of `bound` choices.
  mutating func choose(_ bound: Int) -> Int {
    guard !isFinished else { return 0 }
    defer { position += 1 }
    return Int(bytes[position]) % bound
  }

  mutating func choose(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + choose(range.count)
  }

  mutating func pick<T>(_ choices: [T]) -> T { choices[choose(choices.count)] }
}
