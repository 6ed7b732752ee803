#if ISA_AVX2
  import MicrokernelInterface

  // Sixteen registers: twelve sums, two of weights, one of a pixel.

  @inline(never)
  public func f32_conv2d_6x16(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, Two<Vector>.self, FloatWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      var x = row.tiles(from: 0, Six<Two<Vector>>.self, FloatWeights.self)
      x = row.tiles(from: x, Six<Two<Vector>>.self, FloatWeights.self, strides: strides)
      x = row.tiles(from: x, Two<Two<Vector>>.self, FloatWeights.self, strides: strides)
      _ = row.tiles(from: x, One<Two<Vector>>.self, FloatWeights.self, strides: strides)
    }
  }

  /// Half a block of output channels, in narrow rows too.
  @inline(never)
  public func f32_conv2d_8x8(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, One<Vector>.self, NarrowFloatWeights.self) { row in
      if row.outputPixelStride == channelBlock {
        let strides = (row.inputPixelStride, channelBlock)
        var x = row.tilesToTheEnd(from: 0, Eight<One<Vector>>.self, NarrowFloatWeights.self)
        x = row.tiles(from: x, Four<One<Vector>>.self, NarrowFloatWeights.self, strides: strides)
        _ = row.tiles(from: x, One<One<Vector>>.self, NarrowFloatWeights.self, strides: strides)
      } else {
        let strides = (row.inputPixelStride, channelBlock / 2)
        let narrow = (channelBlock, channelBlock / 2)
        var x = row.tilesToTheEnd(
          from: 0, Eight<One<Vector>>.self, NarrowFloatWeights.self, strides: narrow)
        x = row.tiles(from: x, Four<One<Vector>>.self, NarrowFloatWeights.self, strides: strides)
        _ = row.tiles(from: x, One<One<Vector>>.self, NarrowFloatWeights.self, strides: strides)
      }
    }
  }

  // Half-precision weights are for layers of one pixel.

  @inline(never)
  public func f32_f16w_conv2d_1x16(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, Two<Vector>.self, HalfWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      _ = row.tiles(from: 0, One<Two<Vector>>.self, HalfWeights.self, strides: strides)
    }
  }

  @inline(never)
  public func f32_f16w_conv2d_1x8(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, One<Vector>.self, HalfWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      _ = row.tiles(from: 0, One<One<Vector>>.self, HalfWeights.self, strides: strides)
    }
  }
#endif
