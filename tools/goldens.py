#!/usr/bin/env python3
"""Writes the goldens of our own, `Tests/Goldens`: what LiteRT and MediaPipe answer, in a few hundred KB.

    Benchmarks/peers/setup
    .cache/peers/current/bin/python tools/goldens.py --models .cache/models --portrait PORTRAIT.png

They let the test suite mean something on a machine without the reference corpus. Inputs are generated
(the seeds are recorded) or are the sample portrait that `tools/setup` fetches; nothing here comes from a
file that is not free to use. Making them again is a commit of its own.

    Tests/Goldens/litert/MODEL/model.json, CASE.outK.bin   one generated input, all outputs, float32
    Tests/Goldens/portrait/detector.json, landmarker.json  MediaPipe Tasks on the sample portrait
"""
import argparse
import hashlib
import json
import pathlib

import mediapipe
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from importlib.metadata import version
from mediapipe.tasks import python as tasks
from mediapipe.tasks.python import vision
from PIL import Image

# Range of the input each model was trained on.
MODELS = {
    "face_detector": (-1.0, 1.0),
    "face_detection_short_range": (-1.0, 1.0),
    "face_detection_full_range_sparse": (-1.0, 1.0),
    "face_landmarks_detector": (0.0, 1.0),
    "face_landmark": (0.0, 1.0),
    "iris_landmark": (0.0, 1.0),
    "face_blendshapes": (0.0, 512.0),
}

# Outputs of more elements are stored as figures only: mean, extremes, norm, and a strided sample.
LARGEST_STORED = 16384
SAMPLES = 256

MASK = (1 << 64) - 1


def fnv1a64(data):
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value


def generated(seed, shape, lo, hi):
    """The generator of Tests/TestSupport/Generators.swift."""
    state, values = seed, np.empty(int(np.prod(shape)), np.float64)
    for index in range(values.size):
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK
        values[index] = lo + (hi - lo) * ((state >> 40) / 16777216.0)
    return values.astype(np.float32).reshape(shape)


def number(value):
    """The shortest decimal that reads back as the same float32."""
    return float(str(np.float32(value)))


def figures(values):
    flat = values.astype(np.float64).ravel()
    return dict(
        mean=number(flat.mean()), min=number(flat.min()), max=number(flat.max()),
        l2=number(np.sqrt((flat * flat).sum())), first8=[number(x) for x in flat[:8]])


def interpreter(path, resolver):
    made = Interpreter(str(path), num_threads=1, experimental_op_resolver_type=resolver)
    made.allocate_tensors()
    return made


def run(made, values):
    made.set_tensor(made.get_input_details()[0]["index"], values)
    made.invoke()
    return [made.get_tensor(detail["index"]).copy() for detail in made.get_output_details()]


def write_model(name, lo, hi, models, out):
    path, folder = models / (name + ".tflite"), out / "litert" / name
    folder.mkdir(parents=True, exist_ok=True)
    reference = interpreter(path, OpResolverType.BUILTIN_REF)
    others = {
        "optimised": interpreter(path, OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES),
        "xnnpack": interpreter(path, OpResolverType.AUTO)}
    detail = reference.get_input_details()[0]
    shape = [int(extent) for extent in detail["shape"]]
    seed = fnv1a64((name + "/lcg0").encode())
    values = generated(seed, shape, lo, hi)
    answers, rows = run(reference, values), []
    for index, (output, answer) in enumerate(zip(reference.get_output_details(), answers)):
        row = dict(name=output["name"], tensor=int(output["index"]),
                   shape=[int(extent) for extent in answer.shape], **figures(answer))
        if answer.size <= LARGEST_STORED:
            row["file"] = "lcg0.out%d.bin" % index
            answer.astype("<f4").tofile(folder / row["file"])
        else:
            stride = answer.size // SAMPLES
            row["sample"] = dict(
                stride=stride, values=[number(x) for x in answer.ravel()[::stride]])
        rows.append(row)
    distances = {}
    for label, other in others.items():
        distances[label] = []
        for mine, theirs in zip(run(other, values), answers):
            worst = float(np.abs(mine - theirs).max())
            spread = float(theirs.max() - theirs.min()) or float(np.abs(theirs).max()) or 1.0
            distances[label].append(dict(maxAbs=number(worst), relativeToRange=number(worst / spread)))
    document = dict(
        model=name + ".tflite", sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        reference="LiteRT %s, BUILTIN_REF" % version("ai-edge-litert"),
        input=dict(name=detail["name"], shape=shape, dtype="float32"),
        cases=[dict(
            id="lcg0",
            input=dict(kind="lcg", seed="%016x" % seed, lo=lo, hi=hi,
                       fnv1a64="%016x" % fnv1a64(values.astype("<f4").tobytes()),
                       first8=[number(x) for x in values.ravel()[:8]]),
            outputs=rows, otherKernels=distances)])
    (folder / "model.json").write_text(json.dumps(document, indent=1) + "\n")
    print(name, {label: [d["maxAbs"] for d in each] for label, each in distances.items()}, flush=True)


