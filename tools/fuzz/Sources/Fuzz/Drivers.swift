import FaceKit
import ImageCodecs
import Models
import Tensor

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

/// A model, compiled and run once on zeros by each back end; limits are low, so that runs are short.
let runModel: Driver = { bytes in
  var limits = ModelLimits()
  limits.tensorBytes = 1 << 18
  limits.arenaBytes = 1 << 20
  limits.constantBytes = 1 << 20
  guard let model = try? TFLiteModel(view(bytes), limits: limits) else { return }
  for backend in [Backend.reference, .automatic] {
    let options = EngineOptions(backend: backend, limits: limits)
    guard let session = try? CompiledModel(model, options: options).makeSession() else { return }
    try? session.run()
    for index in session.outputs.indices { _ = session.output(index) }
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
