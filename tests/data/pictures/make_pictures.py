#!/usr/bin/python3
"""Writes the pictures of this folder, and in expected.npz what PIL makes of them (Debian's python3-pil, needed for
nothing else): decode.FILE [height, width, 3] after ImageOps.exif_transpose and convert("RGB"), and
resize.FILTER.WIDTHxHEIGHT of photo.png with PIL's number of the filter, and prepare.CASE of it [3, height, width] as
transformers' image processors go on with it: cropped, rescaled, normalized."""
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

here = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
rng = np.random.default_rng(7)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(file, width, height, depth, color, rows, *before):
    """A PNG that PIL cannot write itself."""
    raw = b"".join(b"\0" + row for row in rows)
    (here / file).write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)) +
        b"".join(before) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def scene(width, height):
    """Smooth colours with edges and some noise."""
    y, x = np.mgrid[0:height, 0:width]
    picture = np.stack([127 + 120 * np.sin(x / 3) * np.cos(y / 5), 255 * x / width, 255 * y / height], -1)
    picture[height // 4:height // 2, width // 3:width // 2] = [250, 20, 30]
    return np.clip(picture + rng.normal(0, 6, picture.shape), 0, 255).astype(np.uint8)


photo = Image.fromarray(scene(29, 23))
photo.save(here / "photo.png")
alpha = np.dstack([scene(9, 7), rng.integers(0, 256, (7, 9), np.uint8)])
Image.fromarray(alpha, "RGBA").save(here / "alpha.png")
Image.fromarray(scene(9, 7)[..., 0]).save(here / "grey.png")
Image.fromarray(np.ascontiguousarray(alpha[..., 2:]), "LA").save(here / "grey_alpha.png")
Image.fromarray(scene(13, 6)).quantize(16).save(here / "palette.png")
png("grey_16.png", 4, 2, 16, 0, [struct.pack(">4H", 0, 10, 255, 256), struct.pack(">4H", 300, 4660, 65535, 1)])
png("rgb_16.png", 2, 1, 16, 2, [struct.pack(">6H", 0x12FF, 0x5678, 0xFEFF, 0, 1, 256)])
png("grey_alpha_16.png", 2, 1, 16, 4, [struct.pack(">4H", 0x1234, 0x5678, 0xFEFF, 0)])
png("bits.png", 10, 2, 1, 0, [b"\xa5\x40", b"\x5a\x80"], chunk(b"tRNS", b"\0\1"))
png("four_greys.png", 6, 1, 2, 0, [bytes([0b00011011, 0b11000000])])
png("palette_alpha.png", 5, 1, 4, 3, [bytes([0x01, 0x20, 0x20])], chunk(b"PLTE", bytes(range(10, 19))),
    chunk(b"tRNS", b"\0\x80"))
png("short_palette.png", 4, 1, 8, 3, [bytes([0, 1, 2, 200])], chunk(b"PLTE", bytes([9, 8, 7, 6, 5, 4])))

picture = Image.fromarray(scene(21, 18))
picture.save(here / "photo.jpg", quality=85)
picture.save(here / "fine.jpg", quality=90, subsampling=0)
picture.save(here / "progressive.jpg", quality=80, progressive=True)
picture.convert("L").save(here / "grey.jpg", quality=85)
picture.convert("CMYK").save(here / "cmyk.jpg", quality=90)
picture.save(here / "photo.webp", quality=80)
Image.fromarray(alpha, "RGBA").save(here / "alpha.webp", lossless=True, exact=True)
for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(scene(8, 5)).save(here / f"turned_{orientation}.jpg", quality=90, exif=exif)
exif = Image.Exif()
exif[0x0112] = 6
photo.crop((0, 0, 6, 4)).save(here / "turned.png", exif=exif)
photo.crop((0, 0, 6, 4)).save(here / "turned.webp", lossless=True, exif=exif)

arrays = {}
for path in sorted(here.iterdir()):
    if path.suffix in (".png", ".jpg", ".webp"):
        arrays["decode." + path.name] = np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGB"))
for resample in range(6):
    for size in ((10, 8), (61, 9), (29, 5), (40, 31)):
        resized = photo.resize(size, resample=resample)
        arrays[f"resize.{resample}.{size[0]}x{size[1]}"] = np.asarray(resized)


def center_crop(picture, height, width):
    """transformers.image_transforms.center_crop"""
    own_height, own_width = picture.shape[:2]
    top, left = (own_height - height) // 2, (own_width - width) // 2
    bottom, right = top + height, left + width
    if top >= 0 and left >= 0 and bottom <= own_height and right <= own_width:
        return picture[top:bottom, left:right]
    new_height, new_width = max(height, own_height), max(width, own_width)
    whole = np.zeros((new_height, new_width, 3), picture.dtype)
    top_pad, left_pad = -(-(new_height - own_height) // 2), -(-(new_width - own_width) // 2)
    whole[top_pad:top_pad + own_height, left_pad:left_pad + own_width] = picture
    top, bottom, left, right = top + top_pad, bottom + top_pad, left + left_pad, right + left_pad
    return whole[max(0, top):min(new_height, bottom), max(0, left):min(new_width, right)]


def prepare(size, resample, crop, mean, std):
    width, height = size if isinstance(size, tuple) else (int(size * photo.width / photo.height), size)
    picture = np.asarray(photo.resize((width, height), resample=resample))
    if crop:
        picture = center_crop(picture, *crop)
    picture = (picture.astype(np.float64) * (1 / 255)).astype(np.float32)
    mean, std = np.array(mean, np.float32), np.array(std, np.float32)
    return ((picture - mean) / std).transpose(2, 0, 1)


clip = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]
arrays["prepare.vit"] = prepare((16, 16), 2, None, [0.5] * 3, [0.5] * 3)
arrays["prepare.clip"] = prepare(14, 3, (12, 12), *clip)
arrays["prepare.padded"] = prepare(15, 3, (20, 9), *clip)
arrays["prepare.deit"] = prepare((18, 18), 3, (15, 14), [0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
np.savez_compressed(here / "expected.npz", **{name: a.astype(np.float32) for name, a in arrays.items()})
