import MicrokernelInterface

/// Products of 16-bit values, summed in 32 bits: panels outside, pixel tiles inside.
@inline(never)
public func i16_gemm_row(_ arguments: UnsafePointer<IntegerGEMMArguments>) {
  let row = arguments.pointee
  for panel in 0..<row.panels {
    // Eight sums whatever the width of a register.
    #if ISA_AVX512
      var x = row.tiles(panel, from: 0, Eight<One<Words>>.self)
      x = row.tiles(panel, from: x, Two<One<Words>>.self)
      _ = row.tiles(panel, from: x, One<One<Words>>.self)
    #elseif ISA_AVX2
      let x = row.tiles(panel, from: 0, Four<Two<Words>>.self)
      _ = row.tiles(panel, from: x, One<Two<Words>>.self)
    #else
      let x = row.tiles(panel, from: 0, Two<Four<Words>>.self)
      _ = row.tiles(panel, from: x, One<Four<Words>>.self)
    #endif
  }
}

extension IntegerGEMMArguments {
  /// Covers the row from pixel `start` with whole tiles; returns the first pixel left.
  @inline(__always)
  fileprivate func tiles<Tile: Registers>(_ panel: Int, from start: Int, _ tile: Tile.Type) -> Int
  where Tile.Element: Registers, Tile.Element.Element == Words {
    var x = start
    while x + Tile.count <= pixels {
      compute(panel, x, tile)
      x += Tile.count
    }
    return x
  }

  @inline(__always)
  private func compute<Tile: Registers>(_ panel: Int, _ x: Int, _: Tile.Type)
  where Tile.Element: Registers, Tile.Element.Element == Words {
    let bias = Tile.Element { n in
      .load(self.bias + panel * integerPanelWidth + n * Words.lanes)
    }
    var sums = Tile { _ in bias }
    var weights = self.weights + panel * groups * integerPanelWidth
    var patch = patches + x * groups
    for _ in 0..<groups {
      let row = Tile.Element { n in .load(weights + n * Words.lanes) }
      sums.update { m, pixel in
        let value = Words.broadcast(patch[m * groups])
        pixel.update(with: row) { sum, weight in sum = sum.adding(pairs: value, weight) }
      }
      weights += integerPanelWidth
      patch += 1
    }
    let output = self.output + (x * panels + panel) * integerPanelWidth
    sums.forEach { m, pixel in
      pixel.forEach { n, sum in
        sum.store(output + (m * panels * integerPanelWidth + n * Words.lanes))
      }
    }
  }
}
