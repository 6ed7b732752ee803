/// Columns for a terminal, as wide as their widest cell.
package struct TextTable {
  package enum Alignment { case left, right }

  package struct Column {
    package let title: String
    package let alignment: Alignment

    package static func left(_ title: String) -> Column { Column(title: title, alignment: .left) }
    package static func right(_ title: String) -> Column { Column(title: title, alignment: .right) }
  }

  package let columns: [Column]
  private(set) var rows: [[String]] = []

  package init(_ columns: [Column]) { self.columns = columns }

  /// - Precondition: a cell for each column.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "\(cells.count) cells, \(columns.count) columns")
    rows.append(cells)
  }

  package var text: String {
    let titles = columns.map(\.title)
    let widths = columns.indices.map { column in
      ([titles] + rows).map { $0[column].count }.max() ?? 0
    }
    func line(_ cells: [String]) -> String {
      var line = columns.indices.map { column in
        columns[column].alignment == .left
          ? Formatting.left(cells[column], widths[column])
          : Formatting.right(cells[column], widths[column])
      }.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    return ([line(titles), rule] + rows.map(line)).joined(separator: "\n")
  }

  /// `count` of `total` as a bar of at most `width` characters, in eighths of one.
  package static func bar(_ share: Double, width: Int) -> String {
    let eighths = Int((min(max(share.isFinite ? share : 0, 0), 1) * Double(width * 8)).rounded())
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + partial
  }
}

extension Formatting {
  /// `1.5 k`, `23.4 M`: three digits or so, with decimal prefixes.
  package static func short(_ value: Int) -> String {
    var scaled = Double(value)
    for suffix in ["", " k", " M", " G"] {
      if abs(scaled) < 1000 { return trimmed(scaled, suffix.isEmpty ? 0 : 1) + suffix }
      scaled /= 1000
    }
    return trimmed(scaled, 1) + " T"
  }

  private static func trimmed(_ value: Double, _ decimals: Int) -> String {
    fixed(value, decimals)
  }
}
