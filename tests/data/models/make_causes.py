#!/usr/bin/python3
"""Reference numbers for core/model/effects/causes.h and circuits.h, by PyTorch in double precision (Debian: python3-torch): the
built-in induction model, a GPT-2 of 2 layers of 4 heads, and for paths a BERT of make_models.py. Writes causes.npz
beside this file."""
import json
import math
import pathlib
import struct

import numpy as np
import torch
from torch.nn import functional as F

import make_models

HERE = pathlib.Path(__file__).parent
FOLDER = HERE.parents[2] / "assets/models/induction"
CONFIG = json.loads((FOLDER / "config.json").read_text())
LAYERS, HEADS, D = CONFIG["n_layer"], CONFIG["n_head"], CONFIG["n_embd"]
D_K = D // HEADS
CLEAN = "one red fox ran over my old bridge one red fox ran over my"
OTHER = "one red fox ran over my big bridge one red fox ran over my"


def weights():
    raw = (FOLDER / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + size])
    types = {"F16": np.float16, "F32": np.float32}
    return {name: torch.tensor(np.frombuffer(raw, types[one["dtype"]], count=math.prod(one["shape"]),
                                             offset=8 + size + one["data_offsets"][0])
                               .reshape(one["shape"]).astype(np.float64))
            for name, one in header.items() if name != "__metadata__"}


W = {name.removeprefix("transformer."): value for name, value in weights().items()}
VOCABULARY = json.loads((FOLDER / "tokenizer.json").read_text())["model"]["vocab"]


def ids_of(text):
    return [0] + [VOCABULARY.get(word, 1) for word in text.split()]


def norm(name, x):
    return F.layer_norm(x, (D,), W[name + ".weight"], W[name + ".bias"], CONFIG["layer_norm_epsilon"])


def linear(name, x):
    return x @ W[name + ".weight"] + W[name + ".bias"]


def forward(ids, edit=lambda place, layer, value: value):
    """Logits of all positions, and what each place had; `edit` may change it."""
    n, kept = len(ids), {}

    def at(place, layer, value):
        value = edit(place, layer, value)
        kept[place, layer] = value
        return value

    x = W["wte.weight"][ids] + W["wpe.weight"][:n]
    future = torch.ones(n, n).triu(1).bool()
    for layer in range(LAYERS):
        x = at("stream", layer, x)
        qkv = linear(f"h.{layer}.attn.c_attn", norm(f"h.{layer}.ln_1", x))
        q, k, v = (t.view(n, HEADS, D_K).transpose(0, 1) for t in qkv.split(D, 1))
        v = at("value", layer, v)
        scores = (q @ k.transpose(1, 2) / math.sqrt(D_K)).masked_fill(future, -math.inf)
        pattern = at("pattern", layer, scores.softmax(-1))
        context = at("output", layer, pattern @ v)
        x = x + at("attention", layer, linear(f"h.{layer}.attn.c_proj", context.transpose(0, 1).reshape(n, D)))
        wide = F.gelu(linear(f"h.{layer}.mlp.c_fc", norm(f"h.{layer}.ln_2", x)), approximate="tanh")
        x = x + at("feed-forward", layer, linear(f"h.{layer}.mlp.c_proj", wide))
    return norm("ln_f", x) @ W["wte.weight"].T, kept


clean_ids, other_ids = ids_of(CLEAN), ids_of(OTHER)
N = len(clean_ids)
ANSWER, AGAINST = VOCABULARY["old"], VOCABULARY["big"]
result = {}


def measure(logits, against):
    last = logits[-1]
    return float(last[ANSWER] - (last[AGAINST] if against else 0))


def edited(ids, place, at_layer, change):
    return forward(ids, lambda p, layer, value: change(value) if (p, layer) == (place, at_layer) else value)[0]


base, kept = forward(clean_ids)
other, other_kept = forward(other_ids)
result["clean"] = measure(base, False)
result["probability"] = float(base[-1].softmax(-1)[ANSWER])


