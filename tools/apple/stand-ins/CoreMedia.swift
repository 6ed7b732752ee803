// The declarations of Apple's CoreMedia that FaceKit uses; see ../typecheck.py.

@_exported import CoreVideo

public final class CMSampleBuffer {}
public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? { nil }
