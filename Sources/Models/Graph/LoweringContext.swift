import FaceKitKernels
import FaceKitTensor

/// The memory of one running session: the arena all activations live in, and the worker pool.
public struct Workspace: @unchecked Sendable {
  // `@unchecked`: a session is used by one thread at a time; the pool's workers touch disjoint rows.
  public let arena: UnsafeMutableRawPointer
}

/// A node's kernel with its operands bound: the work of one inference. Allocates nothing.
public typealias NodeKernel = @Sendable (Workspace) throws(ModelError) -> Void

/// A tensor bound to its memory: a constant, or an offset into the arena.
public struct TensorBinding: Sendable {
  public enum Place: Sendable {
    case arena(offset: Int)
    case constant(StorageView)
  }

  public let operand: Operand
  public let layout: Layout
  public let place: Place

  public var shape: Shape { operand.shape }
  public var type: ElementType { operand.type }
  public var quantization: Quantization? { operand.quantization }
  public var count: Int { operand.shape.count }

  @inline(__always)
  public func pointer(_ workspace: Workspace) -> UnsafeMutableRawPointer {
    switch place {
    case .arena(let offset): workspace.arena + offset
    case .constant(let view): UnsafeMutableRawPointer(mutating: view.base)
    }
  }

  /// The elements as a trivial type. Constants are copied to aligned storage when a model is loaded,
  /// so typed access is always aligned.
  @inline(__always)
  public func pointer<Element: BitwiseCopyable>(
    _ workspace: Workspace, as _: Element.Type
  ) -> UnsafeMutablePointer<Element> {
    pointer(workspace).assumingMemoryBound(to: Element.self)
  }

  @inline(__always)
  public func floats(_ workspace: Workspace) -> UnsafeMutablePointer<Float> {
    pointer(workspace, as: Float.self)
  }
}

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
}

/// What a node is lowered with: its operands bound to memory, and what its kernel may use.
public struct LoweringContext {
  public let inputs: [TensorBinding?]
  public let outputs: [TensorBinding]
  public let backend: Backend
  /// The tier of the SIMD kernels.
  public let isa: InstructionSet
  /// Threads the work may be shared among.
  public let threads: Int
  let scratchBase: Int
  var scratchBytes = 0
  /// The same work as the kernel's, by rows; `nil` if it cannot be shared.
  var rowWork: RowWork?

  init(
    inputs: [TensorBinding?], outputs: [TensorBinding], backend: Backend, isa: InstructionSet,
    threads: Int = 1,
    scratchBase: Int
  ) {
    self.threads = threads
    self.inputs = inputs
    self.outputs = outputs
    self.backend = backend
    self.isa = isa
    self.scratchBase = scratchBase
  }

  /// Whether our SIMD kernels may be chosen.
  public var usesSIMD: Bool { backend.usesBlockedLayout }

  /// A required input, already vetted by `infer`.
  public func input(_ index: Int) -> TensorBinding { inputs[index]! }

  public func optional(_ index: Int) -> TensorBinding? {
    index < inputs.count ? inputs[index] : nil
  }

  public var output: TensorBinding { outputs[0] }

  /// Reserves working memory for this node's kernel, at an arena offset aligned to 64 bytes. The
  /// memory is shared by all nodes, so nothing survives from one node to the next.
  public mutating func scratch(bytes: Int) -> Int {
    let offset = scratchBase + scratchBytes
    scratchBytes += (bytes + 63) & ~63
    return offset
  }

  /// A kernel whose output rows may be shared among the session's threads.
  ///
  /// - Parameters:
  ///   - rows: output rows of all images together.
  ///   - cost: multiply–adds, or elements moved, of the whole node: small nodes stay on one thread.
  ///   - scratchBytes: working memory of one thread.
  ///   - body: computes some of the rows; different rows must be independent of each other.
  /// - Returns: the kernel for one thread; ``CompiledNode`` keeps the one for several.
  public mutating func rowKernel(
    rows: Int, cost: Int, scratchBytes: Int = 0,
    body: @escaping @Sendable (Workspace, Range<Int>, UnsafeMutableRawPointer) -> Void
  ) -> NodeKernel {
    let stride = (scratchBytes + 63) & ~63
    let scratch = self.scratch(bytes: stride * threads)
    if threads > 1 && rows > 1 && cost >= RowWork.worthwhileCost {
      rowWork = RowWork { arena, thread, threads in
        body(
          Workspace(arena: arena), FaceKitKernels.rows(of: rows, thread: thread, threads: threads),
          arena + scratch + thread * stride)
      }
    }
    return { (workspace) throws(ModelError) in
      body(workspace, 0..<rows, workspace.arena + scratch)
    }
  }
}

/// A node's work that several threads do together.
struct RowWork: Sendable {
  let job: WorkerPool.Job

  init(_ job: @escaping WorkerPool.Job) { self.job = job }

  /// Meeting of the threads costs about half a microsecond, as much as this many multiply–adds.
  static let worthwhileCost = 100_000
}
