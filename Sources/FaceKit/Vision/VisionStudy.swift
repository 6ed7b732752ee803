import FaceKitModels
import FaceKitTensor

/// What accurate mode decides on, before it decides: for those who measure its limits.
package final class VisionStudy {
  private let pipeline: VisionPipeline

  /// A mesh that a detection led to.
  package struct Reading {
    /// In pixels of the picture.
    package let mesh: [Point]
    package let frame: Rect
    package let presence: Float
    /// See ``FaceConfirmation``.
    package let evidence: Float
  }

  /// - Throws: what ``VisionPipeline`` throws.
  package init(models: VisionModels) throws(FaceKitError) {
    var settings = VisionSettings()
    settings.performanceMode = .accurate
    settings.classificationMode = .all
    pipeline = try VisionPipeline(models: models, settings: settings)
  }

  /// Every reading of an upright picture, in the detector's order; ghosts and repetitions among them.
  package func readings(of image: MPImage) throws(FaceKitError) -> [Reading] {
    var readings: [Reading] = []
    for region in try pipeline.detectedRegions(image) {
      guard let face = try pipeline.mesher.face(in: region, of: image) else { continue }
      let mesh = face.points(width: image.width, height: image.height)
      readings.append(
        Reading(
          mesh: mesh, frame: FaceFrame.around(mesh), presence: face.presence,
          evidence: try pipeline.mesher.finder.evidence(
            for: mesh, presence: face.presence, in: image)))
    }
    return readings
  }

  /// The mesh near a known one, and what is measured of its parts; `nil` if no face is found there.
  package func parts(
    of image: MPImage, near mesh: [Point]
  ) throws(FaceKitError) -> [(region: FaceRegion, evidence: RegionEvidence, confidence: Float)]? {
    let (width, height) = (Float(image.width), Float(image.height))
    let known = mesh.map { NormalizedLandmark(x: $0.x / width, y: $0.y / height, z: 0) }
    let rect = pipeline.mesher.nextRegion(of: known, in: image)
    let region = TrackedRegion(rect: rect, trackID: nil, detectionScore: 1)
    guard let face = try pipeline.mesher.face(in: region, of: image),
      let probe = try OcclusionProbe(
        pipeline.mesher.landmarkModel, image,
        in: pipeline.mesher.nextRegion(of: face.landmarks, in: image))
    else { return nil }
    var parts: [(region: FaceRegion, evidence: RegionEvidence, confidence: Float)] = []
    for region in FaceRegion.allCases {
      let evidence = try probe.evidence(region)
      parts.append((region, evidence, RegionVisibility.confidence(region, evidence)))
    }
    return parts
  }

  /// The points of the mesh that outline a part.
  package func outline(_ region: FaceRegion) -> [Int] { region.meshIndices }
}
