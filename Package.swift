// swift-tools-version: 6.2
import PackageDescription

// One `let` for the settings that every target shares: Swift 6 language mode, hence complete
// concurrency checking, and no warning is left standing.
let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]

// All rooms are compiled optimised in debug builds too: an unoptimised kernel is hundreds of times slower and
// would make the test suite useless. Bounds and overflow checks stay: a slip is then a trap, never a write
// through a wild pointer.
let checked: [SwiftSetting] = common + [.unsafeFlags(["-O"])]

// Whole modules at a time in debug builds too, or nothing is inlined from one file into another. (One thread
// writes an object for each file, as the build system expects.)
let wholeModule: SwiftSetting = .unsafeFlags(
  ["-disable-batch-mode", "-whole-module-optimization", "-num-threads", "1"])

// Microkernels alone are compiled without checks. They are loops over pointers whose arguments Kernels forms.
let microkernel: [SwiftSetting] = common + [.unsafeFlags(["-Ounchecked"]), wholeModule]

// MARK: Microkernels: one folder, built once for each instruction set

/// The kernels of one instruction set. SwiftPM refuses two targets with one path, so their folders
/// are symbolic links; docs/decisions/0002-instruction-sets.md has the whole story.
func microkernels(_ isa: String, _ clangFlags: [String] = []) -> Target {
  .target(
    name: "Microkernels\(isa)", dependencies: ["MicrokernelInterface"],
    swiftSettings: microkernel + [
      .define("ISA_\(isa.uppercased())"), .unsafeFlags(clangFlags.flatMap { ["-Xcc", $0] }),
    ])
}

var microkernelTargets = [microkernels("Baseline")]
#if arch(x86_64)
  microkernelTargets += [
    microkernels("AVX2", ["-mavx2", "-mfma", "-mf16c"]),
    microkernels("AVX512", ["-march=x86-64-v4"]),
    // One kernel of its own for those AVX-512 processors that have VNNI.
    microkernels("AVX512VNNI", ["-march=x86-64-v4", "-mavx512vnni"]),
  ]
#endif

let package = Package(
  name: "FaceKit",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "FaceKit", targets: ["FaceKit"]),
    .library(name: "FaceKitTensor", targets: ["FaceKitTensor"]),
    .library(name: "FaceKitKernels", targets: ["FaceKitKernels"]),
    .library(name: "FaceKitModels", targets: ["FaceKitModels"]),
    .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
    .executable(name: "facekit", targets: ["FaceKitTool"]),
  ],
  traits: [
    .trait(
      name: "OpenBLAS",
      description: "Offers OpenBLAS, opened at run time, as the `.blas` back end (Linux)."),
    .trait(
      name: "ImageLibraries",
      description: "Reads HEIC, AVIF, TIFF and JPEG XL with libheif, libtiff and libjxl (Linux)."),
    .default(enabledTraits: ["OpenBLAS", "ImageLibraries"]),
  ],
  targets: microkernelTargets + [
    .target(name: "MicrokernelInterface", swiftSettings: microkernel),
    .target(name: "FaceKitTensor", path: "Sources/Tensor", swiftSettings: checked),
    .target(
      name: "FaceKitKernels",
      dependencies: microkernelTargets.map { .byName(name: $0.name) } + [
        "FaceKitTensor", "MicrokernelInterface",
      ],
      path: "Sources/Kernels", swiftSettings: checked + [wholeModule],
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(
      name: "FaceKitModels", dependencies: ["FaceKitTensor", "FaceKitKernels"],
      path: "Sources/Models", swiftSettings: checked),
    .target(
      name: "FaceKitImages", dependencies: ["FaceKitTensor"], path: "Sources/Images",
      swiftSettings: checked),
    .target(
      name: "FaceKit",
      dependencies: ["FaceKitTensor", "FaceKitKernels", "FaceKitModels", "FaceKitImages"],
      swiftSettings: checked),

    .systemLibrary(
      name: "CJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CHEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(name: "CTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    // No pkgConfig: SwiftPM refuses a flag in it that a library behind libjxl wants.
    .systemLibrary(name: "CJXL", providers: [.apt(["libjxl-dev"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .target(
      name: "ImageCodecs",
      dependencies: ["FaceKitTensor", "FaceKitImages", "CJPEG", "CPNG", "CWebP"]
        + ["CHEIF", "CTIFF", "CJXL"].map {
          .target(
            name: $0, condition: .when(platforms: [.linux], traits: ["ImageLibraries"]))
        },
      swiftSettings: checked),
    // Files, environment, child processes, JSON and text: what the tool and its inspections share.
    .target(name: "ToolSupport", swiftSettings: common),
    .target(
      name: "Inspection",
      dependencies: [
        "FaceKitTensor", "FaceKitKernels", "FaceKitModels", "FaceKit", "ImageCodecs", "ToolSupport",
      ],
      resources: [.embedInCode("Resources/report.html")], swiftSettings: common),
    .executableTarget(
      name: "FaceKitTool",
      dependencies: [
        "FaceKitTensor", "FaceKitKernels", "FaceKitModels", "FaceKit", "ImageCodecs", "Inspection",
        "ToolSupport", "CCairo",
      ],
      resources: [
        .embedInCode("Resources/models.json"), .embedInCode("Resources/fetch_models.py"),
      ],
      swiftSettings: common),

    // Measures the limits of the Vision surface; not a product.
    .executableTarget(
      name: "vision-study", dependencies: ["FaceKit", "FaceKitModels", "ImageCodecs"],
      path: "Benchmarks/vision", exclude: ["fit.py"], swiftSettings: common),

    // Depends on no room, so that a room's tests build while another room is being changed.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: common),
    .testTarget(
      name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: common),
    .testTarget(name: "TensorTests", dependencies: ["FaceKitTensor"], swiftSettings: common),
    .testTarget(
      name: "KernelsTests", dependencies: ["FaceKitKernels", "TestSupport"], swiftSettings: common),
    .testTarget(
      name: "ModelsTests", dependencies: ["FaceKitModels", "TestSupport"], swiftSettings: common),
    .testTarget(
      name: "ImagesTests", dependencies: ["FaceKitTensor", "FaceKitImages"], swiftSettings: common),
    .testTarget(
      name: "FaceKitTests",
      dependencies: ["FaceKit", "FaceKitKernels", "ImageCodecs", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "ImageCodecsTests", dependencies: ["ImageCodecs", "FaceKitModels", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "ToolSupportTests", dependencies: ["ToolSupport", "TestSupport"], swiftSettings: common),
    .testTarget(
      name: "InspectionTests", dependencies: ["Inspection", "FaceKitTensor", "TestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "FaceKitTensor", "FaceKit", "ImageCodecs", "FaceKitTool", "Inspection", "TestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "EndToEndSupport", "FaceKit", "FaceKitModels", "ImageCodecs", "TestSupport", "FaceKitTool",
      ],
      swiftSettings: common),
    // Tasks, pictures and rendered heads, for the tests and for what is only measured.
    .target(
      name: "EndToEndSupport",
      dependencies: ["FaceKitTensor", "FaceKitModels", "FaceKit", "ImageCodecs", "TestSupport"],
      path: "Tests/EndToEndSupport", swiftSettings: common),
    .executableTarget(
      name: "FaceKitMeasurements", dependencies: ["EndToEndSupport", "FaceKit", "TestSupport"],
      path: "Benchmarks/Measurements", swiftSettings: common),
  ]
)
