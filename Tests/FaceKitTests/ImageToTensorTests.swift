import ImageCodecs
import FaceKitKernels
import TestSupport
import Testing

@testable import FaceKit

private let crops: [CropGolden] = Corpus.isAvailable ? ((try? CropGolden.loadAll()) ?? []) : []

@Suite("Image to tensor")
struct ImageToTensorTests {
  @Test(
    "stored crops are matched byte for byte",
    .enabled(if: Corpus.isAvailable, Comment(rawValue: Corpus.reason)), arguments: crops)
  func storedCrops(_ crop: CropGolden) throws {
    let picture = try CorpusManifest.load().image(crop.image)
    let image = try MPImage(contentsOf: Corpus.url(picture.decoded).path)
    let expected = try MPImage(contentsOf: Corpus.url(crop.crop).path)
    // The crops' maker multiplied in double precision.
    let (w, h) = (Double(image.width), Double(image.height))
    let region = PixelRegion(
      centerX: Float(crop.rect.xCenter * w), centerY: Float(crop.rect.yCenter * h),
      width: Float(crop.rect.width * w), height: Float(crop.rect.height * h),
      rotation: Float(crop.rect.rotation))
    let tensor = try bytes(of: image, region, side: 256, border: .replicate)
    #expect(mismatches(tensor, expected.pixels.bytes.map(Float.init)) == 0)
  }

  @Test("an upright region at native size copies pixels")
  func identity() throws {
    let image = try Scene.noise(width: 40, height: 30, format: .rgb)
    let region = PixelRegion(centerX: 16, centerY: 12, width: 16, height: 16, rotation: 0)
    let tensor = try bytes(of: image, region, side: 16, border: .black)
    for y in 0..<16 {
      for x in 0..<16 {
        let pixel = Scene.pixel(image, x + 8, y + 4)
        #expect(Array(tensor[3 * (16 * y + x)..<3 * (16 * y + x) + 3]) == pixel.map(Float.init))
      }
    }
  }

