import Foundation

/// A generator's parameters, as the manifests give them.
public struct GeneratorSpec: Decodable, Sendable {
  /// `float`, `int` or `bool`.
  public var kind: String
  public var seed: String
  public var lo: Double?
  public var hi: Double?

  /// The raw little-endian bytes of `count` elements of a type named as in the manifest.
  public func bytes(count: Int, dtype: String) throws -> [UInt8] {
    var generator = try LinearCongruentialGenerator(hexSeed: seed)
    let (lo, hi) = (lo ?? 0, hi ?? 1)
    switch (kind, dtype) {
    case ("float", "float32"): return littleEndianBytes(generator.floats(count, lo, hi))
    case ("bool", "bool"): return (0..<count).map { _ in generator.bool() ? 1 : 0 }
    case ("int", _):
      let values = generator.ints(count, Int(lo), Int(hi))
      switch dtype {
      case "int8": return littleEndianBytes(values.map { Int8(truncatingIfNeeded: $0) })
      case "uint8": return littleEndianBytes(values.map { UInt8(truncatingIfNeeded: $0) })
      case "int16": return littleEndianBytes(values.map { Int16(truncatingIfNeeded: $0) })
      case "int32": return littleEndianBytes(values.map { Int32(truncatingIfNeeded: $0) })
      case "int64": return littleEndianBytes(values.map { Int64($0) })
      default: break
      }
    default: break
    }
    throw GoldenError("no generator of kind '\(kind)' for \(dtype)")
  }
}

/// Bytes in a manifest: base64, or a file beside it.
public struct DataSpec: Decodable, Sendable {
  public var base64: String?
  public var file: String?

  public func bytes(relativeTo folder: URL) throws -> [UInt8] {
    if let base64 {
      guard let data = Data(base64Encoded: base64) else { throw GoldenError("broken base64") }
      return [UInt8](data)
    }
    guard let file else { throw GoldenError("neither base64 nor file") }
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
  }
}

/// One input of a conformance or hostile case.
public struct CaseInput: Decodable, Sendable {
  public var name: String
  /// `float32 int32 int64 int8 uint8 bool`.
  public var dtype: String
  public var shape: [Int]
  /// The model declares another shape: resize this input first.
  public var resize: Bool?
  public var gen: GeneratorSpec?
  public var data: DataSpec?
  public var fnv1a64: String?

  public var needsResize: Bool { resize ?? false }

  /// The raw bytes, the hash checked where there is one.
  public func bytes(relativeTo folder: URL = Conformance.folder) throws -> [UInt8] {
    let bytes: [UInt8]
    if let gen {
      bytes = try gen.bytes(count: shape.reduce(1, *), dtype: dtype)
    } else if let data {
      bytes = try data.bytes(relativeTo: folder)
    } else {
      throw GoldenError("input '\(name)' has neither gen nor data")
    }
    if let fnv1a64, TestSupport.fnv1a64(bytes).hex16 != fnv1a64 {
      throw GoldenError("input '\(name)' hashes to \(TestSupport.fnv1a64(bytes).hex16)")
    }
    return bytes
  }
}

/// One expected output of a conformance or hostile case.
public struct CaseOutput: Decodable, Sendable {
  public struct Bound: Decodable, Sendable {
    public var abs: Double
    public var rel: Double
  }

  public var name: String?
  public var dtype: String
  public var shape: [Int]
  public var data: DataSpec
  public var tolerance: Bound

  public func bytes(relativeTo folder: URL = Conformance.folder) throws -> [UInt8] {
    try data.bytes(relativeTo: folder)
  }

  /// Compares raw bytes with the expectation, by the rule of the suite.
  public func departure(
    of actual: [UInt8], relativeTo folder: URL = Conformance.folder, _ context: String
  ) throws -> Departure? {
    let expected = try bytes(relativeTo: folder)
    let bound = Tolerance(absolute: tolerance.abs, relative: tolerance.rel)
    func compare<Value: BinaryInteger & BitwiseCopyable>(_: Value.Type) throws -> Departure? {
      TestSupport.departure(
        of: try values(of: Value.self, in: actual), from: try values(of: Value.self, in: expected),
        within: bound, context)
    }
    switch dtype {
    case "float32":
      return TestSupport.departure(
        of: try values(of: Float.self, in: actual), from: try values(of: Float.self, in: expected),
        within: bound, context)
    case "int8": return try compare(Int8.self)
    case "uint8", "bool": return try compare(UInt8.self)
    case "int16": return try compare(Int16.self)
    case "int32": return try compare(Int32.self)
    case "int64": return try compare(Int64.self)
    default: throw GoldenError("\(context): outputs of type \(dtype) are not compared")
    }
  }
}

/// A small model with its expected results.
public struct ConformanceCase: Decodable, Sendable, CustomStringConvertible {
  public var id: String
  /// Path relative to ``Conformance/folder``.
  public var model: String
  public var group: String
  /// Names of all operators in the model, as in the schema.
  public var ops: [String]
  public var tags: [String]
  public var inputs: [CaseInput]
  public var outputs: [CaseOutput]
  public var reference: String
  public var note: String?

  public var description: String { id }

  public func modelBytes() throws -> [UInt8] { try Conformance.bytes(model) }

  private struct Manifest: Decodable { var cases: [ConformanceCase] }

  /// All cases, in the manifest's order.
  public static func loadAll() throws -> [ConformanceCase] {
    let data = try Data(contentsOf: Conformance.url("manifest.json"))
    return try JSONDecoder().decode(Manifest.self, from: data).cases
  }
}

/// A file that must be refused, or that looks odd and must work.
public struct HostileCase: Decodable, Sendable, CustomStringConvertible {
  public enum Expectation: String, Decodable, Sendable { case reject, load, either }
  public enum Stage: String, Decodable, Sendable { case parse, prepare, invoke }

  public var id: String
  public var file: String
  /// `tflite` or `task`.
  public var kind: String
  public var expect: Expectation
  public var latestStage: Stage?
  /// Suggested class of the error.
  public var error: String?
  public var why: String
  public var inputs: [CaseInput]?
  public var outputs: [CaseOutput]?
  public var tags: [String]?

  public var description: String { id }

  public static let folder = Conformance.url("hostile")

  public func bytes() throws -> [UInt8] { try Conformance.bytes("hostile/\(file)") }

  private enum CodingKeys: String, CodingKey {
    case id, file, kind, expect, error, why, inputs, outputs, tags
    case latestStage = "latest_stage"
  }

  private struct Manifest: Decodable { var files: [HostileCase] }

  /// All files, in the manifest's order.
  public static func loadAll() throws -> [HostileCase] {
    let data = try Data(contentsOf: Conformance.url("hostile/manifest.json"))
    return try JSONDecoder().decode(Manifest.self, from: data).files
  }
}
