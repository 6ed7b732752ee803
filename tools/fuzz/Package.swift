// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the fuzzer's flags never reach the main one. Built by `run`, which
// passes the sanitizers: they must reach every room.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FaceKit", path: "../..", traits: ["ImageLibraries"])],
  targets: [
    // Shares the tests' builders and the tool's `.npy` reader by symbolic links.
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "FaceKitKernels", package: "FaceKit"),
        .product(name: "FaceKitModels", package: "FaceKit"),
        .product(name: "FaceKit", package: "FaceKit"),
        .product(name: "ImageCodecs", package: "FaceKit"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
        .enableExperimentalFeature("Extern"),
      ])
  ]
)
