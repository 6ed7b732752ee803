"""Cases that complement the conformance suite: operators and types it has none of.

Run by tools/operator-goldens through the suite's own generator, in whose format they are.
"""
import numpy as np

from families import S, SAME, VALID, add, floats, new, quant, qbinary, qunary, single
from tflbuild import ACT, OPTIONS

OPTIONS.update({
    "CONV_3D": "Conv3DOptions", "FAKE_QUANT": "FakeQuantOptions",
    "NON_MAX_SUPPRESSION_V4": "NonMaxSuppressionV4Options",
    "NON_MAX_SUPPRESSION_V5": "NonMaxSuppressionV5Options", "SCATTER_ND": "ScatterNdOptions",
    "DYNAMIC_UPDATE_SLICE": "DynamicUpdateSliceOptions", "ATAN2": "ATan2Options",
})


def case(name, group, cls="compute", tags=()):
    """Registers the decorated builder as one case."""
    def register(build):
        single(name, build, cls=cls, group=group, tags=list(tags))
        return build
    return register


# ---------------------------------------------------------------- float and integer
for op in ("EQUAL", "LESS_EQUAL"):
    single("%s_int32" % op.lower(), lambda g, op=op: g.output(g.op(
        op, [g.input((3, 4), "int32", -3, 3), g.input((4,), "int32", -3, 3)], out_dtype="bool", opts={})),
        cls="exact", group="compare")
single("logical_or", lambda g: g.output(g.op(
    "LOGICAL_OR", [g.input((3, 4), "bool"), g.input((4,), "bool")], opts={})), cls="exact", group="compare")
single("reduce_all", lambda g: g.output(g.op(
    "REDUCE_ALL", [g.input((3, 5), "bool"), g.i32([1])], opts=dict(keepDims=True))), cls="exact", group="reduce")
single("add_n", lambda g: g.output(g.op(
    "ADD_N", [g.input((2, 3)), g.input((2, 3)), g.input((2, 3))], opts={})), group="binary")
single("lrn", lambda g: g.output(g.op(
    "LOCAL_RESPONSE_NORMALIZATION", [g.input((1, 2, 3, 9))],
    opts=dict(radius=2, bias=1.5, alpha=0.7, beta=0.6))), cls="transcendental", group="normalize")
single("zeros_like", lambda g: g.output(g.op("ZEROS_LIKE", [g.input((2, 3))], opts={})), cls="exact", group="generate")
single("rank", lambda g: g.output(g.op("RANK", [g.input((2, 3, 1))], out_dtype="int32", opts={})), cls="exact", group="generate")
single("atan2", lambda g: g.output(g.op("ATAN2", [g.input((3, 5)), g.input((3, 5))], opts={})),
       cls="transcendental", group="binary")
single("floor_div_int32", lambda g: g.output(g.op(
    "FLOOR_DIV", [g.input((3, 8), "int32", -20, 20), g.input((8,), "int32", 1, 5)], opts={})), cls="exact", group="binary")
single("floor_mod_float", lambda g: g.output(g.op(
    "FLOOR_MOD", [g.input((3, 8), lo=-20, hi=20), g.input((8,), lo=1, hi=5)], opts={})), group="binary")
single("div_int32", lambda g: g.output(g.op(
    "DIV", [g.input((3, 8), "int32", -20, 20), g.input((8,), "int32", 1, 5)], opts={})), cls="exact", group="binary")
single("add_int64", lambda g: g.output(g.op(
    "ADD", [g.input((3, 4), "int64"), g.input((4,), "int64")], opts={}, version=4)), cls="exact", group="binary")
single("select_vector", lambda g: g.output(g.op(
    "SELECT", [g.input((3,), "bool"), g.input((3, 4)), g.input((3, 4))], out_dtype="float32", opts={})),
    cls="exact", group="select")
single("where", lambda g: g.output(g.op("WHERE", [g.input((3, 4), "bool")], out_dtype="int64", opts={})),
       cls="exact", group="select", tags=["dynamic"])
single("scatter_nd", lambda g: g.output(g.op(
    "SCATTER_ND", [g.i32([[1, 0], [2, 1], [1, 0]]), g.input((3, 4)), g.i32([3, 2, 4])], out_dtype="float32", opts={})),
    group="gather")
single("dynamic_update_slice", lambda g: g.output(g.op(
    "DYNAMIC_UPDATE_SLICE", [g.input((4, 5)), g.input((2, 3)), g.i32([3, 1])], opts={})), cls="exact", group="gather")
single("broadcast_args", lambda g: g.output(g.op(
    "BROADCAST_ARGS", [g.input((3,), "int32", data=[1, 4, 1]), g.i32([3, 1, 5])])), cls="exact", group="generate")
single("cumsum_axis0", lambda g: g.output(g.op("CUMSUM", [g.input((4, 3)), g.i32(0)], opts={})), group="order")
single("range_float", lambda g: g.output(g.op(
    "RANGE", [g.const(np.float32(1)), g.input((), data=4.0), g.const(np.float32(0.75))], out_dtype="float32", opts={})),
    group="generate", tags=["dynamic"])
