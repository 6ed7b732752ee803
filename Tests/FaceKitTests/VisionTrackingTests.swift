import TestSupport
import Testing

@testable import FaceKit

@Suite("Vision: tracking")
struct VisionTrackingTests {
  // MARK: Assignment

  @Test("the assignment is as cheap as the best of all permutations")
  func leastCost() {
    var random = LinearCongruentialGenerator(seed: 31)
    for _ in 0..<300 {
      let (rows, columns) = (random.int(1, 4), random.int(1, 4))
      let costs: [[Double?]] = (0..<rows).map { _ in
        (0..<columns).map { _ in random.int(0, 4) == 0 ? nil : Double(random.float(0, 2)) }
      }
      let found = leastCostAssignment(costs, columns: columns)
      let used = found.compactMap { $0 }
      #expect(Set(used).count == used.count)
      let best = bestByTrying(costs, columns: columns)
      #expect(used.count == best.pairs)
      let total = found.enumerated().reduce(0.0) { sum, pair in
        sum + (pair.element.flatMap { costs[pair.offset][$0] } ?? 0)
      }
      #expect(abs(total - best.cost) < 1e-6)
    }
  }

  /// Most pairs first, then least cost.
  private func bestByTrying(
    _ costs: [[Double?]], columns: Int, row: Int = 0, taken: Set<Int> = []
  ) -> (pairs: Int, cost: Double) {
    guard row < costs.count else { return (0, 0) }
    var best = bestByTrying(costs, columns: columns, row: row + 1, taken: taken)
    for column in 0..<columns where !taken.contains(column) {
      guard let cost = costs[row][column] else { continue }
      let rest = bestByTrying(costs, columns: columns, row: row + 1, taken: taken.union([column]))
      if rest.pairs + 1 > best.pairs
        || (rest.pairs + 1 == best.pairs && rest.cost + cost < best.cost)
      {
        best = (rest.pairs + 1, rest.cost + cost)
      }
    }
    return best
  }

  @Test("equals are paired in order, and nothing is paired with nothing")
  func ties() {
    #expect(leastCostAssignment([[1, 1], [1, 1]], columns: 2) == [0, 1])
    #expect(leastCostAssignment([[1, 1, 1]], columns: 3) == [0])
    #expect(leastCostAssignment([[nil, nil], [nil, 1]], columns: 2) == [nil, 1])
    #expect(leastCostAssignment([], columns: 3) == [])
    #expect(leastCostAssignment([[], []], columns: 0) == [nil, nil])
  }

  // MARK: Scenarios: 30 images a second, faces 120 px wide, ±2 px of noise on every value

  private struct Scene {
    var identities = FaceIdentities()
    var random: LinearCongruentialGenerator
    var time = 0

    init(seed: UInt64) { random = LinearCongruentialGenerator(seed: seed) }

    /// The numbers of the faces of the next image, each given by centre and width.
    mutating func see(_ faces: [(x: Double, y: Double, width: Double)]) -> [Int] {
      time += 33
      _ = identities.prepare(imageWidth: 1280, imageHeight: 720, timestampInMilliseconds: time)
      return identities.identify(
        faces.map { face in
          let n = random.floats(4, -2, 2)
          let (w, h) = (Float(face.width) + n[2], Float(face.width) * 1.25 + n[3])
          return Rect(
            x: Float(face.x) - w / 2 + n[0], y: Float(face.y) - h / 2 + n[1], width: w, height: h)
        })
    }
  }

