/// One line of the list of built-in operators: a name of the schema, and how to read it.
///
/// Code and options table follow from the name: ``BuiltinOperator`` declares them.
struct OperatorEntry: Sendable {
  let name: String
  let code: Int
  let read: OperatorReader

  init(_ name: String, _ read: @escaping OperatorReader) {
    guard let code = BuiltinOperator.code(named: name) else {
      preconditionFailure("the schema has no operator \(name)")
    }
    self.name = name
    self.code = code
    self.read = read
  }

  /// An operator that reads itself.
  init<Kind: ReadableOperator>(_ name: String, _: Kind.Type) {
    self.init(name) { (source) throws(ModelError) in try Kind(source).erased }
  }
}

extension OperatorRegistry {
  /// Every built-in operator.
  static let builtin: [OperatorEntry] =
    convolutions + elementwise + comparisons + reductions + normalizations + shapes + movements
    + indexing + numbers

  /// The entry for a code of the schema; `nil` if the operator is not implemented.
  static func builtin(code: Int) -> OperatorEntry? {
    builtinIndex.indices.contains(code) && builtinIndex[code] >= 0
      ? builtin[builtinIndex[code]] : nil
  }

  /// By code, the place in ``builtin``; −1 for what is not implemented.
  private static let builtinIndex: [Int] = {
    var index = [Int](repeating: -1, count: BuiltinOperator.count)
    for (place, entry) in builtin.enumerated() { index[entry.code] = place }
    return index
  }()

  private static let convolutions: [OperatorEntry] = [
    OperatorEntry("CONV_2D", Conv2D.reader(.dense)),
    OperatorEntry("DEPTHWISE_CONV_2D", Conv2D.reader(.depthwise)),
    OperatorEntry("TRANSPOSE_CONV", TransposeConv2D.self),
    OperatorEntry("CONV_3D", Conv3D.self),
    OperatorEntry("FULLY_CONNECTED", FullyConnected.self),
    OperatorEntry("BATCH_MATMUL", BatchMatMul.self),
    OperatorEntry("AVERAGE_POOL_2D", Pool2D.reader(.average)),
    OperatorEntry("L2_POOL_2D", Pool2D.reader(.rootMeanSquare)),
    OperatorEntry("MAX_POOL_2D", Pool2D.reader(.maximum)),
    OperatorEntry("RESIZE_BILINEAR", Resize.reader(isBilinear: true)),
    OperatorEntry("RESIZE_NEAREST_NEIGHBOR", Resize.reader(isBilinear: false)),
  ]

  private static let elementwise: [OperatorEntry] = [
    OperatorEntry("FLOOR", Unary.reader(.floor)),
    OperatorEntry("LOGISTIC", Unary.reader(.logistic)),
    OperatorEntry("RELU", Unary.reader(.clamp(0...Float.infinity))),
    OperatorEntry("RELU_N1_TO_1", Unary.reader(.clamp(-1...1))),
    OperatorEntry("RELU6", Unary.reader(.clamp(0...6))),
    OperatorEntry("RELU_0_TO_1", Unary.reader(.clamp(0...1))),
    OperatorEntry("TANH", Unary.reader(.tanh)),
    OperatorEntry("EXP", Unary.reader(.exp)),
    OperatorEntry("NEG", Unary.reader(.negate)),
    OperatorEntry("SIN", Unary.reader(.sin)),
    OperatorEntry("LOG", Unary.reader(.log)),
    OperatorEntry("SQRT", Unary.reader(.sqrt)),
    OperatorEntry("RSQRT", Unary.reader(.rsqrt)),
    OperatorEntry("SQUARE", Unary.reader(.square)),
    OperatorEntry("ABS", Unary.reader(.absolute)),
    OperatorEntry("CEIL", Unary.reader(.ceil)),
    OperatorEntry("COS", Unary.reader(.cos)),
    OperatorEntry("ELU", Unary.reader(.elu)),
    OperatorEntry("ROUND", Unary.reader(.round)),
    OperatorEntry("HARD_SWISH", Unary.reader(.hardSwish)),
    OperatorEntry("SIGN", Unary.reader(.sign)),
    OperatorEntry("LEAKY_RELU", Unary.leakyReluReader),
    OperatorEntry("GELU", Unary.geluReader),
    OperatorEntry("FAKE_QUANT", Unary.fakeQuantizeReader),
    OperatorEntry("PRELU", PRelu.self),
    OperatorEntry("ADD", Binary.reader(.add)),
    OperatorEntry("SUB", Binary.reader(.subtract)),
    OperatorEntry("MUL", Binary.reader(.multiply)),
    OperatorEntry("DIV", Binary.reader(.divide)),
    OperatorEntry("MAXIMUM", Binary.reader(.maximum)),
    OperatorEntry("MINIMUM", Binary.reader(.minimum)),
    OperatorEntry("POW", Binary.reader(.power)),
    OperatorEntry("FLOOR_DIV", Binary.reader(.floorDivide)),
    OperatorEntry("FLOOR_MOD", Binary.reader(.floorModulo)),
    OperatorEntry("SQUARED_DIFFERENCE", Binary.reader(.squaredDifference)),
    OperatorEntry("ATAN2", Binary.reader(.atan2)),
    OperatorEntry("ADD_N", AddN.self),
    OperatorEntry("CAST", Cast.self),
    OperatorEntry("DEQUANTIZE", Dequantize.self),
    OperatorEntry("QUANTIZE", Quantize.self),
  ]

