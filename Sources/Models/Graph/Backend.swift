import FaceKitKernels

/// Which kernels compute a session.
public enum Backend: String, Sendable, Hashable, CaseIterable {
  /// The default. Today the same as `.simd`: which layers OpenBLAS would do faster was not measured layer
  /// by layer.
  case automatic
  /// Our own SIMD kernels.
  case simd
  /// OpenBLAS for convolutions and matrix products, scalar code for the rest.
  case blas
  /// Scalar loops: the definition of correct.
  case reference

  /// Whether this build on this machine has it.
  public var isAvailable: Bool { self == .blas ? BLAS.shared != nil : true }

  /// Whether a session of this back end may use the kernels of another. The reference is open to all.
  func mayUse(_ other: Backend) -> Bool {
    switch self {
    case .automatic, .simd: other == .simd || other == .reference
    case .blas: other == .blas || other == .reference
    case .reference: other == .reference
    }
  }

  /// Whether passes rewrite the graph: what they join has SIMD kernels only, and the reference is to
  /// compute what the file says, node by node.
  var rewritesGraphs: Bool { mayUse(.simd) }
}
