import FaceKitTensor
import Testing

@Suite("Shapes")
struct ShapeTests {
  @Test("a scalar has no extents and one element")
  func scalar() {
    #expect(Shape.scalar.rank == 0)
    #expect(Shape.scalar.count == 1)
    #expect(Shape.scalar.checkedCount == 1)
    #expect(Shape.scalar.last == 1)
    #expect(Shape.scalar.strides == [])
    #expect("\(Shape.scalar)" == "scalar")
  }

  @Test("strides are row-major")
  func strides() {
    let shape: Shape = [2, 3, 4]
    #expect(shape.strides == [12, 4, 1])
    #expect(shape.count == 24)
    #expect("\(shape)" == "2×3×4")
  }

  @Test("an empty extent empties the shape")
  func empty() {
    #expect(Shape([3, 0, 5]).checkedCount == 0)
  }

  @Test(
    "counts that cannot be are nil",
    arguments: [[-1], [2, -3], [Int.max, 2], [1 << 40, 1 << 40], [Int.max, Int.max, 0]])
  func impossible(extents: [Int]) {
    #expect(Shape(extents).checkedCount == nil)
  }
}

@Suite("Element types")
struct ElementTypeTests {
  @Test("packed elements round up to whole bytes")
  func packed() {
    #expect(ElementType.int4.bytes(for: 0) == 0)
    #expect(ElementType.int4.bytes(for: 1) == 1)
    #expect(ElementType.int4.bytes(for: 2) == 1)
    #expect(ElementType.int4.bytes(for: 3) == 2)
    #expect(ElementType.int2.bytes(for: 5) == 2)
    #expect(ElementType.float32.bytes(for: 3) == 12)
    #expect(ElementType.complex128.bytes(for: 2) == 32)
  }

  @Test("a byte count that overflows is nil")
  func overflow() {
    #expect(ElementType.float32.bytes(for: Int.max) == nil)
    #expect(ElementType.float32.bytes(for: Int.max / 32) != nil)
    #expect(ElementType.int8.bytes(for: Int.max / 8 + 1) == nil)
  }

  @Test("names are the field's and all different")
  func names() {
    let names = ElementType.allCases.map(\.name)
    #expect(Set(names).count == ElementType.allCases.count)
    #expect(ElementType.float32.name == "float32")
    #expect(ElementType.allCases.filter(\.isInteger).count == 11)
  }
}

@Suite("Half precision")
struct HalfTests {
  @Test(
    "known values widen exactly",
    arguments: [
      (0x0000, 0), (0x3C00, 1), (0xC000, -2), (0x7BFF, 65504), (0x0400, 0x1p-14),
      (0x0001, 0x1p-24), (0x03FF, 0x3FFp-24), (0x3555, 0.333251953125), (0x7C00, Float.infinity),
      (0xFC00, -Float.infinity),
    ] as [(UInt16, Float)])
  func widen(bits: UInt16, value: Float) {
    #expect(Half.widen(bits) == value)
  }

  @Test("zero keeps its sign, and NaN stays NaN")
  func specials() {
    #expect(Half.widen(0x8000).sign == .minus && Half.widen(0x8000) == 0)
    #expect(Half.widen(0x7E00).isNaN && Half.widen(0xFC01).isNaN)
    #expect(Half.widen(Half.narrow(.nan)).isNaN)
    #expect(Half.narrow(-0.0) == 0x8000)
  }

  @Test("every half survives widening and narrowing")
  func roundTrip() {
    for bits in UInt16.min...UInt16.max where !Half.widen(bits).isNaN {
      if Half.narrow(Half.widen(bits)) != bits {
        Issue.record("\(String(bits, radix: 16)) came back as \(Half.narrow(Half.widen(bits)))")
        return
      }
    }
  }

  @Test("between two halves the nearer wins, and the even one at the middle")
  func rounding() {
    for bits in stride(from: UInt16(0), to: 0x7BFF, by: 7) {
      let (low, high) = (Half.widen(bits), Half.widen(bits + 1))
      // Exact: neighbouring halves have 11 significant bits, their middle 12.
      let middle = (low + high) / 2
      let even = bits & 1 == 0 ? bits : bits + 1
      let results = [
        Half.narrow(middle.nextDown), Half.narrow(middle), Half.narrow(middle.nextUp),
      ]
      if results != [bits, even, bits + 1] {
        Issue.record("around \(middle): \(results)")
        return
      }
    }
  }

  @Test("what is too large becomes infinite, from the middle to the next step on")
  func overflow() {
    #expect(Half.narrow(Float(65520).nextDown) == 0x7BFF)
    #expect(Half.narrow(65520) == 0x7C00)
    #expect(Half.narrow(-.greatestFiniteMagnitude) == 0xFC00)
    #expect(Half.narrow(.infinity) == 0x7C00)
  }

  @Test("what is too small becomes zero, the smallest step's middle included")
  func underflow() {
    #expect(Half.narrow(0x1p-25) == 0)
    #expect(Half.narrow(Float(0x1p-25).nextUp) == 1)
    #expect(Half.narrow(.leastNonzeroMagnitude) == 0)
  }
}
