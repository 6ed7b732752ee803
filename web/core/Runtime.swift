// What Embedded Swift expects of a C library, for a WebAssembly module that has none: memory,
// and the few `mem…` functions the compiler may call. One thread, so no locks.

@_extern(c, "llvm.wasm.memory.size.i32")
private func wasmMemorySize(_ memory: Int32) -> Int32
@_extern(c, "llvm.wasm.memory.grow.i32")
private func wasmMemoryGrow(_ memory: Int32, _ pages: Int32) -> Int32

/// A segregated free-list allocator: blocks of a power of two, each list last in, first out.
///
/// Sessions allocate while they are built and never while they run, so speed hardly matters and
/// rounding up to a power of two costs little; blocks beyond a megabyte round to 64 KiB instead.
private enum Heap {
  // A block starts with its header, 64 bytes before what the caller gets, so that everything is
  // aligned for the widest access the kernels make.
  static let headerBytes = 64
  static let smallestClass = 7  // 128 bytes with the header
  static let largestClass = 20  // 1 MiB
  static let pageBytes = 65536

  /// First free block of each class, as addresses; 0 for none.
  nonisolated(unsafe) static var free = InlineArray<14, UInt>(repeating: 0)
  /// Free blocks larger than any class, a list searched first fit.
  nonisolated(unsafe) static var freeLarge: UInt = 0
  /// Memory that was never handed out.
  nonisolated(unsafe) static var next: UInt = 0
  nonisolated(unsafe) static var end: UInt = 0

  /// Size of a block, header included.
  @inline(__always)
  static func size(_ block: UInt) -> UnsafeMutablePointer<UInt> {
    UnsafeMutablePointer(bitPattern: block)!
  }

  /// The following free block of a list.
  @inline(__always)
  static func link(_ block: UInt) -> UnsafeMutablePointer<UInt> {
    UnsafeMutablePointer(bitPattern: block + 8)!
  }

  /// Address of a fresh block, or 0 when the host refuses memory.
  static func extend(_ bytes: UInt) -> UInt {
    if next == 0 {
      // Everything the linker laid out lies in the pages the module starts with.
      next = UInt(bitPattern: Int(wasmMemorySize(0))) * UInt(pageBytes)
      end = next
    }
    if end - next < bytes {
      let pages = Int((bytes - (end - next) + UInt(pageBytes) - 1) / UInt(pageBytes))
      guard pages < 65536, wasmMemoryGrow(0, Int32(pages)) >= 0 else { return 0 }
      end += UInt(pages * pageBytes)
    }
    defer { next += bytes }
    return next
  }

  static func allocate(_ count: UInt) -> UInt {
    guard count < 1 << 31 else { return 0 }
    let wanted = count + UInt(headerBytes)
    if wanted > 1 << largestClass { return allocateLarge(wanted) }
    let log = UInt.bitWidth - (wanted - 1).leadingZeroBitCount
    let sizeClass = max(log, smallestClass)
    var block = free[sizeClass - smallestClass]
    if block != 0 {
      free[sizeClass - smallestClass] = link(block).pointee
    } else {
      block = extend(1 << UInt(sizeClass))
      guard block != 0 else { return 0 }
      size(block).pointee = 1 << UInt(sizeClass)
    }
    return block + UInt(headerBytes)
  }

  static func allocateLarge(_ wanted: UInt) -> UInt {
    let rounded = (wanted + UInt(pageBytes) - 1) & ~UInt(pageBytes - 1)
    var previous: UInt = 0
    var block = freeLarge
    while block != 0 {
      // Not split; a block far too large stays for a request of its size.
      if size(block).pointee >= rounded && size(block).pointee <= rounded * 2 {
        if previous == 0 {
          freeLarge = link(block).pointee
        } else {
          link(previous).pointee = link(block).pointee
        }
        return block + UInt(headerBytes)
      }
      previous = block
      block = link(block).pointee
    }
    let fresh = extend(rounded)
    guard fresh != 0 else { return 0 }
    size(fresh).pointee = rounded
    return fresh + UInt(headerBytes)
  }

