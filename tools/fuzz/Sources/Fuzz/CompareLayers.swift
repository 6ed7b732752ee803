import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// A small sound network by every tier of our kernels and by the reference: the answers must agree, so
/// a wrong one is a finding as a stray read is.
let compareLayers: Driver = { bytes in
  var recipe = Recipe(bytes)
  let isa = recipe.pick(InstructionSet.allCases.filter(\.isAvailable))
  let threads = recipe.pick([1, 1, 1, 2, 3])
  let network = LayerModel(recipe)
  guard network.builder.operators.count > 0 else { return }
  let model: TFLiteModel
  do {
    model = try TFLiteModel(bytes: network.builder.bytes)
  } catch {
    fatalError("a sound model was refused: \(error)")
  }
  let expected = outcome(model, EngineOptions(backend: .reference))
  let actual = outcome(model, EngineOptions(backend: .simd, isa: isa, threads: threads))
  switch (expected, actual) {
  case (.failure(let a), .failure(let b)):
    // Some layers have no form for some types; both must say so.
    if a.code != b.code { fatalError("different errors: \(a); \(b)") }
  case (.success(let a), .success(let b)): compare(a, b, element: network.element)
  case (.failure(let error), _), (_, .failure(let error)):
    fatalError("only one back end refused: \(error)")
  }
}

private func outcome(
  _ model: TFLiteModel, _ options: EngineOptions
) -> Result<Tensor, ModelError> {
  do throws(ModelError) {
    let session = try CompiledModel(model, options: options).makeSession()
    var state: UInt64 = 7
    let isFloat = session.inputs[0].type == .float32
    session.withInput(0, as: UInt8.self) { input in
      func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
      }
      guard isFloat else {
        for index in input.indices { input[index] = UInt8(truncatingIfNeeded: next()) }
        return
      }
      let raw = UnsafeMutableRawBufferPointer(input)
      for index in 0..<(raw.count / 4) {
        raw.storeBytes(
          of: Float(next() % 2001) / 1000 - 1, toByteOffset: 4 * index, as: Float.self)
      }
    }
    try session.run()
    return .success(session.output(0))
  } catch {
    return .failure(error)
  }
}

private func compare(_ expected: Tensor, _ actual: Tensor, element: LayerModel.Element) {
  guard expected.shape == actual.shape else {
    fatalError("\(actual.shape), expected \(expected.shape)")
  }
  guard element == .float32 else {
    for (index, pair) in zip(expected.data.bytes, actual.data.bytes).enumerated()
    where pair.0 != pair.1 {
      fatalError("element \(index) is \(pair.1), expected \(pair.0)")
    }
    return
  }
  let a = expected.data.array(of: Float.self)
  let b = actual.data.array(of: Float.self)
  let largest = a.reduce(0) { max($0, abs($1)) }
  for index in a.indices where !(abs(a[index] - b[index]) <= 1e-4 * largest + 1e-5) {
    fatalError("element \(index) is \(b[index]), expected \(a[index])")
  }
}
