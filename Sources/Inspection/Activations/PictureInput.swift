import FaceKit
import FaceKitModels
import ToolSupport

/// A whole picture as a model's input.
package enum PictureInput {
  /// Stretches the picture over input 0, `[1, height, width, 3]`: the nearest pixel's colour, normalised.
  package static func fill(
    _ session: Session, from image: MPImage, metadata: ModelMetadata?
  ) throws {
    let input = session.inputs[0]
    guard input.type == .float32, input.shape.rank == 4, input.shape[3] == 3 else {
      throw ToolError(
        "input", "input '\(input.name)', \(input.shape) of \(input.type.name), is no picture",
        at: "facekit activations", advice: "give a .npy file of that shape")
    }
    let (low, high) = try metadata?.inputs.first?.normalization?.range() ?? (0, 1)
    let (height, width) = (input.shape[1], input.shape[2])
    let bytes = image.pixels.bytes
    // Pictures from files are RGB, or grey with one byte for all three.
    let next = image.format == .gray ? 0 : 1
    session.withInput(0) { values in
      for y in 0..<height {
        let row = (2 * y + 1) * image.height / (2 * height) * image.rowStride
        for x in 0..<width {
          let pixel = row + (2 * x + 1) * image.width / (2 * width) * image.format.bytesPerPixel
          for channel in 0..<3 {
            values[(y * width + x) * 3 + channel] =
              low + (high - low) * Float(bytes[pixel + channel * next]) / 255
          }
        }
      }
    }
  }
}
