#if canImport(Dispatch) && !hasFeature(Embedded)
  /// The way in for code written for ML Kit: `Vision.vision().faceDetector(options: options)`.
  ///
  /// ML Kit carries its models inside. Here they are files: `face_landmarker.task`, and for accurate mode
  /// `face_detection_full_range_sparse.tflite` beside it. They are looked for
  ///
  /// 1. where ``VisionFaceDetectorOptions/modelPath`` says, a file or a folder;
  /// 2. where ``vision(modelPath:)`` said;
  /// 3. in the folder that the environment variable `FACEKIT_MODELS` names, and nowhere else if it is set;
  /// 4. in the app's resources (Apple platforms);
  /// 5. in the user's cache, `~/.cache/facekit/models` (or under `XDG_CACHE_HOME`), which `facekit models fetch` fills.
  ///
  /// Nothing is fetched at run time. These calls cannot fail, so missing models are reported with the first
  /// picture; ``VisionFaceDetector/prepare()`` reports them earlier.
  public final class Vision: Sendable {
    private let modelPath: String?

    private init(modelPath: String?) { self.modelPath = modelPath }

    private static let standard = Vision(modelPath: nil)

    /// With the models in the usual places.
    public static func vision() -> Vision { standard }

    /// With the models in a folder, or with this bundle. Not in ML Kit.
    public static func vision(modelPath: String) -> Vision { Vision(modelPath: modelPath) }

    /// A detector with default options: fast, boxes and head angles only.
    public func faceDetector() -> VisionFaceDetector {
      faceDetector(options: VisionFaceDetectorOptions())
    }

    /// A detector with a copy of these options.
    public func faceDetector(options: VisionFaceDetectorOptions) -> VisionFaceDetector {
      VisionFaceDetector(
        settings: options.settings, models: options.models, engine: options.engine,
        modelPath: options.modelPath ?? modelPath)
    }

    /// Always false: no statistics are collected. Setting it has no effect.
    public var isStatsCollectionEnabled: Bool {
      get { false }
      set {}
    }
  }
#endif
