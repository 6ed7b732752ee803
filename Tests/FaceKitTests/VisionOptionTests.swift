import Foundation
import Testing

@testable import FaceKit

@Suite("Vision: options, modes and orientations")
struct VisionOptionTests {
  @Test("defaults and numbers are ML Kit's")
  func defaults() {
    let options = VisionFaceDetectorOptions()
    #expect(options.performanceMode == .fast && options.landmarkMode == .none)
    #expect(options.contourMode == .none && options.classificationMode == .none)
    #expect(options.minFaceSize == 0.1 && !options.isTrackingEnabled)
    #expect(VisionFaceDetectorPerformanceMode.accurate.rawValue == 2)
    #expect(VisionFaceDetectorLandmarkMode.none.rawValue == 1)
    #expect(VisionImageMetadata().orientation == .topLeft)
    #expect(!Vision.vision().isStatsCollectionEnabled)
  }

  @Test("options are copied when the detector is made")
  func copied() {
    let options = VisionFaceDetectorOptions()
    options.classificationMode = .all
    var expected = VisionSettings()
    expected.classificationMode = .all
    let settings = options.settings
    options.contourMode = .all
    #expect(settings == expected)
  }

  @Test("contours alone in fast mode: one face, no angles, no tracking, no size limit")
  func contourOnly() {
    var settings = VisionSettings()
    settings.contourMode = .all
    settings.isTrackingEnabled = true
    #expect(settings.isContourOnlyFast && settings.findsOneFace)
    #expect(!settings.tracks && !settings.reportsEulerAngles && !settings.needsPose)
    #expect(settings.smallestWidth == 0)
    settings.reportsEulerAnglesInContourOnlyMode = true
    settings.contourScope = .allFaces
    #expect(settings.reportsEulerAngles && !settings.findsOneFace)
    let changes: [(inout VisionSettings) -> Void] = [
      { $0.performanceMode = .accurate }, { $0.landmarkMode = .all },
      { $0.classificationMode = .all },
    ]
    for change in changes {
      var other = VisionSettings()
      other.contourMode = .all
      other.isTrackingEnabled = true
      change(&other)
      #expect(!other.isContourOnlyFast && other.tracks && other.reportsEulerAngles)
      #expect(abs(other.smallestWidth - 0.09) < 1e-6)
    }
  }

  @Test("an option out of range is named, without models being looked for")
  func outOfRange() {
    for size in [-0.1, 1.5, .nan] {
      let options = VisionFaceDetectorOptions()
      options.minFaceSize = CGFloat(size)
      options.modelPath = "/nowhere"
      let error = #expect(throws: FaceKitError.self) {
        try Vision.vision().faceDetector(options: options).prepare()
      }
      #expect(error?.location == "minFaceSize" && error?.code == .invalidArgument)
    }
    var settings = VisionSettings()
    settings.maxFaces = 0
    #expect(throws: FaceKitError.self) { try settings.validate() }
  }

  @Test("missing models are an error of the first picture, with the place that was looked at")
  func missingModels() throws {
    let detector = Vision.vision(modelPath: "/nowhere").faceDetector()
    let image = VisionImage(image: try Scene.noise(width: 8, height: 8, format: .rgb))
    let error = #expect(throws: FaceKitError.self) { try detector.results(in: image) }
    #expect(error?.code == .notFound && error?.description.contains("/nowhere") == true)
    detector.resetTracking()
  }

  @Test("a folder that the environment names is the only one searched")
  func folders() {
    let named = VisionModelFiles.folders { ["FACEKIT_MODELS": "/models", "HOME": "/home/me"][$0] }
    #expect(named == ["/models"])
    let cached = VisionModelFiles.folders { ["HOME": "/home/me"][$0] }
    #expect(cached.last == "/home/me/.cache/facekit/models" && !cached.contains("/models"))
    let moved = VisionModelFiles.folders {
      ["HOME": "/home/me", "XDG_CACHE_HOME": "/cache"][$0]
    }
    #expect(moved.last == "/cache/facekit/models")
  }

  // MARK: Orientation

  @Test("the eight orientations have EXIF's numbers", arguments: 1...8)
  func exif(_ number: Int) throws {
    let orientation = try #require(VisionDetectorImageOrientation(rawValue: UInt(number)))
    #expect(orientation.imageOrientation == ImageOrientation(exif: number))
    #expect(VisionDetectorImageOrientation(orientation.imageOrientation) == orientation)
    #expect(orientation.isMirrored == [2, 4, 5, 7].contains(number))
  }

  @Test("the camera's table is the guide's: front cameras are mirrored")
  func camera() {
    for device in VisionDeviceOrientation.allCases {
      #expect(VisionDetectorImageOrientation.forCamera(position: .front, device: device).isMirrored)
      #expect(!VisionDetectorImageOrientation.forCamera(position: .back, device: device).isMirrored)
    }
    #expect(
      VisionDetectorImageOrientation.forCamera(position: .back, device: .portrait) == .rightTop)
  }

  @Test("a point of the upright picture is mapped to where it is stored", arguments: 1...8)
  func mapping(_ number: Int) throws {
    let orientation = try #require(ImageOrientation(exif: number))
    let image = try Scene.noise(width: 7, height: 4, format: .gray).oriented(orientation)
    let mapping = UprightMapping(orientation, storedWidth: 7, storedHeight: 4)
    for y in 0..<image.uprightHeight {
      for x in 0..<image.uprightWidth {
        let (column, row) = image.storedPosition(ofUpright: x, y)
        // Centres of pixels.
        let stored = mapping.stored(Point(x: Float(x) + 0.5, y: Float(y) + 0.5))
        #expect(stored == Point(x: Float(column) + 0.5, y: Float(row) + 0.5))
      }
    }
    let box = mapping.stored(Rect(minX: 1, minY: 2, maxX: 3, maxY: 3))
    #expect(box.minX < box.maxX && box.minY < box.maxY && box.width * box.height == 2)
  }

  @Test("a picture's own orientation counts until metadata is set")
  func metadata() throws {
    let picture = try Scene.noise(width: 8, height: 6, format: .rgb).oriented(.right)
    let image = VisionImage(image: picture)
    #expect(try image.oriented().orientation == .right)
    image.metadata = VisionImageMetadata()
    #expect(try image.oriented().orientation == .up)
    image.metadata?.orientation = .leftBottom
    #expect(try image.oriented().orientation == .left)
  }
}
