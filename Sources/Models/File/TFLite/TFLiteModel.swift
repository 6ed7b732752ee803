import FaceKitTensor

/// A TFLite model file, read and vetted; its weights stay where they are.
///
/// After `init` every index is in range, operators stand in execution order, each tensor has one
/// producer, and every constant has exactly the bytes of its shape. What is left to find out are
/// the operators' own demands, which ``makeGraph(registry:)`` and a session check.
///
/// Only the main graph (subgraph 0) is read; operators that call others are refused by name.
///
/// Source: the public TFLite schema (`TFL3`), revision 3d.
public struct TFLiteModel: Sendable {
  /// The file. All views into it share its storage.
  public let bytes: StorageView
  /// What the file was allowed to ask for.
  public let limits: ModelLimits

  /// The exporter's words on the model; possibly empty.
  public let description: String
  /// In the file's order.
  public let tensors: [TensorRecord]
  /// In execution order.
  public let operators: [OperatorRecord]
  /// Indices of ``tensors``.
  public let inputs: [Int]
  /// Indices of ``tensors``.
  public let outputs: [Int]
  /// The named ways to call the main graph.
  public let signatures: [Signature]
  /// Named bytes that ride along; ``ModelMetadata`` reads the entry `TFLITE_METADATA`.
  public let metadata: [MetadataEntry]
  /// Graphs in the file, of which only the first is read.
  public let subgraphCount: Int

  /// Reads a model.
  ///
  /// - Parameters:
  ///   - bytes: The file, at any address. Bytes behind the FlatBuffer are allowed.
  ///   - limits: What the file may ask for.
  /// - Throws: ``ModelError`` saying what is wrong and where.
  public init(_ bytes: StorageView, limits: ModelLimits = .default) throws(ModelError) {
    let reader = try ModelReader(bytes, limits: limits)
    self.bytes = bytes
    self.limits = limits
    description = try reader.root.string(ModelReader.Model.description) ?? ""
    subgraphCount = reader.subgraphCount
    let main = try reader.root.table(ModelReader.Model.subgraphs, 0)
    tensors = try reader.tensors(of: main)
    inputs = try reader.tensorList(main, ModelReader.SubGraph.inputs, "input", tensors.count)
    outputs = try reader.tensorList(main, ModelReader.SubGraph.outputs, "output", tensors.count)
    operators = try reader.operators(of: main, tensorCount: tensors.count)
    try ModelReader.checkOrder(
      operators: operators, tensors: tensors, inputs: inputs, outputs: outputs)
    signatures = try reader.signatures(tensorCount: tensors.count)
    metadata = try reader.metadata()
  }

  /// Reads a model from an array of bytes, which are copied once.
  public init(bytes: [UInt8], limits: ModelLimits = .default) throws(ModelError) {
    try self.init(StorageView(Storage(copying: bytes)), limits: limits)
  }
}

extension TFLiteModel {
  /// What the file says of one tensor.
  public struct TensorRecord: Sendable {
    /// Possibly empty, possibly shared with other tensors.
    public let name: String
    /// Element type.
    public let type: ElementType
    /// The declared shape, with 1 where the file leaves an extent open.
    public let shape: Shape
    /// The shape with −1 where it may change; `nil` if all extents are fixed.
    public let shapeSignature: [Int]?
    /// Of integer tensors.
    public let quantization: Quantization?
    /// State that is kept from one run to the next.
    public let isVariable: Bool
    /// The bytes of a constant, in place. Of a sparse one, the stored values only.
    public let data: StorageView?
    /// How ``data`` is spread over the shape; `nil` for dense tensors.
    let sparsity: SparseLayout?

    /// Whether ``data`` holds the values that are not zero, and where they belong.
    public var isSparse: Bool { sparsity != nil }
    /// Whether the file has its value.
    public var isConstant: Bool { data != nil }
  }

  /// What the file says of one operator.
  public struct OperatorRecord: Sendable {
    /// The number in the schema's enum `BuiltinOperator`; 32 for custom operators.
    public let code: Int
    /// The schema's name, or the custom operator's own.
    public let name: String
    /// Whether it is an operator that the schema does not know.
    public let isCustom: Bool
    /// The version of the operator's meaning.
    public let version: Int
    /// Tensor indices; `nil` for an optional input left out.
    public let inputs: [Int?]
    /// Tensor indices.
    public let outputs: [Int]
    /// The options table; `nil` if absent.
    package let options: FlatTable?
    /// The discriminant of the options union; 0 if absent.
    package let optionsType: Int
    /// The raw bytes of a custom operator's options.
    public let customOptions: StorageView?
  }

  /// A named way to call the main graph.
  public struct Signature: Sendable {
    /// A tensor by the name the signature gives it.
    public struct Argument: Sendable {
      /// The signature's name for the tensor.
      public let name: String
      /// Index of ``tensors``.
      public let tensor: Int
    }

    /// The signature's name: `serving_default` in most files.
    public let name: String
    /// The inputs, in the signature's order.
    public let inputs: [Argument]
    /// The outputs, in the signature's order.
    public let outputs: [Argument]
  }

  /// Named bytes that ride along with the model.
  public struct MetadataEntry: Sendable {
    /// The entry's name.
    public let name: String
    /// The entry's bytes, in place.
    public let data: StorageView
  }

  /// The first signature of a name: `serving_default` in most files that have one.
  public func signature(named name: String) -> Signature? {
    signatures.first { $0.name.hasSameBytes(as: name) }
  }

  /// The first metadata entry of a name.
  public func metadata(named name: String) -> StorageView? {
    metadata.first { $0.name.hasSameBytes(as: name) }?.data
  }
}
