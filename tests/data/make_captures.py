#!/usr/bin/env python3
"""Makes the small captures in tests/data/fuzz/capture, of which tests read and fuzzers begin. Needs numpy."""
import json
import pathlib
import struct
import zlib

import numpy

folder = pathlib.Path(__file__).parent / "fuzz" / "capture"
words = "the cat sat on mats".split()
random = numpy.random.default_rng(1)


def weights(*shape):
    """Rows that sum to 1, made of steps of 1/64: exact in 16 bits."""
    parts = random.multinomial(64, [1 / shape[-1]] * shape[-1], shape[:-1])
    return (parts / 64).astype(numpy.float32)


def text(value):
    return numpy.frombuffer(json.dumps(value).encode(), numpy.uint8)


def save(name, save=numpy.savez, **arrays):
    save(folder / name, **arrays)


def save_tensors(name, metadata, **arrays):
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    for key, array in arrays.items():
        dtype = {"float32": "F32", "float16": "F16", "uint16": "BF16", "uint8": "U8"}[array.dtype.name]
        header[key] = {"dtype": dtype, "shape": array.shape, "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    line = json.dumps(header).encode()
    (folder / name).write_bytes(struct.pack("<Q", len(line)) + line + data)


def bfloat16(array):
    return (array.view(numpy.uint32) >> 16).astype(numpy.uint16)


def picture(width, height):
    rows = b"".join(b"\0" + bytes((x * 20 % 256, y * 30 % 256, 90)[c] for x in range(width) for c in range(3))
                    for y in range(height))
    chunk = lambda kind, part: struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


folder.mkdir(parents=True, exist_ok=True)
plain = weights(2, 3, 5, 5)
save("plain.npz", attention=plain, tokens=text(words), metadata=text({"model": "made up"}))
save("packed.npz", numpy.savez_compressed, attention=plain, tokens=text(words))
save("half.npz", attention=plain.astype(numpy.float16), tokens=text(words))
save("big_endian.npz", attention=plain.astype(">f4"), tokens=text(words))
save("double.npz", attention=plain.astype(numpy.float64), tokens=text(words))
save_tensors("brain.safetensors", {"model": "made up"}, attention=bfloat16(plain), tokens=text(words))
save("fortran.npz", attention=numpy.asfortranarray(plain), tokens=text(words))
several = numpy.zeros((2, 1, 1, 3, 3), numpy.float16)
several[0, 0, 0, :2, :2] = 0.5
several[1, 0, 0] = [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]
save("several.npz", attention=several, tokens=text([["the", "cat"], ["a", "dog", "barks"]]))
save("blocks.npz", encoder_attention=weights(2, 2, 3, 3), decoder_attention=weights(2, 2, 4, 4),
     cross_attention=weights(2, 2, 4, 3), cross_scores=random.normal(size=(2, 2, 4, 3)).astype(numpy.float32),
     tokens=text(list("abc")), target_tokens=text(list("wxyz")))
save("strings.npz", attention=several, tokens=numpy.array([["the", "猫", ""], ["a", "dog", "barks"]]))
save("bytes.npz", attention=plain, tokens=numpy.array([word.encode() for word in words]))
vectors = lambda *shape: random.normal(size=shape).astype(numpy.float32)
save_tensors("all.safetensors", None, attention=plain, scores=vectors(2, 3, 5, 5), q=vectors(2, 3, 5, 4),
             k=vectors(2, 1, 5, 4), v=vectors(2, 1, 5, 4), x=vectors(5, 6), layer_x=vectors(2, 5, 6),
             context=vectors(2, 5, 12), output=vectors(2, 5, 6), tokens=text(words))
for name, value in (("nan", numpy.nan), ("infinite", numpy.inf), ("negative", -0.25)):
    wrong = plain.copy()
    wrong[1, 2, 3, 4] = value
    save(f"{name}.npz", attention=wrong, tokens=text(words))
off = plain.copy()
off[1, 0, 3] *= 0.5
save("off.npz", attention=off, tokens=text(words))
patches = weights(1, 2, 7, 7)
save_tensors("patches.safetensors",
             {"patch_rows": "2", "patch_columns": "3", "picture": "picture.png", "format": "pt"}, attention=patches,
             tokens=text(["[CLS]"] + [f"p{i}" for i in range(6)]))
(folder / "picture.png").write_bytes(picture(12, 8))
save_tensors("pictures.safetensors", {"patch_rows": "2", "patch_columns": "3", "picture": "picture.png"},
             attention=weights(2, 1, 2, 7, 7), tokens=text([["[CLS]"] + [f"{c}{i}" for i in range(6)] for c in "pq"]))
