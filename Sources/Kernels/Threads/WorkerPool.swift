// Threads exist where an operating system does; Embedded builds run everything on the caller.
#if !hasFeature(Embedded) && (canImport(Glibc) || canImport(Darwin) || canImport(Musl))
  import FaceKitTensor

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// Threads that share one session's layers.
  ///
  /// A layer takes microseconds, and waking a sleeping thread takes longer than that. So a worker
  /// spins on a generation counter between layers, and parks only after some tens of microseconds
  /// without work: between inferences it costs nothing.
  public final class WorkerPool: Sendable {
    /// What all threads do with one layer: the part for `thread` of `threads`. `context` is the
    /// caller's; passing it beside the closure spares a run the allocation of capturing it.
    public typealias Job =
      @Sendable (_ context: UnsafeMutableRawPointer, _ thread: Int, _ threads: Int) -> Void

    /// Threads working together, the caller's included.
    public let threads: Int
    private let state: State
    private let handles: [Handle]

    /// Starts `threads - 1` workers; fewer if the system gives no more.
    public init(threads: Int) {
      let state = State()
      var handles: [Handle] = []
      for index in 1..<max(threads, 1) {
        guard let handle = Handle(index, state) else { break }
        handles.append(handle)
      }
      self.state = state
      self.handles = handles
      self.threads = handles.count + 1
      state.workers = handles.count
    }

    deinit {
      state.isStopping.store(1)
      state.publish()
      for handle in handles { handle.join() }
    }

    /// Runs `job` on all threads and returns when each has done its part. Not reentrant, and for one
    /// caller at a time.
    public func run(_ context: UnsafeMutableRawPointer, _ job: @escaping Job) {
      if handles.isEmpty { return job(context, 0, 1) }
      state.job = job
      state.context = context
      state.pending.store(handles.count)
      state.publish()
      job(context, 0, threads)
      var spins = 0
      while state.pending.load() > 0 {
        spins += 1
        // A worker may have lost its processor to another process; let it have ours.
        if spins > State.patience { sched_yield() }
      }
    }

    /// What caller and workers share.
    private final class State: @unchecked Sendable {
      // `@unchecked`: `job`, `context` and `workers` are written before `generation` is raised, and read after
      // it was seen to be.
      var job: Job = { _, _, _ in }
      var context: UnsafeMutableRawPointer?
      var workers = 0
      let generation = AtomicInteger(0)
      let pending = AtomicInteger(0)
      let sleepers = AtomicInteger(0)
      /// Not 0 once the pool is to end.
      let isStopping = AtomicInteger(0)
      let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

      /// Turns of the waiting loop before a thread gives up its processor: some tens of microseconds.
      static let patience = 20_000

      init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
      }

      deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
      }

      /// Makes the next generation visible, and wakes whoever parked.
      func publish() {
        // Both sides write one counter, then read the other: either we see the sleeper, or it sees the
        // generation.
        generation.add(1)
        if sleepers.load() == 0 { return }
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
      }

      /// Waits for a generation after `seen`; spins first, then parks.
      func wait(after seen: Int) -> Int {
        for _ in 0..<State.patience {
          let now = generation.load()
          if now != seen { return now }
        }
        pthread_mutex_lock(mutex)
        sleepers.add(1)
        while generation.load() == seen {
          pthread_cond_wait(condition, mutex)
        }
        sleepers.add(-1)
        pthread_mutex_unlock(mutex)
        return generation.load()
      }

      func work(_ thread: Int) {
        var seen = 0
        while true {
          seen = wait(after: seen)
          if isStopping.load() != 0 { return }
          if let context { job(context, thread, workers + 1) }
          pending.add(-1)
        }
      }
    }

    /// A started thread.
    private struct Handle: @unchecked Sendable {
      // `@unchecked`: an identifier, used once, by the pool's deinit.
      private let thread: pthread_t

      private final class Start {
        let index: Int
        let state: State
        init(_ index: Int, _ state: State) {
          self.index = index
          self.state = state
        }
      }

      init?(_ index: Int, _ state: State) {
        let start = Unmanaged.passRetained(Start(index, state))
        #if canImport(Darwin)
          var thread: pthread_t?
          let body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
            let start = Unmanaged<Start>.fromOpaque($0).takeRetainedValue()
            start.state.work(start.index)
            return nil
          }
        #else
          var thread = pthread_t()
          let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            let start = Unmanaged<Start>.fromOpaque($0!).takeRetainedValue()
            start.state.work(start.index)
            return nil
          }
        #endif
        guard pthread_create(&thread, nil, body, start.toOpaque()) == 0 else {
          start.release()
          return nil
        }
        #if canImport(Darwin)
          self.thread = thread!
        #else
          self.thread = thread
        #endif
      }

      func join() { pthread_join(thread, nil) }
    }
  }
#else
  /// Without threads: the caller does everything.
  public final class WorkerPool: Sendable {
    public typealias Job =
      @Sendable (_ context: UnsafeMutableRawPointer, _ thread: Int, _ threads: Int) -> Void

    public let threads = 1

    public init(threads: Int) {}

    public func run(_ context: UnsafeMutableRawPointer, _ job: @escaping Job) {
      job(context, 0, 1)
    }
  }
#endif

/// The part of `count` rows that `thread` of `threads` does: whole rows, as even as can be.
public func rows(of count: Int, thread: Int, threads: Int) -> Range<Int> {
  (count * thread / threads)..<(count * (thread + 1) / threads)
}
