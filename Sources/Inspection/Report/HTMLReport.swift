import ToolSupport

/// The page of `--html`: one file with its data inside, that asks the network for nothing.
package enum HTMLReport {
  /// The template with the data in it.
  package static func page(title: String, data: JSON) -> [UInt8] {
    let template = String(decoding: PackageResources.report_html, as: UTF8.self)
    let parts = template.split(
      separator: "/*DATA*/", maxSplits: 1, omittingEmptySubsequences: false)
    let head = parts[0].replacing("<!--TITLE-->", with: escaped(title))
    return Array((head + scriptSafe(data.text) + (parts.count > 1 ? parts[1] : "")).utf8)
  }

  /// JSON that cannot end the script it stands in, whatever a model calls its tensors.
  package static func scriptSafe(_ json: String) -> String {
    var safe = ""
    safe.reserveCapacity(json.utf8.count)
    for scalar in json.unicodeScalars {
      switch scalar {
      case "<": safe += "\\u003c"
      case "\u{2028}": safe += "\\u2028"
      case "\u{2029}": safe += "\\u2029"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
