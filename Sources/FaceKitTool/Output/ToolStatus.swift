/// What the shell is told.
enum ToolStatus: Int32, Sendable {
  case done = 0
  /// At least one input failed.
  case failed = 1
  case usage = 2
}
