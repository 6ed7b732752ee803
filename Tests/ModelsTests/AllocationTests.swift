#if os(Linux) && _pointerBitWidth(_64)
  import FaceKitKernels
  import FaceKitModels
  import TestSupport
  import Testing

  @Suite(
    "Allocations", .serialized, .enabled(if: ModelFiles.isAvailable, "\(ModelFiles.reason)"))
  struct AllocationTests {
    @Test(
      "an inference allocates nothing", arguments: ModelGolden.models,
      [Backend.simd, .automatic, .reference])
    func steadyState(name: String, backend: Backend) throws {
      let model = try TFLiteModel(bytes: ModelFiles.bytes("\(name).tflite"))
      let session = try CompiledModel(model, options: EngineOptions(backend: backend))
        .makeSession()
      // Whatever is set up lazily is set up now.
      try session.run()
      let count = try countAllocations { () throws(ModelError) in
        try session.run()
        try session.run()
      }
      #expect(count == 0, "\(name), \(backend.rawValue)")
    }
  }
#endif
