#if canImport(Dispatch) && canImport(Foundation) && !hasFeature(Embedded)
  import Dispatch
  import FaceKitModels

  /// Receives the faces of a picture, or the reason why there are none: exactly one of both is not `nil`. A picture
  /// without a face has an empty list.
  public typealias VisionFaceDetectionCallback =
    @MainActor ([VisionFace]?, (any Error)?) -> Void

  /// Finds faces the way ML Kit's detector does. Made by ``Vision/faceDetector(options:)``.
  ///
  /// ```swift
  /// let options = VisionFaceDetectorOptions()
  /// options.classificationMode = .all
  /// let detector = Vision.vision().faceDetector(options: options)
  /// for face in try detector.results(in: VisionImage(image: image)) {
  ///   print(face.frame, face.smilingProbability)
  /// }
  /// ```
  ///
  /// A thin shell: the steps are in ``VisionPipeline``. Calls may come from any thread; they are processed one at a time,
  /// in order.
  public final class VisionFaceDetector: Sendable {
    private let settings: VisionSettings
    private let models: VisionModels?
    private let modelPath: String?
    private let engine: EngineOptions
    private let queue = DispatchQueue(label: "FaceKit.VisionFaceDetector")
    /// Made when it is first needed: making a detector can't fail.
    private let pipeline = Guarded<VisionPipeline?>(nil)

    init(
      settings: VisionSettings, models: VisionModels?, engine: EngineOptions, modelPath: String?
    ) {
      self.settings = settings
      self.models = models
      self.engine = engine
      self.modelPath = modelPath
    }

    // MARK: Detection

    /// Finds the faces of a picture and calls back on the main thread. Returns at once.
    ///
    /// The main thread has to be free for that: a program that has no run loop uses ``results(in:)`` or
    /// ``faces(in:)``. Pictures are queued: drop frames of a camera while one is being processed.
    public func process(
      _ image: VisionImage, completion: @escaping VisionFaceDetectionCallback
    ) {
      let picture = Picture(image)
      queue.async { [self] in
        let outcome = self.outcome(picture)
        DispatchQueue.main.async {
          switch outcome {
          case .success(let faces): completion(faces, nil)
          case .failure(let error): completion(nil, error)
          }
        }
      }
    }

    /// The name that older releases had for ``process(_:completion:)``.
    @available(*, deprecated, renamed: "process(_:completion:)")
    public func detect(
      in image: VisionImage, completion: @escaping VisionFaceDetectionCallback
    ) {
      process(image, completion: completion)
    }

    /// The faces of a picture, computed on the caller's thread. (ML Kit refuses to on the main thread; here it is allowed,
    /// though it blocks the interface for that time.)
    ///
    /// - Throws: ``FaceKitError`` for an option out of range, models that are missing or damaged, or a picture that could
    ///   not be read.
    public func results(in image: VisionImage) throws(FaceKitError) -> [VisionFace] {
      try outcome(Picture(image)).get()
    }

    /// The faces of a picture, computed off the caller's thread. Throws as ``results(in:)`` does.
    public nonisolated(nonsending) func faces(
      in image: VisionImage
    ) async throws(FaceKitError) -> [VisionFace] {
      let picture = Picture(image)
      let outcome = await withCheckedContinuation { continuation in
        queue.async { [self] in continuation.resume(returning: self.outcome(picture)) }
      }
      return try outcome.get()
    }

    // MARK: Beyond ML Kit

    /// Reads and compiles the models, which otherwise happens with the first picture.
    ///
    /// - Throws: ``FaceKitError`` for an option out of range, or models that are missing or damaged.
    public func prepare() throws(FaceKitError) {
      try pipeline.withLock { pipeline throws(FaceKitError) in try load(&pipeline) }
    }

    /// Forgets the tracked faces: the next picture begins another stream. Numbers go on counting.
    public func resetTracking() {
      pipeline.withLock { $0?.resetTracking() }
    }

    // MARK: Work

    /// What is taken from an image at the time of a call: it may be changed afterwards.
    private struct Picture: Sendable {
      let image: Result<MPImage, FaceKitError>
      let timestamp: Int?

      init(_ image: VisionImage) {
        do throws(FaceKitError) {
          self.image = .success(try image.oriented())
        } catch {
          self.image = .failure(error)
        }
        timestamp = image.metadata?.timestampInMilliseconds
      }
    }

    private func outcome(_ picture: Picture) -> Result<[VisionFace], FaceKitError> {
      do throws(FaceKitError) {
        let image = try picture.image.get()
        return .success(
          try pipeline.withLock { (pipeline) throws(FaceKitError) -> [VisionFace] in
            try load(&pipeline)
            return try pipeline?.process(image, timestampInMilliseconds: picture.timestamp) ?? []
          })
      } catch {
        return .failure(error)
      }
    }

    private func load(_ pipeline: inout VisionPipeline?) throws(FaceKitError) {
      if pipeline != nil { return }
      // Options first: a wrong one is the cheaper mistake to find.
      let settings = try Validated(self.settings)
      let models: VisionModels
      if let given = self.models {
        models = given
      } else {
        models = try VisionModelFiles.load(
          modelPath, withFullRange: settings.value.performanceMode == .accurate)
      }
      pipeline = try VisionPipeline(models: models, settings: settings, engine: engine)
    }
  }
#endif
