import FaceKitTensor
import Testing

@testable import FaceKitImages

@Suite("YUV pictures")
struct YUVTests {
  private func view(_ bytes: [UInt8]) -> StorageView { StorageView(Storage(copying: bytes)) }

  private func image(
    y: UInt8, u: UInt8, v: UInt8, _ matrix: YUVImage.Matrix, _ range: YUVImage.Range
  ) -> YUVImage {
    YUVImage(
      width: 2, height: 2, luma: .init(view([y, y, y, y]), rowStride: 2),
      chroma: .cbcr(.init(view([u, v]), rowStride: 2)), matrix: matrix, range: range)
  }

  @Test(
    "gray levels map end to end, in video and in full range", arguments: YUVImage.Matrix.allCases)
  func gray(matrix: YUVImage.Matrix) throws {
    for (y, range, level) in [
      (16, YUVImage.Range.video, 0), (235, .video, 255), (126, .video, 128), (0, .full, 0),
      (255, .full, 255), (77, .full, 77), (0, .video, 0), (255, .video, 255),
    ] as [(UInt8, YUVImage.Range, UInt8)] {
      let rgb = try image(y: y, u: 128, v: 128, matrix, range).rgb()
      #expect(rgb.bytes.allSatisfy { $0 == level }, "\(y) \(range)")
      withExtendedLifetime(rgb) {}
    }
  }

  @Test(
    "colours come back from the defining equations within a level",
    arguments: YUVImage.Matrix.allCases, YUVImage.Range.allCases)
  func colours(matrix: YUVImage.Matrix, range: YUVImage.Range) throws {
    let (kr, kb) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    for rgb in [[255, 0, 0], [0, 255, 0], [0, 0, 255], [200, 150, 30], [12, 200, 222]] {
      let (r, g, b) = (Double(rgb[0]), Double(rgb[1]), Double(rgb[2]))
      let luma = kr * r + (1 - kr - kb) * g + kb * b
      let (u, v) = ((b - luma) / (2 * (1 - kb)), (r - luma) / (2 * (1 - kr)))
      let scales = range == .full ? (0.0, 1.0, 1.0) : (16, 219.0 / 255, 224.0 / 255)
      func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
      let found = try image(
        y: byte(scales.0 + luma * scales.1), u: byte(128 + u * scales.2),
        v: byte(128 + v * scales.2), matrix, range
      ).rgb().array(of: UInt8.self)
      // Two chroma samples and a luma sample were rounded by half a level each, before factors of up to two.
      for channel in 0..<3 { #expect(abs(Int(found[channel]) - rgb[channel]) <= 2, "\(rgb)") }
    }
  }

  @Test("the three chroma layouts, odd sides and padded rows give one picture")
  func layouts() throws {
    let (width, height) = (5, 3)
    var luma: [UInt8] = []
    for y in 0..<height {
      for x in 0..<8 { luma.append(UInt8(20 + 10 * y + 7 * x)) }
    }
    let cb: [UInt8] = [90, 120, 150, 0, 160, 100, 130, 0]
    let cr: [UInt8] = [140, 110, 170, 0, 100, 128, 90, 0]
    let pairs = zip(cb, cr).flatMap { [$0, $1] }
    let swapped = zip(cb, cr).flatMap { [$1, $0] }
    func rgb(_ chroma: YUVImage.Chroma) throws -> [UInt8] {
      try YUVImage(
        width: width, height: height, luma: .init(view(luma), rowStride: 8), chroma: chroma,
        matrix: .bt601, range: .video
      ).rgb().array(of: UInt8.self)
    }
    let nv12 = try rgb(.cbcr(.init(view(pairs), rowStride: 8)))
    #expect(nv12.count == 45)
    #expect(try rgb(.crcb(.init(view(swapped), rowStride: 8))) == nv12)
    let planar = YUVImage.Chroma.planar(
      cb: .init(view(cb), rowStride: 4), cr: .init(view(cr), rowStride: 4))
    #expect(try rgb(planar) == nv12)
  }

  @Test("planes that are too small are refused, and named")
  func tooSmall() {
    func error(_ width: Int, luma: Int, chroma: Int, stride: Int) -> FaceKitError? {
      #expect(throws: FaceKitError.self) {
        try MPImage(
          yuv: YUVImage(
            width: width, height: 4,
            luma: .init(view([UInt8](repeating: 0, count: luma)), rowStride: stride),
            chroma: .cbcr(.init(view([UInt8](repeating: 0, count: chroma)), rowStride: stride)),
            matrix: .bt601, range: .full))
      }
    }
    #expect(error(4, luma: 15, chroma: 8, stride: 4)?.location.contains("luma") == true)
    #expect(error(4, luma: 16, chroma: 7, stride: 4)?.location.contains("chroma") == true)
    #expect(error(5, luma: 90, chroma: 90, stride: 5)?.location.contains("chroma") == true)
    #expect(error(0, luma: 9, chroma: 9, stride: 4)?.code == .invalidArgument)
    #expect(error(4, luma: 9, chroma: 9, stride: .max)?.code == .invalidArgument)
  }
}
