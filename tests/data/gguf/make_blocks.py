#!/usr/bin/python3
"""Blocks of every quantization with random bits, and the numbers that they stand for in double precision, from the
layouts that ggml documents (ggml-common.h). Written bit by bit, unlike the program's own unpacking."""
import numpy as np

random = np.random.default_rng(7)


def half(block, at):
    return float(np.frombuffer(block[at:at + 2].tobytes(), np.float16)[0])


def bits(data, first, count):
    """A number of `count` bits, little endian, from bit `first` of the bytes on."""
    return sum(((int(data[(first + i) // 8]) >> (first + i) % 8) & 1) << i for i in range(count))


def q4_0(b):
    return [half(b, 0) * (bits(b, 8 * (2 + i % 16) + 4 * (i // 16), 4) - 8) for i in range(32)]


def q4_1(b):
    return [half(b, 0) * bits(b, 8 * (4 + i % 16) + 4 * (i // 16), 4) + half(b, 2) for i in range(32)]


def q5_0(b):
    return [half(b, 0) * (bits(b, 8 * (6 + i % 16) + 4 * (i // 16), 4) + 16 * bits(b[2:6], i, 1) - 16) for i in range(32)]


def q5_1(b):
    return [half(b, 0) * (bits(b, 8 * (8 + i % 16) + 4 * (i // 16), 4) + 16 * bits(b[4:8], i, 1)) + half(b, 2)
            for i in range(32)]


def q8_0(b):
    return [half(b, 0) * int(np.int8(b[2 + i])) for i in range(32)]


def q2_k(b):
    out = []
    for i in range(256):
        sub = b[i // 16]
        byte = 16 + 32 * (i // 128) + i % 32
        q = bits(b, 8 * byte + 2 * (i % 128 // 32), 2)
        out.append(half(b, 80) * (sub & 15) * q - half(b, 82) * (sub >> 4))
    return out


def q3_k(b):
    scales = []
    for s in range(16):
        low = bits(b, 8 * (96 + s % 8) + 4 * (s // 8), 4)
        high = bits(b, 8 * (104 + s % 4) + 2 * (s // 4), 2)
        scales.append(low + 16 * high - 32)
    out = []
    for i in range(256):
        q = bits(b, 8 * (32 + 32 * (i // 128) + i % 32) + 2 * (i % 128 // 32), 2)
        q -= 0 if bits(b, 8 * (i % 32) + i // 32, 1) else 4
        out.append(half(b, 108) * scales[i // 16] * q)
    return out


def scales_and_minima(b):
    pairs = []
    for j in range(8):
        if j < 4:
            pairs.append((int(b[4 + j]) % 64, int(b[8 + j]) % 64))
        else:
            pairs.append((bits(b, 8 * (8 + j), 4) + 16 * bits(b, 8 * j + 6, 2),
                          bits(b, 8 * (8 + j) + 4, 4) + 16 * bits(b, 8 * (4 + j) + 6, 2)))
    return pairs


def q4_k(b):
    pairs = scales_and_minima(b)
    return [half(b, 0) * pairs[i // 32][0] * bits(b, 8 * (16 + 32 * (i // 64) + i % 32) + 4 * (i // 32 % 2), 4)
            - half(b, 2) * pairs[i // 32][1] for i in range(256)]


def q5_k(b):
    pairs = scales_and_minima(b)
    return [half(b, 0) * pairs[i // 32][0] * (bits(b, 8 * (48 + 32 * (i // 64) + i % 32) + 4 * (i // 32 % 2), 4)
                                              + 16 * bits(b, 8 * (16 + i % 32) + i // 32, 1))
            - half(b, 2) * pairs[i // 32][1] for i in range(256)]


def q6_k(b):
    out = []
    for i in range(256):
        half_of, quarter, place = i // 128, i % 128 // 32, i % 32
        low = bits(b, 8 * (64 * half_of + 32 * (quarter % 2) + place) + 4 * (quarter // 2), 4)
        high = bits(b, 8 * (128 + 32 * half_of + place) + 2 * quarter, 2)
        out.append(half(b, 208) * int(np.int8(b[192 + i // 16])) * (low + 16 * high - 32))
    return out


LEVELS = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113]


def iq4_nl(b):
    return [half(b, 0) * LEVELS[bits(b, 8 * (2 + i % 16) + 4 * (i // 16), 4)] for i in range(32)]


def iq4_xs(b):
    out = []
    for i in range(256):
        group, place = i // 32, i % 32
        scale = bits(b, 8 * 4 + 4 * group, 4) + 16 * bits(b, 8 * 2 + 2 * group, 2) - 32
        out.append(half(b, 0) * scale * LEVELS[bits(b, 8 * (8 + 16 * group + place % 16) + 4 * (place // 16), 4)])
    return out


def mxfp4(b):
    out = []
    for i in range(32):  # E2M1: sign, exponent, mantissa; without an exponent the mantissa counts a half
        code = bits(b, 8 * (1 + i % 16) + 4 * (i // 16), 4)
        exponent, mantissa = code >> 1 & 3, code & 1
        value = mantissa / 2 if exponent == 0 else (1 + mantissa / 2) * 2 ** (exponent - 1)
        out.append((-1 if code & 8 else 1) * value * 2.0 ** (int(b[0]) - 127))
    return out


def tq1_0(b):
    def digit(byte, n):  # the byte is a fraction of 256, rounded up; its n-th digit to base 3
        return int(byte) * 3 ** n % 256 * 3 // 256

    out = [digit(b[i % 32], i // 32) for i in range(160)] + [digit(b[32 + i % 16], i // 16) for i in range(80)] \
        + [digit(b[48 + i % 4], i // 4) for i in range(16)]
    return [half(b, 52) * (value - 1) for value in out]


def tq2_0(b):
    return [half(b, 64) * (bits(b, 8 * (32 * (i // 128) + i % 32) + 2 * (i % 128 // 32), 2) - 1) for i in range(256)]


# Bytes of a block, and where its half-precision scales are.
LAYOUTS = {"Q4_0": (18, [0], q4_0), "Q4_1": (20, [0, 2], q4_1), "Q5_0": (22, [0], q5_0), "Q5_1": (24, [0, 2], q5_1),
           "Q8_0": (34, [0], q8_0), "Q2_K": (84, [80, 82], q2_k), "Q3_K": (110, [108], q3_k),
           "Q4_K": (144, [0, 2], q4_k), "Q5_K": (176, [0, 2], q5_k), "Q6_K": (210, [208], q6_k),
           "IQ4_NL": (18, [0], iq4_nl), "IQ4_XS": (136, [0], iq4_xs), "MXFP4": (17, [], mxfp4), "TQ1_0": (54, [52], tq1_0),
           "TQ2_0": (66, [64], tq2_0)}

arrays = {}
for name, (size, halves, unpack) in LAYOUTS.items():
    blocks = random.integers(0, 256, (3, size), dtype=np.uint8)
    for block in blocks:
        for at in halves:
            block[at:at + 2] = np.frombuffer(np.float16(random.uniform(-0.1, 0.1)).tobytes(), np.uint8)
        if name == "MXFP4":
            block[0] = 120 + block[0] % 8  # exponents of weights
    arrays[name + ".blocks"] = blocks
    arrays[name + ".numbers"] = np.array([unpack(block) for block in blocks])
np.savez_compressed("blocks.npz", **arrays)
