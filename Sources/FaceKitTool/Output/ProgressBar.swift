import ToolSupport

/// `[████████░░░░] 8/12 name`, redrawn in place, on a terminal only.
struct ProgressBar {
  private let console: Console
  private let total: Int
  private static let width = 24

  /// A bar for `total` steps; nothing is drawn for a single one.
  init(_ console: Console, total: Int) {
    self.console = console
    self.total = total
  }

  func show(_ done: Int, _ name: String) {
    guard total > 1, let progress = console.progress else { return }
    let filled = ProgressBar.width * min(done, total) / total
    let bar =
      String(repeating: "█", count: filled)
      + String(repeating: "░", count: ProgressBar.width - filled)
    progress("\r\u{1B}[K[\(bar)] \(done)/\(total) \(SystemName.shown(String(name.suffix(40))))")
  }

  /// Takes the bar away, before other output and at the end.
  func clear() {
    if total > 1 { console.progress?("\r\u{1B}[K") }
  }
}
