#if OpenBLAS && canImport(Glibc)
  import Glibc
#endif

/// The system's BLAS, if this build wants one and the machine has it.
///
/// OpenBLAS is opened when first asked for, not linked: it chooses its kernels while it is loaded, from
/// `OPENBLAS_CORETYPE` or its own look at the processor. Debian's 0.3.21 does not know processors newer
/// than itself and then falls back to code several times slower, so we name the core type before it
/// loads, unless the user did.
public struct BLAS: Sendable {
  /// `cblas_sgemm`: layout, transpositions, m, n, k, α, A, lda, B, ldb, β, C, ldc.
  typealias SGEMM =
    @convention(c) (
      Int32, Int32, Int32, Int32, Int32, Int32, Float, UnsafePointer<Float>, Int32,
      UnsafePointer<Float>, Int32, Float, UnsafeMutablePointer<Float>, Int32
    ) -> Void

  let sgemm:
    @Sendable (
      Int32, Int32, Int32, Int32, Int32, Int32, Float, UnsafePointer<Float>, Int32,
      UnsafePointer<Float>, Int32, Float, UnsafeMutablePointer<Float>, Int32
    ) -> Void
  /// The kernels it chose: `SkylakeX`, `Haswell` …
  public let coreName: String

  /// The library, opened once; `nil` if the trait is off or the machine has none.
  public static let shared: BLAS? = open()

  /// `C = A · Bᵀ + C` with row-major `A [m, k]`, `B [n, k]` and `C [m, n]`.
  public func multiplyAdding(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, into c: UnsafeMutablePointer<Float>,
    m: Int, n: Int, k: Int
  ) {
    let (rowMajor, noTranspose, transpose): (Int32, Int32, Int32) = (101, 111, 112)
    sgemm(
      rowMajor, noTranspose, transpose, Int32(m), Int32(n), Int32(k), 1, a, Int32(k), b, Int32(k),
      1, c, Int32(n))
  }

  #if OpenBLAS && canImport(Glibc)
    private static func open() -> BLAS? {
      if CPUFeatures.current.contains(.avx512) {
        setenv("OPENBLAS_CORETYPE", "SkylakeX", 0)
      } else if CPUFeatures.current.contains(.avx2) {
        setenv("OPENBLAS_CORETYPE", "Haswell", 0)
      }
      guard let library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL),
        let sgemm = dlsym(library, "cblas_sgemm"),
        let setThreads = dlsym(library, "openblas_set_num_threads"),
        let core = dlsym(library, "openblas_get_corename")
      else { return nil }
      // A session is one thread's work; OpenBLAS starting threads of its own would only disturb it.
      unsafeBitCast(setThreads, to: (@convention(c) (Int32) -> Void).self)(1)
      let name = unsafeBitCast(core, to: (@convention(c) () -> UnsafePointer<CChar>?).self)()
      let function = unsafeBitCast(sgemm, to: SGEMM.self)
      return BLAS(
        sgemm: { function($0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) },
        coreName: name.map { String(cString: $0) } ?? "unknown")
    }
  #else
    private static func open() -> BLAS? { nil }
  #endif
}
