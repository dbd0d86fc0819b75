#!/usr/bin/python3
"""Trains the vision transformer of assets/models/drawn-shapes, which names the coloured shape (Debian: python3-torch).

    /usr/bin/python3 assets/training/train_drawn_shapes.py

On one thread that takes about ten minutes with OpenBLAS as the system's BLAS. On held-out pictures it is right for 99.1 %.
A picture of 32 × 32 pixels has two shapes that do not touch: a coloured one,
whose name is the label, and a grey one, which must not be taken for it. So the class token has to find the patches
that have a colour, and leave the others.

Writes config.json, preprocessor_config.json, model.safetensors (float16) and example pictures (PNG) into the folder,
and tests/data/models/drawn_shapes.json: what PyTorch in double precision computes from the stored weights, for the tests.
"""
import argparse
import json
import math
import pathlib
import struct
import time
import zlib

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

LABELS = ["circle", "square", "triangle", "cross"]
SIDE, PATCH, WIDTH, HEADS, LAYERS, INNER = 32, 4, 48, 4, 3, 96
GRID = SIDE // PATCH
COLORS = [(220, 50, 40), (40, 90, 220), (30, 150, 60), (235, 150, 20), (150, 50, 190)]


def inside(kind, x, y, radius):
    """Of points relative to the shape's middle."""
    if kind == 0:
        return x * x + y * y <= radius * radius
    if kind == 1:
        return np.maximum(abs(x), abs(y)) <= 0.85 * radius
    if kind == 2:
        return (y <= 0.75 * radius) & (abs(x) <= (y + radius) * 0.57)
    return (np.maximum(abs(x), abs(y)) <= radius) & (np.minimum(abs(x), abs(y)) <= 0.33 * radius)


def draw_shapes(shapes, side, ground, fine=2):
    """shapes: (kind, x, y, radius, color) in units of SIDE pixels; [side, side, 3] from 0 to 255."""
    step = SIDE / side / fine
    y, x = np.mgrid[0:side * fine, 0:side * fine] * step + step / 2
    picture = np.full((side * fine, side * fine, 3), ground, np.float64)
    for kind, left, top, radius, color in shapes:
        picture[inside(kind, x - left, y - top, radius)] = color
    return picture.reshape(side, fine, side, fine, 3).mean((1, 3))


def random_shapes(rng):
    """The coloured one first."""
    while True:
        radius = rng.uniform(4.5, 7.5, 2)
        place = [rng.uniform(r + 0.5, SIDE - r - 0.5, 2) for r in radius]
        if math.dist(*place) > sum(radius) + 1:
            break
    kinds = rng.integers(0, len(LABELS), 2)
    color = np.clip(np.array(COLORS[rng.integers(len(COLORS))]) + rng.normal(0, 12, 3), 0, 255)
    grey = np.full(3, rng.uniform(70, 150))
    shapes = [(kinds[i], *place[i], radius[i], (color, grey)[i]) for i in range(2)]
    return shapes, kinds[0]


def batch_of(rng, size):
    pictures, labels = [], []
    for _ in range(size):
        shapes, label = random_shapes(rng)
        order = shapes if rng.random() < 0.5 else shapes[::-1]
        picture = draw_shapes(order, SIDE, rng.uniform(215, 250)) + rng.normal(0, 4, (SIDE, SIDE, 3))
        pictures.append(np.clip(picture, 0, 255).round())
        labels.append(label)
    return pixels_of(np.stack(pictures)), torch.tensor(np.array(labels))


def pixels_of(pictures):
    return torch.from_numpy((pictures / 255 - 0.5) / 0.5).permute(0, 3, 1, 2).float()


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layernorm_before, self.layernorm_after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.query, self.key, self.value = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.output = nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)

    def forward(self, x):
        batch, n, _ = x.shape
        y = self.layernorm_before(x)
        q, k, v = (part(y).view(batch, n, HEADS, -1).transpose(1, 2) for part in (self.query, self.key, self.value))
        maps = (q @ k.transpose(-1, -2) / math.sqrt(WIDTH // HEADS)).softmax(-1)
        x = x + self.output((maps @ v).transpose(1, 2).reshape(batch, n, WIDTH))
        return x + self.down(F.gelu(self.up(self.layernorm_after(x)))), maps


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, WIDTH, PATCH, PATCH)
        self.cls_token = nn.Parameter(0.02 * torch.randn(1, 1, WIDTH))
        self.positions = nn.Parameter(0.1 * torch.randn(1, GRID * GRID + 1, WIDTH))
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.layernorm = nn.LayerNorm(WIDTH)
        self.classifier = nn.Linear(WIDTH, len(LABELS))

    def forward(self, pixels):
        x = self.patches(pixels).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(len(x), -1, -1), x], 1) + self.positions
        maps = []
        for layer in self.layers:
            x, attention = layer(x)
            maps.append(attention)
        return self.classifier(self.layernorm(x[:, 0])), maps


