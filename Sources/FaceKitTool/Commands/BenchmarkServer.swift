import FaceKitModels
import Inspection
import ToolSupport

extension BenchmarkReport {
  /// Lets another process say when to run, so that several contestants can take turns on one machine.
  ///
  /// The first line printed says that all is loaded, and what it is. Each line `run N` on standard input is
  /// then answered by one line with N times and the multiply–add peak of that moment. The peers' side of
  /// this protocol is `Benchmarks/peers/worker.py`.
  func serve<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    console.print(
      JSON.object([
        "ready": .bool(true), "peer": .string("FaceKit"), "what": .string(what),
        "isa": .string(engine.isa.rawValue), "backend": .string(engine.backend.rawValue),
        "threads": .integer(engine.threads), "gflop": operations.map { .double(Double($0) / 1e9) },
      ]).text)
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 2, words[0] == "run", let count = Int(words[1]), 1...1_000_000 ~= count
      else {
        console.print(JSON.object(["error": .string("not understood; say: run N")]).text)
        continue
      }
      var times: [JSON] = []
      times.reserveCapacity(count)
      for _ in 0..<count {
        let start = Stopwatch.now
        try body()
        times.append(.double(Double(Stopwatch.now - start) / 1e6))
      }
      let peak = FMAPeak.gflops(engine.isa) * Double(engine.threads)
      console.print(JSON.object(["ms": .array(times), "peakGflops": .double(peak)]).text)
    }
  }
}
