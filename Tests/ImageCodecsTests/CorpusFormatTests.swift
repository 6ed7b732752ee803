import FaceKitModels
import TestSupport
import Testing

@testable import ImageCodecs

private let images: [CorpusImage] =
  Corpus.isAvailable ? ((try? CorpusManifest.load().images) ?? []) : []

@Suite("Pictures of the corpus", .enabled(if: Corpus.isAvailable, Comment(rawValue: Corpus.reason)))
struct CorpusFormatTests {
  private func hash(_ image: MPImage) -> String { SHA256.hex(image.pixels.bytes) }

  @Test(
    "every format decodes to the reference pixels, bit by bit",
    arguments: images.filter { $0.kind == "formats" })
  func format(_ reference: CorpusImage) throws {
    let image = try MPImage(contentsOf: Corpus.url(#require(reference.source)).path)
    #expect(image.width == reference.width && image.height == reference.height)
    #expect(hash(image) == reference.rgbSha256)
  }

  @Test("all 35 formats are there")
  func count() { #expect(images.count { $0.kind == "formats" } == 35) }

  @Test(
    "published files decode to the reference pixels, bit by bit",
    arguments: images.filter { $0.kind == "original" })
  func original(_ reference: CorpusImage) throws {
    let image = try MPImage(contentsOf: Corpus.url(reference.source ?? reference.decoded).path)
    #expect(image.width == reference.width && image.height == reference.height)
    #expect(hash(image) == reference.rgbSha256)
  }

  @Test("broken files give the error that names their fault")
  func broken() throws {
    let faults: [String: ImageError.Code] = [
      "empty.jpg": .truncated, "text.png": .notAnImage, "truncated-header.jpg": .truncated,
      "truncated-scan.jpg": .truncated, "truncated.png": .truncated, "bad-crc.png": .corrupt,
      "huge-header.png": .tooLarge, "zero-width.png": .corrupt,
    ]
    for broken in try CorpusManifest.load().broken {
      let path = Corpus.url(broken.file).path
      let name = String(broken.file.split(separator: "/").last!)
      if let code = faults[name] {
        let error = #expect(throws: ImageError.self, "\(name)") { try MPImage(contentsOf: path) }
        #expect(error?.code == code, "\(name): \(error.map(String.init(describing:)) ?? "-")")
        #expect(error?.file == path)
      } else {
        #expect(name == "png-named.jpg")
        #expect(throws: Never.self) { try MPImage(contentsOf: path) }
      }
    }
  }

  @Test("a cut JPEG is salvaged at full size where that is asked for")
  func salvage() throws {
    var options = ImageDecodingOptions()
    options.acceptsDamagedJPEG = true
    let image = try MPImage(
      contentsOf: Corpus.url("images/broken/truncated-scan.jpg").path, options: options)
    #expect(image.width == 192 && image.height == 192)
  }

  @Test(
    "a file cut at any length gives a typed error",
    arguments: [
      ("cmyk-adobe.jpg", 211), ("progressive-420.jpg", 1), ("exif-orientation-6.jpg", 1),
      ("gray1.png", 1), ("rgb8-interlaced.png", 331), ("palette16.png", 7), ("lossy.webp", 1),
      ("lossless-alpha.webp", 101),
    ])
  func truncation(_ name: String, step: Int) throws {
    let bytes = try Corpus.bytes("images/formats-source/\(name)")
    // The last bytes are where a decoder has all pixels and might overlook the loss.
    var counts = Array(stride(from: 0, to: bytes.count, by: step))
    counts += (bytes.count - 13)..<bytes.count
    for count in counts {
      let cut = Array(bytes.prefix(count))
      #expect(throws: ImageError.self, "\(name) cut to \(count) bytes") {
        try MPImage(encoded: cut)
      }
    }
  }

  @Test(
    "a file with flipped bits decodes at its size or gives a typed error",
    arguments: [
      "baseline-420.jpg", "progressive-420.jpg", "cmyk-adobe.jpg", "exif-orientation-5.jpg",
      "gray1.png", "palette-transparent.png", "rgb8-interlaced.png", "lossy.webp",
      "lossless-alpha.webp",
    ])
  func flips(_ name: String) throws {
    let bytes = try Corpus.bytes("images/formats-source/\(name)")
    var options = ImageDecodingOptions()
    options.maximumPixels = 1_000_000
    var generator = SplitMix(
      state: SHA256.hex(Array(name.utf8)).utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
    for round in 0..<150 {
      options.acceptsDamagedJPEG = round % 2 == 1
      var damaged = bytes
      for _ in 0..<(1 + round % 8) {
        // Half of the flips in the headers, which are a small part of the file.
        let end = round % 4 < 2 ? min(700, bytes.count) : bytes.count
        damaged[Int.random(in: 0..<end, using: &generator)] ^=
          1 << UInt8.random(in: 0..<8, using: &generator)
      }
      do throws(ImageError) {
        let image = try MPImage(encoded: damaged, options: options)
        #expect(image.pixels.count == 3 * image.width * image.height)
      } catch {
        #expect(!error.what.isEmpty)
      }
    }
  }
}

/// Vigna's SplitMix64: a seeded source of randomness.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
