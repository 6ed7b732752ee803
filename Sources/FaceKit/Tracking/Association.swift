/// A region of a frame in which a face is searched for, and where it comes from.
struct TrackedRegion: Sendable, Equatable {
  var rect: NormalizedRect
  /// The face it follows; `nil` for a fresh detection.
  var trackID: Int?
  /// The detector's score of a fresh detection; of a tracked face, that of the detection it began with.
  var detectionScore: Float
}

/// Merges the regions carried over from the previous frame with fresh detections.
///
/// A later region replaces all earlier ones it overlaps by strictly more than `threshold`, and goes to
/// the end: a fresh detection takes the place of the tracked region of the same face. The angle is
/// left out of account.
///
/// A fresh detection inherits the track of the best overlapping region it replaces. Of tracked regions that have
/// become one (a detection at the picture's edge begins a second track for a face, until both meet), the lower number
/// stays. (The reference has no tracks; positions, order and count are not influenced.)
func associate(
  previous: [TrackedRegion], detections: [TrackedRegion], threshold: Float, limit: Int
) -> [TrackedRegion] {
  var current: [TrackedRegion] = []
  for var region in previous + detections {
    let bounds = region.rect.unrotatedBounds
    var kept: [TrackedRegion] = []
    let isFresh = region.trackID == nil
    var bestOverlap = threshold
    for other in current {
      let overlap = other.rect.unrotatedBounds.overlap(bounds)
      if overlap > threshold {
        if isFresh, overlap > bestOverlap, let track = other.trackID {
          region.trackID = track
          bestOverlap = overlap
        } else if !isFresh, let track = other.trackID, let own = region.trackID {
          region.trackID = min(own, track)
        }
      } else {
        kept.append(other)
      }
    }
    kept.append(region)
    current = kept
  }
  return Array(current.prefix(limit))
}
