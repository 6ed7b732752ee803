import FaceKitTensor

/// The canonical face and how much each of its points counts, read from the bundle's
/// `geometry_pipeline_metadata_landmarks.binarypb`.
///
/// Vertices are in centimetres: x to the right, y up, z towards the viewer.
package struct GeometryMetadata: Sendable, Equatable {
  /// 468 × (x, y, z).
  package var positions: [Float]
  /// 468 × (u, v), texture coordinates.
  package var textureCoordinates: [Float]
  /// Three vertices a triangle. (The published tesselation is another triangulation, made for drawing.)
  package var triangles: [Int]
  /// A weight for each vertex, 0 for those not listed.
  package var weights: [Float]

  package var vertexCount: Int { weights.count }

  /// Reads the protocol-buffer message.
  ///
  /// - Throws: ``FaceKitError`` `invalidArgument` for truncated or inconsistent data.
  package init(_ bytes: StorageView) throws(FaceKitError) {
    var root = ProtobufReader(bytes)
    var vertices: [Float] = []
    var indices: [UInt64] = []
    var basis: [(id: UInt64, weight: Float)] = []
    while let field = try root.next() {
      switch (field.number, field.value) {
      case (1, .bytes(let mesh)):
        var reader = ProtobufReader(mesh)
        while let field = try reader.next() {
          switch field.number {
          case 3: try field.appendFloats(to: &vertices)
          case 4: try field.appendIntegers(to: &indices)
          default: break
          }
        }
      case (2, .bytes(let entry)):
        basis.append(try GeometryMetadata.basisEntry(entry))
      default: break
      }
    }
    try self.init(vertices: vertices, indices: indices, basis: basis)
  }

  private static func basisEntry(
    _ bytes: StorageView
  ) throws(FaceKitError) -> (id: UInt64, weight: Float) {
    var reader = ProtobufReader(bytes)
    var entry: (id: UInt64, weight: Float) = (0, 0)
    while let field = try reader.next() {
      switch (field.number, field.value) {
      case (1, .varint(let id)): entry.id = id
      case (2, .fixed32(let bits)): entry.weight = Float(bitPattern: bits)
      default: break
      }
    }
    return entry
  }

  private init(
    vertices: [Float], indices: [UInt64], basis: [(id: UInt64, weight: Float)]
  ) throws(FaceKitError) {
    let count = vertices.count / 5
    guard count > 0, vertices.count % 5 == 0 else {
      throw .geometry("a vertex buffer of \(vertices.count) values, not five for each vertex")
    }
    guard indices.count % 3 == 0 else {
      throw .geometry("an index buffer of \(indices.count) values, not three for each triangle")
    }
    positions = []
    textureCoordinates = []
    for vertex in 0..<count {
      for axis in 0..<3 {
        let value = vertices[5 * vertex + axis]
        guard value.isFinite else { throw .geometry("vertex \(vertex) is not finite") }
        positions.append(value)
      }
      textureCoordinates += [vertices[5 * vertex + 3], vertices[5 * vertex + 4]]
    }
    triangles = []
    for index in indices {
      guard index < UInt64(count) else { throw .geometry("vertex \(index) of \(count)") }
      triangles.append(Int(index))
    }
    weights = [Float](repeating: 0, count: count)
    guard !basis.isEmpty else { throw .geometry("no weights") }
    for (id, weight) in basis {
      guard id < UInt64(count) else { throw .geometry("a weight for vertex \(id) of \(count)") }
      guard weight >= 0, weight.isFinite else { throw .geometry("weight \(weight)") }
      weights[Int(id)] = weight
    }
  }
}

extension FaceKitError {
  static func geometry(_ what: String) -> FaceKitError {
    .invalid(
      what, at: "face geometry metadata",
      advice: "use the geometry_pipeline_metadata_landmarks.binarypb of the published bundle")
  }
}
