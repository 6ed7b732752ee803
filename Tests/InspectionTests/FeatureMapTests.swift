import FaceKitModels
import FaceKitTensor
import Testing
import ToolSupport

@testable import Inspection

@Suite("Feature maps, comparisons, verdicts")
struct FeatureMapTests {
  @Test("the colour map rises evenly in lightness, and hardly two colours are one")
  func colorMap() {
    let grey = ColorMap.colors.map {
      0.2126 * Double($0.red) + 0.7152 * Double($0.green) + 0.0722 * Double($0.blue)
    }
    for (a, b) in zip(grey, grey.dropFirst()) { #expect(b > a - 0.5) }
    #expect(grey[0] < 30 && grey[255] > 210)
    #expect(Set(ColorMap.colors.map { [$0.red, $0.green, $0.blue] }).count > 250)
  }

  @Test("dead channels and saturation are seen, and a vector becomes a square")
  func featureMap() throws {
    // Channel 0 differs, channel 1 is 6 everywhere but once, channel 2 is dead.
    let values: [Float] = [1, 6, 0, 2, 6, 0, 3, 6, 0, 4, 5, 0]
    let map = try #require(FeatureMap(Tensor(values, shape: [1, 2, 2, 3])))
    #expect(map.deadChannels == [2])
    #expect(map.saturation == 0.25)
    let picture = try map.image()
    #expect(picture.width > 48 && picture.height > 48)
    let vector = try #require(FeatureMap(Tensor([Float](repeating: 1, count: 10), shape: [1, 10])))
    #expect(vector.height == 3 && vector.width == 4 && vector.channels == 1)
    #expect(vector.values.count == 12 && vector.values[11].isNaN)
    #expect(
      try #require(FeatureMap(Tensor((0..<1001).map(Float.init), shape: [1, 1001]))).range == (
        5, 995
      ))
    #expect(vector.deadChannels.isEmpty && vector.saturation == 0)
  }

  @Test("a difference is told with its place; NaN on one side departs, on both agrees")
  func comparison() {
    let found = TensorComparison([1, 2, 3.5, .nan], reference: [1, 2, 3, .nan])
    #expect(found.largestDifference == 0.5 && found.place == 2 && found.scale == 3)
    #expect(found.departs(beyond: 0.1) && !found.departs(beyond: 0.2))
    #expect(TensorComparison([.nan], reference: [1]).departs(beyond: 1e9))
    #expect(!TensorComparison([.infinity], reference: [.infinity]).departs(beyond: 0))
  }

  @Test("a kernel is faster or slower only beyond the noise of both measurements")
  func verdict() {
    let quiet = (minimum: 100.0, median: 101.0)
    #expect(BaselineVerdict(old: quiet, new: (80, 81)).kind == .faster)
    #expect(BaselineVerdict(old: quiet, new: (120, 121)).kind == .slower)
    #expect(BaselineVerdict(old: quiet, new: (102, 103)).kind == .same)
    #expect(BaselineVerdict(old: quiet, new: (80, 110)).kind == .same)
  }

  @Test("Base64 as in RFC 4648")
  func base64() {
    let words = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foobar": "Zm9vYmFy"]
    for (word, expected) in words { #expect(Base64.encode(Array(word.utf8)) == expected) }
  }

  @Test("what is wrong is found wrong before it is timed")
  func correctness() {
    #expect(KernelBenchmark.error([[1, 2]], [[1, 2]]) == 0)
    #expect(KernelBenchmark.error([[1, 2.1]], [[1, 2]]) > KernelBenchmark.tolerance)
    #expect(KernelBenchmark.error([[.nan]], [[1]]) > KernelBenchmark.tolerance)
  }
}
