import FaceKitTensor

/// What a model's author wrote about it: the metadata entry `TFLITE_METADATA`.
///
/// For people and for preprocessing only. The order of ``outputs`` is not reliable: published models
/// list them differently from their graph.
///
/// Source: the public TFLite metadata schema (`M001`).
public struct ModelMetadata: Sendable {
  /// The model's name.
  public let name: String
  /// What the model does.
  public let description: String
  /// The author's version of the model.
  public let version: String
  /// Who made it.
  public let author: String
  /// What it may be used for.
  public let license: String
  /// In the order of the model's inputs.
  public let inputs: [TensorMetadata]
  /// One for each output; their order is not reliable.
  public let outputs: [TensorMetadata]
  /// Of the model and of its main graph; tensors have their own.
  public let associatedFiles: [AssociatedFile]
  /// Blobs that task libraries add.
  public let custom: [TFLiteModel.MetadataEntry]

  private let model: StorageView

  /// What is known of one input or output.
  public struct TensorMetadata: Sendable {
    /// The tensor's name.
    public let name: String
    /// What the tensor holds.
    public let description: String
    /// How pixels become values; `nil` if not given.
    public let normalization: Normalization?
    /// For pictures, the order of the channels; `nil` if the tensor holds none.
    public let colorSpace: ColorSpace?
    /// The least values, one for all or one for each channel.
    public let minima: [Float]
    /// The greatest values, one for all or one for each channel.
    public let maxima: [Float]
    /// Files that belong to the tensor, such as lists of labels.
    public let associatedFiles: [AssociatedFile]
  }

  /// Value = (pixel − mean) / standard deviation, with pixels of 0…255; one entry for all channels,
  /// or one for each.
  public struct Normalization: Hashable, Sendable {
    /// What is subtracted, one for all or one for each channel.
    public let means: [Float]
    /// What is divided by afterwards.
    public let standardDeviations: [Float]
  }

  /// The channels of a picture.
  public enum ColorSpace: Int, Sendable {
    case unknown, rgb, grayscale
  }

  /// A file packed behind the model: labels, mostly.
  public struct AssociatedFile: Hashable, Sendable {
    /// The file's name in the bundle.
    public let name: String
    /// What it holds.
    public let description: String
    /// What it is for.
    public let kind: Kind

    /// What an associated file is for.
    public enum Kind: Int, Sendable {
      case unknown, descriptions, axisLabels, valueLabels, scoreCalibration, vocabulary, index
    }
  }
}

extension ModelMetadata.Normalization {
  /// The values that pixels 0 and 255 become.
  ///
  /// - Throws: ``ModelError/Code/option`` if the channels differ, or the deviation is zero.
  public func range() throws(ModelError) -> (low: Float, high: Float) {
    guard let mean = means.first, let deviation = standardDeviations.first else {
      throw ModelError(.option, "the normalisation has no values")
    }
    for other in means where other != mean { throw Self.channelsDiffer }
    for other in standardDeviations where other != deviation { throw Self.channelsDiffer }
    guard abs(deviation) >= Float.ulpOfOne, mean.isFinite, deviation.isFinite else {
      throw ModelError(.option, "the normalisation divides by \(deviation)")
    }
    return (-mean / deviation, (255 - mean) / deviation)
  }

  private static var channelsDiffer: ModelError {
    ModelError(.option, "the normalisation differs from channel to channel")
  }
}

// MARK: - Reading

extension TFLiteModel {
  /// The author's metadata; `nil` if the model has none.
  public func authorMetadata() throws(ModelError) -> ModelMetadata? {
    guard let data = metadata(named: "TFLITE_METADATA") else { return nil }
    return try ModelMetadata(data, model: bytes)
  }
}

