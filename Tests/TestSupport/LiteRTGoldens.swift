import Foundation

/// What LiteRT's reference kernels answer for one model: `goldens/litert/MODEL` of the corpus, or
/// `Tests/Goldens/litert/MODEL` of our own.
public struct ModelGolden: Decodable, Sendable {
  /// Who keeps the golden.
  public enum Source: Sendable {
    /// Three cases and the figures of every tensor.
    case corpus
    /// Committed with the package: one generated case, large outputs as figures and samples.
    case own

    var folder: URL {
      switch self {
      case .corpus: Corpus.url("goldens/litert")
      case .own: Goldens.url("litert")
      }
    }
  }

  public struct Input: Decodable, Sendable {
    public var name: String
    public var shape: [Int]
    public var dtype: String
  }

  public struct CaseInput: Decodable, Sendable {
    /// `lcg`, `u8`, `f32` or `figure`.
    public var kind: String
    /// Of a `figure`: centre, radii and colour of each ellipse, drawn one over the other.
    public var ellipses: [[Int]]?
    public var seed: String?
    public var lo: Double?
    public var hi: Double?
    public var file: String?
    public var formula: String?
    public var fnv1a64: String
    public var first8: [Float]
  }

  public struct Output: Decodable, Sendable {
    public var name: String
    /// Index of the tensor in the model file.
    public var tensor: Int
    public var shape: [Int]
    /// The values, unless there is only a ``sample``.
    public var file: String?
    public var sample: Sample?
    public var min: Double
    public var max: Double
    public var l2: Double
  }

  /// Every `stride`-th value of a large output.
  public struct Sample: Decodable, Sendable {
    public var stride: Int
    public var values: [Float]
  }

  /// How far LiteRT's own other kernels are from the reference.
  public struct Distance: Decodable, Sendable {
    public var maxAbs: Double
    public var relativeToRange: Double
  }

  public struct Case: Decodable, Sendable, CustomStringConvertible {
    public var id: String
    public var input: CaseInput
    public var outputs: [Output]
    public var otherKernels: [String: [Distance]]

    public var description: String { id }
  }

  /// File name of the model.
  public var model: String
  public var sha256: String
  public var reference: String
  public var input: Input
  public var cases: [Case]

  /// The models of the corpus that LiteRT can run, by folder name.
  public static let models = [
    "face_detector", "face_landmarks_detector", "face_blendshapes", "face_landmark",
    "iris_landmark", "face_detection_short_range", "face_detection_full_range_sparse",
  ]

  /// The other models of the Python package mediapipe 0.10.21: own goldens only.
  public static let mediaPipeModels = [
    "hand_landmark_full", "hand_landmark_lite", "hand_recrop", "palm_detection_full",
    "palm_detection_lite", "pose_detection", "pose_landmark_full", "face_landmark_with_attention",
    "selfie_segmentation", "selfie_segmentation_landscape",
  ]

  public static let caseNames = ["lcg0", "lcg1", "real"]

  private var source = Source.corpus

  private enum CodingKeys: String, CodingKey { case model, sha256, reference, input, cases }

