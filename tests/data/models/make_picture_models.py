#!/usr/bin/python3
"""Reference numbers for models that read pictures, by PyTorch in double precision (Debian: python3-torch).

Writes picture_models.json and pictures.npz beside this file, as make_models.py does for texts: weights are drawn from
names, and so are the pixels [3, height, width], under CASE/pixels. pictures.npz holds for each case, and for its towers
(self, and text):
  CASE.TOWER.x, stream, attention, q, k, v     as in make_models.py; the text's of the first sentence
and where there are such: CASE.logits [labels], CASE.embedding [projected], CASE.similarity [sentences]. The models are
written down from their papers and definitions.
"""
import json
import math

import numpy as np
import torch
from torch.nn import functional as F

from make_models import HERE, Weights, attend, causal, draw, heads_of, prefixed
from make_models import activation as named_activation


def activation(word):
    return named_activation({"gelu_pytorch_tanh": "gelu_new"}.get(word, word))


def resized_positions(table, rows, columns, height, width, antialias=False):
    """[rows columns, d] to [height width, d]."""
    if (rows, columns) == (height, width):
        return table
    grid = table.view(1, rows, columns, -1).permute(0, 3, 1, 2)
    grid = F.interpolate(grid, (height, width), mode="bicubic", align_corners=False, antialias=antialias)
    return grid.permute(0, 2, 3, 1).reshape(height * width, -1)


def pair(value):
    return value if isinstance(value, list) else [value, value]


def patches_of(w, c, pixels, name, bias=True):
    d, (high, wide) = c["hidden_size"], pair(c["patch_size"])
    weight = w.get(name + ".weight", (d, 3, high, wide), 2.4 / math.sqrt(3 * high * wide))
    y = F.conv2d(pixels[None], weight, w.get(name + ".bias", (d,), 0.25) if bias else None, stride=(high, wide))[0]
    return y.flatten(1).T, y.shape[1], y.shape[2]


