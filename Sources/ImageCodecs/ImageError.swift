/// What can be wrong with a picture, or with the wish to write one.
///
/// The description reads `what — where — what to do`, in one line.
public struct ImageError: Error, Equatable, Sendable {
  /// The class of the fault: what a caller can decide on.
  public enum Code: String, Sendable, CaseIterable {
    /// There is no such file.
    case notFound
    /// The file exists but cannot be read: a folder, no permission, a broken disk.
    case unreadable
    /// The bytes are of no format this room knows.
    case notAnImage
    /// The data ends before the picture does.
    case truncated
    /// The data contradicts its format.
    case corrupt
    /// A legal picture of a kind that is not decoded: 12-bit JPEG, animated WebP, a format that this
    /// build does not read; or a wish to write pixels in a way that is not offered.
    case unsupported
    /// More pixels or bytes than the options allow.
    case tooLarge
    /// The result could not be written.
    case unwritable
  }

  /// The class of the fault.
  public var code: Code
  /// What was wrong, with the offending value.
  public var what: String
  /// The file, where there is one.
  public var file: String?
  /// Where in the data, if known.
  public var byte: Int?
  /// What to do about it; empty for what the code says anyway.
  public var advice: String

  /// An error from its parts.
  ///
  /// - Parameters:
  ///   - code: The class of the fault.
  ///   - what: What was wrong, with the offending value.
  ///   - file: The file, where there is one.
  ///   - byte: Where in the data, if known.
  ///   - advice: What to do about it; empty for what the code says anyway.
  public init(
    _ code: Code, _ what: String, file: String? = nil, byte: Int? = nil, advice: String = ""
  ) {
    self.code = code
    self.what = what
    self.file = file
    self.byte = byte
    self.advice = advice
  }

  /// The same error with the file it came from: a decoder knows bytes, its caller knows names.
  ///
  /// - Parameter file: The path to name, unless the error names one already.
  /// - Returns: The error with its place.
  public func placed(in file: String) -> ImageError {
    var placed = self
    if placed.file == nil { placed.file = file }
    return placed
  }
}

extension ImageError: CustomStringConvertible {
  /// `what — where — what to do`, in one line.
  public var description: String {
    let place: String
    switch (file, byte) {
    case (let file?, let byte?): place = "\(file), byte \(byte)"
    case (let file?, nil): place = file
    case (nil, let byte?): place = "byte \(byte)"
    case (nil, nil): place = "image data"
    }
    return "\(what) — \(place) — \(advice.isEmpty ? code.advice : advice)"
  }
}

extension ImageError.Code {
  /// What to do, where the fault itself does not say more.
  var advice: String {
    switch self {
    case .notFound: "check the path"
    case .unreadable: "check the path and its permissions"
    case .notAnImage: "give one of the formats this build reads: \(ImageFormat.readableNames)"
    case .truncated: "copy or download the file again"
    case .corrupt: "the file is damaged: copy or export it again"
    case .unsupported: "convert it to an 8-bit JPEG or PNG"
    case .tooLarge: "scale the picture down, or raise the limit if you trust it"
    case .unwritable: "check that the folder exists and has space"
    }
  }
}
