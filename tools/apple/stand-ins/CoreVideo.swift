// The declarations of Apple's CoreVideo and CoreFoundation that FaceKit uses; see ../typecheck.py.

public typealias CFTypeRef = AnyObject
public final class CFString {}
public func CFEqual(_ first: CFTypeRef!, _ second: CFTypeRef!) -> Bool { first === second }

public class CVBuffer {}
public typealias CVImageBuffer = CVBuffer
public typealias CVPixelBuffer = CVImageBuffer
public typealias CVReturn = Int32
public typealias OSType = UInt32

public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static var readOnly: CVPixelBufferLockFlags { CVPixelBufferLockFlags(rawValue: 1) }
}

public enum CVAttachmentMode: UInt32, Sendable { case shouldNotPropagate, shouldPropagate }

public var kCVReturnSuccess: CVReturn { 0 }
public var kCVPixelFormatType_32BGRA: OSType { 0 }
public var kCVPixelFormatType_32RGBA: OSType { 1 }
public var kCVPixelFormatType_24RGB: OSType { 2 }
public var kCVPixelFormatType_OneComponent8: OSType { 3 }
public var kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType { 4 }
public var kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType { 5 }
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrixKey = CFString()
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_ITU_R_709_2 = CFString()

@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags
) -> CVReturn { 0 }
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags
) -> CVReturn { 0 }
public func CVPixelBufferGetWidth(_ buffer: CVPixelBuffer) -> Int { 0 }
public func CVPixelBufferGetHeight(_ buffer: CVPixelBuffer) -> Int { 0 }
public func CVPixelBufferGetPixelFormatType(_ buffer: CVPixelBuffer) -> OSType { 0 }
public func CVPixelBufferGetBytesPerRow(_ buffer: CVPixelBuffer) -> Int { 0 }
public func CVPixelBufferGetBaseAddress(
  _ buffer: CVPixelBuffer
) -> UnsafeMutableRawPointer? { nil }
public func CVPixelBufferGetBytesPerRowOfPlane(_ buffer: CVPixelBuffer, _ plane: Int) -> Int { 0 }
public func CVPixelBufferGetHeightOfPlane(_ buffer: CVPixelBuffer, _ plane: Int) -> Int { 0 }
public func CVPixelBufferGetBaseAddressOfPlane(
  _ buffer: CVPixelBuffer, _ plane: Int
) -> UnsafeMutableRawPointer? { nil }
public func CVBufferCopyAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ mode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? { nil }
