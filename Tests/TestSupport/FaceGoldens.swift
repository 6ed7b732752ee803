import Foundation

// What MediaPipe answers for the corpus's pictures and sequences, as Swift values. Names follow the
// corpus's `schema.json`.

/// One picture of the corpus.
public struct CorpusImage: Decodable, Sendable, CustomStringConvertible {
  public var id: String
  /// `original`, `derived` or `formats`.
  public var kind: String
  /// The 8-bit RGB PNG that every peer was fed, relative to the corpus.
  public var decoded: String
  public var width: Int
  public var height: Int
  /// SHA-256 of the decoded RGB bytes.
  public var rgbSha256: String
  public var tags: [String]
  /// A picture with the same pixels, whose goldens apply.
  public var sameAs: String?
  /// The file as published, where there is just one.
  public var source: String?

  public var description: String { id }

  /// The id whose goldens apply.
  public var goldenID: String { sameAs ?? id }

  private enum CodingKeys: String, CodingKey {
    case id, kind, decoded, width, height, rgbSha256, tags, sameAs, source
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    kind = try container.decode(String.self, forKey: .kind)
    decoded = try container.decode(String.self, forKey: .decoded)
    width = try container.decode(Int.self, forKey: .width)
    height = try container.decode(Int.self, forKey: .height)
    rgbSha256 = try container.decode(String.self, forKey: .rgbSha256)
    tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? []
    sameAs = try container.decodeIfPresent(String.self, forKey: .sameAs)
    // A derived picture may name several sources.
    source = try? container.decodeIfPresent(String.self, forKey: .source)
  }
}

/// A sequence of frames, `FOLDER/NNN.png`.
public struct CorpusSequence: Decodable, Sendable, CustomStringConvertible {
  public var id: String
  public var folder: String
  public var count: Int
  public var width: Int
  public var height: Int
  public var timestampStepMs: Int
  public var tags: [String]

  public var description: String { id }

  /// Path of a frame, relative to the corpus.
  public func frame(_ index: Int) -> String {
    let digits = String(index)
    return "\(folder)/\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits).png"
  }
}

/// A file to refuse or to salvage.
public struct BrokenImage: Decodable, Sendable {
  public var file: String
  public var expect: String
}

/// `manifest.json` of the corpus.
public struct CorpusManifest: Decodable, Sendable {
  public var images: [CorpusImage]
  public var sequences: [CorpusSequence]
  public var broken: [BrokenImage]

  public static func load() throws -> CorpusManifest { try Corpus.json("manifest.json") }

  public func image(_ id: String) throws -> CorpusImage {
    guard let image = images.first(where: { $0.id == id }) else {
      throw GoldenError("the corpus has no picture '\(id)'")
    }
    return image
  }
}

/// A Tasks detection: box in whole pixels, keypoints `[x, y]` normalised.
public struct DetectionGolden: Decodable, Sendable {
  public struct Box: Decodable, Sendable, Hashable {
    public var originX: Int
    public var originY: Int
    public var width: Int
    public var height: Int
  }

  public var boundingBox: Box
  public var score: Float
  public var keypoints: [[Float]]
}

/// `goldens/detector/tasks-VERSION/ID.json`.
public struct DetectorGolden: Decodable, Sendable {
  public var minDetectionConfidence05: [DetectionGolden]
  public var minDetectionConfidence02: [DetectionGolden]

  private enum CodingKeys: String, CodingKey {
    case minDetectionConfidence05 = "minDetectionConfidence0.5"
    case minDetectionConfidence02 = "minDetectionConfidence0.2"
  }

  public static func load(_ id: String, version: String = "tasks-1.2.3") throws -> DetectorGolden {
    try Corpus.json("goldens/detector/\(version)/\(id).json")
  }
}

/// A detection of the older solutions, everything normalised.
public struct LegacyDetectionGolden: Decodable, Sendable {
  public struct Box: Decodable, Sendable {
    public var xMin: Float
    public var yMin: Float
    public var width: Float
    public var height: Float
  }

  public var relativeBoundingBox: Box
  public var score: Float
  public var keypoints: [[Float]]

  private struct File: Decodable { var detections: [LegacyDetectionGolden] }

  /// Detections of `legacy-short-0.10.21` or `legacy-full-0.10.21`.
  public static func load(_ id: String, version: String) throws -> [LegacyDetectionGolden] {
    try Corpus.json("goldens/detector/\(version)/\(id).json", as: File.self).detections
  }
}

/// A face of the landmarker: 478 `[x, y, z]`, 52 scores, a row-major 4×4 matrix.
public struct FaceGolden: Decodable, Sendable {
  public var landmarks: [[Float]]
  public var blendshapes: [Float]
  public var matrix: [Float]
}

/// `goldens/landmarker/tasks-VERSION/ID.json`.
public struct LandmarkerGolden: Decodable, Sendable {
  public var width: Int
  public var height: Int
  public var numFaces1: [FaceGolden]
  public var numFaces5: [FaceGolden]

  private struct Faces: Decodable { var faces: [FaceGolden] }

