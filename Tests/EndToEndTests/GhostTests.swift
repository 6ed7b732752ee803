import EndToEndSupport
import FaceKit
import Foundation
import ImageCodecs
import TestSupport
import Testing

/// Accurate mode finds each face once, the right way up, and nothing that is no face.
@Suite("Ghosts", .enabled(if: VisionDoor.available, Comment(rawValue: VisionDoor.reason)))
struct GhostTests {
  private static func accurate(_ minFaceSize: VisionScalar? = nil) -> VisionFaceDetector {
    VisionDoor.detector {
      $0.performanceMode = .accurate
      if let minFaceSize { $0.minFaceSize = minFaceSize }
    }
  }

  @Test(
    "the face that was found a second time upside down is found once",
    .enabled(if: SharedCases.isAvailable, Comment(rawValue: SharedCases.reason)),
    arguments: [("portrait.jpg", 1), ("six-people.jpg", 6)])
  func upsideDown(_ name: String, _ people: Int) throws {
    let image = try MPImage(contentsOf: SharedCases.url("ghost-upside-down/" + name).path)
    let detector = GhostTests.accurate()
    for orientation in ImageOrientation.allCases {
      let turned = try image.oriented(orientation).upright()
      let found = try detector.results(in: VisionImage(image: turned))
      #expect(found.count == people, "\(name), \(orientation): \(found.map(\.frameRect))")
      let rolls = found.compactMap { $0.headEulerAngles?.z }
      let upright: Double =
        switch orientation {
        case .up, .upMirrored: 0
        case .down, .downMirrored: 180
        case .left, .leftMirrored: 90
        case .right, .rightMirrored: -90
        }
      for roll in rolls {
        let off = abs((roll - upright + 540).truncatingRemainder(dividingBy: 360) - 180)
        #expect(off < 45, "\(name), \(orientation): \(roll)°")
      }
    }
  }

  private static let single = Tasks.images.filter {
    $0.tags.contains("one") && ["original", "derived"].contains($0.kind)
  }

  @Test(
    "a picture of one person has one face at most, whichever way it is turned", arguments: single)
  func onePerson(_ picture: CorpusImage) throws {
    let image = try Tasks.image(picture)
    let detector = GhostTests.accurate()
    var counts: [Int] = []
    for orientation in ImageOrientation.allCases {
      let turned = try image.oriented(orientation).upright()
      counts.append(try detector.results(in: VisionImage(image: turned)).count)
    }
    #expect(counts.allSatisfy { $0 <= 1 }, "\(picture.id): \(counts)")
  }

  @Test(
    "pictures without a face have none", arguments: Tasks.images.filter { $0.tags.contains("none") }
  )
  func empty(_ picture: CorpusImage) throws {
    let found = try GhostTests.accurate(0.02).results(in: VisionImage(image: Tasks.image(picture)))
    #expect(found.isEmpty)
  }

  // MARK: Small faces

  @Test(
    "accurate mode finds the people of a large group, and nothing else",
    .enabled(if: SharedCases.isAvailable, Comment(rawValue: SharedCases.reason)))
  func group() throws {
    let image = try MPImage(contentsOf: SharedCases.url("accurate-small-faces/group.jpg").path)
    let found = try GhostTests.accurate(0.01).results(in: VisionImage(image: image))
    #expect((30...31).contains(found.count))
    // Hands and shoes, which the detector alone takes for faces, are in the lower half; heads are in a band.
    for face in found {
      #expect((740...1140).contains(face.frameRect.minY), "\(face.frameRect)")
      #expect((60...140).contains(face.frameRect.width), "\(face.frameRect)")
    }
  }

  // MARK: Tiles

  private struct Annotation: Decodable {
    struct Face: Decodable { var box: [Float]? }
    var image: String
    var faces: [Face]
  }

  private static let annotations: [Annotation] =
    (try? JSONDecoder().decode(
      [Annotation].self, from: Data(contentsOf: Corpus.url("goldens/annotations.json")))) ?? []

