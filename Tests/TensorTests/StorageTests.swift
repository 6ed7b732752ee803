import Synchronization
import FaceKitTensor
import Testing

@Suite("Storage")
struct StorageTests {
  @Test("owned memory is zeroed and lies on a cache line", arguments: [0, 1, 63, 64, 4097])
  func owned(count: Int) {
    let storage = Storage(count: count)
    #expect(storage.count == count)
    #expect(Int(bitPattern: storage.base) % 64 == 0)
    #expect(StorageView(storage).bytes.allSatisfy { $0 == 0 })
  }

  @Test("adopted memory is released once, with its last user")
  func adopted() {
    final class Counter: Sendable { let value = Atomic(0) }
    let released = Counter()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    var storage: Storage? = Storage(adopting: memory, count: 8) { base, count in
      released.value.add(count, ordering: .relaxed)
      base.deallocate()
    }
    var view: StorageView? = StorageView(storage!)
    storage = nil
    #expect(released.value.load(ordering: .relaxed) == 0)
    #expect(view?.count == 8)
    view = nil
    #expect(released.value.load(ordering: .relaxed) == 8)
  }

  @Test("a slice of a slice counts from its own start")
  func slices() {
    let whole = StorageView(Storage(copying: [0, 1, 2, 3, 4, 5, 6, 7]))
    let part = whole.slice(offset: 2, count: 5).slice(offset: 1, count: 3)
    #expect(Array(part.bytes) == [3, 4, 5])
    #expect(whole.slice(offset: 8, count: 0).count == 0)
  }

  @Test("values are read from any address; a partial last one is dropped")
  func unaligned() {
    let view = StorageView(Storage(copying: [9, 1, 0, 0, 0, 2, 0, 0, 0, 7])).slice(
      offset: 1, count: 9)
    #expect(view.array(of: UInt32.self) == [1, 2])
  }
}

@Suite("Tensors")
struct TensorTests {
  @Test("values come back as they went in")
  func floats() {
    let tensor = Tensor([1, -2, 3.5, .infinity], shape: [2, 2])
    #expect(tensor.type == .float32)
    #expect(tensor.floats == [1, -2, 3.5, .infinity])
    #expect(tensor.data.count == 16)
  }

  @Test("an empty tensor has no bytes")
  func empty() {
    #expect(Tensor([], shape: [0, 3]).floats.isEmpty)
  }

  @Test("quantisation knows whether it is per tensor or per channel")
  func quantization() {
    #expect(Quantization(scales: [0.5], zeroPoints: [3]).isPerTensor)
    #expect(!Quantization(scales: [0.5, 1], zeroPoints: [3, 0], axis: 3).isPerTensor)
  }
}
