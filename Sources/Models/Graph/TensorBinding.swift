import FaceKitKernels
import FaceKitTensor

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
