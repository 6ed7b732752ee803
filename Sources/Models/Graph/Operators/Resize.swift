import FaceKitKernels
import FaceKitTensor

/// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR: `[N, H, W, C]` to the height and width of the second
/// input. How places are computed follows from the two flags, never from the operator's version.
package struct Resize: Operator {
  package var isBilinear: Bool
  package var alignCorners, halfPixelCenters: Bool

  package init(isBilinear: Bool, alignCorners: Bool, halfPixelCenters: Bool) {
    self.isBilinear = isBilinear
    self.alignCorners = alignCorners
    self.halfPixelCenters = halfPixelCenters
  }

  package var name: String { isBilinear ? "RESIZE_BILINEAR" : "RESIZE_NEAREST_NEIGHBOR" }
  package var attributes: [Attribute] {
    [
      Attribute("align_corners", "\(alignCorners)"),
      Attribute("half_pixel_centers", "\(halfPixelCenters)"),
    ]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    if isBilinear {
      try input.check("the input", type: .float32, .int8, .uint8, rank: 4...4)
    } else {
      try input.check("the input", rank: 4...4)
      try input.checkAddressable("the input")
    }
    let size = try inputs.integers(1)
    guard size.count == 2, size[0] >= 1, size[1] >= 1 else {
      throw ModelError(.option, "the new size is not two positive numbers")
    }
    guard input.shape[1] >= 1, input.shape[2] >= 1 else {
      throw ModelError(.shape, "the image is empty: \(input.shape)")
    }
    if isBilinear && alignCorners && halfPixelCenters {
      throw ModelError(.option, "align_corners and half_pixel_centers exclude each other")
    }
    return [TensorType(input.type, [input.shape[0], size[0], size[1], input.shape[3]])]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let vertical = axis(input.shape[1], output.shape[1])
    let horizontal = axis(input.shape[2], output.shape[2])
    let (batch, channels, type) = (input.shape[0], input.shape[3], input.type)
    if !isBilinear {
      let pixelBytes = channels * type.byteWidth
      return { (workspace) throws(ModelError) in
        Reference.resizeNearest(
          input: input.pointer(workspace), output: output.pointer(workspace), batch: batch,
          pixelBytes: pixelBytes, vertical: vertical, horizontal: horizontal)
      }
    }
    if type == .float32 {
      return { (workspace) throws(ModelError) in
        Reference.resizeBilinear(
          input: input.floats(workspace), output: output.floats(workspace), batch: batch,
          channels: channels, vertical: vertical, horizontal: horizontal)
      }
    }
    return { (workspace) throws(ModelError) in
      Reference.resizeBilinear(
        quantized: type, input: input.pointer(workspace), output: output.pointer(workspace),
        batch: batch, channels: channels, vertical: vertical, horizontal: horizontal)
    }
  }

  private func axis(_ input: Int, _ output: Int) -> ResizeAxis {
    ResizeAxis(
      input: input, output: output, alignCorners: alignCorners, halfPixelCenters: halfPixelCenters)
  }
}

extension Resize {
  static func reader(isBilinear: Bool) -> OperatorReader {
    { (source) throws(ModelError) in
      let options = try source.options()
      // Fields 0 and 1 of the bilinear table are the obsolete size.
      let first = isBilinear ? 2 : 0
      return Resize(
        isBilinear: isBilinear, alignCorners: try options.bool(first),
        halfPixelCenters: try options.bool(first + 1)
      ).erased
    }
  }
}
