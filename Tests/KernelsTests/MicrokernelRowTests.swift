import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitKernels

/// What every row of the list of instruction sets promises.
@Suite("Instruction sets")
struct MicrokernelRowTests {
  @Test("names are distinct, and lead back to their instruction set")
  func names() {
    #expect(Set(InstructionSet.allCases.map(\.rawValue)).count == InstructionSet.allCases.count)
    for isa in InstructionSet.allCases {
      #expect(InstructionSet(rawValue: isa.rawValue) == isa)
    }
    #expect(InstructionSet(rawValue: "avx1024") == nil)
    #expect(InstructionSet.baseline.rawValue == "baseline")
    #expect(InstructionSet.baseline.requires == [])
  }

  @Test("kernels have lanes as the row says", arguments: InstructionSet.available)
  func vectorWidth(isa: InstructionSet) {
    // Eight sums, two operations for each lane.
    #expect(isa.microkernels.fmaPeak(3) == 3 * 8 * 2 * isa.microkernels.vectorWidth)
  }

  @Test(
    "any number of channels is covered by panels that have a kernel",
    arguments: InstructionSet.allCases)
  func panels(isa: InstructionSet) {
    let tiles = isa.microkernels.conv2D
    let widths = tiles.map(\.channels)
    #expect(widths == widths.sorted(by: >) && widths.last == 8)
    #expect(widths.dropLast().allSatisfy { $0 % channelBlock == 0 })
    #expect(Set(tiles.map { $0.halfWeights != nil }).count == 1, "half precision for some widths")
    for isHalf in [false, tiles[0].halfWeights != nil] {
      for outputs in 1...300 {
        let groups = PackedWeights.groups(
          outputs: outputs, panelRowBytes: 12, tiles: tiles, isHalf: isHalf)
        var next = 0
        for group in groups {
          #expect(group.firstChannel == next && group.firstChannel % channelBlock == 0)
          #expect(group.offset == next * 12)
          next += group.panelWidth * group.panelCount
        }
        #expect((outputs...(outputs + 7)).contains(next), "\(outputs) channels")
      }
    }
  }

  @Test("an integer kernel is there without any feature beyond", arguments: InstructionSet.allCases)
  func integerKernels(isa: InstructionSet) {
    let kernels = isa.microkernels.integerGEMM
    #expect(kernels.contains { isa.requires.isSuperset(of: $0.requires) && $0.factors == .i16 })
  }

  /// Each width on its own, in one row of pixels around the tile's height, between guard values.
  @Test("each panel width gives the reference's sums", arguments: InstructionSet.available)
  func eachWidth(isa: InstructionSet) {
    var random = LinearCongruentialGenerator(named: "panel widths")
    for tile in isa.microkernels.conv2D {
      for pixels in [1, 2, 7, 8, 9, 13] {
        for isHalf in [false, true] {
          guard let kernel = isHalf ? tile.halfWeights : tile.kernel else { continue }
          let input = random.floats(pixels * channelBlock)
          // Numbers that half precision holds.
          let weights = random.floats(3 * tile.channels).map { ($0 * 64).rounded() / 64 }
          let bias = random.floats(tile.channels)
          let blocks = (tile.channels + channelBlock - 1) / channelBlock
          let stride = (pixels + 1) * channelBlock
          var output = [Float](repeating: -7, count: blocks * stride)
          let halves = weights.map { Half.narrow($0) }
          run(
            kernel, input, isHalf ? .halves(halves) : .floats(weights), bias, width: tile.channels,
            pixels: pixels, stride: stride, to: &output)
          for p in 0..<pixels {
            for o in 0..<tile.channels {
              var sum = Double(bias[o])
              for c in 0..<3 {
                let weight = Double(weights[c * tile.channels + o])
                sum += Double(input[p * channelBlock + c]) * weight
              }
              let place = o / channelBlock * stride + p * channelBlock + o % channelBlock
              // Four terms of at most 1, each rounded once.
              let error = abs(Double(output[place]) - sum)
              #expect(error <= 4 * 0x1p-23, "\(tile.channels) channels, pixel \(p), channel \(o)")
            }
          }
          for block in 0..<blocks {
            let guardPixel = output[(block * stride + pixels * channelBlock)...].prefix(
              channelBlock)
            #expect(guardPixel.allSatisfy { $0 == -7 }, "written past the row's end")
          }
        }
      }
    }
  }

  private enum Weights {
    case floats([Float])
    case halves([UInt16])

    func withBytes(_ body: (UnsafeRawPointer) -> Void) {
      switch self {
      case .floats(let values): values.withUnsafeBytes { body($0.baseAddress!) }
      case .halves(let values): values.withUnsafeBytes { body($0.baseAddress!) }
      }
    }
  }

  private func run(
    _ kernel: Microkernels.Kernel<Conv2DRowArguments>, _ input: [Float], _ weights: Weights,
    _ bias: [Float], width: Int, pixels: Int, stride: Int, to output: inout [Float]
  ) {
    input.withUnsafeBufferPointer { input in
      weights.withBytes { weights in
        bias.withUnsafeBufferPointer { bias in
          output.withUnsafeMutableBufferPointer { output in
            withUnsafePointer(to: ConvolutionTap(input: input.baseAddress!, firstRow: 0)) { tap in
              var arguments = Conv2DRowArguments(
                taps: tap, tapCount: 1, channels: 3, inputBlockStride: channelBlock,
                inputPixelStride: channelBlock, weights: weights, panelWidth: width, panelRows: 3,
                panelCount: 1, firstChannel: 0, bias: bias.baseAddress!,
                output: output.baseAddress!, outputBlockStride: stride, pixels: pixels,
                epilogue: .none, slopes: bias.baseAddress!)
              kernel(&arguments)
            }
          }
        }
      }
    }
  }
}
