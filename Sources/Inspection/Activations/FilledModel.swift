import FaceKit
import FaceKitModels
import FaceKitTensor
import ImageCodecs
import ToolSupport

/// A model with its inputs filled, ready to be run and watched.
package struct FilledModel {
  package let name: String
  package let session: Session

  /// A model file with a picture, or the values of a `.npy` file, as its first input.
  package static func model(
    _ path: String, input: String, engine: EngineOptions
  ) throws -> FilledModel {
    do {
      let model = try TFLiteModel(path: path)
      let session = try CompiledModel(model, options: engine).makeSession()
      let name = String(path.split(separator: "/").last ?? "model")
      if input.lowercased().hasSuffix(".npy") {
        try session.setInput(0, TensorFiles.read(input, as: session.inputs[0]))
      } else {
        try PictureInput.fill(
          session,
          from: InputFile.withUTF8Path(input) { try MPImage(contentsOf: $0).upright() },
          metadata: model.authorMetadata())
      }
      return FilledModel(name: name, session: session)
    } catch let error as ModelError {
      throw ToolError(error, in: path)
    }
  }

  /// The models inside the Face Landmarker, each with what the pipeline gave it for the face it found.
  ///
  /// - Throws: ``ToolError`` `noFace` where there is none.
  package static func landmarker(
    bundle: String, picture: String, engine: EngineOptions
  ) throws -> [FilledModel] {
    var settings = LandmarkerSettings()
    settings.outputFaceBlendshapes = true
    let bytes: StorageView
    do throws(ModelError) {
      bytes = try MappedFile.open(bundle)
    } catch {
      throw ToolError(error, in: bundle)
    }
    let pipeline = try LandmarkPipeline(
      models: FaceModels(bundle: bytes), settings: settings, engine: engine)
    let result = try pipeline.detect(
      InputFile.withUTF8Path(picture) { try MPImage(contentsOf: $0) })
    guard !result.faceLandmarks.isEmpty else {
      throw ToolError(
        "noFace", "no face was found, so the landmark model saw none", at: picture,
        advice: "give a picture with a face")
    }
    return pipeline.sessions.map { FilledModel(name: $0.name, session: $0.session) }
  }
}
