// The declarations of Apple's C library that FaceKit uses, as Swift imports them there.
// See ../typecheck.py.

@_exported import CDarwin
// What is the same everywhere. C libraries bring these too, and two of a kind would be ambiguous.
@_exported import func Glibc.free
@_exported import func Glibc.malloc
@_exported import func Glibc.memcpy
@_exported import func Glibc.memset
@_exported import func Glibc.memchr
@_exported import func Glibc.strdup
@_exported import func Glibc.strlen
@_exported import func Glibc.strerror
@_exported import func Glibc.getenv
@_exported import func Glibc.setenv
@_exported import func Glibc.munmap
@_exported import func Glibc.fopen
@_exported import func Glibc.tmpfile
@_exported import func Glibc.fclose
@_exported import func Glibc.fflush
@_exported import func Glibc.fileno
@_exported import func Glibc.fread
@_exported import func Glibc.fwrite
@_exported import func Glibc.fseek
@_exported import func Glibc.ftell
@_exported import func Glibc.getline
@_exported import func Glibc.close
@_exported import func Glibc.read
@_exported import func Glibc.write
@_exported import func Glibc.pipe
@_exported import func Glibc.isatty
@_exported import func Glibc.unlink
@_exported import func Glibc.rename
@_exported import func Glibc.access
@_exported import func Glibc.realpath
@_exported import func Glibc.waitpid
@_exported import func Glibc.kill
@_exported import func Glibc.sched_yield
@_exported import func Glibc.sin
@_exported import func Glibc.cos
@_exported import func Glibc.atan2
@_exported import func Glibc.pow
@_exported import func Glibc.exp
@_exported import func Glibc.log
@_exported import func Glibc.log2
@_exported import func Glibc.log10
@_exported import func Glibc.ceil
@_exported import func Glibc.floor
@_exported import typealias Glibc.FILE
@_exported import struct Glibc.pollfd
@_exported import struct Glibc.siginfo_t
@_exported import struct Glibc.idtype_t
@_exported import var Glibc.P_PID
@_exported import func Glibc.waitid
@_exported import func Glibc.raise

public typealias mode_t = UInt16
public typealias off_t = Int64
public typealias pid_t = Int32
public typealias sigset_t = UInt32
public typealias size_t = Int
public typealias ssize_t = Int

// MARK: Memory and strings

public func strerror_r(_: Int32, _: UnsafeMutablePointer<CChar>!, _: Int) -> Int32 { 0 }
public var errno: Int32 {
  get { 0 }
  set {}
}
public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { fatalError() }
public func exit(_: Int32) -> Never { fatalError() }

public let EINTR: Int32 = 4
public let ENOTDIR: Int32 = 20
public let ENOENT: Int32 = 2
public let EIO: Int32 = 5
public let EACCES: Int32 = 13
public let EEXIST: Int32 = 17
public let EPIPE: Int32 = 32
public let EAGAIN: Int32 = 35

public let PROT_READ: Int32 = 1
public let MAP_PRIVATE: Int32 = 2
public nonisolated(unsafe) let MAP_FAILED = UnsafeMutableRawPointer(bitPattern: -1)!
public func mmap(
  _: UnsafeMutableRawPointer!, _: Int, _: Int32, _: Int32, _: Int32, _: off_t
) -> UnsafeMutableRawPointer! { nil }

// MARK: Files

public let POLLIN: Int32 = 1
public func poll(_: UnsafeMutablePointer<pollfd>!, _: UInt32, _: Int32) -> Int32 { 0 }
public let SEEK_SET: Int32 = 0
public let SEEK_END: Int32 = 2

public func open(_: UnsafePointer<CChar>, _: Int32) -> Int32 { 0 }
public func open(_: UnsafePointer<CChar>, _: Int32, _: mode_t) -> Int32 { 0 }
@discardableResult
public func fcntl(_: Int32, _: Int32) -> Int32 { 0 }
public func fcntl(_: Int32, _: Int32, _: Int32) -> Int32 { 0 }
@discardableResult
public func mkdir(_: UnsafePointer<CChar>!, _: mode_t) -> Int32 { 0 }
public let O_RDONLY: Int32 = 0
public let O_WRONLY: Int32 = 1
public let O_NONBLOCK: Int32 = 4
public let O_RDWR: Int32 = 2
public let O_NOFOLLOW: Int32 = 0x100
public let O_CREAT: Int32 = 0x200
public let O_TRUNC: Int32 = 0x400
public let O_EXCL: Int32 = 0x800
public let O_NOCTTY: Int32 = 0x20000
public let O_CLOEXEC: Int32 = 0x1000000
public let F_GETFD: Int32 = 1
public let F_SETFD: Int32 = 2
public let FD_CLOEXEC: Int32 = 1
public let F_SETNOSIGPIPE: Int32 = 73
public let F_OK: Int32 = 0
@discardableResult
public func fchmod(_: Int32, _: mode_t) -> Int32 { 0 }
@discardableResult
public func chmod(_: UnsafePointer<CChar>!, _: mode_t) -> Int32 { 0 }
public let W_OK: Int32 = 2
public let R_OK: Int32 = 4
public let X_OK: Int32 = 1

public let S_IFMT: mode_t = 0o170000
public let S_IFREG: mode_t = 0o100000
public let S_IFIFO: mode_t = 0o010000
public let S_IFLNK: mode_t = 0o120000
public let S_IFSOCK: mode_t = 0o140000
public let S_IFDIR: mode_t = 0o040000

