"""The numbers of tests/data/models/pictures.npz, by the real classes: picture_models.json lists each case's config, tensors
(as models.json does, arrays.py), the size of its picture, whose pixels [3, height, width] are drawn under CASE/pixels, and
the ids of its sentences.

pictures.npz holds for each tower (self, and text: of the first sentence) the arrays that arrays.py has of a block, and where
there are such CASE.logits [labels], CASE.embedding [projected] and CASE.similarity [sentences].
"""
import inspect
import json
import pathlib
import tempfile

import numpy as np
import torch

from . import real
from .vision import read_as
from .arrays import HERE, draw, load, rows_of

# SigLIP's pooling has an attention of its own, after the layers'.
TOWER_PARTS = ("attention", "q", "k", "v", "x", "stream")


def tower(model, layers, **inputs):
    found, block = real.watched(model, **inputs)
    if len(block["self"]["attention"]) != layers:
        raise ValueError(f"{type(model).__name__} has {len(block['self']['attention'])} maps of {layers} layers")
    return found, block["self"]


def pixels_of(entry):
    return draw(f"{entry['name']}/pixels", (3, *entry["size"]), 1, 0, "F32").double()[None]


def resizing(model, config, size):
    """Positions of a picture of another size are resized on request, by DINOv2's class always."""
    if config.model_type in ("beit", "dinov3_vit", "siglip2_vision_model"):  # which read any
        return {}
    own = config.image_size if isinstance(config.image_size, list) else [config.image_size] * 2
    asks = "interpolate_pos_encoding" in inspect.signature(model.forward).parameters
    return {"interpolate_pos_encoding": True} if asks and size != own else {}


@torch.no_grad()
def vector_of(model, out):
    """Of a picture in the space of the texts, where there is one."""
    if "image_embeds" in out:
        return out.image_embeds[0]
    return out.pooler_output[0] if type(model).__name__ == "SiglipVisionModel" else None


@torch.no_grad()
def similarities(model, pixels, sentences):
    """The cosine times the scale, and SigLIP's bias: before any softmax or sigmoid."""
    return torch.stack([model(**pixels, input_ids=torch.tensor([one])).logits_per_image[0, 0] for one in sentences])


def numbers_of(entry):
    with tempfile.TemporaryDirectory() as folder:
        model = load(pathlib.Path(folder), entry, ("", ""))
    pixels, config, sentences = pixels_of(entry), model.config, entry["sentences"]
    seeing = model.vision_model if sentences else model
    seen = getattr(config, "vision_config", config)
    pixels = read_as(seen, pixels)
    out, block = tower(seeing, seen.num_hidden_layers, **pixels, **resizing(seeing, seen, entry["size"]))
    numbers = {f"self.{part}": block[part] for part in TOWER_PARTS}
    if "logits" in out:
        numbers["logits"] = out.logits[0]
    vector = vector_of(model, out)
    if sentences:
        said = tower(model.text_model, config.text_config.num_hidden_layers, input_ids=torch.tensor(sentences[:1]))[1]
        numbers |= {f"text.{part}": said[part] for part in TOWER_PARTS}
        numbers["similarity"] = similarities(model, pixels, sentences)
        features = model.get_image_features(**pixels)
        vector = features[0] if torch.is_tensor(features) else features.pooler_output[0]
    if vector is not None:
        numbers["embedding"] = vector
    return {f"{entry['name']}.{key}": np.ascontiguousarray(value.detach().numpy(), np.float32)
            for key, value in numbers.items()}


def write():
    numbers, entries = {}, json.loads((HERE / "picture_models.json").read_text())
    for entry in entries:
        entry["tensors"] = entry.get("tensors") or rows_of(entry)
        numbers |= numbers_of(entry)
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    (HERE / "picture_models.json").write_text(f"[\n{lines}\n]\n")
    np.savez_compressed(HERE / "pictures.npz", **numbers)
