#!/usr/bin/env python3
"""Writes the goldens of the models with operators of MediaPipe's own, which LiteRT lacks.

    Benchmarks/peers/setup
    .cache/peers/legacy/bin/python tools/custom_goldens.py --models .cache/models

MediaPipe 0.10.21 runs them in a graph of its own calculators: a drawn person with generated noise (noise
alone has no foreground to find), of just the model's input size, its conversion to a tensor, the inference without delegate (TensorFlow Lite's own kernels), and
the tensors as they are. Format and place are those of goldens.py.
"""
import argparse
import hashlib
import json
import os
import pathlib

os.environ.setdefault("GLOG_minloglevel", "3")
import mediapipe
import numpy as np
from mediapipe.python import packet_creator, packet_getter
from mediapipe.python._framework_bindings import calculator_graph

from golden_format import fnv1a64, generated_bytes, number, output_row

# Width and height of the input; name and shape of each output.
MODELS = {
    "face_landmark_with_attention": (192, 192, [
        ("output_mesh_identity", [1, 1, 1, 1404]), ("output_lips", [1, 1, 1, 160]),
        ("output_left_eye", [1, 1, 1, 142]), ("output_right_eye", [1, 1, 1, 142]),
        ("output_left_iris", [1, 1, 1, 10]), ("output_right_iris", [1, 1, 1, 10]),
        ("conv_faceflag", [1, 1, 1, 1])]),
    "selfie_segmentation": (256, 256, [("activation_10", [1, 256, 256, 1])]),
    "selfie_segmentation_landscape": (256, 144, [("segment_back", [1, 144, 256, 1])]),
}

GRAPH = """
input_stream: "image"
node {
  calculator: "ImageToTensorCalculator" input_stream: "IMAGE:image" output_stream: "TENSORS:input"
  options { [mediapipe.ImageToTensorCalculatorOptions.ext] {
    output_tensor_width: %(width)d output_tensor_height: %(height)d keep_aspect_ratio: false
    output_tensor_float_range { min: 0 max: 1 } } }
}
node {
  calculator: "TfLiteCustomOpResolverCalculator" output_side_packet: "OP_RESOLVER:operators"
  options { [mediapipe.TfLiteCustomOpResolverCalculatorOptions.ext] { use_gpu: false } }
}
node {
  calculator: "InferenceCalculator" input_stream: "TENSORS:input" output_stream: "TENSORS:outputs"
  input_side_packet: "OP_RESOLVER:operators"
  options { [mediapipe.InferenceCalculatorOptions.ext] {
    model_path: "%(path)s" delegate { tflite {} } } }
}
node {
  calculator: "SplitTensorVectorCalculator" input_stream: "outputs" %(splits)s
  options { [mediapipe.SplitVectorCalculatorOptions.ext] { %(ranges)s } }
}
"""


def person(width, height):
    """Ellipses, each drawn over the ones before: centre, radii, colour."""
    middle, eyes = width // 2, height * 38 // 100
    rows = [
        [middle, height // 2, 2 * width, 2 * height, 90, 140, 190],  # background
        [middle, height, width * 2 // 5, height * 45 // 100, 40, 40, 60],  # shoulders
        [middle, height * 34 // 100, height * 19 // 100, height * 23 // 100, 50, 35, 25],  # hair
        [middle, height * 2 // 5, height * 16 // 100, height * 22 // 100, 210, 160, 130],  # face
        [middle, height // 2, height * 6 // 100, height // 64, 160, 60, 60]]  # mouth
    for side in (-1, 1):
        rows.append([middle + side * height * 6 // 100, eyes, height // 40, height // 64, 30, 20, 20])
    return rows


def draw(ellipses, seed, width, height):
    y, x = np.mgrid[0:height, 0:width]
    picture = np.zeros([1, height, width, 3], np.int64)
    for cx, cy, rx, ry, *colour in ellipses:
        picture[0][(x - cx) ** 2 * ry ** 2 + (y - cy) ** 2 * rx ** 2 < rx ** 2 * ry ** 2] = colour
    noise = generated_bytes(seed, picture.shape).astype(np.int64) // 16 - 8
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def run(path, picture, count):
    """Every output of the model, flat."""
    indices = range(count)
    text = GRAPH % dict(
        width=picture.shape[1], height=picture.shape[0], path=path,
        splits=" ".join('output_stream: "tensor%d"' % k for k in indices),
        ranges=" ".join("ranges { begin: %d end: %d }" % (k, k + 1) for k in indices))
    for k in indices:
        text += ('node { calculator: "TensorsToFloatsCalculator" input_stream: "TENSORS:tensor%d" '
                 'output_stream: "FLOATS:floats%d" }\n' % (k, k))
    graph = calculator_graph.CalculatorGraph(graph_config=text)
    answers = {}
    for k in indices:
        graph.observe_output_stream(
            "floats%d" % k,
            lambda name, packet: answers.update({name: packet_getter.get_float_list(packet)}))
    graph.start_run()
    frame = packet_creator.create_image_frame(picture, image_format=mediapipe.ImageFormat.SRGB)
    graph.add_packet_to_input_stream("image", frame.at(0))
    graph.close_all_packet_sources()
    graph.wait_until_done()
    return [np.array(answers["floats%d" % k], np.float32) for k in indices]


def write_model(name, width, height, outputs, models, out):
    path, folder = (models / (name + ".tflite")).resolve(), out / "litert" / name
    folder.mkdir(parents=True, exist_ok=True)
    shape = [1, height, width, 3]
    seed = fnv1a64((name + "/lcg0").encode())
    ellipses = person(width, height)
    picture = draw(ellipses, seed, width, height)
    values = (picture.astype(np.float64) / 255).astype(np.float32)
    answers = run(path, picture[0], len(outputs))
    rows = [output_row(folder, index, output, -1, answer.reshape(extents))
            for index, ((output, extents), answer) in enumerate(zip(outputs, answers))]
    document = dict(
        model=name + ".tflite", sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        reference="mediapipe %s, InferenceCalculator without delegate" % mediapipe.__version__,
        input=dict(name="input_1", shape=shape, dtype="float32"),
        cases=[dict(
            id="lcg0",
            input=dict(kind="figure", seed="%016x" % seed, ellipses=ellipses,
                       formula="Float(Double(u8) / 255)",
                       fnv1a64="%016x" % fnv1a64(values.astype("<f4").tobytes()),
                       first8=[number(x) for x in values.ravel()[:8]]),
            outputs=rows, otherKernels={})])
    (folder / "model.json").write_text(json.dumps(document, indent=1) + "\n")
    print(name, [(row["min"], row["max"]) for row in rows], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument(
        "--out", type=pathlib.Path,
        default=pathlib.Path(__file__).resolve().parent.parent / "Tests" / "Goldens")
    arguments = parser.parse_args()
    for name, (width, height, outputs) in MODELS.items():
        write_model(name, width, height, outputs, arguments.models, arguments.out)


if __name__ == "__main__":
    main()
