/// A fixed number of values that stay in registers: one row or column of a register tile.
///
/// The element type may be registers again: `Eight<Two<Vector>>` is a tile of eight pixels by two vectors of
/// output channels. Values are reached only by walking all of them, never by an index: an index that is no
/// constant after inlining would put the tile into memory. Each walk is written out for its own number of
/// values, so the compiler sees no more copies of a body than there are values.
///
/// Plain structs rather than `InlineArray`, which Apple's systems have from 26.0 on.
protocol Registers {
  associatedtype Element
  static var count: Int { get }
  /// Each value made from its index.
  init(_ make: (Int) -> Element)
  func forEach(_ body: (Int, Element) -> Void)
  mutating func update(_ body: (Int, inout Element) -> Void)
  /// Changes each value with its counterpart in `other`.
  mutating func update(with other: Self, _ body: (inout Element, Element) -> Void)
}

struct One<Element>: Registers {
  var r0: Element

  @inline(__always)
  static var count: Int { 1 }

  @inline(__always)
  init(_ make: (Int) -> Element) {
    r0 = make(0)
  }

  @inline(__always)
  func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
  }

  @inline(__always)
  mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
  }

  @inline(__always)
  mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
  }
}

struct Two<Element>: Registers {
  var r0, r1: Element

  @inline(__always)
  static var count: Int { 2 }

  @inline(__always)
  init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
  }

  @inline(__always)
  func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
  }

  @inline(__always)
  mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
  }

  @inline(__always)
  mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
  }
}

struct Three<Element>: Registers {
  var r0, r1, r2: Element

  @inline(__always)
  static var count: Int { 3 }

  @inline(__always)
  init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
    r2 = make(2)
  }

  @inline(__always)
  func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
    body(2, r2)
  }

  @inline(__always)
  mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
    body(2, &r2)
  }

  @inline(__always)
  mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
    body(&r2, other.r2)
  }
}

struct Four<Element>: Registers {
  var r0, r1, r2, r3: Element

  @inline(__always)
  static var count: Int { 4 }

  @inline(__always)
  init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
    r2 = make(2)
    r3 = make(3)
  }

  @inline(__always)
  func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
    body(2, r2)
    body(3, r3)
  }

  @inline(__always)
  mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
    body(2, &r2)
    body(3, &r3)
  }

  @inline(__always)
  mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
    body(&r2, other.r2)
    body(&r3, other.r3)
  }
}

struct Five<Element>: Registers {
  var r0, r1, r2, r3, r4: Element

  @inline(__always)
  static var count: Int { 5 }

  @inline(__always)
  init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
    r2 = make(2)
    r3 = make(3)
    r4 = make(4)
  }

  @inline(__always)
  func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
    body(2, r2)
    body(3, r3)
    body(4, r4)
  }

  @inline(__always)
  mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
    body(2, &r2)
    body(3, &r3)
    body(4, &r4)
  }

  @inline(__always)
  mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
    body(&r2, other.r2)
    body(&r3, other.r3)
    body(&r4, other.r4)
  }
}

struct Six<Element>: Registers {
  var r0, r1, r2, r3, r4, r5: Element

  @inline(__always)
  static var count: Int { 6 }

  @inline(__always)
  init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
    r2 = make(2)
    r3 = make(3)
    r4 = make(4)
    r5 = make(5)
  }

  @inline(__always)
  func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
    body(2, r2)
    body(3, r3)
    body(4, r4)
    body(5, r5)
  }

  @inline(__always)
  mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
    body(2, &r2)
    body(3, &r3)
    body(4, &r4)
    body(5, &r5)
  }

  @inline(__always)
  mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
    body(&r2, other.r2)
    body(&r3, other.r3)
    body(&r4, other.r4)
    body(&r5, other.r5)
  }
}

struct Eight<Element>: Registers {
  var r0, r1, r2, r3, r4, r5, r6, r7: Element

  @inline(__always)
  static var count: Int { 8 }

  @inline(__always)
  init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
    r2 = make(2)
    r3 = make(3)
    r4 = make(4)
    r5 = make(5)
    r6 = make(6)
    r7 = make(7)
  }

  @inline(__always)
  func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
    body(2, r2)
    body(3, r3)
    body(4, r4)
    body(5, r5)
    body(6, r6)
    body(7, r7)
  }

  @inline(__always)
  mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
    body(2, &r2)
    body(3, &r3)
    body(4, &r4)
    body(5, &r5)
    body(6, &r6)
    body(7, &r7)
  }

  @inline(__always)
  mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
    body(&r2, other.r2)
    body(&r3, other.r3)
    body(&r4, other.r4)
    body(&r5, other.r5)
    body(&r6, other.r6)
    body(&r7, other.r7)
  }
}
