/// A fixed number of values that stay in registers: one row or column of a register tile.
///
/// The element type may be registers again: `Eight<Two<Vector>>` is a tile of eight pixels by two vectors of
/// output channels. Values are reached only by walking all of them, never by an index: an index that is no
/// constant after inlining would put the tile into memory. Each walk is written out for its own number of
/// values, so the compiler sees no more copies of a body than there are values.
///
/// They are here, and not beside the vectors, because generic types want run-time helpers that the linker
/// shares: these are then built for every processor.
///
/// Plain structs rather than `InlineArray`, which Apple's systems have from 26.0 on.
public protocol Registers {
  associatedtype Element
  static var count: Int { get }
  /// Each value made from its index.
  init(_ make: (Int) -> Element)
  func forEach(_ body: (Int, Element) -> Void)
  mutating func update(_ body: (Int, inout Element) -> Void)
  /// Changes each value with its counterpart in `other`.
  mutating func update(with other: Self, _ body: (inout Element, Element) -> Void)
}

@frozen
public struct One<Element>: Registers {
  @usableFromInline var r0: Element

  @inlinable @inline(__always)
  public static var count: Int { 1 }

  @inlinable @inline(__always)
  public init(_ make: (Int) -> Element) {
    r0 = make(0)
  }

  @inlinable @inline(__always)
  public func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
  }

  @inlinable @inline(__always)
  public mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
  }

  @inlinable @inline(__always)
  public mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
  }
}

@frozen
public struct Two<Element>: Registers {
  @usableFromInline var r0, r1: Element

  @inlinable @inline(__always)
  public static var count: Int { 2 }

  @inlinable @inline(__always)
  public init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
  }

  @inlinable @inline(__always)
  public func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
  }

  @inlinable @inline(__always)
  public mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
  }

  @inlinable @inline(__always)
  public mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
  }
}

@frozen
public struct Three<Element>: Registers {
  @usableFromInline var r0, r1, r2: Element

  @inlinable @inline(__always)
  public static var count: Int { 3 }

  @inlinable @inline(__always)
  public init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
    r2 = make(2)
  }

  @inlinable @inline(__always)
  public func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
    body(2, r2)
  }

  @inlinable @inline(__always)
  public mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
    body(2, &r2)
  }

  @inlinable @inline(__always)
  public mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
    body(&r2, other.r2)
  }
}

@frozen
public struct Four<Element>: Registers {
  @usableFromInline var r0, r1, r2, r3: Element

  @inlinable @inline(__always)
  public static var count: Int { 4 }

  @inlinable @inline(__always)
  public init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
    r2 = make(2)
    r3 = make(3)
  }

  @inlinable @inline(__always)
  public func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
    body(2, r2)
    body(3, r3)
  }

  @inlinable @inline(__always)
  public mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
    body(2, &r2)
    body(3, &r3)
  }

  @inlinable @inline(__always)
  public mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
    body(&r2, other.r2)
    body(&r3, other.r3)
  }
}

@frozen
public struct Five<Element>: Registers {
  @usableFromInline var r0, r1, r2, r3, r4: Element

  @inlinable @inline(__always)
  public static var count: Int { 5 }

  @inlinable @inline(__always)
  public init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
    r2 = make(2)
    r3 = make(3)
    r4 = make(4)
  }

  @inlinable @inline(__always)
  public func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
    body(2, r2)
    body(3, r3)
    body(4, r4)
  }

  @inlinable @inline(__always)
  public mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
    body(2, &r2)
    body(3, &r3)
    body(4, &r4)
  }

  @inlinable @inline(__always)
  public mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
    body(&r2, other.r2)
    body(&r3, other.r3)
    body(&r4, other.r4)
  }
}

@frozen
public struct Six<Element>: Registers {
  @usableFromInline var r0, r1, r2, r3, r4, r5: Element

  @inlinable @inline(__always)
  public static var count: Int { 6 }

  @inlinable @inline(__always)
  public init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
    r2 = make(2)
    r3 = make(3)
    r4 = make(4)
    r5 = make(5)
  }

  @inlinable @inline(__always)
  public func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
    body(2, r2)
    body(3, r3)
    body(4, r4)
    body(5, r5)
  }

  @inlinable @inline(__always)
  public mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
    body(2, &r2)
    body(3, &r3)
    body(4, &r4)
    body(5, &r5)
  }

  @inlinable @inline(__always)
  public mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
    body(&r0, other.r0)
    body(&r1, other.r1)
    body(&r2, other.r2)
    body(&r3, other.r3)
    body(&r4, other.r4)
    body(&r5, other.r5)
  }
}

@frozen
public struct Eight<Element>: Registers {
  @usableFromInline var r0, r1, r2, r3, r4, r5, r6, r7: Element

  @inlinable @inline(__always)
  public static var count: Int { 8 }

  @inlinable @inline(__always)
  public init(_ make: (Int) -> Element) {
    r0 = make(0)
    r1 = make(1)
    r2 = make(2)
    r3 = make(3)
    r4 = make(4)
    r5 = make(5)
    r6 = make(6)
    r7 = make(7)
  }

  @inlinable @inline(__always)
  public func forEach(_ body: (Int, Element) -> Void) {
    body(0, r0)
    body(1, r1)
    body(2, r2)
    body(3, r3)
    body(4, r4)
    body(5, r5)
    body(6, r6)
    body(7, r7)
  }

  @inlinable @inline(__always)
  public mutating func update(_ body: (Int, inout Element) -> Void) {
    body(0, &r0)
    body(1, &r1)
    body(2, &r2)
    body(3, &r3)
    body(4, &r4)
    body(5, &r5)
    body(6, &r6)
    body(7, &r7)
  }

  @inlinable @inline(__always)
  public mutating func update(with other: Self, _ body: (inout Element, Element) -> Void) {
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
