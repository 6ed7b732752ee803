/// The one declaration of the schema's built-in operators: name, code and options table of each.
///
/// Declared for all codes, implemented or not, so that reports and errors can name what a file asks for.
/// Source: the enums BuiltinOperator and BuiltinOptions of the public TFLite schema, revision 3d.
enum BuiltinOperator {
  static let custom = 32

  /// `CONV_2D` for 3; `nil` for a code the schema does not have.
  static func name(_ code: Int) -> String? {
    code >= 0 && code < all.count ? all[code].name : nil
  }

  /// The discriminant of the operator's options table; 0 if it has none.
  static func optionsType(_ code: Int) -> Int {
    code >= 0 && code < all.count ? Int(all[code].options) : 0
  }

  /// How many codes the schema has.
  static var count: Int { all.count }

  /// 3 for `CONV_2D`; `nil` for a name the schema does not have.
  static func code(named name: String) -> Int? {
    all.firstIndex { $0.name.hasSameBytes(as: name) }
  }

  /// By code.
  private static let all: [(name: String, options: UInt8)] = [
    ("ADD", 11), ("AVERAGE_POOL_2D", 5), ("CONCATENATION", 10), ("CONV_2D", 1),
    ("DEPTHWISE_CONV_2D", 2), ("DEPTH_TO_SPACE", 94), ("DEQUANTIZE", 38), ("EMBEDDING_LOOKUP", 0),
    ("FLOOR", 0), ("FULLY_CONNECTED", 8), ("HASHTABLE_LOOKUP", 0), ("L2_NORMALIZATION", 12),
    ("L2_POOL_2D", 5), ("LOCAL_RESPONSE_NORMALIZATION", 13), ("LOGISTIC", 0), ("LSH_PROJECTION", 4),
    ("LSTM", 14), ("MAX_POOL_2D", 5), ("MUL", 21), ("RELU", 0), ("RELU_N1_TO_1", 0), ("RELU6", 0),
    ("RESHAPE", 17), ("RESIZE_BILINEAR", 15), ("RNN", 7), ("SOFTMAX", 9), ("SPACE_TO_DEPTH", 19),
    ("SVDF", 6), ("TANH", 0), ("CONCAT_EMBEDDINGS", 3), ("SKIP_GRAM", 18), ("CALL", 16),
    ("CUSTOM", 0), ("EMBEDDING_LOOKUP_SPARSE", 20), ("PAD", 22),
    ("UNIDIRECTIONAL_SEQUENCE_RNN", 31), ("GATHER", 23), ("BATCH_TO_SPACE_ND", 24),
    ("SPACE_TO_BATCH_ND", 25), ("TRANSPOSE", 26), ("MEAN", 27), ("SUB", 28), ("DIV", 29),
    ("SQUEEZE", 30), ("UNIDIRECTIONAL_SEQUENCE_LSTM", 71), ("STRIDED_SLICE", 32),
    ("BIDIRECTIONAL_SEQUENCE_RNN", 70), ("EXP", 33), ("TOPK_V2", 34), ("SPLIT", 35),
    ("LOG_SOFTMAX", 36), ("DELEGATE", 0), ("BIDIRECTIONAL_SEQUENCE_LSTM", 69), ("CAST", 37),
    ("PRELU", 0), ("MAXIMUM", 39), ("ARG_MAX", 40), ("MINIMUM", 39), ("LESS", 41), ("NEG", 42),
    ("PADV2", 43), ("GREATER", 44), ("GREATER_EQUAL", 45), ("LESS_EQUAL", 46), ("SELECT", 47),
    ("SLICE", 48), ("SIN", 0), ("TRANSPOSE_CONV", 49), ("SPARSE_TO_DENSE", 50), ("TILE", 51),
    ("EXPAND_DIMS", 52), ("EQUAL", 53), ("NOT_EQUAL", 54), ("LOG", 0), ("SUM", 27), ("SQRT", 0),
    ("RSQRT", 0), ("SHAPE", 55), ("POW", 56), ("ARG_MIN", 57), ("FAKE_QUANT", 58),
    ("REDUCE_PROD", 27), ("REDUCE_MAX", 27), ("PACK", 59), ("LOGICAL_OR", 60), ("ONE_HOT", 61),
    ("LOGICAL_AND", 62), ("LOGICAL_NOT", 63), ("UNPACK", 64), ("REDUCE_MIN", 27), ("FLOOR_DIV", 65),
    ("REDUCE_ANY", 27), ("SQUARE", 66), ("ZEROS_LIKE", 67), ("FILL", 68), ("FLOOR_MOD", 72),
    ("RANGE", 73), ("RESIZE_NEAREST_NEIGHBOR", 74), ("LEAKY_RELU", 75), ("SQUARED_DIFFERENCE", 76),
    ("MIRROR_PAD", 77), ("ABS", 78), ("SPLIT_V", 79), ("UNIQUE", 80), ("CEIL", 0),
    ("REVERSE_V2", 81), ("ADD_N", 82), ("GATHER_ND", 83), ("COS", 84), ("WHERE", 85), ("RANK", 86),
    ("ELU", 0), ("REVERSE_SEQUENCE", 87), ("MATRIX_DIAG", 88), ("QUANTIZE", 89),
    ("MATRIX_SET_DIAG", 90), ("ROUND", 0), ("HARD_SWISH", 91), ("IF", 92), ("WHILE", 93),
    ("NON_MAX_SUPPRESSION_V4", 95), ("NON_MAX_SUPPRESSION_V5", 96), ("SCATTER_ND", 97),
    ("SELECT_V2", 98), ("DENSIFY", 99), ("SEGMENT_SUM", 100), ("BATCH_MATMUL", 101),
    ("PLACEHOLDER_FOR_GREATER_OP_CODES", 0), ("CUMSUM", 102), ("CALL_ONCE", 103),
    ("BROADCAST_TO", 104), ("RFFT2D", 105), ("CONV_3D", 106), ("IMAG", 0), ("REAL", 0),
    ("COMPLEX_ABS", 0), ("HASHTABLE", 107), ("HASHTABLE_FIND", 108), ("HASHTABLE_IMPORT", 109),
    ("HASHTABLE_SIZE", 110), ("REDUCE_ALL", 27), ("CONV_3D_TRANSPOSE", 106), ("VAR_HANDLE", 111),
    ("READ_VARIABLE", 112), ("ASSIGN_VARIABLE", 113), ("BROADCAST_ARGS", 0),
    ("RANDOM_STANDARD_NORMAL", 114), ("BUCKETIZE", 115), ("RANDOM_UNIFORM", 114),
    ("MULTINOMIAL", 114), ("GELU", 116), ("DYNAMIC_UPDATE_SLICE", 117), ("RELU_0_TO_1", 0),
    ("UNSORTED_SEGMENT_PROD", 118), ("UNSORTED_SEGMENT_MAX", 119), ("UNSORTED_SEGMENT_SUM", 121),
    ("ATAN2", 122), ("UNSORTED_SEGMENT_MIN", 120), ("SIGN", 123), ("BITCAST", 124),
    ("BITWISE_XOR", 125), ("RIGHT_SHIFT", 126), ("STABLEHLO_LOGISTIC", 0), ("STABLEHLO_ADD", 0),
    ("STABLEHLO_DIVIDE", 0), ("STABLEHLO_MULTIPLY", 0), ("STABLEHLO_MAXIMUM", 0),
    ("STABLEHLO_RESHAPE", 0), ("STABLEHLO_CLAMP", 0), ("STABLEHLO_CONCATENATE", 0),
    ("STABLEHLO_BROADCAST_IN_DIM", 0), ("STABLEHLO_CONVOLUTION", 0), ("STABLEHLO_SLICE", 0),
    ("STABLEHLO_CUSTOM_CALL", 0), ("STABLEHLO_REDUCE", 0), ("STABLEHLO_ABS", 0),
    ("STABLEHLO_AND", 0), ("STABLEHLO_COSINE", 0), ("STABLEHLO_EXPONENTIAL", 0),
    ("STABLEHLO_FLOOR", 0), ("STABLEHLO_LOG", 0), ("STABLEHLO_MINIMUM", 0), ("STABLEHLO_NEGATE", 0),
    ("STABLEHLO_OR", 0), ("STABLEHLO_POWER", 0), ("STABLEHLO_REMAINDER", 0), ("STABLEHLO_RSQRT", 0),
    ("STABLEHLO_SELECT", 0), ("STABLEHLO_SUBTRACT", 0), ("STABLEHLO_TANH", 0),
    ("STABLEHLO_SCATTER", 0), ("STABLEHLO_COMPARE", 0), ("STABLEHLO_CONVERT", 0),
    ("STABLEHLO_DYNAMIC_SLICE", 0), ("STABLEHLO_DYNAMIC_UPDATE_SLICE", 0), ("STABLEHLO_PAD", 0),
    ("STABLEHLO_IOTA", 0), ("STABLEHLO_DOT_GENERAL", 0), ("STABLEHLO_REDUCE_WINDOW", 0),
    ("STABLEHLO_SORT", 0), ("STABLEHLO_WHILE", 0), ("STABLEHLO_GATHER", 0),
    ("STABLEHLO_TRANSPOSE", 0), ("DILATE", 0), ("STABLEHLO_RNG_BIT_GENERATOR", 0),
    ("REDUCE_WINDOW", 0), ("STABLEHLO_COMPOSITE", 0), ("STABLEHLO_SHIFT_LEFT", 0),
    ("STABLEHLO_CBRT", 0), ("STABLEHLO_CASE", 0),
  ]
}
