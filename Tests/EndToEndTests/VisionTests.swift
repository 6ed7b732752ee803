import EndToEndSupport
import FaceKit
import ImageCodecs
import TestSupport
import Testing

@Suite("Vision", .enabled(if: VisionDoor.available, Comment(rawValue: VisionDoor.reason)))
struct VisionTests {
  // MARK: What is off reads as absent

  private struct Modes: Sendable, CustomStringConvertible {
    var accurate = false
    var landmarks = false
    var contours = false
    var classification = false
    var tracking = false

    static let all: [Modes] = (0..<32).map { bits in
      Modes(
        accurate: bits & 1 != 0, landmarks: bits & 2 != 0, contours: bits & 4 != 0,
        classification: bits & 8 != 0, tracking: bits & 16 != 0)
    }

    func set(_ options: VisionFaceDetectorOptions) {
      options.performanceMode = accurate ? .accurate : .fast
      options.landmarkMode = landmarks ? .all : .none
      options.contourMode = contours ? .all : .none
      options.classificationMode = classification ? .all : .none
      options.isTrackingEnabled = tracking
    }

    var isContourOnlyFast: Bool { contours && !accurate && !landmarks && !classification }

    var description: String {
      "accurate \(accurate), landmarks \(landmarks), contours \(contours), "
        + "classification \(classification), tracking \(tracking)"
    }
  }

