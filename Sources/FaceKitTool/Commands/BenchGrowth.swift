import FaceKit
import FaceKitModels
import ImageCodecs
import Inspection
import ToolSupport

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
    let picture = try MosaicPicture(
      MPImage(contentsOf: name == "sample" ? try store.sample() : name))
    let engine = try EngineArguments.engine(arguments)

    func measure(_ what: String, _ picture: MosaicPicture, faces: Int) throws {
      let options = try TaskBenchmark.landmarkerOptions(store.model, engine)
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

    let face = try FaceDetector(options: TaskBenchmark.detectorOptions(store.model, engine))
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