extension ModelMetadata {
  /// Reads the metadata FlatBuffer; `model` is the whole file, where associated files are.
  ///
  /// - Throws: ``ModelError/Code/malformed`` if it is broken.
  public init(_ data: StorageView, model: StorageView) throws(ModelError) {
    let root: FlatTable
    do {
      root = try FlatTable(root: data, identifier: "M001")
    } catch {
      throw ModelError(.malformed, "the model's metadata is broken: \(error.what)")
    }
    self.model = model
    name = try root.string(0) ?? ""
    description = try root.string(1) ?? ""
    version = try root.string(2) ?? ""
    author = try root.string(4) ?? ""
    license = try root.string(5) ?? ""
    var files = try ModelMetadata.files(root, 6)
    let hasGraph = try root.count(3, width: 4) ?? 0 > 0
    if hasGraph {
      let graph = try root.table(3, 0)
      inputs = try ModelMetadata.tensors(graph, 2)
      outputs = try ModelMetadata.tensors(graph, 3)
      files += try ModelMetadata.files(graph, 4)
      custom = try ModelMetadata.custom(graph, 9)
    } else {
      inputs = []
      outputs = []
      custom = []
    }
    associatedFiles = files
  }

  private static func files(_ table: FlatTable, _ slot: Int) throws(ModelError) -> [AssociatedFile]
  {
    var files = [AssociatedFile]()
    for file in try table.tables(slot) ?? [] {
      files.append(
        AssociatedFile(
          name: try file.string(0) ?? "", description: try file.string(1) ?? "",
          kind: .init(rawValue: try file.enumeration(2)) ?? .unknown))
    }
    return files
  }

  private static func custom(
    _ table: FlatTable, _ slot: Int
  ) throws(ModelError) -> [TFLiteModel.MetadataEntry] {
    var entries = [TFLiteModel.MetadataEntry]()
    for entry in try table.tables(slot) ?? [] {
      guard let data = try entry.bytes(1) else { continue }
      entries.append(.init(name: try entry.string(0) ?? "", data: data))
    }
    return entries
  }

  private static func tensors(
    _ graph: FlatTable, _ slot: Int
  ) throws(ModelError) -> [TensorMetadata] {
    var tensors = [TensorMetadata]()
    for table in try graph.tables(slot) ?? [] {
      let stats = try table.table(5)
      tensors.append(
        TensorMetadata(
          name: try table.string(0) ?? "", description: try table.string(1) ?? "",
          normalization: try normalization(table), colorSpace: try colorSpace(table),
          minima: try stats?.floats(1) ?? [], maxima: try stats?.floats(0) ?? [],
          associatedFiles: try files(table, 6)))
    }
    return tensors
  }

  private static func normalization(_ tensor: FlatTable) throws(ModelError) -> Normalization? {
    for unit in try tensor.tables(4) ?? [] {
      let (type, options) = try unit.union(0)
      guard type == 1, let options else { continue }
      return Normalization(
        means: try options.floats(0) ?? [], standardDeviations: try options.floats(1) ?? [])
    }
    return nil
  }

  private static func colorSpace(_ tensor: FlatTable) throws(ModelError) -> ColorSpace? {
    guard let content = try tensor.table(3) else { return nil }
    let (type, properties) = try content.union(0)
    guard type == 2, let properties else { return nil }
    return ColorSpace(rawValue: try properties.enumeration(0)) ?? .unknown
  }
}

// MARK: - Associated files

extension ModelMetadata {
  /// The content of a file packed behind the model, in place.
  ///
  /// - Throws: ``ModelError/Code/notFound`` if the model has no such file.
  public func content(of file: AssociatedFile) throws(ModelError) -> StorageView {
    let archive = try ZipArchive(model)
    guard let entry = try archive.entry(named: file.name) else {
      throw ModelError(
        .notFound, "the model has no such associated file", at: .entry(file.name.printable))
    }
    return try archive.data(of: entry)
  }

  /// The lines of a label file.
  public func labels(in file: AssociatedFile) throws(ModelError) -> [String] {
    var labels = [String]()
    for line in try content(of: file).bytes.split(separator: 0x0A) {
      let text = line.last == 0x0D ? line.dropLast() : line
      labels.append(String(decoding: text, as: UTF8.self))
    }
    return labels
  }
}
