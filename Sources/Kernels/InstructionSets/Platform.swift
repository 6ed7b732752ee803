// The few questions Kernels asks an operating system. Embedded builds have none to ask.

#if hasFeature(Embedded)
  let processorFlags: Set<String>? = nil

  func environment(_ name: StaticString) -> String? { nil }
#elseif canImport(Glibc)
  import Glibc

  /// The `flags` of the first processor in /proc/cpuinfo; `nil` if there is no such file.
  let processorFlags: Set<String>? = {
    guard let file = fopen("/proc/cpuinfo", "r") else { return nil }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0 {
      guard let text = line.map({ String(cString: $0) }), text.hasPrefix("flags") else { continue }
      return Set(
        text.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" }).map(String.init))
    }
    return nil
  }()

  /// An environment variable; `nil` if unset or empty.
  func environment(_ name: StaticString) -> String? {
    guard let value = getenv(name.description), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
#else
  #if canImport(Darwin)
    import Darwin
  #endif

  let processorFlags: Set<String>? = nil

  /// An environment variable; `nil` if unset or empty.
  func environment(_ name: StaticString) -> String? {
    guard let value = getenv(name.description), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
#endif
