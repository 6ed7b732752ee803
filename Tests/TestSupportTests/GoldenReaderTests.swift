import Testing
import TestSupport

@Suite("The corpus's goldens", .enabled(if: Corpus.isAvailable, "\(Corpus.reason)"))
struct CorpusReaderTests {
  @Test("inputs hash as recorded and outputs have their shapes", arguments: ModelGolden.models)
  func litert(model: String) throws {
    let golden = try ModelGolden.load(model)
    #expect(golden.cases.map(\.id) == ModelGolden.caseNames)
    for item in golden.cases {
      let input = try golden.inputValues(item)
      #expect(Array(input.prefix(8)) == item.input.first8)
      for output in item.outputs {
        #expect(try golden.outputValues(output).count == output.shape.reduce(1, *))
      }
      let activations = try golden.activations(item)
      #expect(activations.count > 10)
      // The last tensor that is an output must agree with the stored output.
      for output in item.outputs {
        let figures = try #require(activations.last { $0.tensor == output.tensor })
        #expect(figures.departure(of: try golden.outputValues(output)) == nil)
      }
    }
  }

  @Test("figures notice one value that is off")
  func figures() throws {
    let golden = try ModelGolden.load("iris_landmark")
    let item = try golden.case("lcg0")
    let output = item.outputs[0]
    let figures = try #require(
      golden.activations(item).last { $0.tensor == output.tensor })
    var values = try golden.outputValues(output)
    values[3] += Float(figures.max * 0.01)
    #expect(figures.departure(of: values)?.context.hasSuffix("[3]") == true)
  }

  @Test("every picture's goldens decode")
  func pictures() throws {
    let manifest = try CorpusManifest.load()
    #expect(manifest.images.count > 90)
    for image in manifest.images {
      let landmarks = try LandmarkerGolden.load(image.goldenID)
      for face in landmarks.numFaces5 {
        #expect(face.landmarks.count == 478 && face.blendshapes.count == 52)
        #expect(face.matrix.count == 16)
      }
      _ = try DetectorGolden.load(image.goldenID)
      _ = try RectsGolden.load(image.goldenID)
      _ = try LegacyDetectionGolden.load(image.goldenID, version: "legacy-short-0.10.21")
      _ = try FaceMeshGolden.load(image.goldenID, kind: "basic")
    }
    #expect(try CropGolden.loadAll().count == 11)
    #expect(try blendshapeNames().count == 52)
  }

  @Test("every sequence's goldens decode")
  func sequences() throws {
    for sequence in try CorpusManifest.load().sequences {
      for numFaces in [1, 2] {
        let video = try VideoGolden.load(sequence.id, numFaces: numFaces)
        #expect(video.frames.count == sequence.count)
      }
      #expect(try VideoGolden.loadDetector(sequence.id).count == sequence.count)
      #expect(sequence.frame(7).hasSuffix("/007.png"))
    }
  }
}

@Suite("Goldens of our own")
struct OwnGoldenTests {
  @Test(
    "inputs hash as recorded and every output passes against itself", arguments: ModelGolden.models)
  func litert(model: String) throws {
    let golden = try ModelGolden.load(model, from: .own)
    let item = try golden.case("lcg0")
    _ = try golden.inputValues(item)
    for output in item.outputs where output.file != nil {
      let values = try golden.outputValues(output)
      #expect(try golden.departure(of: values, from: output, "itself") == nil)
      #expect(try golden.departure(of: values.map { $0 * 1.01 }, from: output, "off") != nil)
    }
  }

  @Test("a sampled output notices one value that is off, sampled or not")
  func sampled() throws {
    let golden = try ModelGolden.load("face_detection_full_range_sparse", from: .own)
    let output = try #require(try golden.case("lcg0").outputs.first { $0.sample != nil })
    let sample = try #require(output.sample)
    var values = [Float](repeating: 0, count: output.shape.reduce(1, *))
    for (index, value) in sample.values.enumerated() { values[index * sample.stride] = value }
    // The rest is not stored; put what the norm lacks into one value that is not sampled.
    let rest = output.l2 * output.l2 - l2Norm(values) * l2Norm(values)
    values[1] = Float(rest.squareRoot())
    #expect(try golden.departure(of: values, from: output, "as stored") == nil)
    values[1] *= 1.5
    #expect(try golden.departure(of: values, from: output, "norm") != nil)
    values[1] /= 1.5
    values[sample.stride] += 1
    #expect(try golden.departure(of: values, from: output, "sample")?.index == 1)
  }

  @Test("the sample portrait has one face")
  func portrait() throws {
    #expect(try PortraitGolden.detections().count == 1)
    let faces = try PortraitGolden.landmarker().numFaces5
    #expect(faces.count == 1 && faces[0].landmarks.count == 478)
  }
}

@Suite("The conformance suite", .enabled(if: Conformance.isAvailable, "\(Conformance.reason)"))
struct ConformanceReaderTests {
  @Test("inputs hash as recorded; references pass against themselves")
  func cases() throws {
    let cases = try ConformanceCase.loadAll()
    #expect(cases.count > 400)
    for item in cases {
      for input in item.inputs { _ = try input.bytes() }
      for output in item.outputs {
        #expect(try output.departure(of: output.bytes(), item.id) == nil)
      }
    }
  }

  @Test("hostile files are all there")
  func hostile() throws {
    let files = try HostileCase.loadAll()
    #expect(files.count > 200)
    for item in files {
      _ = try item.bytes()
      for input in item.inputs ?? [] { _ = try input.bytes(relativeTo: HostileCase.folder) }
    }
  }
}
