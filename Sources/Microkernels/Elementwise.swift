import MicrokernelInterface

/// `output[i] = epilogue(a[i] ∘ b[i])`, sixteen elements at a time, then one by one.
@inline(never)
public func f32_elementwise(_ arguments: UnsafePointer<ElementwiseArguments>) {
  let e = arguments.pointee
  var i = 0
  while i + channelBlock <= e.count {
    var lane = 0
    while lane < channelBlock {
      let a = Vector.load(e.a + i + lane)
      let value =
        switch e.operation {
        case .copy: a
        case .add: a + Vector.load(e.b + i + lane)
        }
      let result =
        switch e.epilogue {
        case .none: value
        case .clamp(let low, let high): value.clamped(.broadcast(low), .broadcast(high))
        case .prelu: value.prelu(.load(e.slopes + lane))
        }
      result.store(e.output + i + lane)
      lane += Vector.lanes
    }
    i += channelBlock
  }
  while i < e.count {
    var value = e.a[i]
    switch e.operation {
    case .copy: break
    case .add: value += e.b[i]
    }
    switch e.epilogue {
    case .none: break
    case .clamp(let low, let high):
      value = value < low ? low : value
      value = value > high ? high : value
    case .prelu:
      if value < 0 { value *= e.slopes[i % channelBlock] }
    }
    e.output[i] = value
    i += 1
  }
}
