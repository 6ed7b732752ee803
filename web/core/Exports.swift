// The C interface of the WebAssembly module: small on purpose, numbers and addresses only.

/// Reserves `count` bytes for the host to write into; 0 when there are none.
@_expose(wasm, "facekit_alloc")
@_cdecl("facekit_alloc")
func facekitAlloc(_ count: Int) -> UnsafeMutableRawPointer? {
  UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
}

@_expose(wasm, "facekit_free")
@_cdecl("facekit_free")
func facekitFree(_ pointer: UnsafeMutableRawPointer?) { pointer?.deallocate() }
