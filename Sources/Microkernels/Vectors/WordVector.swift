/// A SIMD register of 32-bit words, each also seen as two 16-bit halves.
protocol WordVector {
  static var lanes: Int { get }
  static func load(_ address: UnsafePointer<Int32>) -> Self
  static func broadcast(_ value: Int32) -> Self
  func store(_ address: UnsafeMutablePointer<Int32>)
  /// In each word: `self + a.low · b.low + a.high · b.high` of the signed halves, wrapping. Two products
  /// of magnitudes up to 255 · 255 fit, so nothing saturates, unlike the 8-bit instruction of AVX2.
  func adding(pairs a: Self, _ b: Self) -> Self
}
