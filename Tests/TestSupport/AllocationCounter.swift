#if os(Linux) && _pointerBitWidth(_64)
  import Glibc

  /// Counts the heap allocations of the calling thread while `body` runs: every call of `malloc`,
  /// `calloc`, `realloc` and `posix_memalign` made by our code or by the Swift runtime.
  ///
  /// Allocations of other threads do not count, so other tests may run meanwhile.
  public func countAllocations<Failure: Error>(
    _ body: () throws(Failure) -> Void
  ) throws(Failure) -> Int {
    try observeAllocations(body).count
  }

  /// The bytes that the calling thread asks for while `body` runs, all allocations together, whether
  /// they are freed or not: no less than the most that was held at one time. Those of the libraries that
  /// decode pictures count too.
  public func allocatedBytes<Failure: Error>(
    _ body: () throws(Failure) -> Void
  ) throws(Failure) -> Int {
    try observeAllocations(body).bytes
  }

  private struct Allocations {
    var count = 0
    var bytes = 0
  }

  private func observeAllocations<Failure: Error>(
    _ body: () throws(Failure) -> Void
  ) throws(Failure) -> Allocations {
    AllocationHooks.install
    pthread_mutex_lock(AllocationHooks.turn)
    defer { pthread_mutex_unlock(AllocationHooks.turn) }
    let hooks = AllocationHooks.shared
    hooks.pointee.count = 0
    hooks.pointee.bytes = 0
    hooks.pointee.thread = pthread_self()
    defer { hooks.pointee.thread = 0 }
    try body()
    return Allocations(count: hooks.pointee.count, bytes: hooks.pointee.bytes)
  }

  // glibc has no hook to ask (`__malloc_hook` is gone since 2.34), and preloading a library would take
  // C. But every call from one library to another goes through a table of addresses, and ELF says
  // where it is: the entries of the allocating functions are replaced with functions that count.
  // Layouts: the ELF-64 object file format, and the `dl_phdr_info` of glibc's <link.h>.

  private enum AllocationHooks {
    struct State {
      /// The thread that is counted; 0 for none.
      var thread: pthread_t = 0
      var count = 0
      var bytes = 0
      var malloc: @convention(c) (Int) -> UnsafeMutableRawPointer?
      var calloc: @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
      var realloc: @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?
      var memalign:
        @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int, Int) -> Int32
    }

    // Allocated once and never freed; its address is fetched without a lazy initialiser's lock once
    // `install` has run. Only the counted thread changes it while it counts; one test at a time
    // does, because it holds `turn`.
    nonisolated(unsafe) static let shared = UnsafeMutablePointer<State>.allocate(capacity: 1)

    /// Held while a thread is counted.
    nonisolated(unsafe) static let turn: UnsafeMutablePointer<pthread_mutex_t> = {
      let turn = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      pthread_mutex_init(turn, nil)
      return turn
    }()

    @inline(__always)
    static func note(_ bytes: Int) {
      let state = shared
      if state.pointee.thread == pthread_self() {
        state.pointee.count += 1
        state.pointee.bytes = state.pointee.bytes.addingReportingOverflow(bytes).partialValue
      }
    }

    /// Whether a library's allocations are ours: the Swift libraries, the image libraries, and what
    /// those written in C++ allocate through. The executable has no name.
    static func isObserved(_ library: String) -> Bool {
      library.isEmpty
        || [
          "libswift", "libpng", "libjpeg", "libturbojpeg", "libwebp", "libtiff", "libheif",
          "libde265", "libaom", "libdav1d", "libjxl", "libstdc++", "libz.",
        ].contains { library.contains($0) }
    }

    static let install: Void = {
      shared.initialize(
        to: State(
          malloc: function("malloc"), calloc: function("calloc"), realloc: function("realloc"),
          memalign: function("posix_memalign")))
      let counting: [(String, UnsafeRawPointer)] = [
        (
          "malloc",
          address(
            of: {
              note($0); return shared.pointee.malloc($0)
            } as @convention(c) (Int) -> UnsafeMutableRawPointer?)
        ),
        (
          "calloc",
          address(
            of: {
              note($0 &* $1); return shared.pointee.calloc($0, $1)
            } as @convention(c) (Int, Int) -> UnsafeMutableRawPointer?)
        ),
        (
          "realloc",
          address(
            of: {
              note($1); return shared.pointee.realloc($0, $1)
            } as @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)
        ),
        (
          "posix_memalign",
          address(
            of: {
              note($2); return shared.pointee.memalign($0, $1, $2)
            } as @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int, Int) -> Int32)
        ),
      ]
      for object in loadedObjects() { object.replace(counting) }
    }()

    static func function<F>(_ name: String) -> F {
      unsafeBitCast(dlsym(nil, name)!, to: F.self)
    }

    static func address<F>(of function: F) -> UnsafeRawPointer {
      unsafeBitCast(function, to: UnsafeRawPointer.self)
    }

    /// The executable, the Swift libraries and the image libraries: where our allocations come from.
    static func loadedObjects() -> [LoadedObject] {
      typealias Visit =
        @convention(c) (UnsafeRawPointer, Int, UnsafeMutableRawPointer?) -> Int32
      typealias Iterate = @convention(c) (Visit, UnsafeMutableRawPointer?) -> Int32
      let iterate: Iterate = function("dl_iterate_phdr")
      var objects: [LoadedObject] = []
      withUnsafeMutablePointer(to: &objects) { list in
        _ = iterate(
          { info, _, list in
            let name = String(cString: info.load(fromByteOffset: 8, as: UnsafePointer<CChar>.self))
            list!.assumingMemoryBound(to: [LoadedObject].self).pointee.append(
              LoadedObject(
                name: name, base: info.load(as: UInt.self),
                headers: info.load(fromByteOffset: 16, as: UnsafeRawPointer.self),
                headerCount: Int(info.load(fromByteOffset: 24, as: UInt16.self))))
            return 0
          }, list)
      }
      return objects.filter { isObserved($0.name) }
    }
  }

  /// An ELF file in memory.
  private struct LoadedObject {
    /// Its path; empty for the executable.
    var name: String
    var base: UInt
    var headers: UnsafeRawPointer
    var headerCount: Int

    /// Points the table entries of functions, by name, to replacements.
    func replace(_ functions: [(String, UnsafeRawPointer)]) {
      guard let dynamic = dynamicSection() else { return }
      var entries: [Int: UInt] = [:]
      var entry = dynamic
      while entry.load(as: Int.self) != 0 {
        entries[entry.load(as: Int.self)] = entry.load(fromByteOffset: 8, as: UInt.self)
        entry += 16
      }
      // DT_STRTAB and DT_SYMTAB; relocations with their sizes: DT_JMPREL, DT_RELA.
      guard let strings = entries[5].flatMap(UnsafePointer<CChar>.init(bitPattern:)),
        let symbols = entries[6].flatMap(UnsafeRawPointer.init(bitPattern:))
      else { return }
      for (table, size) in [(23, 2), (7, 8)] {
        guard let first = entries[table].flatMap(UnsafeRawPointer.init(bitPattern:)),
          let bytes = entries[size]
        else { continue }
        for offset in stride(from: 0, to: Int(bytes), by: 24) {
          let symbol = Int(first.load(fromByteOffset: offset + 8, as: UInt.self) >> 32)
          if symbol == 0 { continue }
          let name = strings + Int(symbols.load(fromByteOffset: symbol * 24, as: UInt32.self))
          for (wanted, replacement) in functions where strcmp(name, wanted) == 0 {
            write(replacement, at: base + first.load(fromByteOffset: offset, as: UInt.self))
          }
        }
      }
    }

    private func dynamicSection() -> UnsafeRawPointer? {
      for index in 0..<headerCount {
        let header = headers + index * 56
        if header.load(as: UInt32.self) == 2 {
          return UnsafeRawPointer(bitPattern: base + header.load(fromByteOffset: 16, as: UInt.self))
        }
      }
      return nil
    }

    private func write(_ function: UnsafeRawPointer, at address: UInt) {
      let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
      let start = UnsafeMutableRawPointer(bitPattern: address & ~(page - 1))!
      // The table may have been made read-only after relocation.
      guard mprotect(start, Int(page), PROT_READ | PROT_WRITE) == 0 else { return }
      UnsafeMutablePointer<UnsafeRawPointer>(bitPattern: address)!.pointee = function
    }
  }
#endif
