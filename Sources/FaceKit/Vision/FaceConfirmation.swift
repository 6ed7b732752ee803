import FaceKitKernels

/// How much speaks for a mesh being one of a face, and the right way up.
///
/// Presence alone does not tell: a building's windows, folded hands and a face read upside down reach 0.95 and more. So
/// the detectors look again, each by itself, at the place that the mesh claims, turned upright and at the size
/// they know best. On a face they agree with the mesh on where eyes, nose and mouth are; on anything else their answer is
/// weak or elsewhere.
enum FaceConfirmation {
  /// The least evidence of a face at a confidence of 0.5: with both detectors, and with the short-range one alone.
  ///
  /// On 240 pictures, each turned and mirrored in all eight ways, whatever was no face had at most 0.60, and faces
  /// 0.84 or more; docs/vision-limits.md has the rest.
  static let leastOfBoth: Float = 0.7
  static let leastOfShortRange: Float = 0.39

  /// How far the short-range detector looks around a mesh, in multiples of the mesh's longer side. At three times the
  /// side it sees a face with its surroundings, at twice the side those that the picture or something else cuts.
  static let shortRangeViews: [Float] = [3, 2]
  static let fullRangeView: Float = 3

  /// What the parts come to: the better view of the short-range detector, the full-range detector's, and a little for
  /// the mesh model's own opinion, a fiftieth of its logit up to 10.
  static func evidence(shortRange: Float, fullRange: Float, presence: Float) -> Float {
    let p = Double(min(max(presence, 1e-5), 1 - 5e-5))
    let logit = Float(Elementary.log(p / (1 - p)))
    return shortRange + fullRange + 0.02 * min(logit, 10)
  }
}

/// A mesh as the detectors would see it, in pixels.
struct ExpectedFace: Sendable {
  /// Right eye, left eye, nose tip, middle of the mouth: the keypoints that face the camera.
  let keypoints: [Point]
  /// The angle of the line between the eyes' outer corners.
  let angle: Float
  private let center: Point
  private let longerSide: Float
  /// What distances are measured in: from outer to outer corner of the eyes, or, in profiles, the like of it.
  private let unit: Float

  /// - Parameter mesh: The mesh in pixels, 468 points or more.
  init(_ mesh: [Point]) {
    func middle(_ a: Int, _ b: Int) -> Point {
      Point(x: (mesh[a].x + mesh[b].x) / 2, y: (mesh[a].y + mesh[b].y) / 2)
    }
    keypoints = [middle(33, 133), middle(362, 263), middle(1, 4), middle(13, 14)]
    angle = Angle.ofLine(from: mesh[33], to: mesh[263])
    let (c, s) = (Elementary.cos(angle), Elementary.sin(angle))
    var bounds = Rect(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    for point in mesh.prefix(LandmarkModelSpecification.mesh468.pointCount) {
      let level = Point(x: c * point.x + s * point.y, y: c * point.y - s * point.x)
      bounds.minX = min(bounds.minX, level.x)
      bounds.maxX = max(bounds.maxX, level.x)
      bounds.minY = min(bounds.minY, level.y)
      bounds.maxY = max(bounds.maxY, level.y)
    }
    longerSide = max(bounds.width, bounds.height)
    let level = Point(x: (bounds.minX + bounds.maxX) / 2, y: (bounds.minY + bounds.maxY) / 2)
    center = Point(x: c * level.x - s * level.y, y: s * level.x + c * level.y)
    // From the forehead's top to the chin a face is 1.7 times as long as its eyes are apart.
    unit = max(mesh[33].distance(to: mesh[263]), 0.6 * mesh[10].distance(to: mesh[152]))
  }

  /// A square around the mesh, upright to it, whose side is `size` times the mesh's longer side.
  func view(_ size: Float, of image: MPImage) -> NormalizedRect {
    let (w, h) = (Float(image.width), Float(image.height))
    let side = size * longerSide
    return NormalizedRect(
      centerX: center.x / w, centerY: center.y / h, width: side / w, height: side / h,
      rotation: angle)
  }

  /// How far the candidate that agrees best goes along with the mesh, `0...1`: its score, less twice the mean
  /// distance of the four keypoints, as a share of it. A candidate whose keypoints lie half an eye line away says
  /// nothing; 0 without any.
  func agreement(of candidates: [DetectionCandidate], in image: MPImage) -> Float {
    let (w, h) = (Float(image.width), Float(image.height))
    var best: Float = 0
    guard unit > 0 else { return best }
    for candidate in candidates {
      var distance: Float = 0
      for (index, expected) in keypoints.enumerated() {
        let seen = Point(x: candidate.keypoints[index].x * w, y: candidate.keypoints[index].y * h)
        distance += seen.distance(to: expected)
      }
      let share = distance / Float(keypoints.count) / unit
      // False for NaN too.
      if share < 0.5 { best = max(best, candidate.score * (1 - 2 * share)) }
    }
    return best
  }
}

extension Point {
  func distance(to other: Point) -> Float {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
  }
}

extension FaceFinder {
  /// Looks at a mesh (in pixels of the upright picture) again with every detector; see ``FaceConfirmation``. From
  /// `enough` evidence on no further look is taken: each can only add to it.
  func evidence(
    for mesh: [Point], presence: Float, in image: MPImage, enough: Float = .infinity
  ) throws(FaceKitError) -> Float {
    let expected = ExpectedFace(mesh)
    var (shortRange, fullRange) = (Float(0), Float(0))
    var evidence = FaceConfirmation.evidence(shortRange: 0, fullRange: 0, presence: presence)
    for detector in detectors {
      let isFullRange = detector.specification == .faceFullRange
      let views = isFullRange ? [FaceConfirmation.fullRangeView] : FaceConfirmation.shortRangeViews
      for size in views {
        let view = expected.view(size, of: image)
        guard view.inPixels(width: image.width, height: image.height).isUsable else { continue }
        let seen = expected.agreement(
          of: try detector.detect(image, in: view, isLenient: true), in: image)
        if isFullRange {
          fullRange = max(fullRange, seen)
        } else {
          shortRange = max(shortRange, seen)
        }
        evidence = FaceConfirmation.evidence(
          shortRange: shortRange, fullRange: fullRange, presence: presence)
        if evidence >= enough { return evidence }
      }
    }
    return evidence
  }

  /// The evidence from which a mesh is taken for a face: at a confidence of 0.5 the measured limits, at more more.
  func leastEvidence(atConfidence confidence: Float) -> Float {
    let both = detectors.count > 1
    return 2 * confidence
      * (both ? FaceConfirmation.leastOfBoth : FaceConfirmation.leastOfShortRange)
  }
}
