internal import MicrokernelsBaseline

#if arch(x86_64)
  internal import MicrokernelsAVX2
  internal import MicrokernelsAVX512
  internal import MicrokernelsAVX512VNNI
#endif

extension Microkernels {
  /// The instruction sets this build contains, those with the fewest requirements first.
  #if arch(x86_64)
    static let rows = [baseline, avx2, avx512]
  #else
    static let rows = [baseline]
  #endif

  /// What every processor of this architecture has: registers of four floats.
  private static let baseline = Microkernels(
    name: "baseline", requires: [], vectorWidth: 4,
    conv2D: [
      Conv2DTile(channels: 16, MicrokernelsBaseline.f32_conv2d_3x16),
      Conv2DTile(channels: 8, MicrokernelsBaseline.f32_conv2d_6x8),
    ],
    depthwise: MicrokernelsBaseline.f32_depthwise_row,
    elementwise: MicrokernelsBaseline.f32_elementwise,
    maxPool: MicrokernelsBaseline.f32_max_pool_row,
    integerGEMM: [IntegerGEMMKernel(.i16, MicrokernelsBaseline.i16_gemm_row)],
    bilinear: nil,
    fmaPeak: MicrokernelsBaseline.f32_fma_peak)

  #if arch(x86_64)
    private static let avx2 = Microkernels(
      name: "avx2", requires: .avx2, vectorWidth: 8,
      conv2D: [
        Conv2DTile(
          channels: 16, MicrokernelsAVX2.f32_conv2d_6x16,
          halfWeights: MicrokernelsAVX2.f32_f16w_conv2d_1x16),
        Conv2DTile(
          channels: 8, MicrokernelsAVX2.f32_conv2d_8x8,
          halfWeights: MicrokernelsAVX2.f32_f16w_conv2d_1x8),
      ],
      depthwise: MicrokernelsAVX2.f32_depthwise_row,
      elementwise: MicrokernelsAVX2.f32_elementwise,
      maxPool: MicrokernelsAVX2.f32_max_pool_row,
      integerGEMM: [IntegerGEMMKernel(.i16, MicrokernelsAVX2.i16_gemm_row)],
      bilinear: MicrokernelsAVX2.u8_bilinear_run,
      fmaPeak: MicrokernelsAVX2.f32_fma_peak)

    private static let avx512 = Microkernels(
      name: "avx512", requires: .avx512, vectorWidth: 16,
      conv2D: [
        Conv2DTile(
          channels: 64, MicrokernelsAVX512.f32_conv2d_4x64,
          halfWeights: MicrokernelsAVX512.f32_f16w_conv2d_1x64),
        Conv2DTile(
          channels: 48, MicrokernelsAVX512.f32_conv2d_8x48,
          halfWeights: MicrokernelsAVX512.f32_f16w_conv2d_1x48),
        Conv2DTile(
          channels: 32, MicrokernelsAVX512.f32_conv2d_8x32,
          halfWeights: MicrokernelsAVX512.f32_f16w_conv2d_1x32),
        Conv2DTile(
          channels: 16, MicrokernelsAVX512.f32_conv2d_8x16,
          halfWeights: MicrokernelsAVX512.f32_f16w_conv2d_1x16),
        Conv2DTile(
          channels: 8, MicrokernelsAVX512.f32_conv2d_8x8,
          halfWeights: MicrokernelsAVX512.f32_f16w_conv2d_1x8),
      ],
      depthwise: MicrokernelsAVX512.f32_depthwise_row,
      elementwise: MicrokernelsAVX512.f32_elementwise,
      maxPool: MicrokernelsAVX512.f32_max_pool_row,
      integerGEMM: [
        IntegerGEMMKernel(
          .u8i8, requires: .avx512VNNI, MicrokernelsAVX512VNNI.u8i8_gemm_row),
        IntegerGEMMKernel(.i16, MicrokernelsAVX512.i16_gemm_row),
      ],
      bilinear: MicrokernelsAVX512.u8_bilinear_run,
      fmaPeak: MicrokernelsAVX512.f32_fma_peak)
  #endif
}
