import FaceKit
import Foundation

/// Renders the canonical face mesh, turned by a known rotation, as a camera would see it.
///
/// Two things matter to the mesh model, which has only ever seen photographs. *Perspective*: drawn with parallel rays,
/// as from far away, a head that is turned by 30° is read as turned by 22 to 27. And *skin*: a photograph brings its own
/// pose along, as shading, so that one of a lowered head reads lowered however it is turned. Hence a camera at arm's
/// length, and the mean skin of several frontal portraits and their mirror images.
package struct HeadRenderer {
  /// A person's picture and the landmarks in it.
  package struct Portrait {
    let picture: MPImage
    let landmarks: [NormalizedLandmark]

    package init(picture: MPImage, landmarks: [NormalizedLandmark]) {
      (self.picture, self.landmarks) = (picture, landmarks)
    }
  }

  private let positions: [[Double]]
  private let triangles: [Int]
  /// Places of the vertices in the skin, in its pixels.
  private let places: [(u: Double, v: Double)]
  private let skin: MPImage

  private static let skinSide = 512

  package init(metadata: GeometryMetadata, portraits: [Portrait]) throws {
    positions = (0..<metadata.vertexCount).map { i in
      (0..<3).map { Double(metadata.positions[3 * i + $0]) }
    }
    triangles = metadata.triangles
    let side = HeadRenderer.skinSide
    places = (0..<metadata.vertexCount).map { i in
      (
        Double(metadata.textureCoordinates[2 * i]) * Double(side),
        Double(1 - metadata.textureCoordinates[2 * i + 1]) * Double(side)
      )
    }
    var sum = [Double](repeating: 0, count: 3 * side * side)
    for portrait in portraits {
      let size = (Double(portrait.picture.width), Double(portrait.picture.height))
      let corners = zip(places, portrait.landmarks).map { place, landmark in
        Corner(
          x: place.u, y: place.v, nearness: 1, u: Double(landmark.x) * size.0,
          v: Double(landmark.y) * size.1)
      }
      var flat = Raster(side: side)
      flat.draw(corners, triangles, portrait.picture)
      for index in sum.indices { sum[index] += Double(flat.bytes[index]) }
    }
    var bytes = [UInt8](repeating: 0, count: sum.count)
    for index in sum.indices {
      bytes[index] = UInt8(sum[index] / Double(portraits.count) + 0.5)
    }
    skin = try MPImage(copying: bytes, width: side, height: side, format: .rgb)
  }

  /// Rows of the rotation `Rz(z) · Ry(y) · Rx(−x)`, written out here so that the code under test has no part in it.
  package static func rotation(x: Double, y: Double, z: Double) -> [[Double]] {
    let (cx, sx) = (Angles.cos(-x), Angles.sin(-x))
    let (cy, sy) = (Angles.cos(y), Angles.sin(y))
    let (cz, sz) = (Angles.cos(z), Angles.sin(z))
    return [
      [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
      [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
      [-sy, cy * sx, cy * cx],
    ]
  }

  /// Samples a pixel in each direction.
  private static let samples = 2
  /// MediaPipe's camera, in degrees from the picture's top to its bottom.
  private static let fieldOfView = 63.0

  /// The distance of the picture from the camera, if a pixel of a picture of `side` is one long.
  package static func focalLength(side: Int) -> Double {
    Double(side) / 2 / tan(fieldOfView / 2 * .pi / 180)
  }

  /// A square picture of the head, turned by `r`, before a plain wall.
  ///
  /// `distance` is that from the camera to the head's origin in centimetres, `offset` that of the head's
  /// origin from the middle of the picture in pixels to the right and down.
  package func render(
    _ r: [[Double]], side: Int = 512, distance: Double = 55, offset: (x: Double, y: Double) = (0, 0)
  ) throws -> MPImage {
    let fine = side * HeadRenderer.samples
    let focal = HeadRenderer.focalLength(side: fine)
    let toCentimetres = Double(HeadRenderer.samples) / focal * distance
    let corners = zip(positions, places).map { p, place in
      let q = r.map { row in row[0] * p[0] + row[1] * p[1] + row[2] * p[2] }
      let nearness = 1 / (distance - q[2])
      return Corner(
        x: Double(fine) / 2 + focal * (q[0] + offset.x * toCentimetres) * nearness,
        y: Double(fine) / 2 - focal * (q[1] - offset.y * toCentimetres) * nearness,
        nearness: nearness, u: place.u, v: place.v)
    }
    var raster = Raster(side: fine, wall: (90, 110, 140))
    raster.draw(corners, triangles, skin)
    return try raster.reduced(by: HeadRenderer.samples)
  }
}

// MARK: Drawing triangles

/// A vertex in the picture that is drawn, and in the texture it is drawn with.
private struct Corner {
  var x, y: Double
  /// One over the distance from the camera: linear over the picture, unlike the distance.
  var nearness: Double
  var u, v: Double
}

/// A square RGB picture that triangles are drawn into; what is nearer hides what is behind.
private struct Raster {
  let side: Int
  var bytes: [UInt8]
  private var depths: [Double]

  init(side: Int, wall: (UInt8, UInt8, UInt8) = (0, 0, 0)) {
    self.side = side
    bytes = []
    bytes.reserveCapacity(3 * side * side)
    let row = [[UInt8]](repeating: [wall.0, wall.1, wall.2], count: side).flatMap { $0 }
    for _ in 0..<side { bytes += row }
    depths = [Double](repeating: 0, count: side * side)
  }

  mutating func draw(_ corners: [Corner], _ triangles: [Int], _ texture: MPImage) {
    for t in stride(from: 0, to: triangles.count, by: 3) {
      fill(corners[triangles[t]], corners[triangles[t + 1]], corners[triangles[t + 2]], texture)
    }
  }

  // Plain loops over pointers: this is compiled without optimisation.
  private mutating func fill(_ a: Corner, _ b: Corner, _ c: Corner, _ texture: MPImage) {
    let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
    guard abs(area) > 1e-9 else { return }
    let (x0, x1) = (max(0, Int(min(a.x, b.x, c.x))), min(side - 1, Int(max(a.x, b.x, c.x)) + 1))
    let (y0, y1) = (max(0, Int(min(a.y, b.y, c.y))), min(side - 1, Int(max(a.y, b.y, c.y)) + 1))
    guard x0 <= x1, y0 <= y1 else { return }
    let (bx, by) = ((c.y - a.y) / area, -(c.x - a.x) / area)
    let (cx, cy) = (-(b.y - a.y) / area, (b.x - a.x) / area)
    let side = side
    let texels = texture.pixels.base.assumingMemoryBound(to: UInt8.self)
    bytes.withUnsafeMutableBufferPointer { pixels in
      depths.withUnsafeMutableBufferPointer { depths in
        for y in y0...y1 {
          for x in x0...x1 {
            let (px, py) = (Double(x) + 0.5 - a.x, Double(y) + 0.5 - a.y)
            let wb = px * bx + py * by
            let wc = px * cx + py * cy
            let wa = 1 - wb - wc
            if wa < 0 || wb < 0 || wc < 0 { continue }
            let (na, nb, nc) = (wa * a.nearness, wb * b.nearness, wc * c.nearness)
            let nearness = na + nb + nc
            let place = y * side + x
            if nearness <= depths[place] { continue }
            depths[place] = nearness
            Raster.sample(
              texture, texels, (na * a.u + nb * b.u + nc * c.u) / nearness,
              (na * a.v + nb * b.v + nc * c.v) / nearness, pixels.baseAddress! + 3 * place)
          }
        }
      }
    }
  }

  /// Bilinear, the border going on beyond the texture.
  private static func sample(
    _ texture: MPImage, _ texels: UnsafePointer<UInt8>, _ u: Double, _ v: Double,
    _ pixel: UnsafeMutablePointer<UInt8>
  ) {
    let x = max(0, min(Double(texture.width - 1), u - 0.5))
    let y = max(0, min(Double(texture.height - 1), v - 0.5))
    let (i, j) = (min(texture.width - 2, Int(x)), min(texture.height - 2, Int(y)))
    let (fx, fy) = (x - Double(i), y - Double(j))
    let top = texels + j * texture.rowStride + 3 * i
    let below = top + texture.rowStride
    for channel in 0..<3 {
      let above = Double(top[channel]) * (1 - fx) + Double(top[channel + 3]) * fx
      let under = Double(below[channel]) * (1 - fx) + Double(below[channel + 3]) * fx
      pixel[channel] = UInt8(above * (1 - fy) + under * fy + 0.5)
    }
  }

  /// The picture made smaller: each pixel the mean of `factor` × `factor`.
  func reduced(by factor: Int) throws -> MPImage {
    let small = side / factor
    var pixels = [UInt8](repeating: 0, count: 3 * small * small)
    bytes.withUnsafeBufferPointer { bytes in
      pixels.withUnsafeMutableBufferPointer { pixels in
        var place = 0
        for y in 0..<small {
          for x in 0..<small {
            for channel in 0..<3 {
              var sum = factor * factor / 2
              for row in 0..<factor {
                let start = 3 * ((y * factor + row) * side + x * factor) + channel
                for column in 0..<factor { sum += Int(bytes[start + 3 * column]) }
              }
              pixels[place] = UInt8(sum / (factor * factor))
              place += 1
            }
          }
        }
      }
    }
    return try MPImage(copying: pixels, width: small, height: small, format: .rgb)
  }
}

private enum Angles {
  static func cos(_ degrees: Double) -> Double { Foundation.cos(degrees * .pi / 180) }
  static func sin(_ degrees: Double) -> Double { Foundation.sin(degrees * .pi / 180) }
}
