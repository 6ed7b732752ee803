import FaceKit
import Foundation

/// Renders the canonical face mesh, turned by a known rotation, with the skin of a photograph.
///
/// Weak perspective: every centimetre has the same number of pixels. Triangles are filled with a depth buffer; the
/// photograph is sampled at the place that its own landmarks give each vertex.
struct HeadRenderer {
  let metadata: GeometryMetadata
  let skin: MPImage
  /// Landmarks of the face in the photograph.
  let places: [NormalizedLandmark]

  /// Rows of the rotation `Rz(z) · Ry(y) · Rx(−x)`, written out here so that the code under test has no part in it.
  static func rotation(x: Double, y: Double, z: Double) -> [[Double]] {
    let (cx, sx) = (Angles.cos(-x), Angles.sin(-x))
    let (cy, sy) = (Angles.cos(y), Angles.sin(y))
    let (cz, sz) = (Angles.cos(z), Angles.sin(z))
    return [
      [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
      [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
      [-sy, cy * sx, cy * cx],
    ]
  }

  private struct Vertex {
    var x, y, depth, u, v: Double
  }

  /// A square picture of the head on gray, the face some `18 · pixelsPerCentimetre` high.
  func render(
    _ r: [[Double]], side: Int = 256, pixelsPerCentimetre: Double = 9
  ) throws -> MPImage {
    var vertices: [Vertex] = []
    for i in 0..<metadata.vertexCount {
      let p = (0..<3).map { Double(metadata.positions[3 * i + $0]) }
      let q = r.map { row in row[0] * p[0] + row[1] * p[1] + row[2] * p[2] }
      vertices.append(
        Vertex(
          x: Double(side) / 2 + pixelsPerCentimetre * q[0],
          y: Double(side) / 2 - pixelsPerCentimetre * q[1], depth: q[2],
          u: Double(places[i].x) * Double(skin.width),
          v: Double(places[i].y) * Double(skin.height)))
    }
    var pixels = [UInt8](repeating: 150, count: side * side * 3)
    var depths = [Double](repeating: -.infinity, count: side * side)
    for t in stride(from: 0, to: metadata.triangles.count, by: 3) {
      fill(
        metadata.triangles[t..<t + 3].map { vertices[$0] }, side, &pixels, &depths)
    }
    return try MPImage(copying: pixels, width: side, height: side, format: .rgb)
  }

  // Plain loops over pointers: this is compiled without optimisation.
  private func fill(
    _ corners: [Vertex], _ side: Int, _ pixels: inout [UInt8], _ depths: inout [Double]
  ) {
    let (a, b, c) = (corners[0], corners[1], corners[2])
    let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
    guard abs(area) > 1e-9 else { return }
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    let (x0, x1) = (max(0, Int(xs.min()!)), min(side - 1, Int(xs.max()!) + 1))
    let (y0, y1) = (max(0, Int(ys.min()!)), min(side - 1, Int(ys.max()!) + 1))
    guard x0 <= x1, y0 <= y1 else { return }
    let texels = skin.pixels.base.assumingMemoryBound(to: UInt8.self)
    let (bx, by) = ((c.y - a.y) / area, -(c.x - a.x) / area)
    let (cx, cy) = (-(b.y - a.y) / area, (b.x - a.x) / area)
    pixels.withUnsafeMutableBufferPointer { pixels in
      depths.withUnsafeMutableBufferPointer { depths in
        for y in y0...y1 {
          for x in x0...x1 {
            let px = Double(x) + 0.5 - a.x
            let py = Double(y) + 0.5 - a.y
            let wb = px * bx + py * by
            let wc = px * cx + py * cy
            let wa = 1 - wb - wc
            if wa < 0 || wb < 0 || wc < 0 { continue }
            let depth = wa * a.depth + wb * b.depth + wc * c.depth
            let place = y * side + x
            if depth <= depths[place] { continue }
            depths[place] = depth
            // The skin has more pixels than the picture, so the nearest will do.
            let u = Int(wa * a.u + wb * b.u + wc * c.u)
            let v = Int(wa * a.v + wb * b.v + wc * c.v)
            if u < 0 || v < 0 || u >= skin.width || v >= skin.height { continue }
            let texel = v * skin.rowStride + 3 * u
            pixels[3 * place] = texels[texel]
            pixels[3 * place + 1] = texels[texel + 1]
            pixels[3 * place + 2] = texels[texel + 2]
          }
        }
      }
    }
  }
}

private enum Angles {
  static func cos(_ degrees: Double) -> Double { Foundation.cos(degrees * .pi / 180) }
  static func sin(_ degrees: Double) -> Double { Foundation.sin(degrees * .pi / 180) }
}