  private static let comparisons: [OperatorEntry] = [
    OperatorEntry("LESS", Compare.reader(.less)),
    OperatorEntry("GREATER", Compare.reader(.greater)),
    OperatorEntry("GREATER_EQUAL", Compare.reader(.greaterEqual)),
    OperatorEntry("LESS_EQUAL", Compare.reader(.lessEqual)),
    OperatorEntry("EQUAL", Compare.reader(.equal)),
    OperatorEntry("NOT_EQUAL", Compare.reader(.notEqual)),
    OperatorEntry("LOGICAL_OR", Logical.reader(.or)),
    OperatorEntry("LOGICAL_AND", Logical.reader(.and)),
    OperatorEntry("LOGICAL_NOT", LogicalNot.self),
    OperatorEntry("SELECT", Select.reader(broadcasts: false)),
    OperatorEntry("SELECT_V2", Select.reader(broadcasts: true)),
    OperatorEntry("WHERE", Where.self),
  ]

  private static let reductions: [OperatorEntry] = [
    OperatorEntry("MEAN", Reduce.reader(.mean)),
    OperatorEntry("SUM", Reduce.reader(.sum)),
    OperatorEntry("REDUCE_PROD", Reduce.reader(.product)),
    OperatorEntry("REDUCE_MAX", Reduce.reader(.maximum)),
    OperatorEntry("REDUCE_MIN", Reduce.reader(.minimum)),
    OperatorEntry("REDUCE_ANY", Reduce.reader(.any)),
    OperatorEntry("REDUCE_ALL", Reduce.reader(.all)),
    OperatorEntry("ARG_MAX", ArgumentOfExtreme.reader(isMaximum: true)),
    OperatorEntry("ARG_MIN", ArgumentOfExtreme.reader(isMaximum: false)),
    OperatorEntry("TOPK_V2", TopK.self),
    OperatorEntry("CUMSUM", CumulativeSum.self),
  ]

  private static let normalizations: [OperatorEntry] = [
    OperatorEntry("SOFTMAX", Normalization.softmaxReader),
    OperatorEntry("LOG_SOFTMAX", Normalization.logSoftmaxReader),
    OperatorEntry("L2_NORMALIZATION", Normalization.l2Reader),
    OperatorEntry("LOCAL_RESPONSE_NORMALIZATION", Normalization.localResponseReader),
  ]

  /// What changes a tensor's shape and none of its bytes.
  private static let shapes: [OperatorEntry] = [
    OperatorEntry("RESHAPE", Reshape.self),
    OperatorEntry("SQUEEZE", Squeeze.self),
    OperatorEntry("EXPAND_DIMS", ExpandDims.self),
    OperatorEntry("DENSIFY", Densify.self),
    OperatorEntry("BITCAST", Bitcast.self),
  ]

  private static let movements: [OperatorEntry] = [
    OperatorEntry("CONCATENATION", Concatenation.self),
    OperatorEntry("PACK", Pack.self),
    OperatorEntry("UNPACK", Unpack.self),
    OperatorEntry("SPLIT", Split.reader(hasSizes: false)),
    OperatorEntry("SPLIT_V", Split.reader(hasSizes: true)),
    OperatorEntry("SLICE", Slice.self),
    OperatorEntry("STRIDED_SLICE", StridedSlice.self),
    OperatorEntry("PAD", Pad.reader(hasValue: false)),
    OperatorEntry("PADV2", Pad.reader(hasValue: true)),
    OperatorEntry("MIRROR_PAD", MirrorPad.self),
    OperatorEntry("TRANSPOSE", Transpose.self),
    OperatorEntry("REVERSE_V2", Reverse.self),
    OperatorEntry("TILE", Tile.self),
    OperatorEntry("BROADCAST_TO", BroadcastTo.self),
    OperatorEntry("DEPTH_TO_SPACE", SpaceDepth.reader(.toSpace)),
    OperatorEntry("SPACE_TO_DEPTH", SpaceDepth.reader(.toDepth)),
    OperatorEntry("SPACE_TO_BATCH_ND", SpaceBatch.reader(.toBatch)),
    OperatorEntry("BATCH_TO_SPACE_ND", SpaceBatch.reader(.toSpace)),
  ]

  private static let indexing: [OperatorEntry] = [
    OperatorEntry("GATHER", Gather.self),
    OperatorEntry("GATHER_ND", GatherND.self),
    OperatorEntry("SCATTER_ND", ScatterND.self),
    OperatorEntry("DYNAMIC_UPDATE_SLICE", DynamicUpdateSlice.self),
    OperatorEntry("NON_MAX_SUPPRESSION_V4", NonMaxSuppression.reader(isSoft: false)),
    OperatorEntry("NON_MAX_SUPPRESSION_V5", NonMaxSuppression.reader(isSoft: true)),
  ]

  /// What makes tensors from shapes and scalars.
  private static let numbers: [OperatorEntry] = [
    OperatorEntry("SHAPE", ShapeOf.self),
    OperatorEntry("RANK", RankOf.self),
    OperatorEntry("FILL", Fill.self),
    OperatorEntry("ZEROS_LIKE", ZerosLike.self),
    OperatorEntry("RANGE", NumberRange.self),
    OperatorEntry("ONE_HOT", OneHot.self),
    OperatorEntry("BROADCAST_ARGS", BroadcastArgs.self),
  ]
}