  @Test(
    "the fast rows equal the reference rows, wherever the region lies",
    arguments: PixelFormat.allCases, WarpBorder.allCases)
  func fastEqualsReference(format: PixelFormat, border: WarpBorder) throws {
    var random = LinearCongruentialGenerator(seed: 7)
    for side in [128, 192, 256, 65, 3] {
      for _ in 0..<6 {
        let image = try Scene.noise(
          width: random.int(1, 300), height: random.int(1, 200), format: format,
          padding: random.int(0, 8))
        let orientation: ImageOrientation = random.bool() ? .up : .upMirrored
        let region = PixelRegion(
          centerX: random.float(-0.2, 1.2) * Float(image.width),
          centerY: random.float(-0.2, 1.2) * Float(image.height),
          width: random.float(0.05, 2) * Float(image.width),
          height: random.float(0.05, 2) * Float(image.height), rotation: random.float(-4, 4))
        let turned = image.oriented(orientation)
        let reference = try bytes(
          of: turned, region, side: side, border: border,
          kernel: { warpRowReference($0, $1, into: $2) })
        for isa in InstructionSet.available {
          let fast = try bytes(
            of: turned, region, side: side, border: border,
            kernel: { warpRow($0, $1, into: $2, isa: isa) })
          #expect(
            mismatches(fast, reference) == 0,
            "\(isa.rawValue) \(image.width)×\(image.height) \(region) to \(side)")
        }
      }
    }
  }

  @Test("formats, padding and mirrored storage of one picture give one tensor")
  func formatsAgree() throws {
    let rgb = try Scene.noise(width: 61, height: 47, format: .rgb)
    let region = PixelRegion(centerX: 30, centerY: 20, width: 50, height: 44, rotation: 0.3)
    let expected = try bytes(of: rgb, region, side: 64, border: .replicate)
    for format in [PixelFormat.rgba, .bgra] {
      let other = try Scene.converted(rgb, to: format, padding: 13, mirrored: false)
      #expect(try bytes(of: other, region, side: 64, border: .replicate) == expected)
    }
    let mirrored = try Scene.converted(rgb, to: .bgra, padding: 5, mirrored: true)
    #expect(
      try bytes(of: mirrored.oriented(.upMirrored), region, side: 64, border: .replicate)
        == expected)
  }

  @Test("gray is read as equal red, green and blue")
  func gray() throws {
    let image = try Scene.noise(width: 20, height: 20, format: .gray)
    let region = PixelRegion(centerX: 10, centerY: 10, width: 14, height: 14, rotation: 1)
    let tensor = try bytes(of: image, region, side: 32, border: .replicate)
    for i in stride(from: 0, to: tensor.count, by: 3) {
      #expect(tensor[i] == tensor[i + 1] && tensor[i] == tensor[i + 2])
    }
  }

  @Test("outside is zero for the detector and the nearest pixel for landmarks")
  func borders() throws {
    let image = try MPImage(
      copying: [UInt8](repeating: 200, count: 8 * 8 * 3), width: 8, height: 8, format: .rgb)
    let region = PixelRegion(centerX: 4, centerY: 4, width: 80, height: 80, rotation: 0)
    let black = try bytes(of: image, region, side: 16, border: .black)
    #expect(black[0] == 0 && black.last == 0 && black.max() == 200)
    let replicated = try bytes(of: image, region, side: 16, border: .replicate)
    #expect(replicated.allSatisfy { $0 == 200 })
  }

  @Test("the letterbox makes the region as wide as high, around the same centre")
  func letterbox() {
    let region = PixelRegion(centerX: 100, centerY: 50, width: 200, height: 100, rotation: 0.5)
    let padded = region.letterboxed(tensorWidth: 128, tensorHeight: 128)
    #expect(padded.width == 200 && padded.height == 200 && padded.centerX == 100)
    let tall = PixelRegion(centerX: 1, centerY: 2, width: 10, height: 30, rotation: 0)
    #expect(tall.letterboxed(tensorWidth: 128, tensorHeight: 128).width == 30)
  }

  @Test("bytes become values of the model's range")
  func range() throws {
    let image = try MPImage(
      copying: [0, 128, 255, 0, 128, 255, 0, 128, 255, 0, 128, 255], width: 2, height: 2,
      format: .rgb)
    let sampler = ImageToTensor(
      width: 2, height: 2, range: (-1, 1), border: .replicate, keepsAspect: false)
    var tensor = [Float](repeating: 9, count: 12)
    _ = try tensor.withUnsafeMutableBufferPointer { (buffer) throws(FaceKitError) in
      try sampler.fill(buffer, from: image, rect: .full)
    }
    #expect(tensor[0] == -1 && tensor[2] == 1)
    #expect(abs(tensor[1] - (128 * 2 / 255 - 1)) < 1e-6)
  }

  @Test(
    "regions without an area or beyond measure are refused",
    arguments: [
      NormalizedRect(centerX: 0.5, centerY: 0.5, width: 0, height: 1),
      NormalizedRect(centerX: 0.5, centerY: 0.5, width: 1, height: -1),
      NormalizedRect(centerX: .nan, centerY: 0.5, width: 1, height: 1),
      NormalizedRect(centerX: 0.5, centerY: 0.5, width: .infinity, height: 1),
      NormalizedRect(centerX: 0.5, centerY: 0.5, width: 1e-38, height: 1e-38),
      NormalizedRect(centerX: 0.5, centerY: 0.5, width: 1e30, height: 1e30),
    ])
  func unusableRegions(rect: NormalizedRect) throws {
    let image = try Scene.noise(width: 9, height: 9, format: .rgb)
    let sampler = ImageToTensor(
      width: 8, height: 8, range: (0, 1), border: .replicate, keepsAspect: false)
    var tensor = [Float](repeating: 0, count: 192)
    #expect(throws: FaceKitError.self) {
      try tensor.withUnsafeMutableBufferPointer { (buffer) throws(FaceKitError) in
        _ = try sampler.fill(buffer, from: image, rect: rect)
      }
    }
  }

  // MARK: Helpers

  private func bytes(
    of image: MPImage, _ region: PixelRegion, side: Int, border: WarpBorder,
    kernel: ((WarpRowArguments, WarpSource, UnsafeMutablePointer<Float>) -> Void)? = nil
  ) throws -> [Float] {
    let sampler = ImageToTensor(
      width: side, height: side, range: (0, 255), border: border, keepsAspect: false)
    // Guard values behind the tensor show an overrun.
    var tensor = [Float](repeating: -7, count: side * side * 3 + 16)
    try tensor.withUnsafeMutableBufferPointer { (buffer) throws(FaceKitError) in
      try sampler.fill(buffer, from: image, region: region, using: kernel)
    }
    #expect(tensor.suffix(16).allSatisfy { $0 == -7 })
    return Array(tensor.dropLast(16))
  }

  private func mismatches(_ a: [Float], _ b: [Float]) -> Int {
    // Counting is slow in debug builds, and seldom needed.
    if a == b { return 0 }
    return a.count == b.count ? zip(a, b).count { $0 != $1 } : max(a.count, b.count)
  }
}
