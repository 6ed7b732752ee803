import EndToEndSupport
import FaceKit
import Foundation
import ImageCodecs
import FaceKitModels
import TestSupport
import Testing

/// Needs only what `tools/setup` fetches, so that it means something on any machine.
@Suite(
  "The sample portrait against MediaPipe",
  .enabled(
    if: Portrait.path != nil && ModelFiles.isAvailable,
    "no models or no sample portrait: run tools/setup"))
struct PortraitTests {
  private let image: MPImage

  init() throws {
    image = try MPImage(contentsOf: #require(Portrait.path))
    let hash = SHA256.hex(image.pixels.bytes)
    let expected = try PortraitGolden.rgbSha256()
    try #require(hash == expected)
  }

  @Test("box, score and keypoints")
  func detector() throws {
    let found = try Tasks.detector.get().detect(image: image).detections
    let goldens = try PortraitGolden.detections()
    try #require(found.count == goldens.count)
    for (detection, golden) in zip(found, goldens) {
      #expect(abs(detection.pixelBox.originX - golden.boundingBox.originX) <= 1)
      #expect(abs(detection.pixelBox.originY - golden.boundingBox.originY) <= 1)
      #expect(abs(detection.pixelBox.width - golden.boundingBox.width) <= 1)
      #expect(abs(detection.score - golden.score) <= 1e-3)
      for (keypoint, point) in zip(detection.keypoints ?? [], golden.keypoints) {
        #expect(
          abs(keypoint.x - point[0]) * 512 <= 0.05 && abs(keypoint.y - point[1]) * 512 <= 0.05)
      }
    }
  }

  @Test("landmarks, blendshapes and matrix")
  func landmarker() throws {
    let result = try Tasks.oneFace.get().detect(image: image)
    let golden = try PortraitGolden.landmarker()
    try #require(result.faceLandmarks.count == 1)
    let distance = FaceDistance(result, golden.numFaces1, width: 512, height: 512)
    #expect(distance.pixels <= 0.1 && distance.blendshape <= 4e-3 && distance.matrix <= 2e-3)
    #expect(result.faceTracks[0].presence > 0.99 && result.detectorRan)
  }

  @Test("a video of one picture is followed without the detector, and stays where it is")
  func video() throws {
    let options = Tasks.landmarkerOptions()
    options.runningMode = .video
    let landmarker = try FaceLandmarker(options: options)
    let first = try landmarker.detect(videoFrame: image, timestampInMilliseconds: 0)
    #expect(first.detectorRan)
    for frame in 1..<5 {
      let result = try landmarker.detect(videoFrame: image, timestampInMilliseconds: 33 * frame)
      #expect(!result.detectorRan && result.faceTracks.first?.trackID == 1)
      try #require(result.faceLandmarks.count == 1)
      let moved = zip(result.faceLandmarks[0], first.faceLandmarks[0]).map {
        max(abs($0.x - $1.x), abs($0.y - $1.y)) * 512
      }
      // The region is another one than the detector's, so points move a little, smoothed.
      #expect(moved.max() ?? 9 < 2)
    }
  }
}
