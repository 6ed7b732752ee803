// The declarations of Apple's Foundation that FaceKit uses; see ../typecheck.py.

@_exported import CoreGraphics
@_exported import Darwin
@_exported import Dispatch

public final class Bundle: @unchecked Sendable {
  public static let main = Bundle()
  public var resourcePath: String? { nil }
}

public final class NSLock: @unchecked Sendable {
  public init() {}
  public func lock() {}
  public func unlock() {}
}

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}

public protocol CustomNSError: Error {
  static var errorDomain: String { get }
  var errorCode: Int { get }
}
