#!/usr/bin/python3
"""Reference numbers for core/source/maps/cell_maps.h and rollout.h, by PyTorch in double precision (Debian:
python3-torch): what the cells of maps show, and attention rollout. Writes cells.npz beside this file.

For models of make_models.py (a decoder, an encoder, one with shared keys and values), the built-in induction model, and
two layers of nn.Linear drawn from a seed:
  CASE.score, CASE.norm, CASE.share   [layers, heads, n, n]
  CASE.logit, CASE.logit_difference   [layers, heads, n, n]   of token TOKEN, and minus AGAINST, where there are logits
  CASE.rollout, CASE.rollout_alone, CASE.rollout_norms   [layers, n, n]   alone: without the residual connection
"""
import json
import math
import pathlib
import struct

import numpy as np
import torch
from torch import nn

import make_models

HERE = pathlib.Path(__file__).parent
TOKEN, AGAINST = 3, 17
result = {}


def put(name, values):
    result[name] = torch.stack(list(values)).detach().numpy().astype(np.float32)


def rollout(layers, residual):
    flow, found = torch.eye(layers[0].shape[0], dtype=torch.float64), []
    for mixed in layers:
        mixed = mixed / mixed.sum(-1, keepdim=True)
        if residual:
            mixed = 0.5 * mixed + 0.5 * torch.eye(len(mixed), dtype=torch.float64)
        flow = mixed @ flow
        found.append(flow)
    return found


def add(case, weights, scores, values, outputs, direction=None):
    """By layer: weights and scores [heads, n, n], values [heads, n, d_k], outputs [heads, d_k, d_model] (W_O by rows);
    direction(u) [n, d_model]: what the stream at each position adds to the logit whose row of W_U is u."""
    # [heads, n_q, n_k, d_model]
    vectors = [a[..., None] * (v @ o)[:, None] for a, v, o in zip(weights, values, outputs)]
    norms = [each.norm(dim=-1) for each in vectors]
    put(case + ".score", scores)
    put(case + ".norm", norms)
    put(case + ".share", [each / each.sum(-1, keepdim=True) for each in norms])
    put(case + ".rollout", rollout([a.mean(0) for a in weights], True))
    put(case + ".rollout_alone", rollout([a.mean(0) for a in weights], False))
    put(case + ".rollout_norms", rollout([each.mean(0) for each in norms], True))
    if direction:
        put(case + ".logit", [torch.einsum("hijd,id->hij", each, direction(TOKEN)) for each in vectors])
        put(case + ".logit_difference", [torch.einsum("hijd,id->hij", each, direction(TOKEN) - direction(AGAINST))
                                         for each in vectors])


def listened(name, weights, config, more, output, columns=False, direction=None):
    """What a forward pass of make_models.py attends, and W_O by the end of its name."""
    kept = {"weights": [], "scores": [], "values": []}
    plain = make_models.attend

    def attend(out, q, k, v, scale, *rest, **named):
        context = plain(out, q, k, v, scale, *rest, **named)
        group = q.shape[0] // k.shape[0]
        kept["weights"].append(out["attention"][-1])
        kept["scores"].append(q @ k.repeat_interleave(group, 0).transpose(1, 2) * scale)
        kept["values"].append(v.repeat_interleave(group, 0))
        return context

    make_models.attend = attend
    found = make_models.FAMILIES[config["model_type"]](weights, config, **({"ids": make_models.IDS} | more))
    make_models.attend = plain
    outputs = []
    for layer, values in enumerate(kept["values"]):
        w = named(weights, output.replace("#", str(layer)))
        outputs.append((w if columns else w.T).reshape(values.shape[0], values.shape[2], -1))
    of_token = direction and (lambda token: direction(weights, config, found["self"]["stream"], token))
    add(name, **kept, outputs=outputs, direction=of_token)


def of_case(name, *rest):
    _, config, stored, more = next(case for case in make_models.CASES if case[0] == name)
    listened(name, make_models.Weights(name, **stored), config, more, *rest)


def named(weights, end):
    return next(value for key, value in weights.seen.items() if key.endswith(end))


def behind_layer_norm(weights, config, stream, token):
    deviation = (stream.var(-1, unbiased=False, keepdim=True) + config.get("layer_norm_epsilon", 1e-5)).sqrt()
    row = named(weights, "wte.weight")[token] * named(weights, "ln_f.weight")
    return (row - row.mean()) / deviation


def behind_rms_norm(weights, config, stream, token):
    deviation = (stream.pow(2).mean(-1, keepdim=True) + config.get("rms_norm_eps", 1e-6)).sqrt()
    return named(weights, "lm_head.weight")[token] * named(weights, "model.norm.weight") / deviation


class FiledWeights:
    """The tensors of a model.safetensors."""
    layer_norm, linear = make_models.Weights.layer_norm, make_models.Weights.linear

    def __init__(self, path):
        raw = path.read_bytes()
        size = struct.unpack("<Q", raw[:8])[0]
        types = {"F16": np.float16, "F32": np.float32}
        self.seen = {key.removeprefix("transformer."):
                     torch.tensor(np.frombuffer(raw, types[one["dtype"]], math.prod(one["shape"]),
                                                8 + size + one["data_offsets"][0])
                                  .reshape(one["shape"]).astype(np.float64))
                     for key, one in json.loads(raw[8:8 + size]).items() if key != "__metadata__"}

    def get(self, name, shape, scale, offset=0.0, layer=None):
        return self.seen[name if layer is None else name.replace("#", str(layer))]


def of_induction(*rest):
    folder = HERE.parents[2] / "assets/models/induction"
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    ids = [0] + [vocabulary[word] for word in "one red fox ran over my old bridge one red fox ran over my".split()]
    listened("induction", FiledWeights(folder / "model.safetensors"), json.loads((folder / "config.json").read_text()),
             {"ids": ids}, *rest)


def of_seed():
    """A seeded layer as the notebook has it: d_model 24, 3 heads, 7 tokens, seed 5, `randn`."""
    d, heads, n = 24, 3, 7
    torch.manual_seed(5)
    q, k, v, o = (nn.Linear(d, d) for _ in range(4))
    x = torch.randn(1, n, d)[0].double()
    parts = [layer.double()(x).view(n, heads, d // heads).transpose(0, 1) for layer in (q, k, v)]
    scores = parts[0] @ parts[1].transpose(1, 2) / math.sqrt(d // heads)
    add("seeded", [scores.softmax(-1)], [scores], [parts[2]],
        [o.double().weight.T.reshape(heads, d // heads, d)])


torch.set_grad_enabled(False)
of_case("gpt2", "h.#.attn.c_proj.weight", True, behind_layer_norm)
of_case("bert", "layer.#.attention.output.dense.weight")
of_case("llama2", "layers.#.self_attn.o_proj.weight", False, behind_rms_norm)
of_induction("h.#.attn.c_proj.weight", True, behind_layer_norm)
of_seed()
np.savez_compressed(HERE / "cells.npz", **result)
