#!/usr/bin/env python3
"""One peer, waiting to be timed: the Python side of the protocol that `facekit bench … --serve` speaks.

    worker.py KIND FILE [--models FOLDER]

The first line on standard output says that it is ready and what it is, as a JSON object. Then each line
`run N` on standard input is answered by one line, `{"ms": [N times]}`. End of input ends it. Whoever
drives several of these lets one run at a time, so that all of them see the same machine.
"""
import argparse
import json
import pathlib
import sys
import time

import numpy as np

MASK = (1 << 64) - 1
# Range of the input each model was trained on; other models get 0 to 1.
RANGES = {"face_detector": (-1, 1), "face_detection_short_range": (-1, 1),
          "face_detection_full_range_sparse": (-1, 1), "face_blendshapes": (0, 512)}


def generated(name, shape):
    """The input of Tests/Goldens: generator and seed of TestSupport's `LinearCongruentialGenerator`."""
    lo, hi = RANGES.get(name, (0, 1))
    state = 0xCBF29CE484222325
    for byte in (name + "/lcg0").encode():
        state = ((state ^ byte) * 0x100000001B3) & MASK
    values = np.empty(int(np.prod(shape)), np.float64)
    for index in range(values.size):
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK
        values[index] = lo + (hi - lo) * ((state >> 40) / 16777216.0)
    return values.astype(np.float32).reshape(shape)


def litert(path):
    """LiteRT with XNNPACK, one thread; `invoke` alone is timed."""
    from importlib.metadata import version
    from ai_edge_litert.interpreter import Interpreter
    interpreter = Interpreter(str(path), num_threads=1)
    interpreter.allocate_tensors()
    detail = interpreter.get_input_details()[0]
    interpreter.set_tensor(detail["index"], generated(path.stem, [int(x) for x in detail["shape"]]))
    return interpreter.invoke, dict(peer="LiteRT", version=version("ai-edge-litert"), threads=1)


def openvino(path):
    """OpenVINO, one thread, float32 asked for: its default may be bfloat16."""
    import openvino
    core = openvino.Core()
    model = core.read_model(str(path))
    # Some models leave the batch open; ours is one picture.
    shape = [extent.get_length() if extent.is_static else 1 for extent in model.input(0).partial_shape]
    model.reshape(shape)
    compiled = core.compile_model(model, "CPU", {
        "INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY"})
    request = compiled.create_infer_request()
    request.set_input_tensor(openvino.Tensor(generated(path.stem, shape)))
    return request.infer, dict(
        peer="OpenVINO f32", version=openvino.__version__.split("-")[0], threads=1)


def picture(path):
    from PIL import Image, ImageOps
    return np.ascontiguousarray(np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGB")))


def landmarker(path, models, video):
    """MediaPipe's Face Landmarker with blendshapes and matrix, decoded pixels in, result out."""
    import mediapipe
    from mediapipe.tasks import python as tasks
    from mediapipe.tasks.python import vision
    mode = vision.RunningMode.VIDEO if video else vision.RunningMode.IMAGE
    task = vision.FaceLandmarker.create_from_options(vision.FaceLandmarkerOptions(
        base_options=tasks.BaseOptions(model_asset_path=str(models / "face_landmarker.task")),
        running_mode=mode, output_face_blendshapes=True, output_facial_transformation_matrixes=True))
    image = mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=picture(path))
    clock = iter(range(0, 1 << 40, 33))
    run = (lambda: task.detect_for_video(image, next(clock))) if video else (lambda: task.detect(image))
    return run, dict(peer="MediaPipe", version=mediapipe.__version__)


def detector(path, models):
    """MediaPipe's Face Detector, decoded pixels in, result out."""
    import mediapipe
    from mediapipe.tasks import python as tasks
    from mediapipe.tasks.python import vision
    task = vision.FaceDetector.create_from_options(vision.FaceDetectorOptions(
        base_options=tasks.BaseOptions(model_asset_path=str(models / "face_detector.tflite"))))
    image = mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=picture(path))
    return (lambda: task.detect(image)), dict(peer="MediaPipe", version=mediapipe.__version__)


def facemesh(path):
    """The older face mesh with attention, static images: detector and mesh on every call."""
    import mediapipe
    mesh = mediapipe.solutions.face_mesh.FaceMesh(
        static_image_mode=True, max_num_faces=1, refine_landmarks=True)
    pixels = picture(path)
    return (lambda: mesh.process(pixels)), dict(peer="MediaPipe", version=mediapipe.__version__)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    kinds = ["litert", "openvino", "landmarks", "landmarks-video", "detect", "facemesh"]
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path)
    arguments = parser.parse_args()
    kind, file = arguments.kind, arguments.file
    # Some peers print to standard output; the protocol keeps the real one to itself.
    answers, sys.stdout = sys.stdout, sys.stderr
    if kind == "litert":
        run, about = litert(file)
    elif kind == "openvino":
        run, about = openvino(file)
    elif kind == "detect":
        run, about = detector(file, arguments.models)
    elif kind == "facemesh":
        run, about = facemesh(file)
    else:
        run, about = landmarker(file, arguments.models, video=kind == "landmarks-video")
    for _ in range(3):
        run()
    print(json.dumps(dict(ready=True, **about)), file=answers, flush=True)
    for line in sys.stdin:
        times = []
        for _ in range(int(line.split()[1])):
            start = time.perf_counter()
            run()
            times.append((time.perf_counter() - start) * 1e3)
        print(json.dumps(dict(ms=times)), file=answers, flush=True)


if __name__ == "__main__":
    main()
