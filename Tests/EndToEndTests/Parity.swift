import FaceKit
import Foundation
import ImageCodecs
import FaceKitModels
import FaceKitTensor
import TestSupport

/// How far our answer is from MediaPipe's, in the units of the bounds that docs/testing.md explains.
struct FaceDistance: CustomStringConvertible {
  /// Furthest landmark, in pixels of the picture, over x and y.
  var pixels: Float = 0
  var blendshape: Float = 0
  /// Furthest matrix element, as a share of the largest.
  var matrix: Float = 0

  init(_ result: FaceLandmarkerResult, _ goldens: [FaceGolden], width: Int, height: Int) {
    for (index, golden) in goldens.enumerated() {
      add(result.faceLandmarks[index], golden.landmarks, width, height)
      for (k, expected) in golden.blendshapes.enumerated() {
        let actual = result.faceBlendshapes[index].categories[k].score
        blendshape = max(blendshape, abs(actual - expected))
      }
      let largest = golden.matrix.map(abs).max() ?? 1
      for (k, expected) in golden.matrix.enumerated() {
        let actual = result.facialTransformationMatrixes[index].rowMajor[k]
        matrix = max(matrix, abs(actual - expected) / largest)
      }
    }
  }

  init(_ landmarks: [NormalizedLandmark], _ golden: [[Float]], width: Int, height: Int) {
    add(landmarks, golden, width, height)
  }

  private mutating func add(
    _ landmarks: [NormalizedLandmark], _ golden: [[Float]], _ width: Int, _ height: Int
  ) {
    for (actual, expected) in zip(landmarks, golden) {
      pixels = max(
        pixels, abs(actual.x - expected[0]) * Float(width),
        abs(actual.y - expected[1]) * Float(height))
    }
  }

  var description: String {
    "landmarks \(pixels) px, blendshapes \(blendshape), matrix \(matrix)"
  }
}
