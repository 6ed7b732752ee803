// Measures the limits of the Vision surface; docs/vision-limits.md has the results and how to get them.
//
//   vision-study ghosts MODELS pictures…     evidence of every reading, each picture in its eight orientations
//   vision-study parts MODELS pictures…      evidence of the parts of faces, seen and painted over: input of fit.py
//
// MODELS is a folder with face_landmarker.task and face_detection_full_range_sparse.tflite. One JSON object a line.

import FaceKit
import FaceKitModels
import ImageCodecs

func study(_ folder: String) throws -> VisionStudy {
  try VisionStudy(
    models: VisionModels(
      face: FaceModels(bundle: MappedFile.open(folder + "/face_landmarker.task")),
      fullRangeDetector: MappedFile.open(folder + "/face_detection_full_range_sparse.tflite")))
}

func ghosts(_ study: VisionStudy, _ paths: [String]) throws {
  for path in paths {
    let stored = try MPImage(contentsOf: path)
    for orientation in ImageOrientation.allCases {
      for reading in try study.readings(of: stored.oriented(orientation).upright()) {
        let frame = reading.frame
        print(
          """
          {"file": "\(path)", "orientation": "\(orientation)", "frame": [\(frame.minX), \(frame.minY), \
          \(frame.maxX), \(frame.maxY)], "presence": \(reading.presence), "evidence": \(reading.evidence)}
          """)
      }
    }
  }
}

/// Faces that are large and certain enough to be painted on.
func clearFaces(_ study: VisionStudy, _ image: MPImage) throws -> [VisionStudy.Reading] {
  try study.readings(of: image).filter { $0.evidence > 1.4 && eyeDistance($0.mesh) > 40 }
}

func parts(_ study: VisionStudy, _ paths: [String]) throws {
  for path in paths {
    let image = try MPImage(contentsOf: path).upright()
    for (number, face) in try clearFaces(study, image).prefix(3).enumerated() {
      for variant in Cover.all(of: face.mesh, outline: study.outline) {
        for paint in variant.boxes.isEmpty ? [.none] : Paint.covering {
          let picture = try variant.painted(on: image, mesh: face.mesh, with: paint)
          guard let parts = try study.parts(of: picture, near: face.mesh) else { continue }
          for part in parts {
            let values = part.evidence.values.map { "\($0)" }.joined(separator: ", ")
            print(
              """
              {"file": "\(path)", "face": \(number), "cover": "\(variant.name)", "paint": "\(paint)", \
              "part": "\(part.region.rawValue)", "hidden": \(variant.hidden.contains(part.region)), \
              "evidence": [\(values)], "confidence": \(part.confidence)}
              """)
          }
        }
      }
    }
  }
}

let arguments = CommandLine.arguments
if arguments.count < 4 || !["ghosts", "parts"].contains(arguments[1]) {
  print("usage: vision-study ghosts|parts MODELS pictures…")
} else {
  let vision = try study(arguments[2])
  let paths = Array(arguments.dropFirst(3))
  if arguments[1] == "ghosts" { try ghosts(vision, paths) } else { try parts(vision, paths) }
}
