import FaceKit
import ImageCodecs
import FaceKitModels
import FaceKitTensor

extension Benchmark {
  /// How the cost of the landmarker grows with faces and with pixels.
  static let growth = Benchmark(name: "growth", synopsis: "growth <picture of one face | sample>") {
    arguments, console in
    guard let name = arguments.files.dropFirst().first else {
      throw UsageError(
        "no picture given", at: "facekit bench growth",
        advice: "give a picture of one face, or `sample`")
    }
    let store = ModelStore(folder: arguments.string("--models"))
    let picture = try Picture(MPImage(contentsOf: name == "sample" ? try store.sample() : name))
    let engine = try EngineArguments.engine(arguments)

    func measure(_ what: String, _ picture: Picture, faces: Int) throws {
      let options = try BenchmarkTask.landmarkerOptions(store, engine)
      options.numFaces = faces
      let landmarker = try FaceLandmarker(options: options)
      let image = try picture.image
      let found = try landmarker.detect(image: image).faceLandmarks.count
      guard found == faces else {
        throw ToolError(
          "bench growth", "\(found) faces found where \(faces) were painted", at: what,
          advice: "give a picture of one face that is easy to find")
      }
      try BenchmarkReport(
        arguments, console, engine, what: "growth \(what), \(picture.width)×\(picture.height)",
        operations: nil
      ).measure { _ = try landmarker.detect(image: image) }
    }

    let face = try FaceDetector(options: BenchmarkTask.detectorOptions(store, engine))
      .detect(image: try picture.image).detections.first?.boundingBox
    guard let face else {
      throw ToolError(
        "bench growth", "no face found", at: name, advice: "give a picture of one face")
    }
    // A cell of the mosaic shows the face and a little around it: ten of them, and the detector, which
    // looks at 128×128 pixels, still finds all.
    let margin = Double(face.width) * 0.3
    let cell = picture.scaled(
      x: Double(face.minX) - margin, y: Double(face.minY) - margin,
      side: Double(face.width) + 2 * margin, to: (160, 160))
    for faces in 1...10 {
      try measure(
        "\(faces) faces", .mosaic(of: cell, count: faces, columns: 4, rows: 3), faces: faces)
    }
    for side in [256, 512, 1024, 2048, 4096] {
      let longer = Double(max(picture.width, picture.height))
      let scaled = picture.scaled(x: 0, y: 0, side: longer, to: (side, side))
      try measure("side \(side)", scaled, faces: 1)
    }
    return .done
  }
}

/// RGB pixels that can be scaled and put side by side.
private struct Picture {
  let width: Int
  let height: Int
  var bytes: [UInt8]

  init(width: Int, height: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  init(_ image: MPImage) throws {
    guard image.format == .rgb || image.format == .rgba else {
      throw ToolError(
        "bench growth", "the picture is not in colour", at: "growth",
        advice: "give a colour picture")
    }
    let (step, pixels) = (image.format.bytesPerPixel, image.pixels.bytes)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(image.width * image.height * 3)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let at = y * image.rowStride + x * step
        bytes += [pixels[at], pixels[at + 1], pixels[at + 2]]
      }
    }
    self.init(width: image.width, height: image.height, bytes: bytes)
  }

  var image: MPImage {
    get throws { try MPImage(copying: bytes, width: width, height: height, format: .rgb) }
  }

  /// A square of this picture at another size, bilinear; black outside.
  func scaled(x left: Double, y top: Double, side: Double, to size: (width: Int, height: Int))
    -> Picture
  {
    var result = Picture(
      width: size.width, height: size.height,
      bytes: [UInt8](repeating: 0, count: size.width * size.height * 3))
    for y in 0..<size.height {
      for x in 0..<size.width {
        let px = left + (Double(x) + 0.5) * side / Double(size.width) - 0.5
        let py = top + (Double(y) + 0.5) * side / Double(size.height) - 0.5
        for channel in 0..<3 {
          result.bytes[(y * size.width + x) * 3 + channel] = sample(px, py, channel)
        }
      }
    }
    return result
  }

  private func sample(_ x: Double, _ y: Double, _ channel: Int) -> UInt8 {
    let (x0, y0) = (x.rounded(.down), y.rounded(.down))
    func at(_ dx: Int, _ dy: Int) -> Double {
      let (column, row) = (Int(x0) + dx, Int(y0) + dy)
      guard (0..<width).contains(column), (0..<height).contains(row) else { return 0 }
      return Double(bytes[(row * width + column) * 3 + channel])
    }
    let (fx, fy) = (x - x0, y - y0)
    let upper = at(0, 0) * (1 - fx) + at(1, 0) * fx
    let lower = at(0, 1) * (1 - fx) + at(1, 1) * fx
    return UInt8((upper * (1 - fy) + lower * fy).rounded())
  }

  /// A grid of `columns` × `rows` cells, the first `count` of which show `cell`, the others gray.
  static func mosaic(of cell: Picture, count: Int, columns: Int, rows: Int) -> Picture {
    let width = columns * cell.width
    var result = Picture(
      width: width, height: rows * cell.height,
      bytes: [UInt8](repeating: 128, count: width * rows * cell.height * 3))
    for index in 0..<count {
      for y in 0..<cell.height {
        let row = index / columns * cell.height + y
        let start = (row * width + index % columns * cell.width) * 3
        result.bytes.replaceSubrange(
          start..<(start + cell.width * 3),
          with: cell.bytes[(y * cell.width * 3)..<((y + 1) * cell.width * 3)])
      }
    }
    return result
  }
}
