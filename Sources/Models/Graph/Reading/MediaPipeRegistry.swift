extension OperatorRegistry {
  /// MediaPipe's custom operators, and TensorFlow's detection post-processing.
  static let mediaPipe: [CustomOperatorEntry] = [
    CustomOperatorEntry(
      name: "Convolution2DTransposeBias",
      read: { (source) throws(ModelError) in try Convolution2DTransposeBias(source).erased }),
    CustomOperatorEntry(
      name: "Landmarks2TransformMatrix", versions: 2...2,
      read: { (source) throws(ModelError) in try Landmarks2TransformMatrix(source).erased }),
    CustomOperatorEntry(
      name: "TransformTensorBilinear", versions: 2...2,
      read: { (source) throws(ModelError) in try TransformTensorBilinear(source).erased }),
    CustomOperatorEntry(
      name: "TransformLandmarks", versions: 2...2,
      read: { (source) throws(ModelError) in try TransformLandmarks(source).erased }),
    CustomOperatorEntry(
      name: "MaxPoolingWithArgmax2D",
      read: { (source) throws(ModelError) in try ArgmaxPool(source, unpools: false).erased }),
    CustomOperatorEntry(
      name: "MaxUnpooling2D",
      read: { (source) throws(ModelError) in try ArgmaxPool(source, unpools: true).erased }),
    CustomOperatorEntry(
      name: "TFLite_Detection_PostProcess",
      read: { (source) throws(ModelError) in try DetectionPostProcess(source).erased }),
  ]
}