  @Test("every combination of modes has what ML Kit's table says, on a picture of two")
  func modes() throws {
    let image = VisionImage(image: try VisionDoor.picture("two-kids"))
    for modes in Modes.all {
      let faces = try VisionDoor.detector(modes.set).results(in: image)
      #expect(faces.count == (modes.isContourOnlyFast ? 1 : 2), "\(modes)")
      for (index, face) in faces.enumerated() {
        let hasAngles = !modes.isContourOnlyFast
        #expect(face.hasHeadEulerAngleX == hasAngles && face.hasHeadEulerAngleY == hasAngles)
        #expect(face.hasHeadEulerAngleZ == hasAngles, "\(modes)")
        #expect(face.landmarks.count == (modes.landmarks ? 10 : 0), "\(modes)")
        // Contours go to the most prominent face alone, which comes first.
        #expect(face.contours.count == (modes.contours && index == 0 ? 15 : 0), "\(modes)")
        #expect(face.hasSmilingProbability == modes.classification, "\(modes)")
        #expect(face.hasLeftEyeOpenProbability == modes.classification)
        #expect(face.hasRightEyeOpenProbability == modes.classification)
        #expect(face.hasTrackingID == (modes.tracking && !modes.isContourOnlyFast), "\(modes)")
        if !modes.classification {
          #expect(face.smilingProbability == -1 && face.rightEyeOpenProbability == -1)
        }
        if !hasAngles { #expect(face.headEulerAngleY == 0) }
        if !modes.landmarks { #expect(face.landmark(ofType: .leftEye) == nil) }
        for type in FaceContourType.allCases {
          let points = face.contour(ofType: type)?.points.count
          #expect(points == (face.contours.isEmpty ? nil : type.meshIndices.count))
        }
      }
    }
  }

  @Test("the frame is the same in every mode of one performance, and encloses the face")
  func frames() throws {
    let plain = try VisionDoor.faces("two-kids") { _ in }
    let full = try VisionDoor.faces("two-kids")
    let alone = try VisionDoor.faces("two-kids") { $0.contourMode = .all }
    #expect(plain.map(\.frame) == full.map(\.frame) && alone.map(\.frame) == [plain[0].frame])
    let points = full[0].contour(ofType: .all)?.points ?? []
    #expect(points.count == 133)
    #expect(points.allSatisfy { full[0].frame.contains($0.cgPoint) })
    #expect(full[0].frame.width > full[1].frame.width)
  }

  @Test("extensions: contours for all, angles with contours alone, hidden landmarks, a limit")
  func extensions() throws {
    let faces = try VisionDoor.faces("two-kids") {
      $0.contourMode = .all
      $0.contourScope = .allFaces
      $0.reportsEulerAnglesInContourOnlyMode = true
    }
    #expect(faces.count == 2 && faces.allSatisfy { $0.contours.count == 15 })
    #expect(faces.allSatisfy { $0.hasHeadEulerAngleX })
    let one = try VisionDoor.faces("two-kids") { $0.maxFaces = 1 }
    #expect(one.count == 1)
    let hidden = try VisionDoor.faces("astronaut") {
      $0.landmarkMode = .all
      $0.hidesOccludedLandmarks = true
    }
    #expect(hidden[0].landmark(ofType: .leftEar) == nil)
    #expect(hidden[0].landmark(ofType: .leftEye)?.isVisible == true)
  }

  // MARK: Left and right

  @Test(
    "left is the subject's: on the image's right of a portrait; the viewer's names are exchanged")
  func sides() throws {
    let face = try #require(try VisionDoor.faces("astronaut").first)
    let viewer = try #require(
      try VisionDoor.faces("astronaut") {
        VisionDoor.all($0)
        $0.sideConvention = .viewer
      }.first)
    for (left, right) in [
      (FaceLandmarkType.leftEye, FaceLandmarkType.rightEye), (.leftEar, .rightEar),
      (.leftCheek, .rightCheek), (.mouthLeft, .mouthRight),
    ] {
      let (l, r) = (face.landmark(ofType: left)?.position, face.landmark(ofType: right)?.position)
      #expect(try #require(l).x > #require(r).x, "\(left)")
      #expect(viewer.landmark(ofType: left)?.position == r, "\(left)")
      #expect(viewer.landmark(ofType: right)?.position == l, "\(left)")
    }
    #expect(viewer.contour(ofType: .leftEye)?.points == face.contour(ofType: .rightEye)?.points)
    #expect(viewer.contour(ofType: .all) == face.contour(ofType: .all), "goes by place")
    #expect(viewer.leftEyeOpen == face.rightEyeOpen && viewer.rightEyeOpen == face.leftEyeOpen)
    #expect(viewer.headEulerAngles == face.headEulerAngles)
  }

  @Test("a mirrored picture: y and z change sign, x stays, sides go with the picture")
  func mirror() throws {
    let picture = try VisionDoor.picture("two-kids")
    let detector = VisionDoor.detector(VisionDoor.all)
    let faces = try detector.results(in: VisionImage(image: picture))
    let mirrored = try detector.results(
      in: VisionImage(image: picture.oriented(.upMirrored).upright()))
    for (face, other) in zip(faces, mirrored) {
      #expect(abs(face.headEulerAngleX - other.headEulerAngleX) < 2)
      #expect(abs(face.headEulerAngleY + other.headEulerAngleY) < 2)
      #expect(abs(face.headEulerAngleZ + other.headEulerAngleZ) < 2)
      let eye = try #require(other.landmark(ofType: .leftEye)).position
      let same = try #require(face.landmark(ofType: .rightEye)).position
      #expect(abs(eye.x - (1280 - same.x)) < 6 && abs(eye.y - same.y) < 6)
    }
  }

  // MARK: Orientation

  @Test("one picture, stored in eight ways with its orientation, has one answer", arguments: 1...8)
  func orientations(_ exif: Int) throws {
    let orientation = try #require(VisionDetectorImageOrientation(rawValue: UInt(exif)))
    let upright = try VisionDoor.picture("astronaut")
    let image = VisionImage(
      image: try VisionDoor.stored(upright, orientation.imageOrientation))
    image.metadata = VisionImageMetadata()
    image.metadata?.orientation = orientation
    let expected = try VisionDoor.faces("astronaut")
    let found = try VisionDoor.detector(VisionDoor.all).results(in: image)
    #expect(found == expected && found.count == 1)

    // In the buffer's pixels: as far from its corner as the orientation says, with the same names and angles.
    let stored = try VisionDoor.detector {
      VisionDoor.all($0)
      $0.coordinateSpace = .input
    }.results(in: image)
    let face = try #require(stored.first)
    #expect(face.headEulerAngles == expected[0].headEulerAngles)
    let eye = try #require(face.landmark(ofType: .leftEye)).position
    let wanted = try #require(expected[0].landmark(ofType: .leftEye)).position
    let (u, v, side) = (wanted.x, wanted.y, 512.0)
    let place: (x: Double, y: Double) =
      switch orientation {
      case .topLeft: (u, v)
      case .topRight: (side - u, v)
      case .bottomRight: (side - u, side - v)
      case .bottomLeft: (u, side - v)
      case .leftTop: (v, u)
      case .rightTop: (v, side - u)
      case .rightBottom: (side - v, side - u)
      case .leftBottom: (side - v, u)
      }
    #expect(abs(eye.x - place.x) < 1e-3 && abs(eye.y - place.y) < 1e-3)
    #expect(face.frame.contains(eye.cgPoint) && face.frame.width > 0)
  }

  @Test("without its orientation a picture on its head is found in accurate mode, as it lies")
  func turned() throws {
    let portrait = try VisionDoor.picture("astronaut")
    let detector = VisionDoor.detector { $0.performanceMode = .accurate }
    for (turn, z) in [(ImageOrientation.left, 90.0), (.right, -90), (.down, 180)] {
      let faces = try detector.results(in: VisionImage(image: portrait.oriented(turn).upright()))
      let face = try #require(faces.first, "\(turn)")
      let upright = try #require(try detector.results(in: VisionImage(image: portrait)).first)
      let difference = (face.headEulerAngleZ - upright.headEulerAngleZ - z)
        .remainder(dividingBy: 360)
      #expect(abs(difference) < 3, "\(turn): \(face.headEulerAngleZ)")
    }
  }

  // MARK: Probabilities

  /// Who smiles, as a person sees it; the eyes of all are open.
  private static let labelled: [(id: String, smiles: Bool)] = [
    ("astronaut", true), ("hopper", false), ("woman-glasses", true), ("man-sofa", true),
    ("president", true), ("woman-hat", true), ("woman-dark", true), ("man-moustache", true),
    ("painting-pearl", false), ("takeo", false), ("man-glasses-autumn", true),
    ("child-small", false), ("businesswoman", true),
  ]

  @Test("smiles and open eyes are on the right side of one half", arguments: labelled.indices)
  func labels(_ index: Int) throws {
    let (id, smiles) = VisionTests.labelled[index]
    let face = try #require(try VisionDoor.faces(id).first, "\(id)")
    let smile = try #require(face.smile, "\(id)")
    #expect((smile > 0.5) == smiles, "\(id): \(smile)")
    for open in [face.leftEyeOpen, face.rightEyeOpen] {
      if let open { #expect(open > 0.5, "\(id)") }
    }
  }

  // MARK: Performance modes and sizes

  @Test("accurate finds the faces that fast finds, and smaller ones")
  func performance() throws {
    var counts = [0, 0]
    for id in ["four-men-gray", "meeting-group", "dlib-2008-002470", "dlib-2007-007763"] {
      let found = try [VisionFaceDetectorPerformanceMode.fast, .accurate].map { mode in
        try VisionDoor.faces(id) {
          $0.performanceMode = mode
          $0.minFaceSize = 0.03
        }
      }
      #expect(found[0].count <= found[1].count, "\(id)")
      counts[0] += found[0].count
      counts[1] += found[1].count
    }
    #expect(counts[1] >= counts[0] + 6, "\(counts)")
  }

  @Test("no face is narrower than nine tenths of the size asked for")
  func minFaceSize() throws {
    let all = try VisionDoor.faces("wall-of-faces") { $0.minFaceSize = 0 }
    let large = try VisionDoor.faces("wall-of-faces") { $0.minFaceSize = 0.25 }
    #expect(large.count < all.count && !large.isEmpty)
    #expect(large.allSatisfy { $0.frame.width >= 0.9 * 0.25 * 480 })
    #expect(Set(large.map(\.frameRect)).isSubset(of: all.map(\.frameRect)))
    let none = try VisionDoor.faces("astronaut") { $0.minFaceSize = 0.9 }
    #expect(none.isEmpty)
  }

  @Test("degenerate pictures have no faces, in any mode")
  func degenerate() throws {
    for id in ["one-pixel", "strip-2x300", "blank-black", "noise"] {
      for mode in VisionFaceDetectorPerformanceMode.allCases {
        let faces = try VisionDoor.faces(id) {
          VisionDoor.all($0)
          $0.performanceMode = mode
        }
        #expect(faces.isEmpty, "\(id) \(mode)")
      }
    }
  }

  @Test("one answer whoever asks: blocking, awaited, or again")
  func deterministic() async throws {
    let detector = VisionDoor.detector(VisionDoor.all)
    let image = VisionImage(image: try VisionDoor.picture("three-men"))
    let first = try detector.results(in: image)
    let awaited = try await detector.faces(in: image)
    #expect(first.count == 3 && awaited == first)
    #expect(try detector.results(in: image) == first)
  }
}
