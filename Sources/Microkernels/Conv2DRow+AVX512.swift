#if ISA_AVX512
  import MicrokernelInterface

  // Thirty-two registers: twelve to sixteen sums keep both multipliers busy; with more they spill.

  @inline(never)
  public func f32_conv2d_4x64(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, Four<Vector>.self, FloatWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      var x = row.tiles(from: 0, Four<Four<Vector>>.self, FloatWeights.self)
      x = row.tiles(from: x, Four<Four<Vector>>.self, FloatWeights.self, strides: strides)
      _ = row.tiles(from: x, One<Four<Vector>>.self, FloatWeights.self, strides: strides)
    }
  }

  @inline(never)
  public func f32_conv2d_8x48(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, Three<Vector>.self, FloatWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      var x = row.tiles(from: 0, Eight<Three<Vector>>.self, FloatWeights.self)
      x = row.tiles(from: x, Four<Three<Vector>>.self, FloatWeights.self, strides: strides)
      _ = row.tiles(from: x, One<Three<Vector>>.self, FloatWeights.self, strides: strides)
    }
  }

  @inline(never)
  public func f32_conv2d_8x32(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, Two<Vector>.self, FloatWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      var x = row.tiles(from: 0, Eight<Two<Vector>>.self, FloatWeights.self)
      x = row.tiles(from: x, Eight<Two<Vector>>.self, FloatWeights.self, strides: strides)
      x = row.tiles(from: x, Four<Two<Vector>>.self, FloatWeights.self, strides: strides)
      _ = row.tiles(from: x, One<Two<Vector>>.self, FloatWeights.self, strides: strides)
    }
  }

  @inline(never)
  public func f32_conv2d_8x16(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, One<Vector>.self, FloatWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      let narrow = (channelBlock / 2, channelBlock)
      var x = row.tilesToTheEnd(from: 0, Eight<One<Vector>>.self, FloatWeights.self)
      x = row.tilesToTheEnd(from: x, Eight<One<Vector>>.self, FloatWeights.self, strides: narrow)
      x = row.tilesToTheEnd(from: x, Eight<One<Vector>>.self, FloatWeights.self, strides: strides)
      x = row.tiles(from: x, Four<One<Vector>>.self, FloatWeights.self, strides: strides)
      _ = row.tiles(from: x, One<One<Vector>>.self, FloatWeights.self, strides: strides)
    }
  }

  /// Half a block of output channels, in narrow rows too.
  @inline(never)
  public func f32_conv2d_8x8(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, One<HalfVector>.self, NarrowFloatWeights.self) { row in
      if row.outputPixelStride == channelBlock {
        let strides = (row.inputPixelStride, channelBlock)
        var x = row.tilesToTheEnd(from: 0, Eight<One<HalfVector>>.self, NarrowFloatWeights.self)
        x = row.tilesToTheEnd(
          from: x, Eight<One<HalfVector>>.self, NarrowFloatWeights.self, strides: strides)
        x = row.tiles(
          from: x, Four<One<HalfVector>>.self, NarrowFloatWeights.self, strides: strides)
        _ = row.tiles(from: x, One<One<HalfVector>>.self, NarrowFloatWeights.self, strides: strides)
      } else {
        let strides = (row.inputPixelStride, channelBlock / 2)
        let narrow = (channelBlock, channelBlock / 2)
        var x = row.tilesOfSixteenChannels(from: 0, Eight<One<HalfVector>>.self, strides: narrow)
        x = row.tilesToTheEnd(
          from: x, Eight<One<HalfVector>>.self, NarrowFloatWeights.self, strides: narrow)
        x = row.tiles(
          from: x, Four<One<HalfVector>>.self, NarrowFloatWeights.self, strides: strides)
        _ = row.tiles(from: x, One<One<HalfVector>>.self, NarrowFloatWeights.self, strides: strides)
      }
    }
  }

  // Half-precision weights are for layers of one pixel.

  @inline(never)
  public func f32_f16w_conv2d_1x64(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, Four<Vector>.self, HalfWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      _ = row.tiles(
        from: 0, One<Four<Vector>>.self, HalfWeights.self, strides: strides)
    }
  }

  @inline(never)
  public func f32_f16w_conv2d_1x48(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, Three<Vector>.self, HalfWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      _ = row.tiles(
        from: 0, One<Three<Vector>>.self, HalfWeights.self, strides: strides)
    }
  }

  @inline(never)
  public func f32_f16w_conv2d_1x32(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, Two<Vector>.self, HalfWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      _ = row.tiles(from: 0, One<Two<Vector>>.self, HalfWeights.self, strides: strides)
    }
  }

  @inline(never)
  public func f32_f16w_conv2d_1x16(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, One<Vector>.self, HalfWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      _ = row.tiles(from: 0, One<One<Vector>>.self, HalfWeights.self, strides: strides)
    }
  }

  @inline(never)
  public func f32_f16w_conv2d_1x8(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, One<HalfVector>.self, NarrowHalfWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      _ = row.tiles(
        from: 0, One<One<HalfVector>>.self, NarrowHalfWeights.self, strides: strides)
    }
  }
#endif
