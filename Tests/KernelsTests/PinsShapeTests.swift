import TestSupport
import Testing

@testable import FaceKitKernels

/// The shape code of kernels against what it stands for, tried tap by tap.
@Suite("Windows and loops, tap by tap")
struct PinsShapeTests {
  /// Windows with strides, dilations and padding that leave the image on all sides.
  static func grids(_ count: Int) -> [WindowGrid] {
    var random = LinearCongruentialGenerator(named: "grids")
    return (0..<count).map { _ in
      let draw = random.ints(12, 0, 5)
      return WindowGrid(
        input: (draw[0] + 1, draw[1] + 1), kernel: (draw[2] + 1, draw[3] + 1),
        stride: (draw[4] / 2 + 1, draw[5] / 2 + 1), dilation: (draw[6] / 2 + 1, draw[7] / 2 + 1),
        output: (draw[8] + 1, draw[9] + 1), padding: (draw[10], draw[11]))
    }
  }

  @Test("taps are those of the formula that lie in the image")
  func taps() {
    for grid in Self.grids(300) {
      for row in 0..<grid.outputHeight {
        for column in 0..<grid.outputWidth {
          var found: [[Int]] = []
          grid.forEachTap(row: row, column: column) { found.append([$0, $1, $2, $3]) }
          var expected: [[Int]] = []
          for ky in 0..<grid.kernelHeight {
            for kx in 0..<grid.kernelWidth {
              let y = row * grid.strideHeight - grid.paddingTop + ky * grid.dilationHeight
              let x = column * grid.strideWidth - grid.paddingLeft + kx * grid.dilationWidth
              if (0..<grid.inputHeight).contains(y), (0..<grid.inputWidth).contains(x) {
                expected.append([ky, kx, y, x])
              }
            }
          }
          #expect(found == expected, "\(grid) at \(row), \(column)")
        }
      }
    }
  }

  @Test("the kernel rows of an output row are those that meet the image, dilated or not")
  func kernelRows() {
    for grid in Self.grids(600) {
      for row in 0..<grid.outputHeight {
        let inside = (0..<grid.kernelHeight).filter {
          (0..<grid.inputHeight).contains(
            row * grid.strideHeight - grid.paddingTop + $0 * grid.dilationHeight)
        }
        let rows = grid.kernelRows(outputRow: row)
        #expect(Array(rows) == inside, "\(grid) row \(row)")
        for k in rows {
          #expect(
            (0..<grid.inputHeight).contains(grid.inputRow(outputRow: row, kernelRow: k)))
        }
      }
    }
  }

  @Test("the inner columns are all those whose whole window lies in the image's row")
  func insideColumns() {
    for grid in Self.grids(600) {
      let inside = (0..<grid.outputWidth).filter { column in
        let first = column * grid.strideWidth - grid.paddingLeft
        return first >= 0
          && first + (grid.kernelWidth - 1) * grid.dilationWidth < grid.inputWidth
      }
      #expect(Array(grid.insideColumns) == inside, "\(grid)")
    }
  }

  @Test("a window is pointwise where each output sees its own pixel and no other")
  func pointwise() {
    let plain = WindowGrid(
      input: (4, 5), kernel: (1, 1), stride: (1, 1), output: (4, 5), padding: (0, 0))
    #expect(plain.isPointwise)
    let changes: [(inout WindowGrid) -> Void] = [
      { $0.kernelHeight = 2 }, { $0.kernelWidth = 2 }, { $0.strideHeight = 2 },
      { $0.strideWidth = 2 }, { $0.paddingTop = 1 }, { $0.paddingLeft = 1 },
      { $0.outputHeight = 3 }, { $0.outputHeight = 5 }, { $0.outputWidth = 4 },
      { $0.outputWidth = 6 },
    ]
    for (index, change) in changes.enumerated() {
      var grid = plain
      change(&grid)
      #expect(!grid.isPointwise, "change \(index)")
    }
  }

  @Test("a strided loop walks every element once, in order, whatever axes it merges")
  func stridedLoop() {
    var random = LinearCongruentialGenerator(named: "loops")
    for _ in 0..<400 {
      let rank = random.int(0, 8)
      let extents = random.ints(rank, 1, rank > 5 ? 2 : 4).map { random.int(0, 9) == 0 ? 0 : $0 }
      let operands = random.int(1, 4)
      // Contiguous, broadcast or wild strides, each operand its own.
      let strides = (0..<operands).map { _ -> [Int] in
        let kind = random.int(0, 2)
        var step = 1
        var own = [Int](repeating: 0, count: rank)
        for axis in (0..<rank).reversed() {
          own[axis] = kind == 1 && random.bool() ? 0 : kind == 2 ? random.int(0, 9) : step
          if own[axis] != 0 { step *= max(extents[axis], 1) }
        }
        return own
      }
      var found: [[Int]] = []
      let loop = StridedLoop(extents: extents, strides: strides)
      loop.forEachRow { start in
        for k in 0..<loop.rowCount {
          found.append((0..<operands).map { start[$0] + k * loop.rowStrides[$0] })
        }
      }
      var expected = [[Int](repeating: 0, count: operands)]
      for axis in 0..<rank {
        expected = expected.flatMap { base in
          (0..<extents[axis]).map { k in
            (0..<operands).map { base[$0] + k * strides[$0][axis] }
          }
        }
      }
      #expect(found == expected, "\(extents) \(strides)")
    }
  }

  @Test("weights are kept in half precision only if all of them, signs of zero included, fit")
  func halfWeights() {
    // One output pixel, so that every weight is read once.
    for (outputs, inputs) in [(16, 16), (9, 5), (24, 3)] {
      var random = LinearCongruentialGenerator(named: "halves")
      let halves = random.ints(outputs * inputs, -64, 64).map { Float($0) / 32 }
      for wild in [0, outputs * inputs - 1] {
        for value in [Float(1) / 3, 1e6, 1e-9] {
          var weights = halves
          weights[wild] = value
          let input = random.floats(inputs)
          for isa in InstructionSet.available {
            let grid = WindowGrid(
              input: (1, 1), kernel: (1, 1), stride: (1, 1), output: (1, 1), padding: (0, 0))
            let conv = BlockedConv2D(
              channels: (inputs, outputs), window: grid, layout: .rowMajor, weights: weights,
              bias: nil, slopes: nil, epilogue: .none, isa: isa)
            var output = [Float](repeating: .nan, count: conv.output.floatCount)
            var scratch = [UInt64](repeating: 0, count: conv.scratchBytes / 8 + 1)
            scratch.withUnsafeMutableBytes {
              conv.run(rows: 0..<1, from: input, to: &output, scratch: $0.baseAddress!)
            }
            for o in 0..<outputs {
              var sum = 0.0
              var magnitude = 0.0
              for c in 0..<inputs {
                let term = Double(weights[o * inputs + c]) * Double(input[c])
                sum += term
                magnitude += abs(term)
              }
              #expect(
                abs(Double(output[o]) - sum) <= Double(inputs) * 0x1p-23 * magnitude,
                "\(isa.rawValue) \(outputs) of \(inputs), weight \(wild) is \(value)")
            }
          }
        }
      }
    }
  }
}
