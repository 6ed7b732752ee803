import FaceKitKernels
import FaceKitModels

/// One way to compute a case.
package struct KernelVariant: Equatable {
  package let name: String
  package let options: EngineOptions

  /// The reference first; then each tier this machine has; then BLAS.
  package static func all(passes: Bool) -> [KernelVariant] {
    var reference = simd(passes: passes)
    reference.backend = .reference
    var variants = [KernelVariant(name: "reference", options: reference)]
    for isa in InstructionSet.available {
      var options = simd(passes: passes)
      options.isa = isa
      variants.append(KernelVariant(name: isa.rawValue, options: options))
    }
    if Backend.blas.isAvailable {
      var options = simd(passes: passes)
      options.backend = .blas
      variants.append(KernelVariant(name: "blas", options: options))
    }
    return variants
  }

  package static func simd(passes: Bool) -> EngineOptions {
    EngineOptions(backend: .simd, disabledPasses: passes ? [] : ["all"])
  }
}
