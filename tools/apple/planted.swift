// Everything that `availability.py` is to find, and some that it must not. Compiled, never run.
// A line that ends in `FIND` is to be reported, for macOS 14 and iOS 17, and no other.
import Synchronization

struct Failure: Error {}

func inlineArray() -> Int {
  let array = InlineArray<4, Int>(repeating: 1)  // FIND
  return array.count  // FIND
}

func sugared(_ array: [4 of Int]) -> Int { array[0] }  // FIND

let lock = Mutex(0)  // FIND
let flag = Atomic<Bool>(false)  // FIND

func wide(_ value: Int) -> Int128 { Int128(value) }  // FIND

struct Tile<let rows: Int> {  // FIND
  var first = 0
}

func unrolled<Element, let count: Int>(_ element: Element, _ tile: Tile<count>) -> Int { count }  // FIND

struct Pointer<Value: ~Copyable> {  // FIND
  var value: UnsafeMutablePointer<Value>
}

// Arrays ask for their element's type at run time.
var steps: [(Int) throws(Failure) -> Int] = []

func append() { steps.append { $0 } }

#if os(Linux)
  let elsewhere = Mutex(0)
#endif

#if canImport(Darwin)
  let never = 1
#elseif os(Linux) || arch(x86_64)
  let alsoElsewhere = Mutex(0)
#endif

#if !canImport(Glibc) || arch(x86_64) || arch(arm64)
  let perhaps = Mutex(0)  // FIND
#endif

// Nothing newer than macOS 14: a span, a comment on <let n: Int>, and text.
func plain(_ span: Span<Int>) -> String { "[4 of Int] \(span.count) struct S<let n: Int>" }

func optional(_ first: Int?, _ second: Int?) -> Bool {
  if let first, let second: Int = second { return first < second }
  return false
}
