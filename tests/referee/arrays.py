"""The arrays of tests/data/models, by the real classes: models.json lists each case's config, ids and tensors, whose
numbers both sides draw from their names (draw() here, tests/support/model_folder.h there). A case without `tensors` gets
them: those that the real class has. A name with a # is one tensor in each of so many layers.

FAMILY.npz holds for each case, and for each of its blocks (self, or encoder, decoder and cross, or those of Funnel):
  CASE.BLOCK.x          [layers, n, d_model]           what each layer reads (not for cross: the decoder's stream; nor for a layer that pools)
  CASE.BLOCK.stream     [n, d_model]                   what the last layer gives
  CASE.BLOCK.attention  [layers, heads, n_q, n_k]
  CASE.BLOCK.q, k, v    [heads or kv_heads, n, d_k]    of the last layer, as they are multiplied
and CASE.logits [n, vocabulary], [1, labels] or [n, labels] where there is a head.
"""
import json
import math
import pathlib
import re
import tempfile

import numpy as np
import torch
import transformers
from safetensors.torch import save_file

from . import models, real
from .families import DECODERS

HERE = pathlib.Path(__file__).parents[1] / "data/models"
GAMMA = 0x9E3779B97F4A7C15
DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
# The numbers of tokens of a class's defaults lie outside of so small a vocabulary.
NO_TOKENS = {"pad_token_id": None, "bos_token_id": None, "eos_token_id": None}
# Names as they are in files, where the real class of today has others.
RENAMED = [("", ""), ("language_model.model.", "model.language_model."), ("model.language_model.", "model."), ("model.", "transformer.")]
# A factor that the real class has taken into q or k: with it they are what Headscope multiplies and then scales. In all
# blocks, or in those named.
SCALED = {"xglm": ("q", lambda c: math.sqrt(c["d_model"] // c["attention_heads"])),
          "whisper": ("q", lambda c: math.sqrt(c["d_model"] // c["decoder_attention_heads"])),
          "led": ("q", lambda c: math.sqrt(c["d_model"] // c["decoder_attention_heads"]), "decoder", "cross"),
          "deberta": ("q", lambda c: math.sqrt(c["hidden_size"] // c["num_attention_heads"] * (1 + len(c.get("pos_att_type") or [])))),
          "funnel": ("q", lambda c: math.sqrt(c["d_head"])),
          **{kind: ("q", lambda c: math.sqrt(c["hidden_size"] // c["num_attention_heads"])) for kind in ("opt", "esm")},
          "deberta-v2": ("k", lambda c: math.sqrt(c["hidden_size"] // c["num_attention_heads"] * (1 + terms(c))))}


def halves_as_pairs(values, config):
    """Components that are turned in pairs and come out as halves, in their pairs again."""
    own, turned = config["qk_nope_head_dim"], config["qk_rope_head_dim"]
    order = [own + (i % 2) * (turned // 2) + i // 2 for i in range(turned)]
    return values[..., list(range(own)) + order]


def terms(config):
    kinds = config.get("pos_att_type") or []
    return len(kinds.split("|") if isinstance(kinds, str) else kinds) if config.get("relative_attention") else 0


def whole(config):
    """With a part for pictures of any size, which is not in the file and not read."""
    sizes, _ = DECODERS.get(config["model_type"], ({}, {}))
    pictures = {key: value for key, value in sizes.items() if key != "text_config"} if "vision_config" in sizes else {}
    return NO_TOKENS | pictures | config


def draw(name, shape, scale, offset, dtype):
    """splitmix64 from the FNV-1a hash of the name; its upper 24 bits as [-1, 1)."""
    seed = 0xCBF29CE484222325
    for byte in name.encode():
        seed = (seed ^ byte) * 0x100000001B3 % 2**64
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, math.prod(shape) + 1, dtype=np.uint64) * np.uint64(GAMMA)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    unit = (z >> np.uint64(40)).astype(np.float64) / 2**23 - 1
    return torch.from_numpy((offset + scale * unit).astype(np.float32).reshape(shape)).to(DTYPES[dtype])


def rows_of(entry):
    """The tensors of a new case, as the real class saves them: norms around 1, matrices that keep the size of a row."""
    config = transformers.AutoConfig.for_model(**whole(entry["config"]))
    rows, shapes = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        getattr(transformers, entry["config"]["architectures"][0])(config).save_pretrained(folder)
        tensors = sorted(real.tensors_of(folder).items())
        for name, tensor in tensors:
            shapes.setdefault(re.sub(r"\.\d+\.", ".#.", name, count=1), set()).add(tuple(tensor.shape))
        for name, tensor in tensors:
            if real.PICTURES.match(name) and entry["config"]["model_type"] in DECODERS:
                continue
            short = re.sub(r"\.\d+\.", ".#.", name, count=1)
            short = name if len(shapes[short]) > 1 else short  # layers of several sizes
            norm = tensor.dim() == 1 and name.endswith(("weight", "scale", "scalar"))
            # Scales of few bits: their products with 24 bits are exact, fused or not.
            scale = 0.25 if tensor.dim() < 2 else max(1, round(64 * 2.4 / math.sqrt(tensor[0].numel()))) / 64
            layers = 1 + int(re.search(r"\.(\d+)\.", name)[1]) if short != name else 1
            rows[short] = [short, list(tensor.shape), scale, 1 if norm else 0, max(layers, rows.get(short, [1])[-1])]
    return list(rows.values())


def load(folder, entry, names):
    tensors = {}
    for row, shape, scale, offset, layers in entry["tensors"]:
        for layer in range(layers):
            name = row.replace("#", str(layer))
            drawn = draw(f"{entry['name']}/{name}", shape, scale, offset, entry["dtype"])
            tensors[names[1] + name.removeprefix(names[0]) if name.startswith(names[0]) else name] = drawn
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    config = whole(entry["config"])
    if config["model_type"] in DECODERS and config["architectures"][0].endswith("Model"):  # whose words are its output, too
        config["architectures"] = [models.classes_of(config["model_type"], "decoders")["text"]]
    (folder / "config.json").write_text(json.dumps(config))
    return real.load(folder)


def loaded(folder, entry):
    problems = []
    for names in RENAMED:
        try:
            return load(folder, entry, names)
        except ValueError as problem:
            problems.append(problem)
    raise problems[0]


def arrays_of(entry):
    with tempfile.TemporaryDirectory() as folder:
        model = loaded(pathlib.Path(folder), entry)
    inputs = {"input_ids": torch.tensor([entry["ids"]])}
    for ours, theirs in (("types", "token_type_ids"), ("decoder_ids", "decoder_input_ids")):
        if ours in entry:
            inputs[theirs] = torch.tensor([entry[ours]])
    if "sound" in entry:
        inputs["input_features"] = draw(f"{entry['name']}/sound", entry["sound"], 1, 0, "F32").double().T[None]
        del inputs["input_ids"]
    if "global" in entry:
        inputs["global_attention_mask"] = torch.tensor([[int(i in entry["global"]) for i in range(len(entry["ids"]))]])
    out, blocks = real.watched(model, **inputs)
    part, factor, *only = SCALED.get(entry["config"]["model_type"], ("", None))
    scaled = lambda kind, name: name == part and kind in (only or blocks)
    found = {f"{entry['name']}.{kind}.{name}": values * (factor(entry["config"]) if scaled(kind, name) else 1)
             for kind, block in blocks.items() for name, values in block.items()}
    if entry["config"]["model_type"] == "deepseek_v3" and entry["config"].get("rope_interleave", True):
        for name in ("q", "k"):
            key = f"{entry['name']}.self.{name}"
            found[key] = halves_as_pairs(found[key], entry["config"])
    if "start_logits" in out:
        found[f"{entry['name']}.logits"] = torch.stack([out.start_logits[0], out.end_logits[0]], 1)
    elif "logits" in out and "ForPreTraining" in type(model).__name__:
        found[f"{entry['name']}.logits"] = torch.stack([torch.zeros_like(out.logits[0]), out.logits[0]], 1)
    elif "logits" in out:
        found[f"{entry['name']}.logits"] = out.logits if "Sequence" in type(model).__name__ else out.logits[0]
    if entry["config"]["model_type"] == "umt5" and not entry["config"].get("tie_word_embeddings", True):
        # Version 5 divides whatever the file says; version 4, which wrote this flag, did not where it is false.
        found[f"{entry['name']}.logits"] *= entry["config"]["d_model"] ** 0.5
    return {name: np.ascontiguousarray(values.numpy(), np.float32) for name, values in found.items()}


def write(only):
    """Of all cases, or of those of the families whose names contain `only`."""
    entries = json.loads((HERE / "models.json").read_text())
    families = {}
    for entry in entries:
        family = entry["config"]["model_type"]
        if only in family:
            entry.setdefault("dtype", "F32")
            entry["tensors"] = entry.get("tensors") or rows_of(entry)
            families.setdefault(family, {}).update(arrays_of(entry))
    for family, arrays in families.items():
        np.savez_compressed(HERE / f"{family}.npz", **arrays)
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    (HERE / "models.json").write_text(f"[{lines}]\n")
    print(f"{len(families)} families of tests/data/models are those of transformers {transformers.__version__}")
