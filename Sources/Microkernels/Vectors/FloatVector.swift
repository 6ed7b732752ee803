// The few vector operations all microkernels are written in; each instruction set has a file of its own that
// says how it does them. No standard-library generics: see docs/decisions/0002-instruction-sets.md.

/// A SIMD register of floats.
protocol FloatVector {
  static var lanes: Int { get }
  static func load(_ address: UnsafePointer<Float>) -> Self
  static func broadcast(_ value: Float) -> Self
  func store(_ address: UnsafeMutablePointer<Float>)
  /// `self + a · b`, in one rounding where the instruction set has it.
  func adding(product a: Self, _ b: Self) -> Self
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func maximum(_ a: Self, _ b: Self) -> Self
  static func minimum(_ a: Self, _ b: Self) -> Self
  /// `self ≥ 0 ? self : self · alpha`.
  func prelu(_ alpha: Self) -> Self
}

/// A register whose instruction set widens half-precision numbers as it loads them.
protocol HalfLoadingVector: FloatVector {
  /// Half-precision bits at `address`, widened.
  static func load(half address: UnsafePointer<UInt16>) -> Self
}

extension FloatVector {
  @inline(__always)
  static var zeros: Self { broadcast(0) }

  // Rounded as the product is: one of the two terms is always zero.
  @inline(__always)
  func prelu(_ alpha: Self) -> Self {
    Self.maximum(self, .zeros).adding(product: alpha, Self.minimum(self, .zeros))
  }

  @inline(__always)
  func clamped(_ low: Self, _ high: Self) -> Self {
    Self.minimum(Self.maximum(self, low), high)
  }
}