def replaced(value, head, rows, by):
    """The rows of a head, or of everything, by those of another tensor."""
    value = value.clone()
    if head is None:
        value[rows] = by[rows]
    else:
        value[head, rows] = by[head, rows]
    return value


EVERY = slice(None)
zero = lambda value: torch.zeros_like(value)
mean = lambda value: value.mean(1, keepdim=True).expand_as(value)
for name, by in [("zero", lambda l: zero(kept["output", l])), ("mean", lambda l: mean(kept["output", l])),
                 ("other", lambda l: other_kept["output", l])]:
    result["knock_" + name] = [[measure(edited(clean_ids, "output", l, lambda x: replaced(x, h, EVERY, by(l))), False)
                                - result["clean"] for h in range(HEADS)] for l in range(LAYERS)]
    result["knock_" + name + "_positions"] = [
        [[measure(edited(clean_ids, "output", l, lambda x: replaced(x, h, p, by(l))), False) - result["clean"]
          for p in range(N)] for h in range(HEADS)] for l in range(LAYERS)]

# One head's edges and keys: its terms weight × value are left out of the context, or replaced by their mean over the
# queries, or by those of the other text.
LAYER, HEAD = 1, 2
own = kept["pattern", LAYER][HEAD][:, :, None] * kept["value", LAYER][HEAD][None]
foreign = other_kept["pattern", LAYER][HEAD][:, :, None] * other_kept["value", LAYER][HEAD][None]


def with_terms(terms):
    def change(value):
        value = value.clone()
        value[HEAD] = terms.sum(1)
        return value
    return measure(edited(clean_ids, "output", LAYER, change), False) - result["clean"]


for name, by in [("zero", torch.zeros_like(own)), ("mean", own.mean(0, keepdim=True).expand_as(own)),
                 ("other", foreign)]:
    edges, keys = np.zeros((N, N)), np.zeros(N)
    for key in range(N):
        terms = own.clone()
        terms[:, key] = by[:, key]
        keys[key] = with_terms(terms)
        for query in range(N):
            terms = own.clone()
            terms[query, key] = by[query, key]
            edges[query, key] = with_terms(terms)
    result["edges_" + name], result["keys_" + name] = edges, keys

# Patches: the clean run's parts in the other one, and the other way round; the share of the logit difference.
a, b = measure(base, True), measure(other, True)
result["clean_difference"], result["corrupted_difference"] = a, b
share = lambda logits: (measure(logits, True) - b) / (a - b)
for direction, ids, source in [("denoise", other_ids, kept), ("noise", clean_ids, other_kept)]:
    for place in ["output", "pattern", "value"]:
        result[f"{direction}_{place}"] = [
            [share(edited(ids, place, l, lambda x: replaced(x, h, EVERY, source[place, l]))) for h in range(HEADS)]
            for l in range(LAYERS)]
        result[f"{direction}_{place}_positions"] = [
            [[share(edited(ids, place, l, lambda x: replaced(x, h, p, source[place, l]))) for p in range(N)]
             for h in range(HEADS)] for l in range(LAYERS)]
    for place in ["stream", "attention", "feed-forward"]:
        result[f"{direction}_{place}_positions"] = [
            [share(edited(ids, place, l, lambda x: replaced(x, None, p, source[place, l]))) for p in range(N)]
            for l in range(LAYERS)]
    for place in ["attention", "feed-forward"]:
        result[f"{direction}_{place}"] = [
            share(edited(ids, place, l, lambda x: source[place, l])) for l in range(LAYERS)]

# Paths: what a head of the first layer wrote is taken out of what one head of the second reads, or out of the last
# stream.
def written(layer, head):
    rows = kept["output", layer][head] @ W[f"h.{layer}.attn.c_proj.weight"][head * D_K:(head + 1) * D_K]
    return rows


def with_input(layer, head, x):
    """The context of one head if its layer read x."""
    qkv = linear(f"h.{layer}.attn.c_attn", norm(f"h.{layer}.ln_1", x))
    q, k, v = (t.view(N, HEADS, D_K).transpose(0, 1)[head] for t in qkv.split(D, 1))
    future = torch.ones(N, N).triu(1).bool()
    return (q @ k.T / math.sqrt(D_K)).masked_fill(future, -math.inf).softmax(-1) @ v


