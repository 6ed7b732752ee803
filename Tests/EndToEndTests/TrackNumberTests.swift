import EndToEndSupport
import FaceKit
import ImageCodecs
import TestSupport
import Testing

@Suite(
  "Track numbers in video mode",
  .enabled(if: Tasks.available, Comment(rawValue: Tasks.reason)))
struct TrackNumberTests {
  private let portrait: MPImage
  private let blank: MPImage

  init() throws {
    portrait = try MPImage(contentsOf: Corpus.url("images/original/astronaut.png").path)
    blank = try MPImage(
      copying: [UInt8](repeating: 90, count: portrait.width * portrait.height * 3),
      width: portrait.width, height: portrait.height, format: .rgb)
  }

  private func landmarker(faces: Int) throws -> FaceLandmarker {
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = ModelFiles.url("face_landmarker.task").path
    options.runningMode = .video
    options.numFaces = faces
    return try FaceLandmarker(options: options)
  }

  /// The part of the portrait from a column on, as a camera that pans would see it.
  private func view(from column: Int, width: Int = 300) throws -> MPImage {
    var bytes: [UInt8] = []
    let format = portrait.format.bytesPerPixel
    for y in 0..<portrait.height {
      let start = y * portrait.rowStride + column * format
      bytes += portrait.pixels.bytes[start..<start + width * format]
    }
    return try MPImage(
      copying: bytes, width: width, height: portrait.height, format: portrait.format)
  }

  @Test(
    "a face keeps its number over missed frames, and has another after a second", arguments: [1, 2])
  func missedFrames(faces: Int) throws {
    let landmarker = try landmarker(faces: faces)
    var time = 0
    func number(_ image: MPImage) throws -> [Int?] {
      time += 33
      return try landmarker.detect(videoFrame: image, timestampInMilliseconds: time)
        .faceTracks.map(\.trackID)
    }
    for _ in 0..<3 { #expect(try number(portrait) == [1]) }
    #expect(try number(blank) == [])
    #expect(try number(portrait) == [1])
    for _ in 0..<3 { #expect(try number(blank) == []) }
    #expect(try number(portrait) == [1])
    for _ in 0..<31 { #expect(try number(blank) == []) }
    #expect(try number(portrait) == [2])
  }

  @Test(
    "a face that slides half out of the picture and back has one number throughout",
    arguments: [1, 2])
  func edge(faces: Int) throws {
    let landmarker = try landmarker(faces: faces)
    var numbers: Set<Int> = []
    var seen = 0
    // The face's middle is at column 225: at 224 the picture begins there.
    for (index, column)
      in (Array(stride(from: 120, through: 212, by: 4))
      + Array(stride(from: 208, through: 120, by: -4))).enumerated()
    {
      let result = try landmarker.detect(
        videoFrame: view(from: column), timestampInMilliseconds: 33 * index)
      numbers.formUnion(result.faceTracks.compactMap(\.trackID))
      if !result.faceTracks.isEmpty { seen += 1 }
    }
    #expect(numbers == [1], "seen on \(seen) frames")
    #expect(seen > 30)
  }

  @Test(
    "after a reset the same frames give the same results, timestamps and numbers from the start")
  func reset() throws {
    let landmarker = try landmarker(faces: 1)
    func run() throws -> [FaceLandmarkerResult] {
      try [120, 124, 130].enumerated().map { index, column in
        try landmarker.detect(videoFrame: view(from: column), timestampInMilliseconds: 33 * index)
      }
    }
    let first = try run()
    #expect(throws: FaceKitError.self) { try run() }
    landmarker.reset()
    #expect(try run() == first)
    #expect(first.allSatisfy { $0.faceTracks.map(\.trackID) == [1] })
  }
}