single("mirror_pad_int8", lambda g: g.output(g.op(
    "MIRROR_PAD", [g.input((3, 4), "int8", q=quant(0.1, 3)), g.i32([[1, 1], [2, 0]])], opts=dict(mode=0), q=quant(0.1, 3))),
    cls="exact", group="pad")
single("gather_axis1_batch1_neg", lambda g: g.output(g.op(
    "GATHER", [g.input((2, 4, 3)), g.i32([[0, 3], [2, 2]])], opts=dict(axis=1, batchDims=-1))), cls="exact", group="gather")
single("one_hot_axis0", lambda g: g.output(g.op(
    "ONE_HOT", [g.i32([0, 2, -1, 5]), g.i32(3), g.const(np.float32(2)), g.input((), data=-1.0)], out_dtype="float32",
    opts=dict(axis=0))), cls="exact", group="generate")
single("max_pool_stride_over_kernel", lambda g: g.output(g.op(
    "MAX_POOL_2D", [g.input((1, 9, 9, 3))], opts=dict(padding=SAME, strideW=4, strideH=4, filterWidth=2, filterHeight=2))),
    cls="exact", group="pool")
single("reduce_max_int32", lambda g: g.output(g.op(
    "REDUCE_MAX", [g.input((2, 3, 4), "int32"), g.i32([0, 2])], opts={})), cls="exact", group="reduce")
single("mean_int32", lambda g: g.output(g.op(
    "MEAN", [g.input((3, 4), "int32"), g.i32([1])], opts={})), cls="exact", group="reduce")


@case("conv_3d_same_stride_dilation", "conv3d")
def conv_3d(g):
    x = g.input((1, 4, 6, 5, 2))
    g.output(g.op("CONV_3D", [x, g.w((2, 3, 3, 2, 4)), g.w((4,))],
                  opts=dict(padding=SAME, strideD=1, strideH=2, strideW=1, dilationDFactor=1, dilationHFactor=1,
                            dilationWFactor=1, fusedActivationFunction=ACT["relu"])))


@case("fake_quant", "quantize", cls="elementwise")
def fake_quant(g):
    g.output(g.op("FAKE_QUANT", [g.input((3, 7), lo=-2, hi=2)], opts=dict(min=-1.1, max=0.9, numBits=8, narrowRange=False)))


def boxes(g):
    corners = np.sort(floats(7, (12, 2, 2), 0, 4), axis=1).reshape(12, 4)
    return g.input((12, 4), data=corners), g.input((12,), data=floats(9, (12,), 0, 1))


@case("non_max_suppression_v4", "detection", cls="exact")
def nms_v4(g):
    b, s = boxes(g)
    outs = [g.tensor((6,), "int32"), g.tensor((), "int32")]
    g.op("NON_MAX_SUPPRESSION_V4", [b, s, g.i32(6), g.const(np.float32(0.3)), g.const(np.float32(0.2))], opts={}, outs=outs)
    g.output(*outs)


@case("non_max_suppression_v5", "detection")
def nms_v5(g):
    b, s = boxes(g)
    outs = [g.tensor((6,), "int32"), g.tensor((6,)), g.tensor((), "int32")]
    g.op("NON_MAX_SUPPRESSION_V5", [b, s, g.i32(6), g.const(np.float32(0.5)), g.const(np.float32(0.1)),
                                    g.const(np.float32(0.3))], opts={}, outs=outs)
    g.output(*outs)


# ---------------------------------------------------------------- quantised
for op, shape, args in [
    ("RELU6", (2, 17), dict(so=0.03, zo=-120)), ("RELU_N1_TO_1", (2, 17), dict(so=0.02, zo=5, version=1)),
    ("ELU", (2, 17), dict(so=0.05, zo=-10, version=1)), ("GELU", (2, 17), dict(so=0.05, zo=-10, opts=dict(approximate=False))),
    ("EXP", (2, 17), dict(si=0.02, so=0.06, zo=-128)), ("LOG", (2, 17), dict(si=0.02, zi=-128, so=0.05, zo=20)),
    ("RSQRT", (2, 17), dict(si=0.05, zi=-128, so=0.02, zo=-128)), ("ABS", (2, 17), dict(si=0.05, zi=3, so=0.03, zo=-128)),
    ("LOG_SOFTMAX", (2, 9), dict(so=16.0 / 256, zo=127, opts={})), ("L2_NORMALIZATION", (3, 9), dict(zi=0, so=1 / 128, zo=0, opts={})),
    ("SUM", (1, 4, 5, 3), dict(so=0.4, zo=2, opts=dict(keepDims=True), extra=[np.asarray([1, 2], np.int32)])),
    ("MEAN", (2, 9, 4), dict(so=0.02, zo=-7, opts=dict(keepDims=False), extra=[np.asarray([1], np.int32)])),
    ("REDUCE_MAX", (2, 9, 4), dict(opts=dict(keepDims=False), extra=[np.asarray([1], np.int32)])),
    ("DEPTH_TO_SPACE", (1, 3, 4, 8), dict(opts=dict(blockSize=2))),
    ("SPACE_TO_BATCH_ND", (1, 5, 6, 2), dict(opts={}, extra=[np.asarray([2, 2], np.int32), np.asarray([[1, 2], [1, 1]], np.int32)])),
]:
    qunary(op, shape, **args)
