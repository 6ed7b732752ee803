import FaceKitModels
import FaceKitTensor

/// The steps of the Face Landmarker one by one, each on what the steps before it made of one picture: for
/// those who measure or study them.
package final class PipelineStages {
  package struct Stage {
    package let name: String
    /// Multiply–accumulates where the step is a network; 0 otherwise.
    package let multiplyAccumulates: Int
    /// Runs the step once more. Its result is kept, so that none of it is optimised away.
    package let run: () throws(FaceKitError) -> Void
  }

  private let image: MPImage
  private let mesher: FaceMesher
  private let detector: DetectorPipeline
  private let face: LandmarkModel.Reading
  private let region: NormalizedRect
  private let candidates: [DetectionCandidate]
  private var smoother = LandmarkSmoother()
  private var time: Int64 = 0
  /// The results of the last runs.
  package private(set) var last:
    (faces: [Point], landmarks: [NormalizedLandmark], scores: [Float]) =
      ([], [], [])

  /// Runs the whole pipeline once.
  ///
  /// - Throws: ``FaceKitError`` `notFound` if the picture shows no face; what the pipeline throws.
  package init(
    models: FaceModels, image: MPImage, engine: EngineOptions = EngineOptions()
  ) throws(FaceKitError) {
    self.image = image
    var settings = LandmarkerSettings()
    settings.outputFaceBlendshapes = true
    settings.outputFacialTransformationMatrixes = true
    let pipeline = try LandmarkPipeline(models: models, settings: settings, engine: engine)
    guard let detector = pipeline.mesher.finder.detectors.first,
      let found = try detector.detect(image).first
    else {
      throw FaceKitError(
        .notFound, "no face in the picture", at: "pipeline stages", advice: "give one with a face")
    }
    self.detector = detector
    mesher = pipeline.mesher
    candidates = detector.candidates()
    region = mesher.region(of: found, in: image).rect
    face = try mesher.landmarkModel.landmarks(of: image, in: region)
    if let model = mesher.blendshapeModel {
      _ = try model.classify(face.landmarks, imageWidth: image.width, imageHeight: image.height)
    }
  }

  /// In the order they run.
  package var all: [Stage] {
    detectionStages + meshStages + trackingStages
  }

  /// From the picture to the region of a face.
  private var detectionStages: [Stage] {
    let (detector, image, candidates) = (detector, image, candidates)
    let rect = image.detectionRect(nil)
    let threshold = detector.settings.minSuppressionThreshold
    return [
      sampling(detector.sampler, rect),
      network("face detector", detector.model),
      Stage(name: "anchor decoding", multiplyAccumulates: 0) { [self] () throws(FaceKitError) in
        last.faces = detector.candidates().map { $0.keypoints[0] }
      },
      Stage(name: "non-maximum suppression", multiplyAccumulates: 0) {
        [self] () throws(FaceKitError) in
        last.faces = suppressed(candidates, by: .weighted(threshold)).map { $0.keypoints[0] }
      },
    ]
  }

  /// From the region to landmarks, expression and pose.
  private var meshStages: [Stage] {
    let (model, image, region, face) = (mesher.landmarkModel, image, region, face)
    let (width, height) = (image.width, image.height)
    var stages = [
      sampling(model.sampler, region),
      network("face landmarks", model.model),
      Stage(name: "landmark mesh head", multiplyAccumulates: 0) { [self] () throws(FaceKitError) in
        let projection = Projection(
          region: try model.sampler.paddedRegion(region, in: image), imageWidth: width,
          imageHeight: height)
        last.landmarks = model.reading(rect: region, projection: projection).landmarks
      },
    ]
    if let blendshapes = mesher.blendshapeModel {
      stages += [
        Stage(name: "blendshape input", multiplyAccumulates: 0) { () throws(FaceKitError) in
          blendshapes.fill(face.landmarks, imageWidth: width, imageHeight: height)
        },
        network("face blendshapes", blendshapes.model),
        Stage(name: "blendshape head", multiplyAccumulates: 0) { [self] () throws(FaceKitError) in
          last.scores = blendshapes.scores().categories.map { $0.score }
        },
      ]
    }
    if let geometry = mesher.geometry {
      stages.append(
        Stage(name: "geometry solve", multiplyAccumulates: 0) { [self] () throws(FaceKitError) in
          let matrix = try geometry.transform(
            of: face.landmarks, imageWidth: width, imageHeight: height)
          last.scores = [matrix?[0, 3] ?? 0]
        })
    }
    return stages
  }

  /// What a stream adds.
  private var trackingStages: [Stage] {
    let (image, face, region) = (image, face, region)
    let known = TrackedRegion(rect: region, trackID: 1, detectionScore: 1)
    let fresh = TrackedRegion(rect: region, trackID: nil, detectionScore: 1)
    return [
      Stage(name: "association", multiplyAccumulates: 0) { [self] () throws(FaceKitError) in
        let regions = associate(previous: [known], detections: [fresh], threshold: 0.5, limit: 1)
        last.scores = regions.map { $0.detectionScore }
      },
      Stage(name: "region of the next frame", multiplyAccumulates: 0) {
        [self] () throws(FaceKitError) in
        let rect = mesher.nextRegion(of: face.landmarks, in: image)
        last.scores = [rect.rotation]
      },
      Stage(name: "smoothing", multiplyAccumulates: 0) { [self] () throws(FaceKitError) in
        time += 33_000_000
        last.landmarks = smoother.smooth(
          face.landmarks, imageWidth: image.width, imageHeight: image.height, time: time)
      },
    ]
  }

  private func sampling(_ sampler: ImageToTensor, _ rect: NormalizedRect) -> Stage {
    let image = image
    let count = sampler.tensorHeight * sampler.tensorWidth * 3
    // Not the model's own input: what the other steps need of it stays as it is.
    let tensor = Storage(count: count * 4)
    return Stage(
      name: "image → tensor \(sampler.tensorWidth)×\(sampler.tensorHeight)",
      multiplyAccumulates: 0
    ) { () throws(FaceKitError) in
      let values = UnsafeMutableBufferPointer(
        start: tensor.base.assumingMemoryBound(to: Float.self), count: count)
      _ = try sampler.fill(values, from: image, rect: rect)
    }
  }

  private func network(_ name: String, _ model: PipelineModel) -> Stage {
    let costs = model.session.model.graph.costs
    return Stage(
      name: name, multiplyAccumulates: costs.reduce(0) { $0 + $1.multiplyAccumulates }
    ) { () throws(FaceKitError) in try model.run() }
  }
}