def write_portrait(portrait, models, out):
    folder = out / "portrait"
    folder.mkdir(parents=True, exist_ok=True)
    rgb = np.asarray(Image.open(portrait).convert("RGB"))
    picture = mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=rgb)
    head = dict(
        image=portrait.name, width=int(rgb.shape[1]), height=int(rgb.shape[0]),
        rgbSha256=hashlib.sha256(rgb.tobytes()).hexdigest(),
        peer="mediapipe %s Tasks, IMAGE mode" % mediapipe.__version__)

    def hashed(name):
        return dict(model=name, sha256=hashlib.sha256((models / name).read_bytes()).hexdigest())

    detector = vision.FaceDetector.create_from_options(vision.FaceDetectorOptions(
        base_options=tasks.BaseOptions(model_asset_path=str(models / "face_detector.tflite"))))
    detections = [dict(
        boundingBox=dict(
            originX=found.bounding_box.origin_x, originY=found.bounding_box.origin_y,
            width=found.bounding_box.width, height=found.bounding_box.height),
        score=number(found.categories[0].score),
        keypoints=[[number(point.x), number(point.y)] for point in found.keypoints])
        for found in detector.detect(picture).detections]
    (folder / "detector.json").write_text(json.dumps(
        dict(head, **hashed("face_detector.tflite"), detections=detections), indent=1) + "\n")

    landmarker = vision.FaceLandmarker.create_from_options(vision.FaceLandmarkerOptions(
        base_options=tasks.BaseOptions(model_asset_path=str(models / "face_landmarker.task")),
        output_face_blendshapes=True, output_facial_transformation_matrixes=True))
    answer = landmarker.detect(picture)
    faces = [dict(
        landmarks=[[number(point.x), number(point.y), number(point.z)] for point in points],
        blendshapes=[number(category.score) for category in shapes],
        matrix=[number(x) for x in np.asarray(matrix).ravel()])
        for points, shapes, matrix in zip(
            answer.face_landmarks, answer.face_blendshapes, answer.facial_transformation_matrixes)]
    names = [category.category_name for category in answer.face_blendshapes[0]]
    (folder / "landmarker.json").write_text(json.dumps(dict(
        head, **hashed("face_landmarker.task"), numFaces1=dict(faces=faces),
        numFaces5="same as numFaces1", blendshapeNames=names)) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--portrait", type=pathlib.Path, required=True)
    parser.add_argument(
        "--out", type=pathlib.Path,
        default=pathlib.Path(__file__).resolve().parent.parent / "Tests" / "Goldens")
    arguments = parser.parse_args()
    for name, (lo, hi) in MODELS.items():
        write_model(name, lo, hi, arguments.models, arguments.out)
    write_portrait(arguments.portrait, arguments.models, arguments.out)


if __name__ == "__main__":
    main()
