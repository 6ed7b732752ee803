/// A class with a score.
public struct ResultCategory: Sendable, Hashable {
  /// The class's index in the model's output.
  public var index: Int
  /// `0...1`.
  public var score: Float
  /// The class's name; `nil` where the model has none, as face detectors.
  public var categoryName: String?
  /// A name for people; `nil` where the model has none.
  public var displayName: String?

  /// Creates a category from its parts.
  public init(index: Int, score: Float, categoryName: String? = nil, displayName: String? = nil) {
    self.index = index
    self.score = score
    self.categoryName = categoryName
    self.displayName = displayName
  }
}

/// MediaPipe's name of ``ResultCategory``.
public typealias Category = ResultCategory

/// The scores of one model head.
public struct Classifications: Sendable, Hashable {
  /// The index of the model's output; 0 for blendshapes.
  public var headIndex: Int
  /// The output's name; `nil` where the model has none.
  public var headName: String?
  /// In the model's order, not sorted.
  public var categories: [ResultCategory]

  /// Creates scores from their parts.
  public init(headIndex: Int, headName: String? = nil, categories: [ResultCategory]) {
    self.headIndex = headIndex
    self.headName = headName
    self.categories = categories
  }
}

/// A point of a face, in fractions of the picture's width and height. May lie outside `0...1`.
public struct NormalizedKeypoint: Sendable, Hashable {
  /// Fraction of the picture's width, origin at the left.
  public var x: Float
  /// Fraction of the picture's height, origin at the top.
  public var y: Float
  /// The point's name. The face detectors have none: always `nil`.
  public var label: String?
  /// The face detectors score no keypoints: always 0.
  public var score: Float

  /// Creates a point from its parts.
  public init(x: Float, y: Float, label: String? = nil, score: Float = 0) {
    self.x = x
    self.y = y
    self.label = label
    self.score = score
  }
}

/// A face the detector found.
public struct Detection: Sendable, Hashable {
  /// A box in whole pixels of the picture.
  public struct PixelBox: Sendable, Hashable {
    /// The left edge in pixels.
    public var originX: Int
    /// The top edge in pixels.
    public var originY: Int
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int

    /// Creates a box from its parts.
    public init(originX: Int, originY: Int, width: Int, height: Int) {
      self.originX = originX
      self.originY = originY
      self.width = width
      self.height = height
    }
  }

  /// One category, index 0, with the detection's score.
  public var categories: [ResultCategory]
  /// The box as MediaPipe rounds it: towards zero, origin clamped into the picture, sides not shortened for
  /// it, so that a box at the border may reach past the picture.
  public var pixelBox: PixelBox
  /// The box before rounding, normalised, not clamped.
  public var normalizedBox: Rect
  /// Six points: right eye, left eye, nose tip, mouth centre, right and left ear tragion. Right and left are
  /// the subject's.
  public var keypoints: [NormalizedKeypoint]?

  /// The score of the only category.
  public var score: Float { categories.first?.score ?? 0 }

  /// From a face in normalised image coordinates.
  init(_ face: DetectionCandidate, imageWidth: Int, imageHeight: Int) {
    categories = [ResultCategory(index: 0, score: face.score)]
    normalizedBox = face.box
    pixelBox = PixelBox(
      originX: Detection.bounded(face.box.minX, imageWidth),
      originY: Detection.bounded(face.box.minY, imageHeight),
      width: Detection.bounded(face.box.width, imageWidth),
      height: Detection.bounded(face.box.height, imageHeight))
    var points: [NormalizedKeypoint] = []
    for keypoint in face.keypoints {
      points.append(NormalizedKeypoint(x: keypoint.x, y: keypoint.y))
    }
    keypoints = points
  }

  /// A fraction of `extent` pixels, truncated, in `0...extent`.
  private static func bounded(_ fraction: Float, _ extent: Int) -> Int {
    let pixels = fraction * Float(extent)
    if !(pixels > 0) { return 0 }
    return pixels >= Float(extent) ? extent : Int(pixels)
  }
}

/// What a face detector found in one picture or frame.
public struct FaceDetectorResult: Sendable, Hashable {
  /// Best score first.
  public var detections: [Detection]
  /// The frame's timestamp; 0 in image mode.
  public var timestampInMilliseconds: Int

  /// Creates a result from its parts, for tests and stand-ins.
  public init(detections: [Detection], timestampInMilliseconds: Int) {
    self.detections = detections
    self.timestampInMilliseconds = timestampInMilliseconds
  }
}
