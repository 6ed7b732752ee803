#!/usr/bin/env python3
"""Writes every tensor of a model as LiteRT computes it, one .npy each, for `facekit diff --against FOLDER`.

    tools/dump_litert.py model.tflite input.npy folder

needs numpy and ai-edge-litert (or tensorflow). Inputs are given in the model's order. LiteRT may reuse the memory
of intermediate tensors; they are preserved here, and the XNNPACK delegate, which hides them, is off.
"""
import argparse
import pathlib

import numpy as np

try:
    from ai_edge_litert import interpreter as litert
except ImportError:
    from tensorflow import lite as litert


def file_name(name: str) -> str:
    """The name as `facekit` spells it in files: see TensorFiles.fileName."""
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in name)[:120]
    return "_" + safe if not safe or safe.startswith(".") else safe


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("inputs", nargs="*", help=".npy files, one for each input")
    parser.add_argument("folder")
    arguments = parser.parse_args()

    interpreter = litert.Interpreter(
        model_path=arguments.model,
        experimental_preserve_all_tensors=True,
        experimental_op_resolver_type=litert.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    )
    details = interpreter.get_input_details()
    if len(arguments.inputs) != len(details):
        parser.error(f"{len(arguments.inputs)} inputs given, the model takes {len(details)}")
    for detail, path in zip(details, arguments.inputs):
        array = np.load(path)
        if list(array.shape) != list(detail["shape"]):
            interpreter.resize_tensor_input(detail["index"], array.shape)
    interpreter.allocate_tensors()
    for detail, path in zip(details, arguments.inputs):
        interpreter.set_tensor(detail["index"], np.load(path))
    interpreter.invoke()

    folder = pathlib.Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for detail in interpreter.get_tensor_details():
        try:
            array = interpreter.get_tensor(detail["index"])
        except ValueError:
            continue  # working memory of a kernel: it holds nothing to compare
        if detail.get("quantization_parameters", {}).get("scales", np.empty(0)).size == 1:
            scale, zero = detail["quantization"]
            array = ((array.astype(np.float32) - zero) * scale).astype(np.float32)
        np.save(folder / f"t{detail['index']:04d}-{file_name(detail['name'])}.npy", array)
        written += 1
    print(f"{written} tensors in {folder}")


if __name__ == "__main__":
    main()
