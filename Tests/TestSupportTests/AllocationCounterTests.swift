#if os(Linux) && _pointerBitWidth(_64)
  import TestSupport
  import Testing

  @Suite("The allocation counter", .serialized)
  struct AllocationCounterTests {
    @Test("sees arrays, objects, aligned and growing memory")
    func sees() {
      final class Object {}
      var kept: [AnyObject] = []
      kept.reserveCapacity(4)
      #expect(countAllocations { kept.append(Object()) } >= 1)
      #expect(
        countAllocations {
          _ = [Int](repeating: kept.count, count: 100).withUnsafeBytes { $0.count }
        } >= 1)
      #expect(
        countAllocations {
          UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 64).deallocate()
        } == 1)
    }

    @Test("sees nothing where nothing is allocated, and nothing of other threads")
    func quiet() async {
      let busy = Task.detached {
        var total = 0
        for index in 0..<20_000 { total += [Int](repeating: index, count: 10 + index % 7).count }
        return total
      }
      let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      defer { memory.deallocate() }
      memory.pointee = 0
      let count = countAllocations {
        // Unoptimised code may box the variables of a fancier loop.
        while memory.pointee < 100_000 { memory.pointee += 1 }
      }
      #expect(count == 0)
      #expect(await busy.value > 0)
    }
  }
#endif
