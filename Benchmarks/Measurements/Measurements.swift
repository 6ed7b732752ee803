import EndToEndSupport

/// `swift run -c release FaceKitMeasurements angles|modes`: what the article on the Vision surface says of errors, speed and
/// recall, measured again. It checks nothing: compare what it prints.
@main
enum Measurements {
  static func main() throws {
    guard VisionDoor.available else { return print("skipped: \(VisionDoor.reason)") }
    guard RenderedHead.isAvailable else {
      return print("skipped: needs the canonical face: run tools/setup")
    }
    switch CommandLine.arguments.dropFirst().first {
    case "angles": try AngleMeasurements.run()
    case "modes": try ModeMeasurements.run()
    default: print("usage: FaceKitMeasurements angles|modes")
    }
  }
}
