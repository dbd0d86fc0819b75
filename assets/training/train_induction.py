#!/usr/bin/python3
"""Trains the GPT-2 of assets/models/induction, which has learnt to repeat (Debian: python3-torch).

    /usr/bin/python3 assets/training/train_induction.py

On one thread that takes about five minutes with OpenBLAS as the system's BLAS, ten times that with the reference one.
On held-out texts of 96 tokens, words that return have p 0.962 on average and are the first guess in 97.9 % of cases;
fresh words have p 0.010. Without head 1 of layer 0 the former falls to 0.072, without head 2 of layer 1 to 0.009,
without any other to no less than 0.962 (all counted from 0, by the stored weights).

The text is words in any order, none of them twice, except that stretches of it return: of any length, from any
distance, overlapping themselves too (a b c a b c a). What comes next is a guess until a word returns; then it is what
followed that word before. No fixed distance predicts it, two heads together do: one of the first layer that looks at the
word before (previous token), and one of the second that looks at the word after an equal one (induction). So that it
is one of each, the others are switched off at random while the model learns, ever more seldom towards the end.

Writes config.json, model.safetensors (float16) and tokenizer.json into the folder, and tests/data/models/induction.json:
what PyTorch in double precision computes from the stored weights, for the tests.
"""
import argparse
import json
import math
import pathlib
import struct
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

ENGLISH = """a and apple big bird black blue book bridge brown by cat cloud cold day dog door eats fast fish fox from
green has he her house in is it jumps lazy light little long man moon my near new night of old on one opens over quick rain
ran red river sat sea sees she sings sky sleeps small stone sun the tree two under walks warm white wind with""".split()
CHINESE = list("猫狗坐在垫子上看小鸟飞过大山水花树红白天地人月风雨日走")
VOCABULARY = ["<s>", "<unk>"] + ENGLISH + CHINESE
POSITIONS, WIDTH, HEADS, LAYERS, INNER = 96, 64, 4, 2, 64
KEPT = [(0, 1), (1, 2)]  # (layer, head) that are never switched off
FRESH, PREDICTABLE, UNPREDICTABLE = 0, 1, 2


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.c_attn, self.c_proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.c_fc, self.mlp_proj = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)

    def forward(self, x, on):
        batch, n, _ = x.shape
        q, k, v = (part.view(batch, n, HEADS, -1).transpose(1, 2) for part in self.c_attn(self.ln_1(x)).chunk(3, -1))
        later = torch.ones(n, n, dtype=torch.bool).triu(1)
        maps = (q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])).masked_fill(later, -math.inf).softmax(-1)
        context = maps @ v * on.view(1, -1, 1, 1)
        x = x + self.c_proj(context.transpose(1, 2).reshape(batch, n, WIDTH))
        h = self.c_fc(self.ln_2(x))
        h = 0.5 * h * (1 + torch.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)))
        return x + self.mlp_proj(h), maps


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(len(VOCABULARY), WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.h = nn.ModuleList(Block() for _ in range(LAYERS))
        self.ln_f = nn.LayerNorm(WIDTH)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                nn.init.normal_(weight, std=(1 if "attn" in name else 0.5) / math.sqrt(WIDTH))
        # Keys begin equal to queries, and positions as waves: heads find what is alike and near from the start.
        for block in self.h:
            block.c_attn.weight.data[WIDTH : 2 * WIDTH] = block.c_attn.weight.data[:WIDTH]
        angle = torch.arange(POSITIONS)[:, None] * torch.exp(-math.log(30) * torch.arange(0, WIDTH, 2) / WIDTH)
        self.wpe.weight.data = 0.12 * torch.stack([angle.sin(), angle.cos()], -1).view(POSITIONS, WIDTH)

    def forward(self, ids, on=None):
        on = torch.ones(LAYERS, HEADS, dtype=self.wte.weight.dtype) if on is None else on
        x, maps, streams = self.wte(ids) + self.wpe.weight[: ids.shape[1]], [], []
        for layer, block in enumerate(self.h):
            x, attention = block(x, on[layer])
            maps.append(attention)
            streams.append(x)
        return [self.ln_f(stream) @ self.wte.weight.T for stream in streams], maps


def random_text(rng, length):
    """Ids of a text, and of each FRESH, PREDICTABLE by those before, or UNPREDICTABLE: not to be learnt."""
    fresh = list(rng.permutation(np.arange(1, len(VOCABULARY))))
    ids, kinds = [0], [UNPREDICTABLE]
    while len(ids) < length:
        for _ in range(rng.integers(1, length // 4 + 4)):
            if fresh:
                ids.append(fresh.pop())
                # Nothing says that a stretch ends.
                kinds.append(UNPREDICTABLE if kinds[-1] == PREDICTABLE else FRESH)
        start = rng.integers(1, len(ids))
        if kinds[-1] != PREDICTABLE:
            for i in range(rng.integers(3, length // 3 + 6)):
                ids.append(ids[start + i])
                kinds.append(PREDICTABLE if i > 0 else FRESH)
    return ids[:length], kinds[:length]


def batch_of(rng, size, length):
    rows = [random_text(rng, length) for _ in range(size)]
    return torch.tensor([row[0] for row in rows]), torch.tensor([row[1] for row in rows])[:, 1:]


def next_probabilities(logits, ids):
    return logits[..., :-1, :].softmax(-1).gather(-1, ids[..., 1:, None])[..., 0]


def all_but(layer, head):
    on = torch.ones(LAYERS, HEADS).double()
    on[layer, head] = 0
    return on


def train(options):
    rng = np.random.default_rng(options.seed)
    model = Model()
    weights = list(model.parameters())
    adam = torch.optim.AdamW([{"params": [w for w in weights if w.dim() == 2], "weight_decay": 0.05},
                              {"params": [w for w in weights if w.dim() == 1], "weight_decay": 0}],
                             lr=0, betas=(0.9, 0.98))
    began = time.time()
    for step in range(options.steps):
        share = step / options.steps
        for group in adam.param_groups:
            group["lr"] = 2e-3 * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * share))
        # Short texts first, where there is less to search.
        ids, kinds = batch_of(rng, 64, 32) if share < 0.4 else batch_of(rng, 32, POSITIONS)
        on = (torch.rand(LAYERS, HEADS) >= 0.8 * min(1, 2 - 2 * share)).float()
        for layer, head in KEPT:
            on[layer, head] = 1
        logits = model(ids, on)[0][-1]
        loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(), reduction="none").view(kinds.shape)
        weight = (kinds == PREDICTABLE) + 0.03 * (kinds == FRESH)
        loss = (weight * loss).sum() / weight.sum()
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1)
        adam.step()
        if step % 100 == 0 or step + 1 == options.steps:
            predictable = next_probabilities(logits.detach(), ids)[kinds == PREDICTABLE].mean()
            print(f"step {step}: loss {loss.item():.3f}, predictable words p {predictable:.3f}, {time.time() - began:.0f} s",
                  flush=True)
    return model


def half_precision(model):
    for weight in model.parameters():
        weight.data = weight.data.half()
    return model


def report(model, rng):
    """Of texts that the model has not seen."""
    ids, kinds = batch_of(rng, 300, POSITIONS)
    logits, maps = model(ids)
    p, predictable = next_probabilities(logits[-1], ids), kinds == PREDICTABLE
    right = logits[-1][:, :-1].argmax(-1) == ids[:, 1:]
    print(f"held out: predictable words have p {p[predictable].mean():.4f} (one in twenty below {p[predictable].quantile(0.05):.4f}), "
          f"the first guess is right for {right[predictable].double().mean():.4f}; fresh words {p[kinds == FRESH].mean():.4f}")
    same = (ids[:, :, None] == ids[:, None, :]).tril(-1)
    after = F.pad(same, (1, 0))[:, :, :-1].tril() & (F.pad(kinds, (1, 0)) == PREDICTABLE)[:, :, None]
    rows = after.any(-1)
    for layer in range(LAYERS):
        for head in range(HEADS):
            weights = maps[layer][:, head]
            off = next_probabilities(model(ids, all_but(layer, head))[0][-1], ids)[predictable].mean()
            print(f"  layer {layer} head {head}: previous {weights.diagonal(-1, 1, 2).mean():.3f}, "
                  f"induction {(weights * after).sum(-1)[rows].mean():.3f}; without it predictable words have p {off:.3f}")


EXAMPLE = "one red fox ran over my old bridge one red fox ran over my"


def save_folder(model, folder):
    folder.mkdir(exist_ok=True)
    config = {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "vocab_size": len(VOCABULARY),
              "n_positions": POSITIONS, "n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "n_inner": INNER,
              "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "bos_token_id": 0, "eos_token_id": 0,
              "tie_word_embeddings": True, "torch_dtype": "float16", "headscope": {"sentence": EXAMPLE}}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    sequence = [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": i, "content": VOCABULARY[i], "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True} for i in range(2)],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": sequence,
                           "pair": sequence + [{"Sequence": {"id": "B", "type_id": 0}}],
                           "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}}},
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {word: i for i, word in enumerate(VOCABULARY)}, "unk_token": "<unk>"}}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, indent=1) + "\n")
    tensors = {}
    for name, weight in model.state_dict().items():
        name = name.replace("c_attn", "attn.c_attn").replace("c_proj", "attn.c_proj")
        name = name.replace("c_fc", "mlp.c_fc").replace("mlp_proj", "mlp.c_proj")
        columns = weight.dim() == 2 and ".h." in "." + name  # GPT-2 keeps these [in, out]
        tensors["transformer." + name] = (weight.T if columns else weight).contiguous().numpy()
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, values in tensors.items():
        header[name] = {"dtype": "F16", "shape": list(values.shape),
                        "data_offsets": [len(data), len(data) + values.nbytes]}
        data += values.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


