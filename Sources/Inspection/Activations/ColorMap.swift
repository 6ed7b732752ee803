#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// 256 colours from dark to light whose steps look alike.
///
/// In Oklab, where distances are about as the eye sees them, lightness rises evenly from 0.18 to 0.95 while
/// the hue turns from violet through green to yellow. Because lightness alone orders the colours, the map
/// also reads in grey and for the colour-blind.
///
/// Source of the transform: Ottosson, "A perceptual color space for image processing", 2020.
package enum ColorMap {
  package static let colors: [(red: UInt8, green: UInt8, blue: UInt8)] = (0..<256).map { step in
    let t = Double(step) / 255
    let hue = (300 - 195 * t) * .pi / 180
    // Less colour at both ends: dark and light tones have little room for it within sRGB.
    let chroma = 0.06 + 0.09 * sin(.pi * min(1, 0.15 + 0.8 * t))
    return sRGB(lightness: 0.18 + 0.77 * t, a: chroma * cos(hue), b: chroma * sin(hue))
  }

  /// Oklab to 8-bit sRGB, clipped.
  package static func sRGB(
    lightness: Double, a: Double, b: Double
  ) -> (red: UInt8, green: UInt8, blue: UInt8) {
    func cube(_ x: Double) -> Double { x * x * x }
    let l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
    func encode(_ linear: Double) -> UInt8 {
      let x = min(max(linear, 0), 1)
      let encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055
      return UInt8((encoded * 255).rounded())
    }
    return (
      encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
      encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
      encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)
    )
  }
}
