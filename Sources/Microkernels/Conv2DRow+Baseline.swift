#if ISA_BASELINE
  import MicrokernelInterface

  // Registers of four floats, sixteen of them on x86-64: twelve sums.

  @inline(never)
  public func f32_conv2d_3x16(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, Four<Vector>.self, FloatWeights.self) { row in
      let strides = (row.inputPixelStride, channelBlock)
      var x = row.tiles(from: 0, Three<Four<Vector>>.self, FloatWeights.self)
      x = row.tiles(from: x, Three<Four<Vector>>.self, FloatWeights.self, strides: strides)
      _ = row.tiles(from: x, One<Four<Vector>>.self, FloatWeights.self, strides: strides)
    }
  }

  /// Half a block of output channels, in narrow rows too.
  @inline(never)
  public func f32_conv2d_6x8(_ arguments: UnsafePointer<Conv2DRowArguments>) {
    forEachPanel(arguments, Two<Vector>.self, NarrowFloatWeights.self) { row in
      if row.outputPixelStride == channelBlock {
        let strides = (row.inputPixelStride, channelBlock)
        var x = row.tiles(from: 0, Six<Two<Vector>>.self, NarrowFloatWeights.self)
        x = row.tiles(from: x, Two<Two<Vector>>.self, NarrowFloatWeights.self, strides: strides)
        _ = row.tiles(from: x, One<Two<Vector>>.self, NarrowFloatWeights.self, strides: strides)
      } else {
        let strides = (row.inputPixelStride, channelBlock / 2)
        let narrow = (channelBlock, channelBlock / 2)
        var x = row.tiles(from: 0, Six<Two<Vector>>.self, NarrowFloatWeights.self, strides: narrow)
        x = row.tiles(from: x, Two<Two<Vector>>.self, NarrowFloatWeights.self, strides: strides)
        _ = row.tiles(from: x, One<Two<Vector>>.self, NarrowFloatWeights.self, strides: strides)
      }
    }
  }
#endif