public struct DIR {}
public struct dirent {
  public var d_name: (CChar, CChar, CChar, CChar) = (0, 0, 0, 0)
}
public func opendir(_: UnsafePointer<CChar>!) -> UnsafeMutablePointer<DIR>! { nil }
public func readdir(_: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! { nil }
@discardableResult
public func closedir(_: UnsafeMutablePointer<DIR>!) -> Int32 { 0 }

// MARK: Processes and signals

public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public typealias SpawnActions = UnsafeMutablePointer<posix_spawn_file_actions_t?>
public typealias SpawnAttributes = UnsafeMutablePointer<posix_spawnattr_t?>
@discardableResult
public func posix_spawn_file_actions_init(_: SpawnActions!) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_destroy(_: SpawnActions!) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_adddup2(_: SpawnActions!, _: Int32, _: Int32) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_addclose(_: SpawnActions!, _: Int32) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_addopen(
  _: SpawnActions!, _: Int32, _: UnsafePointer<CChar>!, _: Int32, _: mode_t
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_init(_: SpawnAttributes!) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_destroy(_: SpawnAttributes!) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setflags(_: SpawnAttributes!, _: Int16) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setpgroup(_: SpawnAttributes!, _: pid_t) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setsigmask(
  _: SpawnAttributes!, _: UnsafePointer<sigset_t>!
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setsigdefault(
  _: SpawnAttributes!, _: UnsafePointer<sigset_t>!
) -> Int32 { 0 }
public func posix_spawn(
  _: UnsafeMutablePointer<pid_t>!, _: UnsafePointer<CChar>!, _: UnsafePointer<posix_spawn_file_actions_t?>!,
  _: UnsafePointer<posix_spawnattr_t?>!, _: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }
public func posix_spawnp(
  _: UnsafeMutablePointer<pid_t>!, _: UnsafePointer<CChar>!, _: UnsafePointer<posix_spawn_file_actions_t?>!,
  _: UnsafePointer<posix_spawnattr_t?>!, _: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }
public let POSIX_SPAWN_SETPGROUP: Int32 = 2
public let POSIX_SPAWN_SETSIGDEF: Int32 = 4
public let POSIX_SPAWN_SETSIGMASK: Int32 = 8

public typealias id_t = UInt32
public let WEXITED: Int32 = 4
public let WNOHANG: Int32 = 1
public let WNOWAIT: Int32 = 0x20
public let SIGHUP: Int32 = 1
public let SIGINT: Int32 = 2
public let SIGKILL: Int32 = 9
public let SIGPIPE: Int32 = 13
public let SIGTERM: Int32 = 15
public let SIG_BLOCK: Int32 = 1
public let SIG_SETMASK: Int32 = 3
public let SA_RESETHAND: Int32 = 4

@discardableResult
public func sigemptyset(_: UnsafeMutablePointer<sigset_t>!) -> Int32 { 0 }
@discardableResult
public func sigaddset(_: UnsafeMutablePointer<sigset_t>!, _: Int32) -> Int32 { 0 }

// MARK: Threads and time

public struct pthread_attr_t {}
public struct pthread_mutexattr_t {}
public struct pthread_condattr_t {}
public struct pthread_mutex_t { public init() {} }
public struct pthread_cond_t { public init() {} }
public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public func pthread_create(
  _: UnsafeMutablePointer<pthread_t?>!, _: UnsafePointer<pthread_attr_t>?,
  _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _: UnsafeMutableRawPointer?
) -> Int32 { 0 }
@discardableResult
public func pthread_join(
  _: pthread_t, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 { 0 }
@discardableResult
public func pthread_mutex_init(
  _: UnsafeMutablePointer<pthread_mutex_t>, _: UnsafePointer<pthread_mutexattr_t>?
) -> Int32 { 0 }
@discardableResult
public func pthread_mutex_destroy(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { 0 }
@discardableResult
public func pthread_mutex_lock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { 0 }
@discardableResult
public func pthread_mutex_unlock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { 0 }
@discardableResult
public func pthread_cond_init(
  _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafePointer<pthread_condattr_t>?
) -> Int32 { 0 }
@discardableResult
public func pthread_cond_destroy(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32 { 0 }
@discardableResult
public func pthread_cond_wait(
  _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafeMutablePointer<pthread_mutex_t>
) -> Int32 { 0 }
@discardableResult
public func pthread_cond_signal(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32 { 0 }
@discardableResult
public func pthread_cond_broadcast(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32 { 0 }
@discardableResult
public func pthread_sigmask(
  _: Int32, _: UnsafePointer<sigset_t>!, _: UnsafeMutablePointer<sigset_t>!
) -> Int32 { 0 }
public struct os_unfair_lock_s { public init() {} }
public typealias os_unfair_lock = os_unfair_lock_s
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>
public func os_unfair_lock_lock(_: os_unfair_lock_t) {}
public func os_unfair_lock_unlock(_: os_unfair_lock_t) {}

public struct clockid_t: Sendable {}
public let CLOCK_REALTIME = clockid_t()
public let CLOCK_MONOTONIC = clockid_t()
@discardableResult
public func clock_gettime(_: clockid_t, _: UnsafeMutablePointer<timespec>!) -> Int32 { 0 }

// MARK: Numbers

