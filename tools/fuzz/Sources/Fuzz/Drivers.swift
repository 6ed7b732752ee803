import FaceKit
import ImageCodecs
import FaceKitModels
import FaceKitTensor

/// The fuzzer's bytes in memory of their own, so that the address sanitizer sees every step outside.
private func view(_ bytes: UnsafeRawBufferPointer) -> StorageView {
  let base = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
  if let from = bytes.baseAddress, bytes.count > 0 {
    base.copyMemory(from: from, byteCount: bytes.count)
  }
  return StorageView(Storage(adopting: base, count: bytes.count) { base, _ in base.deallocate() })
}

/// A model, as far as a graph.
let readModel: Driver = { bytes in
  guard let model = try? TFLiteModel(view(bytes)) else { return }
  _ = try? model.authorMetadata()
  _ = try? model.makeGraph()
}

/// A model, compiled and run by each back end; limits are low, so that runs are short.
let runModel: Driver = { bytes in
  var limits = ModelLimits()
  limits.tensorBytes = 1 << 18
  limits.arenaBytes = 1 << 20
  limits.constantBytes = 1 << 20
  run(view(bytes), limits: limits)
}

/// A file of the hostile collection with the limits every caller gets: a bundle and the models in it, or
/// a model.
let runFile: Driver = { bytes in
  let whole = view(bytes)
  guard let bundle = try? TaskBundle(whole) else { return run(whole, limits: .default) }
  for name in bundle.names {
    if let entry = try? bundle.entry(named: name) { run(entry, limits: .default) }
  }
}

/// Runs a model once on zeros with each back end, and again with its first input resized.
private func run(_ bytes: StorageView, limits: ModelLimits) {
  guard let model = try? TFLiteModel(bytes, limits: limits) else { return }
  // Long sums are slow under the sanitizer, and no finding.
  guard let graph = try? model.makeGraph(), graph.multiplyAccumulates < 1 << 25 else { return }
  for backend in [Backend.reference, .automatic] {
    let options = EngineOptions(backend: backend, limits: limits)
    guard let session = try? CompiledModel(model, options: options).makeSession() else { return }
    try? session.run()
    for index in session.outputs.indices { _ = session.output(index) }
    guard let shape = session.inputs.first?.shape, shape.rank > 1 else { continue }
    var larger = shape.extents
    larger[1] += 1
    guard (try? session.resizeInput(0, to: Shape(larger))) != nil else { continue }
    try? session.run()
  }
}

/// A bundle, with every entry opened.
let readBundle: Driver = { bytes in
  guard let bundle = try? TaskBundle(view(bytes)) else { return }
  for name in bundle.names { _ = try? bundle.entry(named: name) }
}

/// A custom operator's options.
let readOptions: Driver = { bytes in
  guard let map = try? FlexMap(bytes: view(bytes)) else { return }
  _ = try? map.int("a")
  _ = try? map.float("b")
  _ = try? map.ints("c")
  _ = try? map.floats("d")
  _ = try? map.bool("e")
  _ = try? map.string("f")
}

/// The table that a model's metadata is.
let readMetadata: Driver = { bytes in
  guard let metadata = try? ModelMetadata(view(bytes), model: view(bytes)) else { return }
  for input in metadata.inputs { _ = try? input.normalization?.range() }
  for file in metadata.associatedFiles { _ = try? metadata.labels(in: file) }
}

/// A picture of any format, small enough to be decoded often.
let decodeImage: Driver = { bytes in
  var options = ImageDecodingOptions()
  options.maximumPixels = 1 << 16
  _ = try? MPImage(encoded: bytes, options: options)
}

/// NumPy's array file, as `facekit run` takes it.
let readArray: Driver = { bytes in
  _ = try? NPYFile.tensor(Array(bytes))
}

/// Reads a byte too many after a word that chance does not find: shows that coverage guides the fuzzer
/// and that the address sanitizer watches.
let plantedFault: Driver = { bytes in
  guard bytes.count >= 4, bytes[0] == 0x46, bytes[1] == 0x41, bytes[2] == 0x43, bytes[3] == 0x45
  else { return }
  let copy = view(bytes)
  if copy.base.load(fromByteOffset: copy.count, as: UInt8.self) == 1 { print("one") }
}
