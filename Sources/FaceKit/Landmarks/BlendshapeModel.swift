import FaceKitModels
import FaceKitTensor

/// Computes the expression of a mesh: 146 points in, 52 coefficients out.
final class BlendshapeModel {
  let model: PipelineModel

  init(_ bytes: StorageView, engine: EngineOptions) throws(FaceKitError) {
    model = try PipelineModel(bytes, role: "blendshape model", engine: engine)
    let inputs = Blendshapes.landmarkIndices.count * 2
    guard model.session.inputs.count == 1, model.session.inputs[0].shape.count == inputs,
      model.outputCounts == [Blendshapes.names.count]
    else {
      throw .invalid(
        "a model with tensors \(model.signature)", at: "blendshape model",
        advice: "give the face_blendshapes.tflite of the bundle: 1×146×2 → 52")
    }
  }

  /// The 52 scores of a face of 478 landmarks, in the model's order, not sorted.
  func classify(
    _ landmarks: [NormalizedLandmark], imageWidth: Int, imageHeight: Int
  ) throws(FaceKitError) -> Classifications {
    fill(landmarks, imageWidth: imageWidth, imageHeight: imageHeight)
    try model.run()
    return scores()
  }

  func fill(_ landmarks: [NormalizedLandmark], imageWidth: Int, imageHeight: Int) {
    model.session.withInput(0) { (input: UnsafeMutableBufferPointer<Float>) in
      Blendshapes.fill(
        input, landmarks: landmarks, imageWidth: imageWidth, imageHeight: imageHeight)
    }
  }

  /// The scores of the model's last run.
  func scores() -> Classifications {
    var categories: [ResultCategory] = []
    for (index, score) in model.output(0).enumerated() {
      categories.append(
        ResultCategory(index: index, score: score, categoryName: Blendshapes.names[index]))
    }
    return Classifications(headIndex: 0, categories: categories)
  }
}
