#!/usr/bin/python3
"""Blocks of every quantization with random bits, and the numbers that they stand for as ggml itself computes them
(libggml0; python3-gguf agrees where it reads a type, too)."""
import ctypes

import gguf
import numpy as np

random = np.random.default_rng(7)
ggml = ctypes.CDLL("libggml-base.so.0")

# Where a block has half-precision scales.
SCALES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108],
          "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0], "MXFP4": [], "TQ1_0": [52],
          "TQ2_0": [64], "Q1_0": [0], "Q2_0": [0], "IQ1_S": [0], "IQ1_M": [], "IQ2_XXS": [0], "IQ2_XS": [0],
          "IQ2_S": [0], "IQ3_XXS": [0], "IQ3_S": [0], "NVFP4": []}


def half():
    return np.frombuffer(np.float16(random.uniform(-0.1, 0.1)).tobytes(), np.uint8)


def widened(kind, blocks, numbers):
    row = getattr(ggml, "dequantize_row_" + kind.name.lower().replace("_k", "_K"))
    row.argtypes, row.restype = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64], None
    result = np.zeros(len(blocks) * numbers, np.float32)
    row(blocks.ctypes.data, result.ctypes.data, len(result))
    try:
        assert np.array_equal(result, gguf.quants.dequantize(blocks, kind).reshape(-1)), kind
    except NotImplementedError:
        pass
    return result


arrays = {}
for name, places in SCALES.items():
    kind = gguf.GGMLQuantizationType[name]
    numbers, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = random.integers(0, 256, (3, size), dtype=np.uint8)
    for block in blocks:
        for at in places:
            block[at:at + 2] = half()
        if name == "MXFP4":
            block[0] = 120 + block[0] % 8  # exponents of weights
        if name == "IQ1_M":  # a half, four bits in each of four scales
            bits = int(np.frombuffer(half().tobytes(), np.uint16)[0])
            for i in range(4):
                block[49 + 2 * i] = block[49 + 2 * i] & 15 | (bits >> 4 * i & 15) << 4
    arrays[name + ".blocks"] = blocks
    arrays[name + ".numbers"] = widened(kind, blocks, numbers)
np.savez_compressed("blocks.npz", **arrays)
