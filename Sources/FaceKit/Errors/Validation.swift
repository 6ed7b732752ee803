/// Settings that can be out of range.
protocol ValidatedSettings: Sendable {
  /// - Throws: ``FaceKitError`` `invalidArgument` that names the option, its value and its range.
  func validate() throws(FaceKitError)
}

/// Settings that have been checked. Pipelines are made of these, so that each value is checked exactly once,
/// before any file is opened, wherever it comes in.
struct Validated<Settings: ValidatedSettings>: Sendable {
  let value: Settings

  /// - Throws: what the settings' `validate()` throws.
  init(_ settings: Settings) throws(FaceKitError) {
    try settings.validate()
    value = settings
  }

  /// Settings for a part of the pipeline, every value of which comes from checked settings.
  init<Whole>(_ settings: Settings, from whole: Validated<Whole>) {
    value = settings
  }
}

/// Checks of options, with errors that name the option, its value, and what is allowed.
enum Validation {
  /// `0...1`, NaN excluded.
  static func unitInterval(_ value: Float, _ option: String) throws(FaceKitError) {
    if value >= 0 && value <= 1 { return }
    throw .invalid("\(value) is out of range", at: option, advice: "give a value in 0...1")
  }

  static func positive(_ value: Int, _ option: String) throws(FaceKitError) {
    if value >= 1 { return }
    throw .invalid("\(value) is out of range", at: option, advice: "give 1 or more")
  }

  /// Inside `0...1` on both axes, with an area.
  static func region(_ region: Rect?) throws(FaceKitError) {
    guard let region else { return }
    if region.minX >= 0, region.minY >= 0, region.maxX <= 1, region.maxY <= 1,
      region.minX < region.maxX, region.minY < region.maxY
    {
      return
    }
    throw .invalid(
      "[\(region.minX), \(region.maxX)] × [\(region.minY), \(region.maxY)]",
      at: "regionOfInterest", advice: "give a part of 0...1 on both axes that has an area")
  }

  static let maximumTiles = 16

  static func tiles(_ tiles: Int) throws(FaceKitError) {
    if (1...maximumTiles).contains(tiles) { return }
    throw .invalid("\(tiles) is out of range", at: "tiles", advice: "give 1...\(maximumTiles)")
  }
}
