import MicrokernelInterface

#if ISA_AVX512
  import VectorsAVX512
#elseif ISA_AVX2
  import VectorsAVX2
#else
  import VectorsBaseline
#endif

/// `output[i] = epilogue(a[i] ∘ b[i])`, sixteen elements at a time, then one by one.
@inline(never)
func f32_elementwise(_ arguments: UnsafePointer<Elementwise>) {
  let e = arguments.pointee
  var i = 0
  while i + channelBlock <= e.count {
    var lane = 0
    while lane < channelBlock {
      let a = Vector.load(e.a + i + lane)
      let value: Vector
      switch e.operation {
      case Elementwise.Operation.add: value = a + Vector.load(e.b + i + lane)
      case Elementwise.Operation.multiply: value = a * Vector.load(e.b + i + lane)
      default: value = a
      }
      finished(value, e.epilogue, lane).store(e.output + i + lane)
      lane += Vector.lanes
    }
    i += channelBlock
  }
  while i < e.count {
    var value = e.a[i]
    switch e.operation {
    case Elementwise.Operation.add: value += e.b[i]
    case Elementwise.Operation.multiply: value *= e.b[i]
    default: break
    }
    switch e.epilogue.kind {
    case Epilogue.clamp:
      value = value < e.epilogue.low ? e.epilogue.low : value
      value = value > e.epilogue.high ? e.epilogue.high : value
    case Epilogue.prelu:
      if value < 0 { value *= e.epilogue.alpha[i % channelBlock] }
    default: break
    }
    e.output[i] = value
    i += 1
  }
}

@inline(__always)
private func finished(_ value: Vector, _ epilogue: RowEpilogue, _ lane: Int) -> Vector {
  switch epilogue.kind {
  case Epilogue.clamp:
    value.clamped(.broadcast(epilogue.low), .broadcast(epilogue.high))
  case Epilogue.prelu: value.prelu(.load(epilogue.alpha + lane))
  default: value
  }
}
