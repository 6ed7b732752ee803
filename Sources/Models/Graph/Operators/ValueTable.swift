import FaceKitKernels
import FaceKitTensor

/// A function of a quantised value, written out for all the values there are.
struct ValueTable {
  /// Indexed by the bits of the input; of 256 or 65536 entries.
  private var bytes: [UInt8] = []
  private var words: [UInt16] = []

  /// - `function`: From a quantised input to an output, which is saturated to its type.
  init(type: ElementType, _ function: (Int) -> Int) {
    switch type {
    case .int8:
      bytes = (0...255).map {
        UInt8(bitPattern: Int8(clamping: function(Int(Int8(truncatingIfNeeded: $0)))))
      }
    case .uint8:
      bytes = (0...255).map { UInt8(clamping: function($0)) }
    default:
      words = (0...65535).map {
        UInt16(bitPattern: Int16(clamping: function(Int(Int16(truncatingIfNeeded: $0)))))
      }
    }
  }

  /// The table of a real function between two scales.
  init(
    from input: Operand, to output: Operand, _ function: UnaryFunction
  ) throws(ModelError) {
    let x = try input.perTensorQuantization("the input")
    let y = try output.perTensorQuantization("the output")
    guard input.type == output.type else {
      throw ModelError(.type, "the output is \(output.type.name), the input \(input.type.name)")
    }
    switch function {
    case .clamp(let bounds):
      // The clamps stay in integers, as TensorFlow Lite's do: rescale, then compare. The quotient is
      // formed in single precision, as there: 0.05 / 0.02 is 2.5, and its ties are ties.
      let factor = FixedPointFactor(Double(x.scale / y.scale))
      let low = quantizedBound(bounds.lowerBound, y, output.type)
      let high = quantizedBound(bounds.upperBound, y, output.type)
      self.init(type: input.type) {
        let value = Int(factor.multiply(Int32($0 - x.zeroPoint))) + y.zeroPoint
        return Swift.min(Swift.max(value, low), high)
      }
    case .leakyRelu(let slope):
      let identity = FixedPointFactor(Double(x.scale / y.scale))
      let scaled = FixedPointFactor(Double(x.scale * Swift.abs(slope) / y.scale))
      let sign: Int32 = slope < 0 ? -1 : 1
      self.init(type: input.type) {
        let centred = Int32($0 - x.zeroPoint)
        let value = centred >= 0 ? identity.multiply(centred) : sign * scaled.multiply(centred)
        return Int(value) + y.zeroPoint
      }
    default:
      let inverse = 1 / y.scale
      self.init(type: input.type) {
        let value = function(x.scale * Float($0 - x.zeroPoint)) * inverse
        // NaN, as of the root of a negative number, has no integer: it becomes real 0.
        let steps = Reference.roundHalfAway(value)
        return (steps.isNaN ? 0 : Int(Swift.min(Swift.max(steps, -1e6), 1e6))) + y.zeroPoint
      }
    }
  }

  /// Looks every element up. The tensors have the type of the table.
  func kernel(_ input: TensorBinding, _ output: TensorBinding, count: Int) -> NodeKernel {
    let (bytes, words) = (bytes, words)
    if words.isEmpty {
      return { (workspace) throws(ModelError) in
        Reference.lookUp(
          bytes, input: input.pointer(workspace, as: UInt8.self),
          output: output.pointer(workspace, as: UInt8.self), count: count)
      }
    }
    return { (workspace) throws(ModelError) in
      Reference.lookUp(
        words, input: input.pointer(workspace, as: UInt16.self),
        output: output.pointer(workspace, as: UInt16.self), count: count)
    }
  }

  /// The table of bytes, for operators that look up part of a tensor.
  var byteTable: [UInt8] { bytes }
}