  @Test("a face that stays has one number, from 0 on")
  func steady() {
    var scene = Scene(seed: 1)
    for _ in 0..<300 { #expect(scene.see([(400, 300, 120)]) == [0]) }
  }

  @Test(
    "hidden for 0.3 s in motion: the same face; for 1 s: another", arguments: [(9, 0), (31, 1)])
  func occlusion(images: Int, expected: Int) {
    var scene = Scene(seed: 2)
    func face(_ k: Int) -> (x: Double, y: Double, width: Double) { (200 + 6 * Double(k), 300, 120) }
    for k in 0..<20 { #expect(scene.see([face(k)]) == [0]) }
    for _ in 0..<images { #expect(scene.see([]) == []) }
    #expect(scene.see([face(20 + images)]) == [expected])
  }

  @Test("one image without detection does not end a track")
  func dropout() {
    var scene = Scene(seed: 3)
    for k in 0..<60 {
      let ids = scene.see(k % 10 == 5 ? [] : [(300 + 4 * Double(k), 300, 120)])
      #expect(ids == (k % 10 == 5 ? [] : [0]))
    }
  }

  /// How many of 200 crossings end with exchanged or new numbers.
  private func crossingErrors(widths: (Double, Double)) -> Int {
    var errors = 0
    for seed in 0..<200 {
      var scene = Scene(seed: UInt64(seed) + 100)
      var first: [Int] = []
      var last: [Int] = []
      for k in 0..<60 {
        let x = Double(k) * 10
        last = scene.see([(300 + x, 300, widths.0), (900 - x, 310, widths.1)])
        #expect(Set(last).count == 2)
        if k == 0 { first = last }
      }
      if last != first { errors += 1 }
    }
    return errors
  }

  @Test("faces that cross keep their numbers: always if sizes differ, 95 % of the time if not")
  func crossing() {
    #expect(crossingErrors(widths: (120, 160)) == 0)
    #expect(crossingErrors(widths: (120, 120)) <= 10)
  }

  @Test("a jump of less than 0.65 widths is the same face, of more than 0.75 another")
  func jump() {
    for (step, expected) in [(0.6, 0), (0.8, 1)] {
      var scene = Scene(seed: 5)
      for _ in 0..<10 { _ = scene.see([(400, 300, 120)]) }
      #expect(scene.see([(400 + step * 120, 300, 120)]) == [expected])
    }
  }

  @Test("a pan that speeds up to 0.6 widths an image is followed")
  func pan() {
    var scene = Scene(seed: 6)
    var (x, speed) = (0.0, 0.0)
    for _ in 0..<20 {
      speed = min(72, speed + 12)
      x += speed
      #expect(scene.see([(x, 300, 120)]) == [0])
    }
  }

  @Test("a face elsewhere, or of another size, is another face")
  func cut() {
    var scene = Scene(seed: 7)
    for _ in 0..<10 { _ = scene.see([(300, 300, 120)]) }
    #expect(scene.see([(900, 300, 120)]) == [1])
    #expect(scene.see([(900, 300, 240)]) == [2])
  }

  @Test("no number is given twice, not even after a reset or in another stream")
  func neverReused() {
    var identities = FaceIdentities()
    let frame = Rect(x: 100, y: 100, width: 80, height: 100)
    func see(_ width: Int, at time: Int?) -> (isNew: Bool, ids: [Int]) {
      let isNew = identities.prepare(
        imageWidth: width, imageHeight: 400, timestampInMilliseconds: time)
      return (isNew, identities.identify([frame]))
    }
    #expect(see(600, at: 0) == (true, [0]))
    #expect(see(600, at: 33) == (false, [0]))
    identities.reset()
    #expect(see(600, at: 66).ids == [1])
    #expect(see(600, at: 50) == (true, [2]), "time steps back")
    #expect(see(600, at: 1051) == (true, [3]), "a gap of more than a second")
    #expect(see(601, at: 1084) == (true, [4]), "another size")
    #expect(see(601, at: nil) == (false, [4]), "without a time, a thirtieth of a second")
  }

  @Test("numbers that are known stay, and are not given to a nearer face")
  func known() {
    var identities = FaceIdentities(firstID: 1)
    let (left, right) = (
      Rect(x: 100, y: 100, width: 80, height: 100), Rect(x: 130, y: 100, width: 80, height: 100)
    )
    func see(_ frames: [Rect], known: [Int?], at time: Int) -> [Int] {
      _ = identities.prepare(imageWidth: 600, imageHeight: 400, timestampInMilliseconds: time)
      return identities.identify(frames, known: known)
    }
    #expect(see([left], known: [nil], at: 0) == [1])
    // The new face lies where number 1 was.
    #expect(see([left, right], known: [nil, 1], at: 33) == [2, 1])
    // Number 2 is missing: the face near it gets it, the other one keeps its own.
    #expect(see([right], known: [1], at: 66) == [1])
    #expect(see([left, right], known: [nil, 1], at: 99) == [2, 1])
  }

  @Test("the same images give the same numbers")
  func deterministic() {
    func run() -> [[Int]] {
      var scene = Scene(seed: 8)
      return (0..<40).map { k in
        scene.see([(300 + 12 * Double(k), 300, 120), (800 - 12 * Double(k), 300, 120)])
      }
    }
    #expect(run() == run())
  }
}