  private enum CodingKeys: String, CodingKey { case width, height, numFaces1, numFaces5 }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    width = try container.decode(Int.self, forKey: .width)
    height = try container.decode(Int.self, forKey: .height)
    let one = try container.decode(Faces.self, forKey: .numFaces1).faces
    numFaces1 = one
    // The text "same as numFaces1" stands where five wanted faces change nothing.
    if let text = try? container.decode(String.self, forKey: .numFaces5) {
      guard text == "same as numFaces1" else { throw GoldenError("numFaces5 is '\(text)'") }
      numFaces5 = one
    } else {
      numFaces5 = try container.decode(Faces.self, forKey: .numFaces5).faces
    }
  }

  public static func load(_ id: String, version: String = "tasks-1.2.3") throws -> LandmarkerGolden
  {
    try Corpus.json("goldens/landmarker/\(version)/\(id).json")
  }
}

/// A rotated rectangle: centre and size normalised, rotation in radians, clockwise on the screen.
public struct RectGolden: Decodable, Sendable {
  public var xCenter: Double
  public var yCenter: Double
  public var width: Double
  public var height: Double
  public var rotation: Double
}

/// `goldens/rects/ID.json`: regions of interest inside the landmarker.
public struct RectsGolden: Decodable, Sendable {
  public struct Regions: Decodable, Sendable {
    /// The square around each detection, before it is expanded.
    public var fromDetection: [RectGolden]?
    /// The rectangle for the next frame, already expanded.
    public var fromLandmarks: [RectGolden]?
  }

  public var width: Int
  public var height: Int
  public var numFaces1: Regions
  public var numFaces5: Regions?

  public static func load(_ id: String) throws -> RectsGolden {
    try Corpus.json("goldens/rects/\(id).json")
  }
}

/// `goldens/crops/index.json`: stored 256×256 crops that test the sampler alone.
public struct CropGolden: Decodable, Sendable, CustomStringConvertible {
  public var image: String
  /// PNG of the crop, relative to the corpus.
  public var crop: String
  public var rect: RectGolden

  public var description: String { image }

  private struct File: Decodable { var crops: [CropGolden] }

  public static func loadAll() throws -> [CropGolden] {
    try Corpus.json("goldens/crops/index.json", as: File.self).crops
  }
}

/// `goldens/facemesh/KIND-0.10.21/ID.json`: landmarks of each face.
public struct FaceMeshGolden: Decodable, Sendable {
  public struct Face: Decodable, Sendable { public var landmarks: [[Float]] }

  public var width: Int
  public var height: Int
  public var faces: [Face]

  /// Landmarks of `attention` (478 points) or `basic` (468).
  public static func load(_ id: String, kind: String) throws -> FaceMeshGolden {
    try Corpus.json("goldens/facemesh/\(kind)-0.10.21/\(id).json")
  }
}

/// `goldens/video/ID.numFacesN.json` with its data: the landmarker in video mode.
public struct VideoGolden: Sendable {
  public var sequence: String
  public var timestampStepMs: Int
  /// Faces of each frame.
  public var frames: [[FaceGolden]]

  private struct File: Decodable {
    var sequence: String
    var timestampStepMs: Int
    var data: String
    var facesPerFrame: [Int]
  }

  /// 478 × 3 landmarks, 52 blendshapes, 16 matrix entries.
  private static let floatsPerFace = 478 * 3 + 52 + 16

  public static func load(_ sequence: String, numFaces: Int) throws -> VideoGolden {
    let path = "goldens/video/\(sequence).numFaces\(numFaces).json"
    let file = try Corpus.json(path, as: File.self)
    let all = try values(of: Float.self, in: Corpus.bytes("goldens/video/\(file.data)"))
    guard all.count == file.facesPerFrame.reduce(0, +) * floatsPerFace else {
      throw GoldenError("\(file.data) holds \(all.count) values")
    }
    var start = 0
    let frames = file.facesPerFrame.map { count in
      (0..<count).map { _ in
        defer { start += floatsPerFace }
        let points = start..<start + 478 * 3
        return FaceGolden(
          landmarks: stride(from: points.lowerBound, to: points.upperBound, by: 3).map {
            Array(all[$0..<$0 + 3])
          },
          blendshapes: Array(all[points.upperBound..<points.upperBound + 52]),
          matrix: Array(all[points.upperBound + 52..<start + floatsPerFace]))
      }
    }
    return VideoGolden(
      sequence: file.sequence, timestampStepMs: file.timestampStepMs, frames: frames)
  }

  private struct DetectorFile: Decodable { var frames: [[DetectionGolden]] }

  /// The detector's answer for each frame, `goldens/video/ID.detector.json`.
  public static func loadDetector(_ sequence: String) throws -> [[DetectionGolden]] {
    try Corpus.json("goldens/video/\(sequence).detector.json", as: DetectorFile.self).frames
  }
}

/// The 52 blendshape names, in output order.
public func blendshapeNames() throws -> [String] {
  try Corpus.json("goldens/blendshape-names.json", as: [String].self)
}

/// MediaPipe's answers for the sample portrait, committed in `Tests/Goldens/portrait`.
public enum PortraitGolden {
  private struct Detector: Decodable {
    var rgbSha256: String
    var detections: [DetectionGolden]
  }

  /// What the Tasks detector finds at its default confidence.
  public static func detections() throws -> [DetectionGolden] {
    try Goldens.json("portrait/detector.json", as: Detector.self).detections
  }

  /// SHA-256 of the portrait's RGB bytes.
  public static func rgbSha256() throws -> String {
    try Goldens.json("portrait/detector.json", as: Detector.self).rgbSha256
  }

  public static func landmarker() throws -> LandmarkerGolden {
    try Goldens.json("portrait/landmarker.json")
  }
}
