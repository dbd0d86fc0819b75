#!/usr/bin/python3
"""Reference numbers for core/model/effects/logit_contributions.h, by PyTorch in double precision (Debian: python3-torch): the
models of make_models.py, run forwards with the stream as a list of terms. Every norm divides each term by the deviation
of their sum, every activation before the output multiplies each by the ratio of what it gives for the sum. Writes
contributions.npz beside this file, of each case for the questions [(last row, token 1), (first row, last token)]:

  CASE.BLOCK [2, layers, heads]    what each head adds; of BLOCK self, or decoder and cross
  CASE.networks [2, layers]        without their biases
  CASE.biases [2, layers]          of W_O, networks and the norms behind them
  CASE.rest [2, 3]                 of the embedding with its norm, the convolution, the last norm and the output
"""
import numpy as np
import torch
from torch.nn import functional as F

import make_models
from make_models import HERE

NAMES = ["bert", "bert-tokens", "bert-text", "bert-span", "roberta", "roberta-text", "roberta-span", "distilbert",
         "distilbert-text", "albert", "albert-text", "electra", "electra-replaced", "electra-text", "mpnet", "mpnet-text",
         "deberta-v2-convolved", "deberta-v2-text", "modernbert", "modernbert-text", "marian", "bart", "bart-text",
         "bart-span", "mbart", "mbart-text", "pegasus", "m2m_100", "t5", "t5-text", "opt", "opt-350m", "gpt2", "gpt2-text",
         "llama2"]


class Terms:
    """Rows that are a sum of named terms."""

    def __init__(self, terms):
        self.terms = terms

    @property
    def value(self):
        return sum(self.terms.values())

    @property
    def shape(self):
        return self.value.shape

    def map(self, f):
        return Terms({name: f(term) for name, term in self.terms.items()})

    def with_term(self, name, term):
        return Terms({**self.terms, name: self.terms.get(name, 0) + term})

    def __getitem__(self, rows):
        return self.map(lambda term: term[rows])

    def mean(self, *args, **named):
        return self.map(lambda term: term.mean(*args, **named))

    def __mul__(self, factor):
        return self.map(lambda term: term * factor)

    __rmul__ = __mul__

    def __matmul__(self, matrix):
        FINAL[0] = True
        return self.map(lambda term: term @ matrix)

    def __add__(self, other):
        if isinstance(other, Terms):  # what attention gives
            terms = dict(self.terms)
            for name, term in other.terms.items():
                terms[name] = terms.get(name, 0) + term
            return Terms(terms)
        if isinstance(other, (int, float)):
            return self
        if FINAL[0]:
            return self.with_term("output", other.expand(self.shape))
        layer = LAYER[0]
        if ("network", layer) in self.terms:
            return self.with_term("convolution", other)
        bias = getattr(other, "bias", torch.zeros(()).double())
        return self.with_term(("network", layer), other - bias).with_term(("bias", layer), bias.expand(self.shape))

    def __radd__(self, other):
        return Terms({"embedding": other}) + self

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = func.__name__
        if name in ("add", "__add__", "__radd__"):
            terms, other = (args[0], args[1]) if isinstance(args[0], Terms) else (args[1], args[0])
            return other + terms if isinstance(other, Terms) else terms.__radd__(other) if args[1] is terms else terms + other
        if name in ("gelu", "tanh", "relu"):
            return activated(lambda z: func(z), args[0])
        if name == "layer_norm":
            return normed(*args, **(kwargs or {}))
        if name == "zeros_like":
            return args[0].map(torch.zeros_like)
        if name == "cat":
            rows, dim = args
            return Terms({name: torch.cat([part.terms[name] for part in rows], dim) for name in rows[0].terms})
        raise NotImplementedError(name)


FINAL, LAYER, BLOCKS = [False], [0], []


def activated(f, x):
    z = x.value
    return x.map(lambda term: term * (f(z) / z))


def normed(x, shape, weight=None, bias=None, eps=1e-5, layer=None, centred=True):
    z = x.value
    mean = z.mean(-1, keepdim=True) if centred else 0
    deviation = torch.sqrt((z - mean).pow(2).mean(-1, keepdim=True) + eps)
    weight = 1 if weight is None else weight
    centre = (lambda term: term - term.mean(-1, keepdim=True)) if centred else (lambda term: term)
    result = x.map(lambda term: weight * centre(term) / deviation)
    if bias is None:
        return result
    return result.with_term("output" if layer is None else ("bias", layer), bias.expand(z.shape))


