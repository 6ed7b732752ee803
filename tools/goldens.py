#!/usr/bin/env python3
"""Writes the goldens of our own, `Tests/Goldens`: what LiteRT and MediaPipe answer, in a few hundred KB.

    Benchmarks/peers/setup
    .cache/peers/current/bin/python tools/goldens.py --models .cache/models --portrait PORTRAIT.png
    .cache/peers/legacy/bin/python tools/custom_goldens.py --models .cache/models

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

from golden_format import fnv1a64, generated, number, output_row

# Range of the input each model was trained on.
MODELS = {
    "face_detector": (-1.0, 1.0),
    "face_detection_short_range": (-1.0, 1.0),
    "face_detection_full_range_sparse": (-1.0, 1.0),
    "face_landmarks_detector": (0.0, 1.0),
    "face_landmark": (0.0, 1.0),
    "iris_landmark": (0.0, 1.0),
    "face_blendshapes": (0.0, 512.0),
    # The rest of the Python package mediapipe 0.10.21, but for those with operators of MediaPipe's own.
    "hand_landmark_full": (0.0, 1.0),
    "hand_landmark_lite": (0.0, 1.0),
    "hand_recrop": (0.0, 1.0),
    "palm_detection_full": (0.0, 1.0),
    "palm_detection_lite": (0.0, 1.0),
    "pose_detection": (-1.0, 1.0),
    "pose_landmark_full": (0.0, 1.0),
}


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
        rows.append(output_row(folder, index, output["name"], int(output["index"]), answer))
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
    parser.add_argument("--portrait", type=pathlib.Path, help="without it, only the models' goldens")
    parser.add_argument(
        "--out", type=pathlib.Path,
        default=pathlib.Path(__file__).resolve().parent.parent / "Tests" / "Goldens")
    arguments = parser.parse_args()
    for name, (lo, hi) in MODELS.items():
        write_model(name, lo, hi, arguments.models, arguments.out)
    if arguments.portrait:
        write_portrait(arguments.portrait, arguments.models, arguments.out)


if __name__ == "__main__":
    main()
