import Testing
import TestSupport

@Suite("The goldens' generator")
struct GeneratorTests {
  @Test("gives the published test vector")
  func vector() {
    let states: [UInt64] = [
      0x6c57_6fac_43fd_007c, 0x8268_86b3_864a_1b1b, 0xa5fa_e199_2097_aa0e, 0x6203_55cd_1193_57c5,
    ]
    var generator = LinearCongruentialGenerator(seed: 1)
    #expect((0..<4).map { _ in generator.next() } == states)

    var floats = LinearCongruentialGenerator(seed: 1)
    let bits: [UInt32] = [0xbe1d_4488, 0x3c9a_2180, 0x3e97_eb84, 0xbe6f_e558]
    #expect(floats.floats(4, -1, 1).map(\.bitPattern) == bits)

    var ints = LinearCongruentialGenerator(seed: 1)
    #expect(ints.ints(4, -100, 100) == [-84, -9, -48, 18])

    var bools = LinearCongruentialGenerator(seed: 1)
    #expect((0..<4).map { _ in bools.bool() } == [false, true, true, false])
  }

  @Test("seeds are FNV-1a hashes of names")
  func seeds() {
    #expect(fnv1a64("".utf8) == 0xcbf2_9ce4_8422_2325)
    #expect(fnv1a64("a".utf8) == 0xaf63_dc4c_8601_ec8c)
    #expect(fnv1a64("face_detector/lcg0".utf8).hex16 == "84e7995758a3fb26")
    #expect(UInt64(1).hex16 == "0000000000000001")
  }

  @Test("a seed that is no hexadecimal number is refused")
  func badSeed() {
    #expect(throws: GoldenError.self) { try LinearCongruentialGenerator(hexSeed: "xyz") }
  }
}

@Suite("Departures")
struct DepartureTests {
  @Test("equal values, NaN against NaN and zeros of either sign pass at no tolerance")
  func exact() {
    let values: [Float] = [1, .nan, .infinity, 0]
    #expect(departure(of: values, from: [1, .nan, .infinity, -0.0], within: .exact, "") == nil)
  }

  @Test("the bound is inclusive, and a step beyond it fails")
  func bound() {
    let bound = Tolerance(absolute: 0.5)
    #expect(departure(of: [Float(1.5)], from: [1], within: bound, "") == nil)
    #expect(departure(of: [Float(1.5).nextUp], from: [1], within: bound, "") != nil)
  }

  @Test("a NaN, an infinity or a missing element always departs")
  func always() {
    let wide = Tolerance(absolute: 1e30, ofLargest: 1)
    #expect(departure(of: [Float.nan], from: [0], within: wide, "")?.index == 0)
    #expect(departure(of: [Float(0)], from: [.nan], within: wide, "")?.index == 0)
    #expect(departure(of: [Float(0)], from: [.infinity], within: wide, "")?.index == 0)
    #expect(departure(of: [Float.infinity], from: [0], within: wide, "")?.index == 0)
    #expect(departure(of: [Float](), from: [0], within: wide, "")?.index == -1)
  }

  @Test("the message names case, worst element and bound")
  func message() {
    let found = departure(
      of: [Float(1), 2.25, 4], from: [1, 2, 3], within: .absolute(0.125), "conv, seed 7")
    #expect(
      found?.description == """
        conv, seed 7: 2 of 3 elements depart; the worst, [2], is 4.0 instead of 3.0, off by 1.0 \
        where 0.125 is allowed
        """)
  }

  @Test("integers compare by steps")
  func integers() {
    #expect(departure(of: [Int8(3)], from: [4], within: .absolute(1), "") == nil)
    #expect(departure(of: [Int8(2)], from: [4], within: .absolute(1), "")?.bound == 1)
  }
}
