"""Pixels: what a model reads of a picture, against the image processors themselves (those that resize by Pillow).

The model is a ViT whose first layer reads its patches as they are: an identity for a matrix, no positions."""
import json
import shutil

import numpy as np
import torch
import transformers
from PIL import Image

from .families import picker
from .program import distance

PATCH = 4
PROCESSORS = ["ViT", "DeiT", "CLIP", "Siglip", "Bit", "Beit", "Siglip2", "DINOv3ViT"]
MODES = ["RGB", "L", "RGBA", "P", "LA"]
# Both round to 8 bits between the two passes of a resize, from sums in another order: one level of 255.
LEVEL = 1.01


def write_model(folder, height, width):
    config = transformers.ViTConfig(hidden_size=3 * PATCH * PATCH, num_hidden_layers=1, num_attention_heads=1, intermediate_size=4,
                                    image_size=(height, width), patch_size=PATCH)
    model = transformers.ViTModel(config, add_pooling_layer=False)
    for name, weight in model.embeddings.named_parameters():
        weight.data.zero_()
        if name.endswith("projection.weight"):
            weight.data.copy_(torch.eye(3 * PATCH * PATCH).reshape(weight.shape))
    model.save_pretrained(folder)


def drawn_picture(pick):
    """Smooth and noisy parts, in one of the modes that files have."""
    height, width = pick.randint(20, 150), pick.randint(20, 150)
    numbers = np.random.default_rng(pick.randrange(2**31))
    small = Image.fromarray(numbers.integers(0, 256, (6, 7, 3), dtype=np.uint8)).resize((width, height), Image.Resampling.BICUBIC)
    pixels = np.asarray(small).copy()
    pixels[:height // 2, :width // 2] = numbers.integers(0, 256, (height // 2, width // 2, 3), dtype=np.uint8)
    return Image.fromarray(pixels).convert(pick.choice(MODES))


def drawn_settings(pick, kind):
    side = PATCH * pick.randint(3, 12)
    given = {"do_resize": True, "resample": pick.choice([0, 1, 2, 3, 4, 5]), "do_normalize": pick.random() < 0.8,
             "image_mean": [0.4, 0.5, 0.6], "image_std": [0.2, 0.25, 0.3]}
    if kind == "DINOv3ViT":  # whose class is torchvision's
        given["resample"] = pick.choice([2, 3])
    if kind == "Siglip2":
        return given | {"patch_size": PATCH, "max_num_patches": pick.randint(1, 200)}
    if kind in ("CLIP", "Bit"):
        given["size"] = {"shortest_edge": side + PATCH * pick.randint(0, 3)}
    else:
        given["size"] = {"height": side, "width": PATCH * pick.randint(3, 12)}
    if kind in ("CLIP", "Bit", "DeiT"):
        given |= {"do_center_crop": True, "crop_size": {"height": side, "width": side}}
    return given


def patches(pixels):
    channels, height, width = pixels.shape
    grid = pixels.reshape(channels, height // PATCH, PATCH, width // PATCH, PATCH)
    return grid.transpose(1, 3, 0, 2, 4).reshape(-1, channels * PATCH * PATCH)


def compare(program, folder, kind, pick):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    given = drawn_settings(pick, kind)
    processor = getattr(transformers, kind + "ImageProcessorPil", None) or getattr(transformers, kind + "ImageProcessor")
    processor = processor(**given)
    drawn_picture(pick).save(folder / "picture.png")
    picture = Image.open(folder / "picture.png").convert("RGB")
    made = processor(picture, return_tensors="np")
    right = np.asarray(made["pixel_values"][0])
    if kind == "Siglip2":
        rows, columns = made["spatial_shapes"][0]
        right = right[:rows * columns].reshape(rows, columns, PATCH, PATCH, 3).transpose(4, 0, 2, 1, 3).reshape(3, rows * PATCH, columns * PATCH)
    write_model(folder, *right.shape[1:])
    if pick.random() < 0.5:
        processor.save_pretrained(folder)
    else:  # as transformers 5 saves it beside a tokenizer
        (folder / "processor_config.json").write_text(json.dumps({"image_processor": json.loads(processor.to_json_string())}))
    found, error = program.arrays(folder, "--model", folder, "--picture", folder / "picture.png")
    if error:
        return [error]
    found, right = found["layer_x"][0][1:] if "layer_x" in found else found["x"][1:], patches(right)
    if isinstance(distance(found, right), str):
        return [distance(found, right)]
    std = np.repeat(given["image_std"], PATCH * PATCH) if given["do_normalize"] else 1.0
    levels = abs(found - right) * std * 255
    # A level apart now and then is rounding; on the whole they are the same.
    return [f"{levels.max():.2f} levels of 255 apart, {levels.mean():.3f} on average"] if levels.max() > LEVEL or levels.mean() > 0.05 else []


def run(program, folder, seed, more, report):
    for kind in PROCESSORS:
        for number in range(8 + 4 * more):
            at = folder / f"pixels-{kind}-{number}"
            report.case("pictures", kind, f"{kind} {number}", at, lambda: compare(program, at, kind, picker(seed, kind, number)))