  /// Reads `NAME/model.json`.
  public static func load(_ name: String, from source: Source = .corpus) throws -> ModelGolden {
    let url = source.folder.appendingPathComponent("\(name)/model.json")
    var golden = try JSONDecoder().decode(ModelGolden.self, from: Data(contentsOf: url))
    golden.source = source
    return golden
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: source.folder.appendingPathComponent(path)))
  }

  /// The name without `.tflite`: the folder's name.
  public var name: String { String(model.prefix { $0 != "." }) }

  public func `case`(_ id: String) throws -> Case {
    guard let found = cases.first(where: { $0.id == id }) else {
      throw GoldenError("\(model) has no case '\(id)'")
    }
    return found
  }

  /// The input of a case, its hash checked.
  public func inputValues(_ golden: Case) throws -> [Float] {
    let count = input.shape.reduce(1, *)
    let values: [Float]
    switch golden.input.kind {
    case "lcg":
      guard let seed = golden.input.seed, let lo = golden.input.lo, let hi = golden.input.hi else {
        throw GoldenError("\(model), \(golden.id): an lcg input lacks seed, lo or hi")
      }
      var generator = try LinearCongruentialGenerator(hexSeed: seed)
      values = generator.floats(count, lo, hi)
    case "u8": values = try scaled(bytes(golden.input.file ?? ""), by: golden.input.formula)
    case "figure": values = try scaled(figure(golden.input), by: golden.input.formula)
    case "f32":
      values = try TestSupport.values(in: bytes(golden.input.file ?? ""))
    default:
      throw GoldenError("\(model), \(golden.id): unknown kind of input '\(golden.input.kind)'")
    }
    let hash = fnv1a64(littleEndianBytes(values)).hex16
    guard values.count == count, hash == golden.input.fnv1a64 else {
      throw GoldenError(
        "\(model), \(golden.id): the input hashes to \(hash), not \(golden.input.fnv1a64)")
    }
    return values
  }

  /// Pixels as a model sees them. The formulas are few; a new one must fail rather than be guessed.
  private func scaled(_ bytes: [UInt8], by formula: String?) throws -> [Float] {
    switch formula {
    case "Float(Double(u8) / 127.5 - 1)": bytes.map { Float(Double($0) / 127.5 - 1) }
    case "Float(Double(u8) / 255)": bytes.map { Float(Double($0) / 255) }
    default: throw GoldenError("\(model): unknown formula \(formula ?? "(none)")")
    }
  }

  /// The picture that `tools/custom_goldens.py` draws: ellipses, and noise of four bits.
  private func figure(_ source: CaseInput) throws -> [UInt8] {
    guard let ellipses = source.ellipses, let seed = source.seed, input.shape.count == 4,
      ellipses.allSatisfy({ $0.count == 7 })
    else { throw GoldenError("\(model): a figure lacks its seed or ellipses") }
    let (height, width) = (input.shape[1], input.shape[2])
    var generator = try LinearCongruentialGenerator(hexSeed: seed)
    var bytes = [UInt8]()
    bytes.reserveCapacity(height * width * 3)
    for y in 0..<height {
      for x in 0..<width {
        let top = ellipses.last { ellipse in
          let (rx, ry) = (ellipse[2] * ellipse[2], ellipse[3] * ellipse[3])
          let (dx, dy) = (x - ellipse[0], y - ellipse[1])
          return dx * dx * ry + dy * dy * rx < rx * ry
        }
        for channel in 4..<7 {
          let value = (top?[channel] ?? 0) + Int(generator.next() >> 60) - 8
          bytes.append(UInt8(min(max(value, 0), 255)))
        }
      }
    }
    return bytes
  }

  /// The expected values of an output, row-major.
  public func outputValues(_ output: Output) throws -> [Float] {
    guard let file = output.file else {
      throw GoldenError("of output '\(output.name)' there is only a sample")
    }
    let values: [Float] = try TestSupport.values(in: bytes("\(name)/\(file)"))
    guard values.count == output.shape.reduce(1, *) else {
      throw GoldenError("\(file) holds \(values.count) values for shape \(output.shape)")
    }
    return values
  }

  /// How `actual` departs from an output, or `nil`. Where only a sample is stored, that and the norm
  /// are compared.
  public func departure(
    of actual: [Float], from output: Output, within tolerance: Tolerance = .litert,
    _ context: String
  ) throws -> Departure? {
    let context = "\(context), output '\(output.name)'"
    guard let sample = output.sample else {
      return TestSupport.departure(
        of: actual, from: try outputValues(output), within: tolerance, context)
    }
    let largest = Swift.max(abs(output.min), abs(output.max))
    let bound = Tolerance(
      absolute: tolerance.absolute + tolerance.ofLargest * largest, relative: tolerance.relative)
    let strided = stride(from: 0, to: actual.count, by: sample.stride).map { actual[$0] }
    let count = Double(output.shape.reduce(1, *))
    return TestSupport.departure(of: strided, from: sample.values, within: bound, context)
      ?? TestSupport.departure(
        of: [l2Norm(actual)], from: [output.l2],
        within: .absolute(bound.absolute * count.squareRoot()), "\(context), norm")
  }

  /// Figures of every tensor of a case, in execution order.
  public func activations(_ golden: Case) throws -> [ActivationGolden] {
    let bytes = try bytes("\(name)/\(golden.id).activations.json")
    return try JSONDecoder().decode(Activations.self, from: Data(bytes)).tensors
  }

  private struct Activations: Decodable { var tensors: [ActivationGolden] }
}

/// Figures of one intermediate tensor.
public struct ActivationGolden: Decodable, Sendable {
  /// Index of the producing operator in the model file.
  public var op: Int
  /// The operator's name: `CONV_2D`.
  public var name: String
  /// Index of the tensor in the model file.
  public var tensor: Int
  public var tensorName: String
  public var shape: [Int]
  public var mean: Double
  public var min: Double
  public var max: Double
  public var l2: Double
  public var first8: [Double]

  /// How `values` depart from these figures, or `nil`.
  ///
  /// Extremes and first values get the bound that outputs get; mean and norm, which average over the
  /// errors, the same share of the largest magnitude.
  public func departure(of values: [Float], within tolerance: Tolerance = .litert) -> Departure? {
    let context = "operator \(op) (\(name)), tensor \(tensor) '\(tensorName)' \(shape)"
    guard values.count == shape.reduce(1, *) else {
      return Departure(
        context: context, index: -1, actual: Double(values.count),
        expected: Double(shape.reduce(1, *)), bound: 0, failures: 1, count: 1)
    }
    let largest = Swift.max(abs(min), abs(max))
    let bound = tolerance.absolute + (tolerance.ofLargest + tolerance.relative) * largest
    let sum = values.reduce(into: 0.0) { $0 += Double($1) }
    var checks: [(String, Double, Double, Double)] = [
      ("min", Double(values.min() ?? 0), min, bound),
      ("max", Double(values.max() ?? 0), max, bound),
      ("mean", sum / Double(Swift.max(values.count, 1)), mean, bound),
      ("l2", l2Norm(values), l2, bound * Double(values.count).squareRoot()),
    ]
    for (index, expected) in first8.enumerated() where index < values.count {
      checks.append(("[\(index)]", Double(values[index]), expected, bound))
    }
    for (what, actual, expected, bound) in checks where !(abs(actual - expected) <= bound) {
      return Departure(
        context: "\(context), \(what)", index: 0, actual: actual, expected: expected, bound: bound,
        failures: 1, count: values.count)
    }
    return nil
  }
}
