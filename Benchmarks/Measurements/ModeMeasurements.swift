import EndToEndSupport
import FaceKit
import Foundation
import TestSupport

/// Speed and recall of the Vision surface's two modes on the corpus' pictures.
enum ModeMeasurements {
  private struct Annotation: Decodable {
    struct Face: Decodable { var box: [Double]? }
    var image: String
    var faces: [Face]
  }

  /// Whether a face's frame is about the box a person drew.
  private static func matches(_ face: VisionFace, _ box: [Double]) -> Bool {
    let frame = face.frame
    let truth = CGRect(x: box[0], y: box[1], width: box[2], height: box[3])
    let common = frame.intersection(truth)
    guard !common.isNull else { return false }
    let shared = common.width * common.height
    return shared / min(frame.width * frame.height, truth.width * truth.height) > 0.5
  }

  /// Time, faces, and recall of people's boxes, for three minimum sizes.
  static func run() throws {
    let pictures = Tasks.images.filter { $0.kind == "original" }
    let annotations = try JSONDecoder().decode(
      [Annotation].self, from: Data(contentsOf: Corpus.url("goldens/annotations.json")))
    for size in [0.25, 0.1, 0.03] {
      var detectors: [VisionFaceDetector] = []
      for mode in VisionFaceDetectorPerformanceMode.allCases {
        detectors.append(
          VisionDoor.detector {
            $0.performanceMode = mode
            $0.minFaceSize = CGFloat(size)
          })
        try detectors.last?.prepare()
      }
      var seconds = [0.0, 0.0]
      var wall = [0.0, 0.0]
      var found = [0, 0]
      var hits = [0, 0]
      var boxes = 0
      for picture in pictures {
        let image = VisionImage(image: try Tasks.image(picture))
        let truth = annotations.first { $0.image == picture.id }?.faces.compactMap(\.box) ?? []
        boxes += truth.count
        for (index, detector) in detectors.enumerated() {
          var best = Double.infinity
          var faces: [VisionFace] = []
          for _ in 0..<5 {
            let start = ContinuousClock.now
            faces = try detector.results(in: image)
            best = min(best, (ContinuousClock.now - start) / .seconds(1))
          }
          seconds[index] += best
          if picture.id == "family-six" { wall[index] = best }
          found[index] += faces.count
          hits[index] += truth.count { box in faces.contains { matches($0, box) } }
        }
      }
      for (index, name) in ["fast", "accurate"].enumerated() {
        let mean = seconds[index] / Double(pictures.count) * 1000
        print(
          "\(name), minFaceSize \(size): \(mean) ms a picture (six faces: \(wall[index] * 1000) ms), ",
          "\(found[index]) faces in \(pictures.count) pictures, \(hits[index]) of \(boxes) boxes")
      }
    }
  }
}