def path(sender, receiver):
    context = with_input(1, receiver, kept["stream", 1] - written(0, sender))

    def change(value):
        value = value.clone()
        value[receiver] = context
        return value
    return measure(edited(clean_ids, "output", 1, change), False) - result["clean"]


result["paths"] = [[path(s, r) for r in range(HEADS)] for s in range(HEADS)]
last = kept["stream", LAYERS - 1] + kept["attention", LAYERS - 1] + kept["feed-forward", LAYERS - 1]
result["direct"] = [[measure(norm("ln_f", last - written(l, h)) @ W["wte.weight"].T, False) - result["clean"]
                     for h in range(HEADS)] for l in range(LAYERS)]

# Circuits, with whole matrices.
def reading(layer, part, head):
    w = W[f"h.{layer}.attn.c_attn.weight"].T[part * D:][head * D_K:(head + 1) * D_K]
    w = w * W[f"h.{layer}.ln_1.weight"]
    return w - w.mean(1, keepdim=True)


def writing(layer, head):
    w = W[f"h.{layer}.attn.c_proj.weight"].T[:, head * D_K:(head + 1) * D_K]
    return w - w.mean(0, keepdim=True)


U = W["wte.weight"] * W["ln_f.weight"]
U = U - U.mean(1, keepdim=True)
QK = [[reading(l, 0, h).T @ reading(l, 1, h) for h in range(HEADS)] for l in range(LAYERS)]
OV = [[writing(l, h) @ reading(l, 2, h) for h in range(HEADS)] for l in range(LAYERS)]


def copying(ov):
    values = torch.linalg.eigvals(W["wte.weight"] @ ov.T @ U.T)
    return float(values.sum().real / values.abs().sum())


def rank(matrix):
    s = torch.linalg.svdvals(matrix)[:D_K]
    p = s / s.sum()
    return float(torch.exp(-(p * p.log()).sum()))


result["copying_score"] = [[copying(OV[l][h]) for h in range(HEADS)] for l in range(LAYERS)]
result["qk_effective_rank"] = [[rank(QK[l][h]) for h in range(HEADS)] for l in range(LAYERS)]
result["ov_effective_rank"] = [[rank(OV[l][h]) for h in range(HEADS)] for l in range(LAYERS)]
ratio = lambda left, right: float(torch.linalg.norm(left @ right) / torch.linalg.norm(left) / torch.linalg.norm(right))
for name, left in [("q", lambda h: QK[1][h].T), ("k", lambda h: QK[1][h]), ("v", lambda h: OV[1][h])]:
    result["composition_" + name] = [[ratio(left(later), OV[0][h]) - 1 / math.sqrt(D) for later in range(HEADS)]
                                     for h in range(HEADS)]
TOKEN = VOCABULARY["fox"]
result["ov_logits"] = (U @ OV[LAYER][HEAD] @ W["wte.weight"][TOKEN]).numpy()
result["qk_scores"] = (W["wte.weight"] @ QK[LAYER][HEAD].T @ W["wte.weight"][TOKEN] / math.sqrt(D_K)).numpy()


# Paths in models of make_models.py, whose attentions come one after another: what sublayers between add is held, norms are
# computed again.
class EditedWeights(make_models.Weights):
    """Products of a name in a layer, as kept or edited."""
    edit = staticmethod(lambda name, layer, y: y)

    def linear(self, name, x, out, layer=None, **more):
        return self.edit(name, layer, super().linear(name, x, out, layer, **more))


