import FaceKit
import Foundation
import ImageCodecs
import Testing
import Inspection
import ToolSupport

@testable import FaceKitTool

@Suite("Drawing")
struct DrawingTests {
  private func gray(_ width: Int, _ height: Int) throws -> MPImage {
    try MPImage(
      copying: [UInt8](repeating: 128, count: width * height), width: width, height: height,
      format: .gray)
  }

  @Test("a placed picture keeps its pixels, in every format")
  func place() throws {
    let formats: [(PixelFormat, [UInt8], [UInt8])] = [
      (.rgb, [10, 20, 30], [10, 20, 30]), (.rgba, [10, 20, 30, 0], [10, 20, 30]),
      (.bgra, [30, 20, 10, 0], [10, 20, 30]), (.gray, [77], [77, 77, 77]),
    ]
    for (format, bytes, expected) in formats {
      let image = try MPImage(copying: bytes, width: 1, height: 1, format: format)
      for scale in [1, 3] {
        let canvas = try Canvas(width: scale + 1, height: scale, background: Colour(0x010203))
        canvas.place(image, scale: scale)
        let drawn = try canvas.rendered().pixels.array(of: UInt8.self)
        #expect(
          Array(drawn.prefix(3 * scale)) == Array(repeating: expected, count: scale).flatMap { $0 },
          "\(format)")
        #expect(
          drawn.suffix(3) == [1, 2, 3], "what the picture leaves free has the background's colour")
      }
    }
  }

  @Test("shapes lie where they were drawn, in whichever band of rows they fall")
  func bands() throws {
    let canvas = try Canvas(width: 8, height: 700, background: Colour(0x000000))
    for y in stride(from: 0, to: 700, by: 3) {
      canvas.fill(x: 0, y: Double(y), width: 8, height: 1, Colour(0xFF0000))
    }
    let drawn = try canvas.rendered().pixels.array(of: UInt8.self)
    for y in 0..<700 {
      #expect(drawn[24 * y] == (y % 3 == 0 ? 255 : 0), "row \(y)")
    }
  }

  @Test("connections in a row become one line, so that joints are drawn once")
  func polylines() {
    let oval = FaceDrawing.polylines(FaceLandmarkConnections.faceOval)
    #expect(oval.count == 1 && oval[0].count == 37 && oval[0].first == oval[0].last)
    #expect(FaceDrawing.polylines(FaceLandmarkConnections.leftEye).count == 2)
    #expect(FaceDrawing.polylines([]).isEmpty)
  }

  @Test("landmarks anywhere, even far outside or not finite, are drawn without harm")
  func wildLandmarks() throws {
    for value: Float in [0, 0.5, -3, 1e9, .infinity, .nan] {
      let drawing = try FaceDrawing(gray(40, 30), panels: 1)
      let points = (0..<478).map { DrawnFace.Point(x: value + Float($0) / 1000, y: value) }
      let face = DrawnFace(
        points: points, box: .init(x: value, y: value, width: 0.1, height: 0.1), label: "1 %",
        blendshapes: [("a", value), ("b", 0.5)])
      drawing.draw(landmarks: face)
      // What is nowhere, or farther than Cairo can count, leaves the picture as it was.
      let drawn = try drawing.rendered().pixels.array(of: UInt8.self)
      let row = drawn[(3 * drawing.canvas.width * 60)...].prefix(3 * 160)
      #expect(row.contains { $0 != 128 } == (value == 0.5), "\(value)")
      drawing.draw(detection: face)
      drawing.draw(blendshapes: face, index: 0, title: "face")
      #expect(try drawing.rendered().width > 0)
    }
  }

  @Test("small pictures are drawn enlarged, with room for the panel")
  func sizes() throws {
    let enlarged = try FaceDrawing(gray(250, 200)).rendered()
    #expect(enlarged.width == 1000 && enlarged.height == 800)
    #expect(try FaceDrawing(gray(2000, 100)).rendered().width == 2000)
    #expect(try FaceDrawing(gray(1000, 1000), panels: 2).rendered().width == 1720)
  }

  @Test("times are summed up by minimum, median and the 95th percentile")
  func timing() {
    let timing = Timing((1...100).map { UInt64($0) * 1_000_000 })
    #expect(timing.minimum == 1 && timing.median == 50.5 && timing.percentile95 == 95)
    #expect(Timing([3_000_000]) == Timing([3_000_000, 3_000_000]))
  }
}
