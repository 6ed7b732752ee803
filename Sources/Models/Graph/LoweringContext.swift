import FaceKitKernels
import FaceKitTensor

/// The memory of one running session: the arena all activations live in, and the worker pool.
public struct Workspace: @unchecked Sendable {
  // `@unchecked`: a session is used by one thread at a time; the pool's workers touch disjoint rows.
  /// The first byte, aligned to 64; offsets of ``TensorBinding/Place/arena(offset:)`` count from it.
  public let arena: UnsafeMutableRawPointer
}

/// A node's kernel with its operands bound: the work of one inference. Allocates nothing.
public typealias NodeKernel = @Sendable (Workspace) throws(ModelError) -> Void

/// What a node is lowered with: its operands bound to memory, and what its kernel may use.
public struct LoweringContext {
  /// The node's inputs; `nil` for one left out.
  public let inputs: [TensorBinding?]
  /// The node's outputs.
  public let outputs: [TensorBinding]
  /// The tier of the SIMD kernels.
  public let isa: InstructionSet
  /// Threads the work may be shared among.
  public let threads: Int
  let scratchBase: Int
  var scratchBytes = 0
  /// The same work as the kernel's, by rows; `nil` if it cannot be shared.
  var rowWork: RowWork?

  init(
    inputs: [TensorBinding?], outputs: [TensorBinding], isa: InstructionSet, threads: Int = 1,
    scratchBase: Int
  ) {
    self.threads = threads
    self.inputs = inputs
    self.outputs = outputs
    self.isa = isa
    self.scratchBase = scratchBase
  }

  /// A required input, already vetted by `infer`.
  public func input(_ index: Int) -> TensorBinding { inputs[index]! }

  /// An input that may be left out.
  ///
  /// - Parameter index: its position.
  /// - Returns: the tensor; `nil` if it is left out, by index −1 or at the end of the list.
  public func optional(_ index: Int) -> TensorBinding? {
    index < inputs.count ? inputs[index] : nil
  }

  /// The first output.
  public var output: TensorBinding { outputs[0] }

  /// The context of a kernel that is part of this one's work and needs no working memory.
  func binding(_ inputs: [TensorBinding?], _ outputs: [TensorBinding]) -> LoweringContext {
    LoweringContext(inputs: inputs, outputs: outputs, isa: isa, scratchBase: scratchBase)
  }

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
  /// - Returns: the kernel for one thread; `CompiledNode` keeps the one for several.
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
