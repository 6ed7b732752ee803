import FaceKitModels
import FaceKitTensor

/// The files a pipeline is made of, as bytes. Models are recognised by their tensors, not by name.
public struct FaceModels: Sendable {
  /// A BlazeFace detector, short or full range.
  public var detector: StorageView
  /// A landmark model: 478 points at 256 px, or the older 468 points at 192 px, plain or with attention.
  public var landmarks: StorageView
  /// 146 points → 52 coefficients.
  public var blendshapes: StorageView?
  /// The canonical face: `geometry_pipeline_metadata_landmarks.binarypb`.
  public var geometry: StorageView?

  /// Creates the set from files in memory.
  public init(
    detector: StorageView, landmarks: StorageView, blendshapes: StorageView? = nil,
    geometry: StorageView? = nil
  ) {
    self.detector = detector
    self.landmarks = landmarks
    self.blendshapes = blendshapes
    self.geometry = geometry
  }

  /// The members of a `face_landmarker.task` bundle.
  ///
  /// - Throws: ``FaceKitError`` `notFound` if the detector or the landmark model is missing, or if
  ///   `bundle` is a plain `.tflite`; `unknown` if it is no bundle at all.
  public init(bundle: StorageView) throws(FaceKitError) {
    let role = "face landmarker bundle"
    if FaceModels.isPlainModel(bundle) {
      throw FaceKitError(
        .notFound, "no entry face_detector.tflite: this is a plain .tflite model", at: role,
        advice: "give the face_landmarker.task bundle")
    }
    do {
      let archive = try TaskBundle(bundle)
      detector = try archive.entry(named: Entry.detector)
      landmarks = try archive.entry(named: Entry.landmarks)
      blendshapes =
        archive.contains(Entry.blendshapes) ? try archive.entry(named: Entry.blendshapes) : nil
      geometry = archive.contains(Entry.geometry) ? try archive.entry(named: Entry.geometry) : nil
    } catch {
      throw FaceKitError(error, in: role)
    }
  }

  enum Entry {
    static let detector = "face_detector.tflite"
    static let landmarks = "face_landmarks_detector.tflite"
    static let blendshapes = "face_blendshapes.tflite"
    static let geometry = "geometry_pipeline_metadata_landmarks.binarypb"
  }

  /// Whether this is a single `.tflite` model: a FlatBuffer with the identifier `TFL3`. (One with a ZIP of
  /// labels behind it would open as an archive without the entries, so this is checked first.)
  package static func isPlainModel(_ bytes: StorageView) -> Bool {
    let identifier: [UInt8] = [0x54, 0x46, 0x4C, 0x33]
    guard bytes.count >= 8 else { return false }
    for (index, byte) in identifier.enumerated() where bytes.bytes[4 + index] != byte {
      return false
    }
    return true
  }
}