def own_grid(c):
    return [side // patch for side, patch in zip(pair(c["image_size"]), pair(c["patch_size"]))]


def layers(out, w, x, c, names, scale_names=None, blocked=None, gated=None):
    """Pre-norm layers."""
    d, heads, eps = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"]
    act, bias = activation(c["hidden_act"]), c.get("qkv_bias", True)
    scale = (lambda i, y, layer: y * w.get(scale_names[i], (d,), 0.5, 0.75, layer)) if scale_names else \
        (lambda i, y, layer: y)
    for layer in range(c["num_hidden_layers"]):
        out["x"].append(x)
        y = w.layer_norm(names["norm"], x, eps, layer)
        q, k, v = (heads_of(w.linear(names[part], y, d, layer, bias), heads) for part in "qkv")
        context = attend(out, q, k, v, 1 / math.sqrt(d // heads), blocked=blocked)
        x = x + scale(0, w.linear(names["o"], context, d, layer), layer)
        y = w.layer_norm(names["other_norm"], x, eps, layer)
        if gated:
            gate, up = w.linear(names["in"], y, 2 * gated, layer).chunk(2, -1)
            y = w.linear(names["out"], F.silu(gate) * up, d, layer)
        else:
            y = w.linear(names["down"], act(w.linear(names["up"], y, c["intermediate_size"], layer)), d, layer)
        x = x + scale(1, y, layer)
    out["stream"] = x
    return x


VIT_NAMES = {"norm": "encoder.layer.#.layernorm_before", "q": "encoder.layer.#.attention.attention.query",
             "k": "encoder.layer.#.attention.attention.key", "v": "encoder.layer.#.attention.attention.value",
             "o": "encoder.layer.#.attention.output.dense", "other_norm": "encoder.layer.#.layernorm_after",
             "up": "encoder.layer.#.intermediate.dense", "down": "encoder.layer.#.output.dense"}


def vit(w, c, pixels, **_):
    """Dosovitskiy et al. 2021; Touvron et al. 2021."""
    d, deit = c["hidden_size"], c["model_type"] == "deit"
    teacher = c["architectures"] == ["DeiTForImageClassificationWithTeacher"]
    out = {"x": []}
    x, height, width = patches_of(w, c, pixels, "embeddings.patch_embeddings.projection")
    first = [w.get("embeddings.cls_token", (1, 1, d), 1)[0]]
    if deit:
        first.append(w.get("embeddings.distillation_token", (1, 1, d), 1)[0])
    rows, columns = own_grid(c)
    table = w.get("embeddings.position_embeddings", (1, rows * columns + len(first), d), 0.5)[0]
    positions = resized_positions(table[len(first):], rows, columns, height, width)
    x = torch.cat([torch.cat(first) + table[:len(first)], x + positions])
    x = layers(out, w, x, c, VIT_NAMES)
    result = {"self": out}
    x = w.layer_norm("layernorm", x, c["layer_norm_eps"])
    if "id2label" in c:
        labels = len(c["id2label"])
        if teacher:
            result["logits"] = (w.linear("cls_classifier", x[0], labels) +
                                w.linear("distillation_classifier", x[1], labels)) / 2
        else:
            result["logits"] = w.linear("classifier", x[0], labels)
    return result


DINO_NAMES = VIT_NAMES | {"norm": "encoder.layer.#.norm1", "other_norm": "encoder.layer.#.norm2",
                          "up": "encoder.layer.#.mlp.fc1", "down": "encoder.layer.#.mlp.fc2",
                          "in": "encoder.layer.#.mlp.weights_in", "out": "encoder.layer.#.mlp.weights_out"}


def dinov2(w, c, pixels, **_):
    """Oquab et al. 2024; registers: Darcet et al. 2024."""
    d = c["hidden_size"]
    out = {"x": []}
    x, height, width = patches_of(w, c, pixels, "embeddings.patch_embeddings.projection")
    rows, columns = own_grid(c)
    table = w.get("embeddings.position_embeddings", (1, rows * columns + 1, d), 0.5)[0]
    registers = c.get("num_register_tokens", 0)
    positions = resized_positions(table[1:], rows, columns, height, width, antialias="num_register_tokens" in c)
    parts = [w.get("embeddings.cls_token", (1, 1, d), 1)[0] + table[:1], x + positions]
    if registers:
        parts.insert(1, w.get("embeddings.register_tokens", (1, registers, d), 1)[0])
    hidden = (int(d * c["mlp_ratio"] * 2 / 3) + 7) // 8 * 8
    x = layers(out, w, torch.cat(parts), c | {"intermediate_size": d * c["mlp_ratio"]}, DINO_NAMES,
               ("encoder.layer.#.layer_scale1.lambda1", "encoder.layer.#.layer_scale2.lambda1"),
               gated=hidden if c.get("use_swiglu_ffn") else None)
    result = {"self": out}
    x = w.layer_norm("layernorm", x, c["layer_norm_eps"])
    if "id2label" in c:
        both = torch.cat([x[0], x[1 + registers:].mean(0)])
        result["logits"] = w.linear("classifier", both, len(c["id2label"]))
    return result


def tower_names(tower):
    at = tower + ".encoder.layers.#."
    return {"norm": at + "layer_norm1", "q": at + "self_attn.q_proj", "k": at + "self_attn.k_proj",
            "v": at + "self_attn.v_proj", "o": at + "self_attn.out_proj", "other_norm": at + "layer_norm2",
            "up": at + "mlp.fc1", "down": at + "mlp.fc2"}


def clip_vision(w, c, pixels):
    d = c["hidden_size"]
    out = {"x": []}
    x, height, width = patches_of(w, c, pixels, "vision_model.embeddings.patch_embedding", bias=False)
    rows, columns = own_grid(c)
    table = w.get("vision_model.embeddings.position_embedding.weight", (rows * columns + 1, d), 0.5)
    x = torch.cat([w.get("vision_model.embeddings.class_embedding", (d,), 1)[None] + table[:1],
                   x + resized_positions(table[1:], rows, columns, height, width)])
    x = w.layer_norm("vision_model.pre_layrnorm", x, c["layer_norm_eps"])
    x = layers(out, w, x, c, tower_names("vision_model"))
    return out, x


def text_tower(w, c, ids, blocked):
    d, n = c["hidden_size"], len(ids)
    out = {"x": []}
    x = w.get("text_model.embeddings.token_embedding.weight", (c["vocab_size"], d), 1)[ids]
    x = x + w.get("text_model.embeddings.position_embedding.weight", (c["max_position_embeddings"], d), 0.5)[:n]
    x = layers(out, w, x, c, tower_names("text_model"), blocked=blocked)
    return out, w.layer_norm("text_model.final_layer_norm", x, c["layer_norm_eps"])


def clip(w, c, pixels, sentences=(), **_):
    """Radford et al. 2021."""
    of_picture = c.get("vision_config", c)
    out, x = clip_vision(w, of_picture, pixels)
    result = {"self": out}
    pooled = w.layer_norm("vision_model.post_layernorm", x[0], of_picture["layer_norm_eps"])
    if c.get("architectures") == ["CLIPForImageClassification"]:
        result["logits"] = w.linear("classifier", x[1:].mean(0), len(c["id2label"]))
        return result
    size = c["projection_dim"]
    seen = w.linear("visual_projection", pooled, size, bias=False)
    result["embedding"] = seen
    if not sentences:
        return result
    scale = w.get("logit_scale", (), 0.5, 2.5).exp()
    similarity = []
    for ids in sentences:
        of_text, y = text_tower(w, c["text_config"], ids, causal(len(ids)))
        result.setdefault("text", of_text)
        end = ids.index(max(ids)) if c["text_config"]["eos_token_id"] == 2 else ids.index(c["text_config"]["eos_token_id"])
        said = w.linear("text_projection", y[end], size, bias=False)
        similarity.append(scale * F.cosine_similarity(seen, said, dim=0))
    result["similarity"] = torch.stack(similarity)
    return result


def siglip(w, c, pixels, sentences=(), **_):
    """Zhai et al. 2023."""
    of_picture = c.get("vision_config", c)
    d, heads, eps = of_picture["hidden_size"], of_picture["num_attention_heads"], of_picture["layer_norm_eps"]
    out = {"x": []}
    x, height, width = patches_of(w, of_picture, pixels, "vision_model.embeddings.patch_embedding")
    rows, columns = own_grid(of_picture)
    table = w.get("vision_model.embeddings.position_embedding.weight", (rows * columns, d), 0.5)
    x = layers(out, w, x + resized_positions(table, rows, columns, height, width), of_picture,
               tower_names("vision_model"))
    x = w.layer_norm("vision_model.post_layernorm", x, eps)
    result = {"self": out}
    if c.get("architectures") == ["SiglipForImageClassification"]:
        result["logits"] = w.linear("classifier", x.mean(0), len(c["id2label"]))
        return result
    probe = w.get("vision_model.head.probe", (1, 1, d), 1)[0]
    weight = w.get("vision_model.head.attention.in_proj_weight", (3 * d, d), 2.4 / math.sqrt(d))
    bias = w.get("vision_model.head.attention.in_proj_bias", (3 * d,), 0.25)
    q, k, v = (heads_of(y @ weight[i * d:(i + 1) * d].T + bias[i * d:(i + 1) * d], heads)
               for i, y in enumerate((probe, x, x)))
    pooled = w.linear("vision_model.head.attention.out_proj", attend({}, q, k, v, 1 / math.sqrt(d // heads)), d)
    y = w.layer_norm("vision_model.head.layernorm", pooled, eps)
    y = activation(of_picture["hidden_act"])(w.linear("vision_model.head.mlp.fc1", y, of_picture["intermediate_size"]))
    seen = (pooled + w.linear("vision_model.head.mlp.fc2", y, d))[0]
    result["embedding"] = seen
    if not sentences:
        return result
    scale, shift = w.get("logit_scale", (1,), 0.5, 1.5).exp(), w.get("logit_bias", (1,), 0.5, -1)
    similarity = []
    for ids in sentences:
        of_text, y = text_tower(w, c["text_config"], ids, None)
        result.setdefault("text", of_text)
        said = w.linear("text_model.head", y[-1], c["text_config"].get("projection_size", d))
        similarity.append(scale[0] * F.cosine_similarity(seen, said, dim=0) + shift[0])
    result["similarity"] = torch.stack(similarity)
    return result


FAMILIES = {"vit": vit, "deit": vit, "dinov2": dinov2, "dinov2_with_registers": dinov2, "clip": clip,
            "clip_vision_model": clip, "siglip": siglip, "siglip_vision_model": siglip}

LABELS = {"0": "circle", "1": "square", "2": "triangle"}
SIZES = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4, "image_size": 12, "patch_size": 4,
         "layer_norm_eps": 1e-6}
VIT = SIZES | {"model_type": "vit", "architectures": ["ViTForImageClassification"], "intermediate_size": 40,
               "hidden_act": "gelu", "layer_norm_eps": 1e-12, "id2label": LABELS}
DEIT = VIT | {"model_type": "deit", "architectures": ["DeiTForImageClassificationWithTeacher"]}
DINO = SIZES | {"model_type": "dinov2", "architectures": ["Dinov2Model"], "mlp_ratio": 3, "hidden_act": "gelu"}
CLIP_VISION = SIZES | {"intermediate_size": 40, "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5}
CLIP_TEXT = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 36,
             "hidden_act": "quick_gelu", "vocab_size": 50, "max_position_embeddings": 12, "layer_norm_eps": 1e-5,
             "eos_token_id": 49, "bos_token_id": 48}
CLIP = {"model_type": "clip", "architectures": ["CLIPModel"], "projection_dim": 20, "vision_config": CLIP_VISION,
        "text_config": CLIP_TEXT}
SIGLIP_TEXT = CLIP_TEXT | {"hidden_size": 24, "max_position_embeddings": 6, "hidden_act": "gelu_pytorch_tanh",
                           "layer_norm_eps": 1e-6}
SIGLIP = {"model_type": "siglip", "architectures": ["SiglipModel"], "text_config": SIGLIP_TEXT,
          "vision_config": CLIP_VISION | {"hidden_act": "gelu_pytorch_tanh", "layer_norm_eps": 1e-6}}
SENTENCES = [[48, 5, 17, 22, 49], [48, 9, 49, 1], [48, 30, 31, 5, 5, 5, 49]]
EVEN = [[5, 17, 22, 9, 1, 0], [30, 31, 5, 5, 0, 0]]

CASES = [  # name, config, how it is stored, the picture's size, sentences
    ("vit", VIT, {"rename": prefixed("vit.", ("classifier",))}, (12, 12), ()),
    ("vit-wide", VIT | {"image_size": [12, 20], "patch_size": [4, 5], "qkv_bias": False, "hidden_act": "gelu_new"},
     {"rename": prefixed("vit.", ("classifier",)), "dtype": "F16"}, (12, 20), ()),
    ("vit-larger", {k: v for k, v in VIT.items() if k != "id2label"} | {"architectures": ["ViTModel"]},
     {"dtype": "BF16"}, (20, 16), ()),
    ("deit", DEIT, {"rename": prefixed("deit.", ("cls_classifier", "distillation_classifier"))}, (12, 12), ()),
    ("deit-one_head", DEIT | {"architectures": ["DeiTForImageClassification"]},
     {"rename": prefixed("deit.", ("classifier",))}, (12, 12), ()),
    ("dinov2", DINO, {}, (8, 20), ()),
    ("dinov2-gated", DINO | {"use_swiglu_ffn": True, "architectures": ["Dinov2ForImageClassification"],
                             "id2label": LABELS}, {"rename": prefixed("dinov2.", ("classifier",))}, (12, 12), ()),
    ("dinov2-registers", DINO | {"model_type": "dinov2_with_registers", "num_register_tokens": 3, "id2label": LABELS,
                                 "architectures": ["Dinov2WithRegistersForImageClassification"]},
     {"rename": prefixed("dinov2_with_registers.", ("classifier",))}, (12, 12), ()),
    ("dinov2-registers_smaller", DINO | {"model_type": "dinov2_with_registers", "num_register_tokens": 1,
                                         "image_size": 20, "architectures": ["Dinov2WithRegistersModel"]},
     {"dtype": "F16"}, (12, 8), ()),
    ("clip", CLIP, {}, (12, 12), SENTENCES),
    ("clip-old_end", CLIP | {"text_config": CLIP_TEXT | {"eos_token_id": 2, "hidden_act": "gelu"}}, {"dtype": "F16"},
     (12, 12), SENTENCES),
    ("clip-vision", CLIP_VISION | {"model_type": "clip_vision_model", "projection_dim": 20,
                                   "architectures": ["CLIPVisionModelWithProjection"]}, {}, (16, 12), ()),
    ("clip-labels", CLIP | {"architectures": ["CLIPForImageClassification"], "id2label": LABELS}, {}, (12, 12), ()),
    ("siglip", SIGLIP, {}, (12, 12), EVEN),
    ("siglip-vision", SIGLIP["vision_config"] | {"model_type": "siglip_vision_model",
                                                 "architectures": ["SiglipVisionModel"]}, {"dtype": "BF16"},
     (8, 12), ()),
    ("siglip-labels", SIGLIP | {"architectures": ["SiglipForImageClassification"], "id2label": LABELS}, {}, (12, 12),
     ()),
]


def main():
    listed, file = [], {}
    for name, config, stored, size, sentences in CASES:
        weights = Weights(name, **stored)
        pixels = draw(f"{name}/pixels", (3, *size), 1, 0, "F32")
        result = FAMILIES[config["model_type"]](weights, config, pixels, sentences=[list(s) for s in sentences])
        listed.append({"name": name, "config": config, "dtype": weights.dtype, "tensors": weights.rows,
                       "size": list(size), "sentences": [list(s) for s in sentences]})
        for tower, parts in result.items():
            for part, values in (parts.items() if isinstance(parts, dict) else [("", parts)]):
                if isinstance(values, list):
                    values = torch.stack(values)
                file[f"{name}.{tower}" + (f".{part}" if part else "")] = np.ascontiguousarray(values.numpy(), np.float32)
    np.savez_compressed(HERE / "pictures.npz", **file)
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in listed)
    (HERE / "picture_models.json").write_text(f"[{lines}]\n")


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    main()
