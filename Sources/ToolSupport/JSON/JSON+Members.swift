extension JSON: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }
}

extension JSON {
  /// Any number.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// An object with another's members after its own.
  package func adding(_ other: JSON) -> JSON {
    guard case .object(let mine) = self, case .object(let theirs) = other else { return self }
    return .object(mine + theirs)
  }
}
