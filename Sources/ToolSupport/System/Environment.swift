#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process's environment variables.
package enum Environment {
  /// The value of a variable; `nil` if it is not set, or empty.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = SystemName.decode(cString: value)
    return text.isEmpty ? nil : text
  }
}
