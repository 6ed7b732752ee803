import FaceKitTensor

/// A network as data: values, and the nodes that compute them in execution order.
///
/// Passes rewrite it, the planner places it, and nothing in it depends on where it came from.
public struct Graph: Sendable {
  /// A tensor of the network. Referred to by its index in ``Graph/values``.
  public struct Value: Sendable {
    /// The file's name for it: possibly empty, possibly shared.
    public var name: String
    /// Element type.
    public var type: ElementType
    /// Extents, as far as they are known before a run.
    public var shape: Shape
    /// Scales and zero points of an integer tensor; `nil` if it has none.
    public var quantization: Quantization?
    /// Row-major bytes where the value is known when the model is loaded.
    public var constant: StorageView?
    /// The file's extents with −1 where the input may be resized; `nil` if all are fixed.
    public var shapeSignature: [Int]?
    /// Index of the tensor in the file; `nil` for values made by passes.
    public var sourceTensor: Int?
    /// How the elements lie in memory; passes and the file know only row-major.
    public var layout: Layout = .rowMajor

    /// A value.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - type: the element type.
    ///   - shape: the extents.
    ///   - quantization: scales and zero points, if there are any.
    ///   - constant: row-major bytes, if the value is known.
    ///   - shapeSignature: the extents with −1 where the input may be resized.
    ///   - sourceTensor: index of the tensor in the file.
    public init(
      name: String, type: ElementType, shape: Shape, quantization: Quantization? = nil,
      constant: StorageView? = nil, shapeSignature: [Int]? = nil, sourceTensor: Int? = nil
    ) {
      self.name = name
      self.type = type
      self.shape = shape
      self.quantization = quantization
      self.constant = constant
      self.shapeSignature = shapeSignature
      self.sourceTensor = sourceTensor
    }
  }

  /// An operator and the values it reads and writes.
  public struct Node: Sendable {
    /// What it computes.
    public var `operator`: AnyOperator
    /// Value indices; `nil` for an optional input left out.
    public var inputs: [Int?]
    /// Value indices.
    public var outputs: [Int]
    /// The operators of the file this node stands for, in file order; several after fusion.
    public var sources: [Int]

    /// A node.
    ///
    /// - Parameters:
    ///   - kind: what it computes.
    ///   - inputs: value indices; `nil` for an optional input left out.
    ///   - outputs: value indices.
    ///   - sources: the operators of the file it stands for, in file order.
    public init(_ kind: AnyOperator, inputs: [Int?], outputs: [Int], sources: [Int]) {
      self.operator = kind
      self.inputs = inputs
      self.outputs = outputs
      self.sources = sources
    }

    /// An input, or `nil` if it is left out, by −1 or at the end of the list.
    func input(_ index: Int) -> Int? { index < inputs.count ? inputs[index] : nil }

    /// Sets an input, and leaves out those before it that were not there.
    mutating func setInput(_ index: Int, _ value: Int?) {
      while inputs.count <= index { inputs.append(nil) }
      inputs[index] = value
    }
  }

  /// All tensors, in the file's order, then those made by passes.
  public var values: [Value]
  /// The operators, in execution order.
  public var nodes: [Node]
  /// Value indices of what a caller fills.
  public var inputs: [Int]
  /// Value indices of what a caller reads.
  public var outputs: [Int]

  /// A network.
  ///
  /// - Parameters:
  ///   - values: all tensors.
  ///   - nodes: the operators, in execution order.
  ///   - inputs: value indices of what a caller fills.
  ///   - outputs: value indices of what a caller reads.
  public init(values: [Value], nodes: [Node], inputs: [Int], outputs: [Int]) {
    self.values = values
    self.nodes = nodes
    self.inputs = inputs
    self.outputs = outputs
  }
}
