import FaceKitKernels
import FaceKitModels

/// What all tasks have in common: which model, and how it is computed.
public struct BaseOptions: Sendable, Hashable {
  /// What computes the models.
  public enum Delegate: Sendable, Hashable {
    case CPU
    /// Accepted so that existing code runs; computed on the CPU, with the same results.
    case GPU
  }

  /// Path of the model file: a `.tflite` for the face detector, a `.task` bundle for the landmarker.
  public var modelAssetPath: String?
  /// What computes; both give the same results.
  public var delegate = Delegate.CPU
  /// How models are compiled: kernels, instruction set, threads. Results do not depend on threads.
  public var engine = EngineOptions()

  /// Creates options with the default engine.
  public init(modelAssetPath: String? = nil, delegate: Delegate = .CPU) {
    self.modelAssetPath = modelAssetPath
    self.delegate = delegate
  }
}

/// How a task is fed.
public enum RunningMode: Sendable, Hashable, CaseIterable {
  /// Single pictures, each by itself.
  case image
  /// The decoded frames of a video, in order, each with its timestamp. Calls wait for the result.
  case video
  /// The frames of a camera. Calls return at once, results come to a delegate, and frames that arrive
  /// faster than they can be processed are dropped.
  case liveStream

  var name: String {
    switch self {
    case .image: "image"
    case .video: "video"
    case .liveStream: "liveStream"
    }
  }

  /// The method that belongs to the mode.
  var method: String {
    switch self {
    case .image: "detect(image:)"
    case .video: "detect(videoFrame:timestampInMilliseconds:)"
    case .liveStream: "detectAsync(image:timestampInMilliseconds:)"
    }
  }
}
