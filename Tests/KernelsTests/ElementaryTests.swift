import Foundation
import FaceKitKernels
import Testing

/// Every elementary function against the C library's, on a grid, at random bit patterns and at the
/// special values. The bounds are those the functions document, plus the C library's own ULP.
@Suite("Elementary functions")
struct ElementaryTests {
  struct Function: Sendable, CustomTestStringConvertible {
    let name: String
    let bound: Double
    let range: ClosedRange<Double>
    let ours: @Sendable (Double) -> Double
    let theirs: @Sendable (Double) -> Double
    let oursSingle: @Sendable (Float) -> Float
    var testDescription: String { name }
  }

  static let functions: [Function] = [
    Function(
      name: "exp", bound: 2, range: -745...709.7, ours: Elementary.exp, theirs: Foundation.exp,
      oursSingle: Elementary.exp),
    Function(
      name: "expm1", bound: 3, range: -40...700, ours: Elementary.expm1, theirs: Foundation.expm1,
      oursSingle: Elementary.expm1),
    Function(
      name: "expm1 near 0", bound: 3, range: -0.6...0.6, ours: Elementary.expm1,
      theirs: Foundation.expm1, oursSingle: Elementary.expm1),
    Function(
      name: "tanh", bound: 4, range: -23...23, ours: Elementary.tanh, theirs: Foundation.tanh,
      oursSingle: Elementary.tanh),
    Function(
      name: "log", bound: 2, range: 1e-300...1e300, ours: Elementary.log, theirs: Foundation.log,
      oursSingle: Elementary.log),
    Function(
      name: "log near 1", bound: 2, range: 0.5...2, ours: Elementary.log, theirs: Foundation.log,
      oursSingle: Elementary.log),
    Function(
      name: "log1p", bound: 3, range: -0.999...3, ours: Elementary.log1p,
      theirs: Foundation.log1p, oursSingle: Elementary.log1p),
    Function(
      name: "sin", bound: 2.5, range: -50...50, ours: Elementary.sin, theirs: Foundation.sin,
      oursSingle: Elementary.sin),
    Function(
      name: "cos", bound: 2.5, range: -50...50, ours: Elementary.cos, theirs: Foundation.cos,
      oursSingle: Elementary.cos),
    Function(
      name: "sin of huge angles", bound: 3, range: -1e300...1e300, ours: Elementary.sin,
      theirs: Foundation.sin, oursSingle: Elementary.sin),
    Function(
      name: "cos of large angles", bound: 3, range: -1e9...1e9, ours: Elementary.cos,
      theirs: Foundation.cos, oursSingle: Elementary.cos),
    Function(
      name: "tan", bound: 5, range: -20...20, ours: Elementary.tan, theirs: Foundation.tan,
      oursSingle: Elementary.tan),
    Function(
      name: "atan", bound: 3, range: -8...8, ours: Elementary.atan, theirs: Foundation.atan,
      oursSingle: Elementary.atan),
    Function(
      name: "erf", bound: 6, range: -6...6, ours: Elementary.erf, theirs: Foundation.erf,
      oursSingle: Elementary.erf),
    Function(
      name: "erfc", bound: 17, range: -6...26, ours: Elementary.erfc, theirs: Foundation.erfc,
      oursSingle: Elementary.erfc),
  ]

  /// Distance in units of the last place of the expected value.
  static func ulps(_ x: Double, _ expected: Double) -> Double {
    if x == expected || (x.isNaN && expected.isNaN) { return 0 }
    if !x.isFinite || !expected.isFinite { return .infinity }
    return abs(x - expected) / expected.ulp
  }

