import MicrokernelInterface

#if ISA_AVX512
  import VectorsAVX512
#elseif ISA_AVX2
  import VectorsAVX2
#else
  import VectorsBaseline
#endif

#if ISA_AVX512
  /// The kernels for AVX-512 F, BW, DQ and VL.
  public let microkernelsAVX512 = makeTable(isa: "avx512")
#elseif ISA_AVX2
  /// The kernels for AVX2 with FMA and F16C.
  public let microkernelsAVX2 = makeTable(isa: "avx2")
#else
  /// The kernels every processor of this architecture can run.
  public let microkernelsBaseline = makeTable(isa: "baseline")
#endif

private func makeTable(isa: StaticString) -> Microkernels {
  #if ISA_AVX2 || ISA_AVX512
    Microkernels(
      isa: isa, convRow: f32_conv_row, depthwiseRow: f32_depthwise_row,
      elementwise: f32_elementwise, maxPoolRow: f32_max_pool_row, dotRow: i16_dot_row,
      sampleRun: u8_sample_run, fmaPeak: f32_fma_peak)
  #else
    Microkernels(
      isa: isa, convRow: f32_conv_row, depthwiseRow: f32_depthwise_row,
      elementwise: f32_elementwise, maxPoolRow: f32_max_pool_row, dotRow: i16_dot_row,
      sampleRun: nil, fmaPeak: f32_fma_peak)
  #endif
}
