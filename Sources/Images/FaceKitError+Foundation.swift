#if canImport(Foundation) && !hasFeature(Embedded)
  public import Foundation

  extension FaceKitError: LocalizedError, CustomNSError {
    /// MediaPipe's error domain, so that code which looks at it goes on working.
    public static var errorDomain: String { "com.google.mediapipe.tasks" }
    /// The raw value of ``code``.
    public var errorCode: Int { code.rawValue }
    /// The same text as ``description``.
    public var errorDescription: String? { description }
  }
#endif
