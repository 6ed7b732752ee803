// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the fuzzer's flags never reach the main one. Built by `run`.
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FaceKit", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "Models", package: "FaceKit"),
        .product(name: "FaceKit", package: "FaceKit"),
        .product(name: "ImageCodecs", package: "FaceKit"),
      ],
      // libFuzzer brings `main`.
      swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]),
    // Shares the tests' builders by symbolic links.
    .executableTarget(name: "Seeds", swiftSettings: settings),
  ]
)
