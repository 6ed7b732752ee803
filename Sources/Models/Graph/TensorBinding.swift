import FaceKitKernels
import FaceKitTensor

/// A tensor bound to its memory: a constant, or an offset into the arena.
public struct TensorBinding: Sendable {
  /// Where a tensor's elements are.
  public enum Place: Sendable {
    case arena(offset: Int)
    case constant(StorageView)
  }

  /// Type, shape, scales and constant value.
  public let operand: Operand
  /// How the elements lie in memory.
  public let layout: Layout
  /// Where the elements are.
  public let place: Place

  /// Extents, whatever the layout.
  public var shape: Shape { operand.shape }
  /// Element type.
  public var type: ElementType { operand.type }
  /// Scales and zero points of an integer tensor; `nil` if it has none.
  public var quantization: Quantization? { operand.quantization }
  /// Elements of the shape; a blocked map has padding lanes besides.
  public var count: Int { operand.shape.count }

  /// The first element.
  ///
  /// - Parameter workspace: the memory of the running session.
  /// - Returns: an address aligned to 64 bytes, or to the element of a constant.
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

  /// The elements as floats.
  ///
  /// - Parameter workspace: the memory of the running session.
  /// - Returns: the first element.
  @inline(__always)
  public func floats(_ workspace: Workspace) -> UnsafeMutablePointer<Float> {
    pointer(workspace, as: Float.self)
  }
}
