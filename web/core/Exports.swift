// The C interface of the WebAssembly module: small on purpose, numbers and addresses only.
// `web/engine.mjs` is its JavaScript side.

import FaceKitModels
import FaceKitTensor

/// The module's state. One page, one thread.
private enum Host {
  /// Sessions by handle; `nil` where one was freed.
  nonisolated(unsafe) static var sessions: [Session?] = []
  /// What the last failed call had to say, as UTF-8 with a zero at its end.
  nonisolated(unsafe) static var error = Storage(count: 1)

  static func fail(_ failure: ModelError) -> Int32 {
    error = Storage(copying: Array(failure.description.utf8) + [0])
    return -1
  }

  static func session(_ handle: Int32) -> Session? {
    sessions.indices.contains(Int(handle)) ? sessions[Int(handle)] : nil
  }

  static let noSuchModel = ModelError(
    .notFound, "no model has this handle", advice: "use the number facekit_model_load returned")
}

/// Reserves `count` bytes for the host to write into; 0 when there are none.
@_expose(wasm, "facekit_alloc")
@_cdecl("facekit_alloc")
func facekitAlloc(_ count: Int) -> UnsafeMutableRawPointer? {
  UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: Storage.alignment)
}

@_expose(wasm, "facekit_free")
@_cdecl("facekit_free")
func facekitFree(_ pointer: UnsafeMutableRawPointer?) { pointer?.deallocate() }

/// Address of the last error, UTF-8 with a zero at its end.
@_expose(wasm, "facekit_error")
@_cdecl("facekit_error")
func facekitError() -> UnsafeRawPointer { UnsafeRawPointer(Host.error.base) }

/// Reads and compiles a `.tflite` file, which is copied. A handle, or −1.
@_expose(wasm, "facekit_model_load")
@_cdecl("facekit_model_load")
func facekitModelLoad(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int32 {
  let storage = Storage(count: max(count, 0))
  if let bytes, count > 0 { storage.base.copyMemory(from: bytes, byteCount: count) }
  do throws(ModelError) {
    let model = try TFLiteModel(StorageView(storage))
    let session = try CompiledModel(model).makeSession()
    if let free = Host.sessions.firstIndex(where: { $0 == nil }) {
      Host.sessions[free] = session
      return Int32(free)
    }
    Host.sessions.append(session)
    return Int32(Host.sessions.count - 1)
  } catch {
    return Host.fail(error)
  }
}

@_expose(wasm, "facekit_model_free")
@_cdecl("facekit_model_free")
func facekitModelFree(_ handle: Int32) {
  if Host.session(handle) != nil { Host.sessions[Int(handle)] = nil }
}

@_expose(wasm, "facekit_input_count")
@_cdecl("facekit_input_count")
func facekitInputCount(_ handle: Int32) -> Int32 {
  Int32(Host.session(handle)?.inputs.count ?? 0)
}

@_expose(wasm, "facekit_output_count")
@_cdecl("facekit_output_count")
func facekitOutputCount(_ handle: Int32) -> Int32 {
  Int32(Host.session(handle)?.outputs.count ?? 0)
}

/// Address of an input's row-major bytes, to write before each run; 0 if there is no such input.
@_expose(wasm, "facekit_input")
@_cdecl("facekit_input")
func facekitInput(_ handle: Int32, _ index: Int32) -> UnsafeMutablePointer<UInt8>? {
  input(handle, index)?.baseAddress
}

@_expose(wasm, "facekit_input_bytes")
@_cdecl("facekit_input_bytes")
func facekitInputBytes(_ handle: Int32, _ index: Int32) -> Int {
  input(handle, index)?.count ?? 0
}

/// Address of an output's row-major bytes, valid until the next run; 0 if there is no such output.
@_expose(wasm, "facekit_output")
@_cdecl("facekit_output")
func facekitOutput(_ handle: Int32, _ index: Int32) -> UnsafePointer<UInt8>? {
  output(handle, index)?.baseAddress
}

@_expose(wasm, "facekit_output_bytes")
@_cdecl("facekit_output_bytes")
func facekitOutputBytes(_ handle: Int32, _ index: Int32) -> Int {
  output(handle, index)?.count ?? 0
}

/// Computes the outputs from the inputs: 0, or −1.
@_expose(wasm, "facekit_run")
@_cdecl("facekit_run")
func facekitRun(_ handle: Int32) -> Int32 {
  guard let session = Host.session(handle) else { return Host.fail(Host.noSuchModel) }
  do throws(ModelError) {
    try session.run()
    return 0
  } catch {
    return Host.fail(error)
  }
}

// A session's arena never moves, so the address outlives the call that lends it.

private func input(_ handle: Int32, _ index: Int32) -> UnsafeMutableBufferPointer<UInt8>? {
  guard let session = Host.session(handle), session.inputs.indices.contains(Int(index)) else {
    return nil
  }
  return session.withInput(Int(index), as: UInt8.self) { $0 }
}

private func output(_ handle: Int32, _ index: Int32) -> UnsafeBufferPointer<UInt8>? {
  guard let session = Host.session(handle), session.outputs.indices.contains(Int(index)) else {
    return nil
  }
  return session.withOutput(Int(index), as: UInt8.self) { $0 }
}
