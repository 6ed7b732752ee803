import FaceKitTensor

extension Tensor {
  /// The values as single precision, dequantised where a scale is given; `nil` for types without
  /// numbers of a whole byte.
  package func numbers(_ quantization: Quantization? = nil) -> [Float]? {
    let values: [Float]
    switch type {
    case .float32: return floats
    case .float16: return array(of: UInt16.self).map(Half.widen)
    case .float64: values = array(of: Double.self).map(Float.init)
    case .int8: values = array(of: Int8.self).map(Float.init)
    case .uint8, .bool: values = array(of: UInt8.self).map(Float.init)
    case .int16: values = array(of: Int16.self).map(Float.init)
    case .uint16: values = array(of: UInt16.self).map(Float.init)
    case .int32: values = array(of: Int32.self).map(Float.init)
    case .uint32: values = array(of: UInt32.self).map(Float.init)
    case .int64: values = array(of: Int64.self).map(Float.init)
    case .uint64: values = array(of: UInt64.self).map(Float.init)
    default: return nil
    }
    guard let quantization, quantization.isPerTensor else { return values }
    return values.map { ($0 - Float(quantization.zeroPoint)) * quantization.scale }
  }
}
