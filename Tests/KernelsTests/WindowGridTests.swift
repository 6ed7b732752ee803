import TestSupport
import Testing

@testable import FaceKitKernels

@Suite("WindowGrid")
struct WindowGridTests {
  /// The pixels each output sees, in order.
  static func pixels(_ grid: WindowGrid) -> [[Int]] {
    var all: [[Int]] = []
    for row in 0..<grid.outputHeight {
      for column in 0..<grid.outputWidth {
        var seen: [Int] = []
        grid.forEachTap(row: row, column: column) { _, _, y, x in
          seen.append(y * grid.inputWidth + x)
        }
        all.append(seen)
      }
    }
    return all
  }

  @Test("cropping a pool changes no output's pixels, and bounds the window")
  func cropping() throws {
    var generator = try LinearCongruentialGenerator(hexSeed: "0000000000000007")
    for _ in 0..<300 {
      let draw = generator.ints(10, 0, 6)
      let grid = WindowGrid(
        input: (draw[0] + 1, draw[1] + 1), kernel: (draw[2] * 3 + 1, draw[3] * 3 + 1),
        stride: (draw[4] + 1, draw[5] + 1), output: (draw[6], draw[7]),
        padding: (draw[8] * 2, draw[9] * 2))
      let cropped = grid.cropped()
      #expect(Self.pixels(cropped) == Self.pixels(grid), "\(grid)")
      #expect(
        cropped.kernelHeight
          <= max(1, grid.inputHeight + max(0, grid.outputHeight - 1) * grid.strideHeight))
    }
  }

  @Test("a window of 2³¹ rows costs no more than the image")
  func global() {
    let size = Int(Int32.max)
    let grid = WindowGrid(
      input: (4, 5), kernel: (size, size), stride: (1, 1), output: (4, 5),
      padding: ((size - 1) / 2, (size - 1) / 2)
    ).cropped()
    #expect(grid.kernelHeight == 7 && grid.kernelWidth == 9)
    #expect(Self.pixels(grid).allSatisfy { $0.count == 20 })
  }
}
