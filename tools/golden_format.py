"""What the scripts that make goldens share: the input generator and the file format.

Read by `ModelGolden` in Tests/TestSupport/LiteRTGoldens.swift. Needs NumPy alone, so that it works in
every peer's environment.
"""
import math

import numpy as np

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


def states(seed, count):
    """The states of the generator of Tests/TestSupport/Generators.swift."""
    state, values = seed, np.empty(count, np.uint64)
    for index in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK
        values[index] = state
    return values


def generated(seed, shape, lo, hi):
    """Floats in lo ..< hi, computed in double precision and rounded once."""
    values = (states(seed, int(np.prod(shape))) >> np.uint64(40)).astype(np.float64)
    return (lo + (hi - lo) * (values / 16777216.0)).astype(np.float32).reshape(shape)


def generated_bytes(seed, shape):
    """The upper eight bits of each state."""
    return (states(seed, int(np.prod(shape))) >> np.uint64(56)).astype(np.uint8).reshape(shape)


def number(value):
    """The shortest decimal that reads back as the same float32."""
    return float(str(np.float32(value)))


def figures(values):
    flat = values.astype(np.float64).ravel()
    return dict(
        mean=number(flat.mean()), min=number(flat.min()), max=number(flat.max()),
        l2=number(np.sqrt((flat * flat).sum())), first8=[number(x) for x in flat[:8]])


def sample(values):
    """Every stride-th value. The stride has no divisor in common with the extents, or the sample would
    be one column of a map, or some channels alone."""
    stride = values.size // SAMPLES
    while math.gcd(stride, values.size) != 1:
        stride += 1
    return dict(stride=stride, values=[number(x) for x in values.ravel()[::stride]])


def output_row(folder, index, name, tensor, answer):
    """The entry of one output; small ones are written to a file beside it."""
    row = dict(name=name, tensor=tensor, shape=[int(extent) for extent in answer.shape],
               **figures(answer))
    if answer.size <= LARGEST_STORED:
        row["file"] = "lcg0.out%d.bin" % index
        answer.astype("<f4").tofile(folder / row["file"])
    else:
        row["sample"] = sample(answer)
    return row
