import FaceKitKernels
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Worker pool")
struct WorkerPoolTests {
  /// One counter for each thread.
  final class Counters: Sendable {
    let first = Atomic<Int>(0)
    let second = Atomic<Int>(0)
    let third = Atomic<Int>(0)

    func add(_ thread: Int) {
      switch thread {
      case 0: first.add(1, ordering: .relaxed)
      case 1: second.add(1, ordering: .relaxed)
      default: third.add(1, ordering: .relaxed)
      }
    }

    var all: [Int] {
      [
        first.load(ordering: .relaxed), second.load(ordering: .relaxed),
        third.load(ordering: .relaxed),
      ]
    }
  }

  @Test("every thread does its part of every job, exactly once", arguments: [1, 2, 3])
  func everyPartOnce(threads: Int) {
    let pool = WorkerPool(threads: threads)
    let counters = Counters()
    let context = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    defer { context.deallocate() }
    for _ in 0..<500 {
      pool.run(context) { _, thread, _ in counters.add(thread) }
    }
    #expect(pool.threads == threads)
    #expect(counters.all == (0..<3).map { $0 < threads ? 500 : 0 })
  }

  @Test("workers that have parked wake up for the next job")
  func wakesParkedWorkers() async throws {
    let pool = WorkerPool(threads: 2)
    let counters = Counters()
    let context = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    defer { context.deallocate() }
    for _ in 0..<3 {
      pool.run(context) { _, thread, _ in counters.add(thread) }
      try await Task.sleep(for: .milliseconds(30))
    }
    #expect(counters.all == [3, 3, 0])
  }

  @Test("the parts of a job cover its rows without a gap", arguments: [1, 2, 3, 7])
  func partsCover(threads: Int) {
    for count in [0, 1, 2, 5, 64] {
      var next = 0
      for thread in 0..<threads {
        let part = rows(of: count, thread: thread, threads: threads)
        #expect(part.lowerBound == next)
        next = part.upperBound
      }
      #expect(next == count)
    }
  }
}

@Suite("BLAS", .enabled(if: BLAS.shared != nil, "this build or this machine has no OpenBLAS"))
struct BLASTests {
  @Test("im2col and a matrix product agree with the reference", arguments: ConvolutionCase.dense)
  func convolution(item: ConvolutionCase) throws {
    var random = LinearCongruentialGenerator(named: "blas \(item)")
    let window = item.grid()
    let depth = item.kernel * item.kernel * item.inputs
    let input = random.floats(item.height * item.width * item.inputs)
    let weights = random.floats(item.outputs * depth)
    let bias = random.floats(item.outputs)
    let shape = ConvolutionShape(
      batch: 1, inputChannels: item.inputs, outputChannels: item.outputs,
      filterChannels: item.inputs, window: window)
    let count = window.outputHeight * window.outputWidth * item.outputs
    var expected = [Float](repeating: 0, count: count)
    Reference.conv2D(
      input: input, filter: weights, bias: bias, output: &expected, shape: shape,
      activation: 0...6)
    let blas = try #require(BLAS.shared)
    let conv = try #require(BLASConv2D(shape: shape, activation: 0...6, blas: blas))
    var actual = [Float](repeating: 0, count: count)
    var scratch = [UInt8](repeating: 0, count: conv.scratchBytes + 64)
    scratch.withUnsafeMutableBytes { scratch in
      conv.run(
        input: input, filter: weights, bias: bias, output: &actual, scratch: scratch.baseAddress!)
    }
    #expect(
      departure(
        of: actual, from: expected, within: .sum(terms: depth + 1, magnitude: Double(depth + 1)),
        "\(item)") == nil)
  }

  @Test("OpenBLAS is told which kernels this processor can run")
  func coreType() throws {
    // The environment this process was started with: a core type in it is the user's choice.
    let environment = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/environ"))
    let chosen = environment.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .first { $0.hasPrefix("OPENBLAS_CORETYPE=") }?.dropFirst("OPENBLAS_CORETYPE=".count)
    let name = try #require(BLAS.shared).coreName
    if let chosen {
      #expect(name == chosen)
    } else if CPUFeatures.current.contains(.avx512) {
      #expect(name == "SkylakeX")
    } else if CPUFeatures.current.contains(.avx2) {
      #expect(name == "Haswell")
    }
  }
}