class Weights(make_models.Weights):
    def layer_norm(self, name, x, eps, layer=None):
        if not isinstance(x, Terms):
            return super().layer_norm(name, x, eps, layer)
        d = x.shape[-1]
        of_layer = layer is not None or "conv" in name
        return normed(x, (d,), self.get(name + ".weight", (d,), 0.25, 1, layer), self.get(name + ".bias", (d,), 0.125, 0, layer),
                      eps, LAYER[0] if of_layer else None)

    def rms_norm(self, name, x, eps, layer=None, width=None):
        if not isinstance(x, Terms):
            return super().rms_norm(name, x, eps, layer, width)
        weight = self.get(name + ".weight", (width or x.shape[-1],), 0.25, 1, layer)
        return normed(x, None, weight, None, eps, centred=False)

    def linear(self, name, x, out, layer=None, bias=True, columns=False, gain=2.4):
        plain = super().linear
        if hasattr(x, "heads"):
            block, number, heads = x.heads
            LAYER[0] = number
            parts, empty = x.view(x.shape[0], heads, -1), torch.zeros_like(x).view(x.shape[0], heads, -1)
            zero = plain(name, torch.zeros_like(x), out, layer, bias, columns, gain)
            terms = {("bias", number): zero}
            for head in range(heads):
                alone = empty.clone()
                alone[:, head] = parts[:, head]
                terms[block, number, head] = plain(name, alone.reshape(x.shape), out, layer, bias, columns, gain) - zero
            return Terms(terms)
        if isinstance(x, Terms) and layer is None and "#" not in name:
            FINAL[0] = True
            zero = plain(name, torch.zeros_like(x.value), out, layer, bias, columns, gain)
            result = x.map(lambda term: plain(name, term, out, layer, bias, columns, gain) - zero)
            return result.with_term("output", zero)
        result = plain(name, x.value if isinstance(x, Terms) else x, out, layer, bias, columns, gain)
        if layer is not None and bias:
            result.bias = self.get(name + ".bias", (out,), 0.25, 0, layer)
        return result


def attend(out, q, *rest, **named):
    context = ATTEND(out, q, *rest, **named)
    if not any(known is out for known in BLOCKS):
        BLOCKS.append(out)
    number = next(i for i, known in enumerate(BLOCKS) if known is out)
    context.heads = number, len(out["attention"]) - 1, q.shape[0]
    return context


ATTEND, make_models.attend = make_models.attend, attend
ACTIVATION = make_models.activation
make_models.activation = lambda word: lambda x: activated(ACTIVATION(word), x) if isinstance(x, Terms) else ACTIVATION(word)(x)


def main():
    arrays = {}
    for name, config, stored, more in make_models.CASES:
        if name not in NAMES:
            continue
        FINAL[0], LAYER[0] = False, 0
        BLOCKS.clear()
        more = {"ids": make_models.IDS} | more
        result = make_models.FAMILIES[config["model_type"]](Weights(name, **stored), config, **more)
        logits = result["logits"]
        rows, count = logits.shape
        questions = [(rows - 1, 1 % count), (0, count - 1)]
        at = lambda key: [float(logits.terms[key][row, token]) if key in logits.terms else 0.0 for row, token in questions]
        blocks = sorted({key[0] for key in logits.terms if isinstance(key, tuple) and len(key) == 3})
        heads = {block: sorted({key[1:] for key in logits.terms if isinstance(key, tuple) and key[0] == block and len(key) == 3})
                 for block in blocks}
        own = [block for block in blocks if not (len(BLOCKS) == 3 and block == 0)]
        for block, word in zip(own, ["self"] if len(own) == 1 else ["decoder", "cross"]):
            layers, each = 1 + heads[block][-1][0], 1 + heads[block][-1][1]
            arrays[f"{name}.{word}"] = np.array([[at((block, layer, head)) for head in range(each)] for layer in range(layers)]) \
                .transpose(2, 0, 1)
        layers = arrays[f"{name}.{'self' if len(own) == 1 else 'decoder'}"].shape[1]
        arrays[f"{name}.networks"] = np.array([at(("network", layer)) for layer in range(layers)]).T
        arrays[f"{name}.biases"] = np.array([at(("bias", layer)) for layer in range(layers)]).T
        arrays[f"{name}.rest"] = np.array([at("embedding"), at("convolution"), at("output")]).T
        total = sum(array.reshape(2, -1).sum(1) for key, array in arrays.items() if key.startswith(name + "."))
        for (row, token), sum_of_terms in zip(questions, total):
            assert abs(float(logits.value[row, token]) - sum_of_terms) < 1e-9, name
        expected = np.load(HERE / f"{config['model_type']}.npz")[f"{name}.logits"]
        assert np.abs(logits.value.numpy() - expected).max() < 1e-5, name
    np.savez_compressed(HERE / "contributions.npz", **{key: np.ascontiguousarray(array, np.float32) for key, array in arrays.items()})


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    main()
