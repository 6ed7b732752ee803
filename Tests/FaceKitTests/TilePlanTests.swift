import Testing

@testable import FaceKit

@Suite("Tiles")
struct TilePlanTests {
  private static let plans = [
    DetectorSpecification.faceShortRange.tilePlan, DetectorSpecification.faceFullRange.tilePlan,
  ]

  @Test(
    "n tiles lie along the longer side, from edge to edge, stepping by two thirds",
    arguments: 2...40)
  func squares(_ count: Int) throws {
    let squares = TilePlan.squares(1000, 700, count: count)
    let row = squares.filter { $0.minY == 0 }
    #expect(row.count == count)
    let side = 3000 / Float(2 * count + 1)
    for (left, right) in zip(row, row.dropFirst()) {
      #expect(abs(right.minX - left.minX - side * 2 / 3) < 0.01)
    }
    #expect(row.first?.minX == 0 && abs((row.last?.maxX ?? 0) - 1000) < 0.01)
    #expect(squares.allSatisfy { abs($0.width - side) < 0.01 })
    #expect(squares.contains { abs($0.maxY - 700) < 0.01 })
    #expect(squares.allSatisfy { $0.minX >= 0 && $0.maxX < 1000.01 && $0.maxY < 700.01 })
  }

  @Test("a flat picture has one row, cut to its height")
  func flat() {
    let squares = TilePlan.squares(1000, 50, count: 4)
    #expect(squares.count == 4)
    #expect(squares.allSatisfy { $0.minY == 0 && $0.maxY == 50 && $0.width > 300 })
  }

  @Test("a face as wide as the overlap is whole in some tile, wherever it lies", arguments: 2...20)
  func everyPlace(_ count: Int) {
    let (width, height) = (Float(1600), Float(900))
    let area = Rect(minX: 0, minY: 0, maxX: width, maxY: height)
    let face = width / Float(2 * count + 1) * 0.999
    let tiles = TilePlan.squares(width, height, count: count)
    // Every start of a tile and every end, and the places between.
    var places: [Float] = []
    for step in 0...400 { places.append((width - face) * Float(step) / 400) }
    for tile in tiles { places += [tile.minX - face / 2, tile.maxX - face / 2, tile.maxX - face] }
    for x in places where x >= 0 && x + face <= width {
      for y in places where y + face <= height && y >= 0 && Int(x + y) % 7 == 0 {
        let box = Rect(x: x, y: y, width: face, height: face)
        #expect(
          tiles.contains { TilePlan.isWhole(box, in: $0, of: area) }, "\(count) tiles, \(box)")
      }
    }
  }

  @Test("what a tile cuts is left to its neighbour, except at the end of the area")
  func wholeness() {
    let area = Rect(minX: 0.25, minY: 0, maxX: 0.75, maxY: 1)
    let left = Rect(minX: 0.25, minY: 0.3, maxX: 0.5, maxY: 0.6)
    let right = Rect(minX: 0.5, minY: 0.3, maxX: 0.75, maxY: 0.6)
    func face(_ x: Float, _ y: Float) -> Rect { Rect(x: x, y: y, width: 0.1, height: 0.1) }
    #expect(TilePlan.isWhole(face(0.39, 0.4), in: left, of: area))
    #expect(!TilePlan.isWhole(face(0.41, 0.4), in: left, of: area), "leaves it to the right")
    #expect(!TilePlan.isWhole(face(0.49, 0.4), in: right, of: area), "leaves it to the left")
    #expect(!TilePlan.isWhole(face(0.3, 0.55), in: left, of: area), "leaves it below")
    #expect(!TilePlan.isWhole(face(0.3, 0.25), in: left, of: area), "leaves it above")
    #expect(TilePlan.isWhole(face(0.2, 0.4), in: left, of: area), "cut by the area's left edge")
    #expect(TilePlan.isWhole(face(0.7, 0.4), in: right, of: area), "cut by the area's right edge")
  }

  @Test(
    "between the finest tiles and the whole there is a level for faces of every size",
    arguments: plans)
  func levels(_ plan: TilePlan) {
    for finest in 2...60 {
      let levels = plan.levels(finest: finest)
      #expect(
        levels.last == finest && levels == levels.sorted() && Set(levels).count == levels.count)
      // The whole is the coarsest level: nothing is cut there.
      var reached = plan.certainReach
      for count in levels {
        let parts = Float(2 * count + 1)
        #expect(1 / parts >= reached - 1e-4, "\(levels): faces between \(1 / parts) and \(reached)")
        reached = 3 / parts * plan.certainReach
      }
    }
    #expect(plan.levels(finest: 1).isEmpty)
    #expect(TilePlanTests.plans[0].levels(finest: 8) == [2, 4, 8])
    #expect(TilePlanTests.plans[1].levels(finest: 8) == [2, 8])
  }

  @Test("the count follows the size of the face, down to sixteen pixels")
  func count() {
    let (short, full) = (TilePlanTests.plans[0], TilePlanTests.plans[1])
    #expect(full.count(forFaceSide: 50, longerSide: 1000) == 1)
    #expect(full.count(forFaceSide: 49, longerSide: 1000) == 2)
    #expect(short.count(forFaceSide: 49, longerSide: 1000) == 3)
    for plan in TilePlanTests.plans {
      var last = Int.max
      for face in stride(from: Float(16), to: 400, by: 3) {
        let count = plan.count(forFaceSide: face, longerSide: 4000)
        #expect(count <= last)
        let side = count == 1 ? 4000 : 3 * 4000 / Float(2 * count + 1)
        #expect(face >= plan.reach * side * 0.999, "\(face) in \(count) tiles")
        last = count
      }
      #expect(
        plan.count(forFaceSide: 0, longerSide: 4000)
          == plan.count(forFaceSide: 16, longerSide: 4000))
    }
  }
}
