/// From a mesh to what ML Kit reports of a face.
extension VisionPipeline {
  /// The way from pixels of the upright picture to those that results are given in.
  func mapping(_ image: MPImage) -> UprightMapping {
    UprightMapping(
      settings.coordinateSpace == .input ? image.orientation : .up, storedWidth: image.width,
      storedHeight: image.height)
  }

  /// One face, with what the settings ask for.
  func describe(
    _ face: FramedFace, isMostProminent: Bool, of image: MPImage, _ mapping: UprightMapping
  ) throws(FaceKitError) -> VisionFace {
    let pose = mesher.headPose(of: face.mesh, in: image)
    let angles = pose.map { HeadEulerAngles(rotation: $0.rotation) }
    var classification: FaceClassification?
    if let angles, let expression = try mesher.expression(of: face.mesh, in: image) {
      var scores: [Float] = []
      for category in expression.categories { scores.append(category.score) }
      classification = FaceClassification(
        scores: scores, yaw: angles.y, calibration: settings.calibration)
    }
    let confidence =
      settings.needsRegionConfidence
      ? try mesher.regionConfidence(of: face.mesh, in: image) : nil
    let hidden = settings.hidesOccludedRegions ? confidence?.hiddenRegions ?? [] : []
    classification?.leaveOut(hidden)
    let hasContours =
      settings.contourMode == .all && (isMostProminent || settings.contourScope == .allFaces)
    let points =
      hasContours || settings.landmarkMode == .all
      ? face.mesh.points(width: image.width, height: image.height) : []
    return VisionFace(
      frameRect: mapping.stored(face.frame), confidence: Double(face.mesh.presence),
      headEulerAngles: settings.reportsEulerAngles ? angles : nil,
      landmarks: landmarks(points, pose, angles, mapping, hidden),
      contours: hasContours ? contours(points, mapping, hidden) : [],
      classification: classification, trackID: face.mesh.trackID, regionConfidence: confidence,
      sideConvention: settings.sideConvention)
  }

  /// The ten landmarks; `mesh` is in pixels of the upright picture.
  private func landmarks(
    _ mesh: [Point], _ pose: Similarity?, _ angles: HeadEulerAngles?, _ mapping: UprightMapping,
    _ hidden: [FaceRegion]
  ) -> [VisionFaceLandmark] {
    guard settings.landmarkMode == .all, let pose, let angles else { return [] }
    var landmarks: [VisionFaceLandmark] = []
    for type in FaceLandmarkType.allCases {
      let isVisible = type.isVisible(atHeadEulerAngleY: angles.y)
      if settings.hidesOccludedLandmarks && !isVisible { continue }
      if let region = type.region, hidden.contains(region) { continue }
      landmarks.append(
        VisionFaceLandmark(
          type: settings.sideConvention == .viewer ? type.mirrored : type,
          position: VisionPoint(mapping.stored(type.position(mesh: mesh, pose: pose))),
          isVisible: isVisible))
    }
    return landmarks
  }

  private func contours(
    _ mesh: [Point], _ mapping: UprightMapping, _ hidden: [FaceRegion]
  ) -> [VisionFaceContour] {
    var contours: [VisionFaceContour] = []
    for type in FaceContourType.separate {
      if let region = type.region, hidden.contains(region) { continue }
      var points: [VisionPoint] = []
      for index in type.meshIndices { points.append(VisionPoint(mapping.stored(mesh[index]))) }
      contours.append(
        VisionFaceContour(
          type: settings.sideConvention == .viewer ? type.mirrored : type, points: points))
    }
    return contours
  }
}