def save_reference(model, path):
    """Two texts whose stretch returns, and one where nothing does."""
    cases = []
    for text in ["one red fox ran over my old bridge and the moon sings one red fox ran over my old bridge and",
                 "猫坐在垫子上看小鸟飞过大山猫坐在垫子上看小鸟飞",
                 "the little bird sleeps near a cold river"]:
        words = text.split() if " " in text else list(text)
        ids = torch.tensor([[0] + [VOCABULARY.index(word) for word in words]])
        logits, maps = model(ids)
        with_head_off = [[next_probabilities(model(ids, all_but(layer, head))[0][-1], ids)[0].tolist()
                          for head in range(HEADS)] for layer in range(LAYERS)]
        cases.append({"text": text, "ids": ids[0].tolist(),
                      "p": next_probabilities(logits[-1], ids)[0].tolist(),
                      "p_after_layer_1": next_probabilities(logits[0], ids)[0].tolist(),
                      "p_with_head_off": with_head_off,
                      "last_logits": logits[-1][0, -1].tolist()})
    rounded = json.loads(json.dumps(cases), parse_float=lambda number: float(f"{float(number):.7g}"))
    path.write_text(json.dumps(rounded, ensure_ascii=False).replace('}, {"text"', '},\n{"text"') + "\n")


def main():
    top = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=top / "assets/models/induction")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    model = half_precision(train(options))
    save_folder(model, options.out)
    model = model.double()
    with torch.no_grad():
        report(model, np.random.default_rng(1000 + options.seed))
        save_reference(model, top / "tests/data/models/induction.json")


if __name__ == "__main__":
    main()