class Paths:
    """Of one case; `names` are those of the last products of attention and of the feed-forward network, `heads` the
    numbers of heads of its attentions in the order of a pass, the first `encoder` of which are an encoder's."""
    ANSWER, AGAINST = 7, 11

    def __init__(self, case, names, heads, position, encoder=0):
        _, self.config, weights, inputs = next(one for one in make_models.CASES if one[0] == case)
        self.weights = EditedWeights(case, **weights)
        self.inputs = {"ids": make_models.IDS} | inputs
        self.names, self.heads, self.position, self.encoder = names, heads, position, encoder
        self.clean, self.products, self.contexts = self.run()

    def run(self, edit_product=lambda name, layer, y: y, edit_context=lambda at, context: context, **other):
        """The logits' difference, every product and the contexts; of other inputs, if there are some."""
        products, contexts, plain = {}, [], make_models.attend

        def attend(out, *rest, **named):
            contexts.append(edit_context(len(contexts), plain(out, *rest, **named)))
            return contexts[-1]

        def edit(name, layer, y):
            products[name, layer] = edit_product(name, layer, y)
            return products[name, layer]

        make_models.attend, self.weights.edit = attend, edit
        logits = make_models.FAMILIES[self.config["model_type"]](
            self.weights, self.config, **(self.inputs | other))["logits"]
        make_models.attend = plain
        return float((logits[:, self.ANSWER] - logits[:, self.AGAINST])[self.position]), products, contexts

    def columns(self, at, head):
        d_k = self.contexts[at].shape[1] // self.heads[at]
        return slice(head * d_k, (head + 1) * d_k)

    def without(self, at, head):
        """Edits products: a head's part of its attention's output left out, all others after it held."""
        sender = [key for key in self.products if key[0].endswith(self.names[0])][at]

        def edit(name, layer, y):
            if not name.endswith(self.names):
                return y
            if (name, layer) != sender:
                return self.products[name, layer]
            w = self.weights.seen[self.weights.rename(name + ".weight").replace("#", str(layer))]
            columns = self.columns(at, head)
            return self.products[name, layer] - self.contexts[at][:, columns] @ w[:, columns].T
        return edit

    def between(self, sender, receiver):
        read = self.run(self.without(*sender))[2][receiver[0]]

        def change(at, context):
            if at == receiver[0]:
                context = context.clone()
                columns = self.columns(*receiver)
                context[:, columns] = read[:, columns]
            return context
        return self.run(edit_context=change)[0] - self.clean

    def all(self):
        """Rows (attention, head, reading attention, reading head, change); the logits are -1, -1."""
        rows = []
        for sender in range(len(self.heads)):
            for s in range(self.heads[sender]):
                for reader in range(sender + 1, len(self.heads)):
                    own = self.encoder and reader >= self.encoder and (reader - self.encoder) % 2 == 0
                    if sender < self.encoder and own:
                        continue  # only cross-attention reads the source
                    rows += [(sender, s, reader, r, self.between((sender, s), (reader, r))) for r in range(self.heads[reader])]
                if sender >= self.encoder:
                    rows.append((sender, s, -1, -1, self.run(self.without(sender, s))[0] - self.clean))
        return rows


    def patched(self):
        """The share recovered by each product of this run in one whose last token but one is another one."""
        ids = list(self.inputs["ids"])
        ids[-2] = (ids[-2] + 9) % 40 + 5
        corrupted = self.run(ids=ids)[0]
        shares = [[], []]
        for product in self.products:
            for kind, name in enumerate(self.names):
                if product[0].endswith(name):
                    edit = lambda name, layer, y: self.products[product] if (name, layer) == product else y
                    shares[kind].append((self.run(edit, ids=ids)[0] - corrupted) / (self.clean - corrupted))
        return shares


T5, MARIAN = (".o", ".wo"), (".out_proj", ".fc2")
for paths in [("bert", ("attention.output.dense", "#.output.dense"), [4] * 2, 3), ("t5", T5, [4] * 6, 4, 2),
              ("marian", MARIAN, [4, 4, 3, 3, 3, 3], 2, 2), ("mbart", MARIAN, [4, 4, 3, 3, 3, 3], 3, 2)]:
    runs = Paths(*paths)
    result["paths_" + paths[0]] = runs.all()
    result["attention_" + paths[0]], result["feed_forward_" + paths[0]] = runs.patched()

np.savez(HERE / "causes.npz", **{name: np.asarray(value, np.float32) for name, value in result.items()})