  @Test("agree with the C library in Double", arguments: functions)
  func doublePrecision(function: Function) {
    var state: UInt64 = 1
    var worst = (error: 0.0, at: 0.0)
    func check(_ x: Double) {
      let error = Self.ulps(function.ours(x), function.theirs(x))
      if error > worst.error { worst = (error, x) }
    }
    let (low, high) = (function.range.lowerBound, function.range.upperBound)
    for i in 0...20_000 {
      check(low + (high - low) * (Double(i) / 20_000))
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      check(low + (high - low) * (Double(state >> 11) * 0x1p-53))
      // Random exponents reach the small arguments that a uniform draw never sees.
      let x = Double(bitPattern: state)
      if function.range.contains(x) { check(x) }
    }
    #expect(
      worst.error <= function.bound, "\(function.name) is \(worst.error) ULP off at \(worst.at)")
  }

  @Test("are correctly rounded in Float, but for near-ties", arguments: functions)
  func singlePrecision(function: Function) {
    var state: UInt64 = 7
    for _ in 0..<5_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let x = Float(bitPattern: UInt32(truncatingIfNeeded: state >> 32))
      if !function.range.contains(Double(x)) { continue }
      let exact = function.theirs(Double(x))
      let y = function.oursSingle(x)
      if y == Float(exact) { continue }
      #expect(
        abs(Double(y) - exact) <= 0.50001 * Double(Float(exact).ulp), "\(function.name)(\(x))")
    }
  }

  @Test("special values are those of IEEE 754")
  func specialValues() {
    let (inf, nan) = (Double.infinity, Double.nan)
    #expect(Elementary.exp(inf) == inf && Elementary.exp(-inf) == 0 && Elementary.exp(0.0) == 1)
    #expect(Elementary.exp(1e308) == inf && Elementary.exp(-1e308) == 0)
    #expect(Elementary.exp(nan).isNaN && Elementary.log(nan).isNaN && Elementary.tanh(nan).isNaN)
    #expect(Elementary.log(0.0) == -inf && Elementary.log(-1.0).isNaN && Elementary.log(inf) == inf)
    let tiny = Double.leastNonzeroMagnitude
    #expect(Elementary.log(tiny) == Foundation.log(tiny))
    #expect(Elementary.log1p(-1.0) == -inf && Elementary.log1p(-2.0).isNaN)
    #expect(Elementary.tanh(inf) == 1 && Elementary.tanh(-inf) == -1)
    #expect(Elementary.sigmoid(inf) == 1 && Elementary.sigmoid(-inf) == 0)
    #expect(Elementary.sin(inf).isNaN && Elementary.cos(-inf).isNaN)
    #expect(Elementary.atan(inf) == .pi / 2 && Elementary.atan(-inf) == -.pi / 2)
    #expect(Elementary.erf(inf) == 1 && Elementary.erfc(inf) == 0 && Elementary.erfc(-inf) == 2)
    let odd: [@Sendable (Double) -> Double] = [
      Elementary.sin, Elementary.tan, Elementary.tanh, Elementary.atan, Elementary.erf,
      Elementary.expm1, Elementary.log1p,
    ]
    for function in odd {
      #expect(function(-0.0) == 0 && function(-0.0).sign == .minus)
    }
  }

  @Test("atan2 keeps quadrants, signed zeros and infinities")
  func atan2() {
    let values: [Double] = [
      0, -0.0, 1, -1, 0.3, -2.5, Double.leastNormalMagnitude, 1e300, -1e300,
      20 * .leastNonzeroMagnitude, .infinity, -.infinity, 7,
    ]
    for y in values {
      for x in values {
        let (ours, theirs) = (Elementary.atan2(y, x), Foundation.atan2(y, x))
        #expect(Self.ulps(ours, theirs) <= 4, "atan2(\(y), \(x)) = \(ours), not \(theirs)")
        #expect(ours.sign == theirs.sign, "atan2(\(y), \(x))")
      }
    }
  }

  @Test("pow within its bound, with all special cases")
  func power() {
    let bases: [Double] = [
      0, -0.0, 1, -1, 2, -2, 0.5, 1.7, 10, 1e-5, -3, .infinity, -.infinity, .nan, 1e200,
    ]
    let exponents: [Double] = [
      0, -0.0, 1, -1, 2, 3, -3, 0.5, -0.5, 2.4, 1 / 2.4, 17, 300, -300, 1e18, .infinity, -.infinity,
      .nan,
    ]
    for x in bases {
      for y in exponents {
        let (ours, theirs) = (Elementary.pow(x, y), Foundation.pow(x, y))
        if theirs.isNaN {
          #expect(ours.isNaN, "pow(\(x), \(y))")
        } else if !theirs.isFinite || theirs == 0 {
          #expect(ours == theirs && ours.sign == theirs.sign, "pow(\(x), \(y))")
        } else {
          let bound = (3 + (theirs == 1 ? 0 : abs(y * Foundation.log(abs(x))))) * 0x1p-52
          #expect(abs(ours - theirs) <= bound * abs(theirs), "pow(\(x), \(y)) = \(ours)")
        }
      }
    }
  }

  @Test("sigmoid is symmetric and stays in 0...1")
  func sigmoid() {
    for i in -400...400 {
      let x = Double(i) / 5
      let y = Elementary.sigmoid(x)
      #expect(y >= 0 && y <= 1)
      #expect(abs(y + Elementary.sigmoid(-x) - 1) <= 0x1p-52)
      let exact = 1 / (1 + Foundation.exp(-x))
      #expect(abs(y - exact) <= 4 * exact.ulp + 0x1p-53 * exact)
    }
  }
}
