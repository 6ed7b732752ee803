// Where a type and a function have one name, which Swift can import but not declare. In C they have other
// names, since Linux's own are around too.
#define NAMED(name) __attribute__((swift_name(name)))

struct apple_timespec {
  long tv_sec, tv_nsec;
} NAMED("timespec");

struct apple_stat {
  int st_dev;
  unsigned long long st_ino;
  unsigned short st_mode;
  long long st_size;
  struct apple_timespec st_mtimespec, st_ctimespec;
} NAMED("stat");
int apple_stat(const char *path, struct apple_stat *result) NAMED("stat(_:_:)");
int apple_lstat(const char *path, struct apple_stat *result) NAMED("lstat(_:_:)");
int apple_fstat(int descriptor, struct apple_stat *result) NAMED("fstat(_:_:)");

union apple_sigaction_u {
  void (*__sa_handler)(int);
} NAMED("__sigaction_u");
struct apple_sigaction {
  union apple_sigaction_u __sigaction_u;
  unsigned sa_mask;
  int sa_flags;
} NAMED("sigaction");
int apple_sigaction(
    int number, const struct apple_sigaction *action, struct apple_sigaction *previous)
    NAMED("sigaction(_:_:_:)");
