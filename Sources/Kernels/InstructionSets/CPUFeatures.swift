#if arch(x86_64) && !hasFeature(Embedded)
  import _Builtin_intrinsics.intel.cpuid
#endif

/// What the processor and the operating system allow, as far as kernels care.
public struct CPUFeatures: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// AVX2 with FMA and F16C, which always come together in practice and are required together here.
  public static let avx2 = CPUFeatures(rawValue: 1 << 0)
  /// AVX-512 F, BW, DQ and VL.
  public static let avx512 = CPUFeatures(rawValue: 1 << 1)
  /// AVX-512 VNNI: 8-bit dot products.
  public static let avx512VNNI = CPUFeatures(rawValue: 1 << 2)

  /// The features of this machine, asked once.
  public static let current = detect()

  private static func detect() -> CPUFeatures {
    #if arch(x86_64) && !hasFeature(Embedded)
      guard let leaf1 = cpuid(1), let leaf7 = cpuid(7) else { return [] }
      // OSXSAVE: the operating system saves wide registers at all.
      guard leaf1.c.bit(27) else { return [] }
      var features: CPUFeatures = []
      if leaf1.c.bit(28) && leaf1.c.bit(12) && leaf1.c.bit(29) && leaf7.b.bit(5)
        && systemSaves("avx2")
      {
        features.insert(.avx2)
        if leaf7.b.bit(16) && leaf7.b.bit(30) && leaf7.b.bit(17) && leaf7.b.bit(31)
          && systemSaves("avx512f")
        {
          features.insert(.avx512)
          if leaf7.c.bit(11) { features.insert(.avx512VNNI) }
        }
      }
      return features
    #else
      return []
    #endif
  }

  #if arch(x86_64) && !hasFeature(Embedded)
    private static func cpuid(_ leaf: UInt32) -> (b: UInt32, c: UInt32)? {
      var a: UInt32 = 0
      var b: UInt32 = 0
      var c: UInt32 = 0
      var d: UInt32 = 0
      return __get_cpuid_count(leaf, 0, &a, &b, &c, &d) == 1 ? (b, c) : nil
    }

    /// Whether the kernel lists `flag` for this machine. XGETBV, the direct question, cannot be asked
    /// from Swift; without /proc (not Linux) CPUID's answer is taken alone.
    private static func systemSaves(_ flag: String) -> Bool {
      guard let flags = processorFlags else { return true }
      return flags.contains(flag)
    }
  #endif
}

extension UInt32 {
  fileprivate func bit(_ index: Int) -> Bool { self & (1 << UInt32(index)) != 0 }
}