  @Test(
    "no number of tiles loses a face that a smaller one finds",
    .enabled(
      if: ModelFiles.isAvailable("face_detection_full_range_sparse.tflite"), "needs full range"))
  func tileCounts() throws {
    var people = 0
    for annotation in GhostTests.annotations {
      let boxes = annotation.faces.compactMap(\.box).map {
        Rect(x: $0[0], y: $0[1], width: $0[2], height: $0[3])
      }
      if boxes.isEmpty { continue }
      let image = try VisionDoor.picture(annotation.image)
      var found: Set<Int> = []
      for count in [2, 3, 4, 5, 6, 7, 8, 9, 10, 12] {
        let options = FaceDetectorOptions()
        options.baseOptions.modelAssetPath =
          ModelFiles.url("face_detection_full_range_sparse.tflite").path
        options.tiles = count
        let detections = try FaceDetector(options: options).detect(image: image).detections
        let now = Set(
          boxes.indices.filter { index in
            detections.contains { overlap($0.pixelBox, boxes[index]) > 0.25 }
          })
        #expect(
          found.isSubset(of: now),
          "\(annotation.image), \(count) tiles: lost \(found.subtracting(now))")
        found.formUnion(now)
        for (index, one) in detections.enumerated() {
          for other in detections[..<index] {
            #expect(
              overlap(one.pixelBox, rect(other.pixelBox)) < 0.5,
              "\(annotation.image), \(count): twice")
          }
        }
      }
      people += found.count
    }
    #expect(people >= 25)
  }

  private func overlap(_ box: Detection.PixelBox, _ other: Rect) -> Float {
    rect(box).overlap(other)
  }

  private func rect(_ box: Detection.PixelBox) -> Rect {
    Rect(
      x: Float(box.originX), y: Float(box.originY), width: Float(box.width),
      height: Float(box.height))
  }

  // MARK: What is hidden

  /// A bar over the eyes, and a mask over nose and mouth.
  @Test(
    "covered parts have less confidence than the same parts uncovered, and are left out when asked")
  func covered() throws {
    func faces(_ id: String, _ set: (VisionFaceDetectorOptions) -> Void) throws -> [VisionFace] {
      try VisionDoor.faces(id) {
        VisionDoor.all($0)
        $0.performanceMode = .accurate
        set($0)
      }
    }
    let bar = try #require(try faces("bar-eyes") { $0.hidesOccludedRegions = true }.first)
    let eyes = try #require(bar.regionConfidence)
    #expect(
      eyes.isHidden(.leftEye) && eyes.isHidden(.rightEye) && !eyes.isHidden(.mouth), "\(eyes)")
    #expect(bar.contour(ofType: .leftEye) == nil && bar.contour(ofType: .upperLipTop) != nil)
    #expect(bar.landmark(ofType: .rightEye) == nil && bar.landmark(ofType: .mouthBottom) != nil)
    #expect(bar.leftEyeOpen == nil && bar.rightEyeOpen == nil && bar.smile != nil)

    let mask = try #require(try faces("mask-lower") { $0.hidesOccludedRegions = true }.first)
    let parts = try #require(mask.regionConfidence)
    #expect(
      parts.isHidden(.mouth) && !parts.isHidden(.leftEye) && !parts.isHidden(.rightEye), "\(parts)")
    #expect(mask.smile == nil && mask.contour(ofType: .lowerLipBottom) == nil)
    #expect(mask.leftEyeOpen != nil && mask.rightEyeOpen != nil)

    let clear = try #require(
      try faces("businesswoman") { $0.estimatesRegionConfidence = true }.first)
    let seen = try #require(clear.regionConfidence)
    for region in FaceRegion.allCases { #expect(seen[region] > 0.5, "\(region): \(seen)") }
    // Only told, not asked to leave anything out.
    #expect(clear.contours.count == 15 && clear.landmarks.count == 10)
    #expect(try faces("businesswoman") { _ in }.first?.regionConfidence == nil)
  }

  @Test("left and right of the confidence go by the convention")
  func confidenceSides() throws {
    let image = try VisionDoor.picture("businesswoman")
    func confidence(_ convention: VisionSideConvention) throws -> FaceRegionConfidence? {
      try VisionDoor.detector {
        $0.estimatesRegionConfidence = true
        $0.sideConvention = convention
      }.results(in: VisionImage(image: image)).first?.regionConfidence
    }
    let (subject, viewer) = (
      try #require(try confidence(.subject)), try #require(try confidence(.viewer))
    )
    #expect(subject.leftEye == viewer.rightEye && subject.rightBrow == viewer.leftBrow)
    #expect(subject.mouth == viewer.mouth && subject.leftEye != subject.rightEye)
  }

  @Test(
    "an open eye behind glasses is not called closed",
    .enabled(if: SharedCases.isAvailable, Comment(rawValue: SharedCases.reason)))
  func glasses() throws {
    let image = try MPImage(contentsOf: SharedCases.url("eye-open-behind-glasses/glasses.jpg").path)
    let found = try VisionDoor.detector(VisionDoor.all).results(in: VisionImage(image: image))
    #expect(found.count >= 2)
    for face in found {
      for open in [face.leftEyeOpen, face.rightEyeOpen] {
        if let open { #expect(open > 0.5, "\(face.frameRect): \(open)") }
      }
    }
  }
}