def train(options):
    rng = np.random.default_rng(options.seed)
    model = Model()
    adam = torch.optim.AdamW(model.parameters(), lr=0, betas=(0.9, 0.98), weight_decay=0.02)
    began = time.time()
    for step in range(options.steps):
        for group in adam.param_groups:
            group["lr"] = 2e-3 * min(1, (step + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * step / options.steps))
        pixels, labels = batch_of(rng, 64)
        logits = model(pixels)[0]
        loss = F.cross_entropy(logits, labels)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        adam.step()
        if step % 200 == 0 or step + 1 == options.steps:
            right = (logits.argmax(-1) == labels).double().mean()
            print(f"step {step}: loss {loss.item():.3f}, right {right:.3f}, {time.time() - began:.0f} s", flush=True)
    return model


def png_bytes(picture):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    height, width = picture.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


EXAMPLES = {  # the coloured shape, then the grey one
    "example": [(2, 10, 11, 7, COLORS[0]), (1, 23, 23, 6, (110,) * 3)],
    "circle": [(0, 22, 10, 6.5, COLORS[1]), (3, 9, 22, 6.5, (110,) * 3)],
    "cross": [(3, 21, 21, 7, COLORS[2]), (0, 9, 9, 6, (110,) * 3)],
}


def save_folder(model, folder):
    folder.mkdir(exist_ok=True)
    config = {"architectures": ["ViTForImageClassification"], "model_type": "vit", "hidden_size": WIDTH,
              "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "intermediate_size": INNER,
              "hidden_act": "gelu", "layer_norm_eps": 1e-5, "image_size": SIDE, "patch_size": PATCH,
              "num_channels": 3, "qkv_bias": True, "id2label": {str(i): name for i, name in enumerate(LABELS)},
              "torch_dtype": "float16", "headscope": {"picture": "example.png"}}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    processor = {"image_processor_type": "ViTImageProcessor", "do_resize": True,
                 "size": {"height": SIDE, "width": SIDE}, "resample": 2, "do_rescale": True,
                 "rescale_factor": 1 / 255, "do_normalize": True, "image_mean": [0.5] * 3, "image_std": [0.5] * 3}
    (folder / "preprocessor_config.json").write_text(json.dumps(processor, indent=1) + "\n")
    names = {"patches": "vit.embeddings.patch_embeddings.projection", "cls_token": "vit.embeddings.cls_token",
             "positions": "vit.embeddings.position_embeddings", "layernorm": "vit.layernorm",
             "classifier": "classifier", "query": "attention.attention.query", "key": "attention.attention.key",
             "value": "attention.attention.value", "output": "attention.output.dense", "up": "intermediate.dense",
             "down": "output.dense"}
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, values in model.state_dict().items():
        parts = name.split(".")
        if parts[0] == "layers":
            name = ".".join(["vit.encoder.layer", parts[1], names.get(parts[2], parts[2])] + parts[3:])
        else:
            name = ".".join([names[parts[0]]] + parts[1:])
        values = values.contiguous().numpy()
        header[name] = {"dtype": "F16", "shape": list(values.shape),
                        "data_offsets": [len(data), len(data) + values.nbytes]}
        data += values.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
    for name, shapes in EXAMPLES.items():
        picture = draw_shapes(shapes, 8 * SIDE, 238).round().astype(np.uint8)
        (folder / f"{name}.png").write_bytes(png_bytes(picture))


def report(model, rng):
    """Of pictures that the model has not seen."""
    right, seen = 0, np.zeros((LAYERS, HEADS, 2))
    count = 1000
    for _ in range(count):
        shapes, label = random_shapes(rng)
        pixels = pixels_of(np.clip(draw_shapes(shapes, SIDE, 235), 0, 255).round()[None]).double()
        logits, maps = model(pixels)
        right += int(logits.argmax() == label)
        for i, (kind, x, y, radius, _) in enumerate(shapes):
            patch_y, patch_x = (np.mgrid[0:GRID, 0:GRID] + 0.5) * PATCH
            near = np.hypot(patch_x - x, patch_y - y) < radius + 1
            for layer in range(LAYERS):
                rows = maps[layer][0, :, 0, 1:].numpy().reshape(HEADS, GRID, GRID)
                seen[layer, :, i] += rows[:, near].sum(-1) / count
    print(f"held out: right for {right / count:.3f}")
    for layer in range(LAYERS):
        for head in range(HEADS):
            print(f"  layer {layer} head {head}: the class token's weight on the coloured shape {seen[layer, head, 0]:.3f}, "
                  f"on the grey one {seen[layer, head, 1]:.3f}")


def save_reference(model, path):
    cases = []
    for name, shapes in EXAMPLES.items():
        # What resizing makes of the picture is not this script's: the tests give these pixels to the model.
        picture = draw_shapes(shapes, SIDE, 238, 8).round()
        logits, maps = model(pixels_of(picture[None]).double())
        cases.append({"picture": name, "logits": logits[0].tolist(),
                      "class_row": maps[-1][0, 0, 0].tolist()})
    rounded = json.loads(json.dumps(cases), parse_float=lambda number: float(f"{float(number):.7g}"))
    path.write_text(json.dumps(rounded).replace('}, {"picture"', '},\n{"picture"') + "\n")


def main():
    top = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=3500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=top / "assets/models/drawn-shapes")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    model = train(options)
    for weight in model.parameters():
        weight.data = weight.data.half()
    with torch.no_grad():
        save_folder(model, options.out)
        model = model.double()
        report(model, np.random.default_rng(1000 + options.seed))
        save_reference(model, top / "tests/data/models/drawn_shapes.json")


if __name__ == "__main__":
    main()