  static func release(_ address: UInt) {
    let block = address - UInt(headerBytes)
    let bytes = size(block).pointee
    if bytes > 1 << largestClass {
      link(block).pointee = freeLarge
      freeLarge = block
      return
    }
    let list = bytes.trailingZeroBitCount - smallestClass
    link(block).pointee = free[list]
    free[list] = block
  }
}

// The linker is told to wrap these two names (`--wrap`), since Swift reserves the plain ones.

@_cdecl("__wrap_free")
func wasmFree(_ pointer: UnsafeMutableRawPointer?) {
  if let pointer { Heap.release(UInt(bitPattern: pointer)) }
}

@_cdecl("__wrap_posix_memalign")
func wasmPosixMemalign(
  _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: UInt, _ count: UInt
) -> Int32 {
  // Every block is aligned to the header's 64 bytes; nothing asks for more.
  guard alignment <= 64 else { return 22 }
  result.pointee = UnsafeMutableRawPointer(bitPattern: Heap.allocate(count))
  return result.pointee == nil ? 12 : 0
}

/// Seeds of hash tables. Fixed: a page that tracks faces has nobody to flood its dictionaries.
@_cdecl("arc4random_buf")
func wasmRandom(_ to: UnsafeMutableRawPointer, _ count: Int) {
  for index in 0..<count {
    to.storeBytes(
      of: UInt8(truncatingIfNeeded: index &* 151 &+ 89), toByteOffset: index, as: UInt8.self)
  }
}

// With the bulk-memory instructions these are one `memory.copy` or `memory.fill` each, not a call
// to themselves.

@_cdecl("memcpy")
func wasmMemcpy(
  _ to: UnsafeMutableRawPointer, _ from: UnsafeRawPointer, _ count: Int
) -> UnsafeMutableRawPointer {
  to.copyMemory(from: from, byteCount: count)
  return to
}

@_cdecl("memmove")
func wasmMemmove(
  _ to: UnsafeMutableRawPointer, _ from: UnsafeRawPointer, _ count: Int
) -> UnsafeMutableRawPointer {
  to.copyMemory(from: from, byteCount: count)
  return to
}

@_extern(c, "llvm.memset.p0.i32")
private func fill(_ to: UnsafeMutableRawPointer, _ value: UInt8, _ count: Int, _ volatile: Bool)

@_cdecl("memset")
func wasmMemset(
  _ to: UnsafeMutableRawPointer, _ value: Int32, _ count: Int
) -> UnsafeMutableRawPointer {
  fill(to, UInt8(truncatingIfNeeded: value), count, false)
  return to
}

@_cdecl("memcmp")
func wasmMemcmp(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Int32 {
  for index in 0..<count {
    let x = a.load(fromByteOffset: index, as: UInt8.self)
    let y = b.load(fromByteOffset: index, as: UInt8.self)
    if x != y { return Int32(x) - Int32(y) }
  }
  return 0
}

/// The product of two 128-bit integers modulo 2¹²⁸, low word first: what the overflow check of a 64-bit
/// multiplication asks of the compiler's run-time library.
@_cdecl("__multi3")
func wasmMultiply128(
  _ product: UnsafeMutablePointer<UInt64>, _ aLow: UInt64, _ aHigh: UInt64, _ bLow: UInt64,
  _ bHigh: UInt64
) {
  // Schoolbook on 32-bit digits. A 64-bit product reported in full width would call this function again.
  let (a0, a1) = (aLow & 0xFFFF_FFFF, aLow >> 32)
  let (b0, b1) = (bLow & 0xFFFF_FFFF, bLow >> 32)
  let low = a0 &* b0
  let middle = a1 &* b0 &+ (low >> 32)
  let cross = a0 &* b1 &+ (middle & 0xFFFF_FFFF)
  product[0] = cross << 32 | (low & 0xFFFF_FFFF)
  product[1] = a1 &* b1 &+ (middle >> 32) &+ (cross >> 32) &+ aLow &* bHigh &+ aHigh &* bLow
}
