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


# Bytes of a block, and where its half-precision scales are.
LAYOUTS = {"Q4_0": (18, [0], q4_0), "Q4_1": (20, [0, 2], q4_1), "Q5_0": (22, [0], q5_0), "Q5_1": (24, [0, 2], q5_1),
           "Q8_0": (34, [0], q8_0), "Q2_K": (84, [80, 82], q2_k), "Q3_K": (110, [108], q3_k),
           "Q4_K": (144, [0, 2], q4_k), "Q5_K": (176, [0, 2], q5_k), "Q6_K": (210, [208], q6_k)}

arrays = {}
for name, (size, halves, unpack) in LAYOUTS.items():
    blocks = random.integers(0, 256, (3, size), dtype=np.uint8)
    for block in blocks:
        for at in halves:
            block[at:at + 2] = np.frombuffer(np.float16(random.uniform(-0.1, 0.1)).tobytes(), np.uint8)
    arrays[name + ".blocks"] = blocks
    arrays[name + ".numbers"] = np.array([unpack(block) for block in blocks])
np.savez_compressed("blocks.npz", **arrays)
