import FaceKitKernels
import FaceKitTensor

/// Cuts a turned rectangle out of a picture and scales it to a model's input, exactly as the reference
/// does: this step decides whether landmarks agree to a hundredth of a pixel or to a whole one.
///
/// Tensor index `(i, j)` reads the image at the point where the corner mapping takes it, pixel centres
/// being at integers. That is half a source pixel off geometrically, but the models' published answers
/// were made that way, and results must follow.
struct ImageToTensor: Sendable {
  let tensorWidth: Int
  let tensorHeight: Int
  let border: WarpBorder
  /// Keeps the aspect ratio by padding the region: the detector does, the landmark model does not.
  let keepsAspect: Bool
  /// The instruction set whose kernels sample.
  let isa: InstructionSet
  /// A byte's tensor value is `byte · scale + offset`.
  private let scale: Float
  private let offset: Float

  /// The tensor holds `range.min` for 0 and `range.max` for 255.
  init(
    width: Int, height: Int, range: (min: Float, max: Float), border: WarpBorder, keepsAspect: Bool,
    isa: InstructionSet = .preferred
  ) {
    tensorWidth = width
    tensorHeight = height
    self.border = border
    self.keepsAspect = keepsAspect
    self.isa = isa
    scale = (range.max - range.min) / 255
    offset = range.min
  }

  /// The part of the picture that fills the tensor, letterbox included.
  func paddedRegion(_ rect: NormalizedRect, in image: MPImage) throws(FaceKitError) -> PixelRegion {
    let region = rect.inPixels(width: image.width, height: image.height)
    guard region.isUsable else {
      throw .invalid(
        "a region of \(region.width)×\(region.height) pixels", at: "image to tensor",
        advice: "give a finite region with an area")
    }
    return keepsAspect
      ? region.letterboxed(tensorWidth: tensorWidth, tensorHeight: tensorHeight) : region
  }

  /// Fills `output` with `tensorHeight·tensorWidth·3` values in rows, red, green, blue.
  ///
  /// - Returns: The region that was read, to project results back with.
  func fill(
    _ output: UnsafeMutableBufferPointer<Float>, from image: MPImage, rect: NormalizedRect
  ) throws(FaceKitError) -> PixelRegion {
    let region = try paddedRegion(rect, in: image)
    try fill(output, from: image, region: region)
    return region
  }

  /// The same for a region in pixels; `kernel` takes the place of this instruction set's, in tests.
  func fill(
    _ output: UnsafeMutableBufferPointer<Float>, from image: MPImage, region: PixelRegion,
    using kernel: ((WarpRowArguments, WarpSource, UnsafeMutablePointer<Float>) -> Void)? = nil
  ) throws(FaceKitError) {
    let homography = Homography(
      region: region, tensorWidth: tensorWidth, tensorHeight: tensorHeight)
    let rowValues = tensorWidth * 3
    guard homography.isUsable, output.count >= tensorHeight * rowValues,
      let to = output.baseAddress
    else {
      throw .invalid(
        "a region of \(region.width)×\(region.height) pixels", at: "image to tensor",
        advice: "give a region that is not vanishingly small or large")
    }
    let source = image.warpSource
    for row in 0..<tensorHeight {
      let line = WarpRowArguments(
        matrix: homography.m, row: row, count: tensorWidth, border: border, scale: scale,
        offset: offset)
      if let kernel {
        kernel(line, source, to + row * rowValues)
      } else {
        warpRow(line, source, into: to + row * rowValues, isa: isa)
      }
    }
    // The pixels must outlive the loop that only holds their address.
    withExtendedLifetime(image.pixels.storage) {}
  }

  /// Turns a filled tensor left to right.
  func flip(_ tensor: UnsafeMutableBufferPointer<Float>) {
    for row in 0..<tensorHeight {
      for column in 0..<tensorWidth / 2 {
        let left = 3 * (row * tensorWidth + column)
        let right = 3 * (row * tensorWidth + tensorWidth - 1 - column)
        for channel in 0..<3 { tensor.swapAt(left + channel, right + channel) }
      }
    }
  }
}

extension MPImage {
  /// The pixels as a warp reads them: mirrored orientations from right to left.
  var warpSource: WarpSource {
    let bytes = format.bytesPerPixel
    let channels = format.channelOffsets
    let base = pixels.base.assumingMemoryBound(to: UInt8.self)
    return WarpSource(
      base: orientation.isMirrored ? base + (width - 1) * bytes : base,
      width: width, height: height, rowStride: rowStride,
      pixelStride: orientation.isMirrored ? -bytes : bytes,
      red: channels.red, green: channels.green, blue: channels.blue)
  }
}