for op, args in [
    ("TANH", dict(so=1 / 128, zo=128)), ("HARD_SWISH", dict(so=0.05, zo=130, version=1)), ("RELU", dict(so=0.04, zo=0)),
    ("LEAKY_RELU", dict(so=0.04, zo=90, opts=dict(alpha=0.3))),
]:
    qunary(op, (2, 17), dtype="uint8", **args)
for op, args in [("LOGISTIC", dict(si=12 / 32768)), ("TANH", dict(si=8 / 32768))]:
    qunary(op, (2, 17), dtype="int16", so=1 / 32768, zo=0, version=3, **args)
qunary("LEAKY_RELU", (2, 17), dtype="int8", so=0.06, zo=4, opts=dict(alpha=-0.4), suffix="_negative_alpha")
qbinary("SUB", (2, 3, 4), (1, 4), dtype="uint8")
qbinary("SQUARED_DIFFERENCE", (2, 3, 4), (1, 4), so=0.5)
qbinary("MINIMUM", (2, 3, 4), (4,), sa=0.05, sb=0.05, so=0.05, za=1, zb=1, zo=1)
for op in ("LESS", "EQUAL", "GREATER_EQUAL"):
    single("q%s_int8" % op.lower(), lambda g, op=op: g.output(g.op(
        op, [g.input((4, 9), "int8", q=quant(0.04, 5)), g.input((9,), "int8", q=quant(0.07, -11))], out_dtype="bool",
        opts={}, version=2)), cls="exact", group="compare")
single("qadd_int16", lambda g: g.output(g.op(
    "ADD", [g.input((3, 9), "int16", -30000, 30000, q=quant(0.0004, 0)), g.input((9,), "int16", -30000, 30000, q=quant(0.0007, 0))],
    opts=dict(potScaleInt16=False), version=3, q=quant(0.0011, 0))), cls="quant", group="qbinary")
single("qmul_int16", lambda g: g.output(g.op(
    "MUL", [g.input((3, 9), "int16", -30000, 30000, q=quant(0.0004, 0)), g.input((9,), "int16", -30000, 30000, q=quant(0.0007, 0))],
    opts={}, version=4, q=quant(0.01, 0))), cls="quant", group="qbinary")
for dtype in ("int8", "uint8"):
    z = {"int8": (3, -4, 2), "uint8": (130, 120, 126)}[dtype]
    single("qprelu_%s" % dtype, lambda g, dtype=dtype, z=z: g.output(g.op(
        "PRELU", [g.input((1, 3, 4, 5), dtype, q=quant(0.05, z[0])), g.wi((1, 1, 5), *((-100, 100) if dtype == "int8" else (20, 220)), dtype, quant(0.01, z[1]))],
        q=quant(0.06, z[2]))), cls="quant", group="qunary")


@case("qtransposeconv_int8_pc", "qconv", cls="quant")
def qtconv(g):
    scales = floats(3, (4,), 0.0078125, 0.03125)
    x = g.input((1, 4, 3, 6), "int8", q=quant(0.05, 3))
    w = g.wi((4, 3, 3, 6), -127, 127, "int8", quant(scales, 0, 0))
    b = g.wi((4,), -400, 400, "int32", quant(np.float32(0.05) * scales, 0, 0))
    g.output(g.op("TRANSPOSE_CONV", [g.i32([1, 8, 6, 4]), w, x, b], out_dtype="int8",
                  opts=dict(padding=SAME, strideW=2, strideH=2), version=3, q=quant(0.3, -5)))


@case("qbatchmatmul_int8", "qfc", cls="quant")
def qbmm(g):
    g.output(g.op("BATCH_MATMUL", [g.input((2, 3, 8), "int8", q=quant(0.05, 3)), g.input((2, 8, 5), "int8", q=quant(0.04, -2))],
                  opts={}, version=4, q=quant(0.1, 4)))


@case("qconv_int16", "qconv", cls="quant")
def qconv_int16(g):
    scales = floats(5, (4,), 0.0078125, 0.03125)
    x = g.input((1, 5, 5, 3), "int16", -30000, 30000, q=quant(0.0003, 0))
    w = g.wi((4, 3, 3, 3), -127, 127, "int8", quant(scales, 0, 0))
    b = g.wi((4,), -90000, 90000, "int64", quant(np.float32(0.0003) * scales, 0, 0))
    g.output(g.op("CONV_2D", [x, w, b], opts=dict(padding=SAME, strideW=1, strideH=1), version=4, q=quant(0.002, 0)))


@case("hybrid_fully_connected", "hybrid")
def hybrid_fc(g):
    # LiteRT quantises the activations on the fly; we compute with float weights, which is closer to exact.
    x = g.input((2, 24))
    w = g.wi((9, 24), -127, 127, "int8", quant(0.01, 0))
    g.output(g.op("FULLY_CONNECTED", [x, w, g.w((9,))], opts={}, version=3))
