#!/usr/bin/python3
"""Reference numbers for what goes beyond the notebook's one layer, computed by PyTorch (Debian: python3-torch).

Writes draws.npz (the generator's draws) and layers.npz (layers and stacks) beside this file; float32 throughout.
layers.npz holds for each case NAME.x [layers, n_q, d_model], NAME.attention [layers, heads, n_q, n_k] and NAME.output
[layers, n_q, d_model]; the settings of the cases are repeated in tests/core/test_torch_layers.cpp.
"""
import math
import pathlib

import numpy as np
import torch
from torch import nn
from torch.nn import functional

HERE = pathlib.Path(__file__).parent


def draws():
    arrays = {}
    torch.manual_seed(42)
    arrays["uniform"] = torch.empty(100).uniform_(-0.3, 0.7)
    # One after the other from the same generator: a cached second value, both ways of drawing, a short last block.
    for size in (7, 8, 15, 16, 17, 100, 1000, 3, 4):
        arrays[f"normal_{size}"] = torch.empty(size).normal_(0.5, 2.0)
    arrays["dropout"] = functional.dropout(torch.ones(200), 0.3, True)
    arrays["randn_after"] = torch.randn(5)
    torch.manual_seed((1 << 40) + 5)  # only the low 32 bits count
    arrays["uniform_large_seed"] = torch.rand(10)
    return arrays


class Layer(nn.Module):
    def __init__(self, d_model, heads, kv_heads, weights, sigma, feed_forward):
        super().__init__()
        self.heads, self.kv_heads, self.d_k = heads, kv_heads, d_model // heads
        d_kv = kv_heads * self.d_k
        shapes = {"q": (d_model, d_model), "k": (d_kv, d_model), "v": (d_kv, d_model), "o": (d_model, d_model)}
        if feed_forward:
            shapes |= {"up": (4 * d_model, d_model), "down": (d_model, 4 * d_model)}
        for name, (rows, columns) in shapes.items():
            if weights == "linear" or weights == "similarity":
                linear = nn.Linear(columns, rows)
            else:
                linear = nn.utils.skip_init(nn.Linear, columns, rows)
                if weights == "xavier":
                    nn.init.xavier_uniform_(linear.weight)
                else:
                    nn.init.normal_(linear.weight, 0.0, sigma)
                nn.init.zeros_(linear.bias)
            setattr(self, name, linear)
        if weights == "similarity":
            self.k = self.q

    def split(self, x, heads):
        return x.view(-1, heads, self.d_k).transpose(0, 1)

    def forward(self, xq, xk, scale, temperature, gain_q, gain_k, dropout):
        q = self.split(functional.linear(xq, self.q.weight * gain_q, self.q.bias), self.heads)
        k = self.split(functional.linear(xk, self.k.weight * gain_k, self.k.bias), self.kv_heads)
        v = self.split(self.v(xk), self.kv_heads)
        k, v = (t.repeat_interleave(self.heads // self.kv_heads, 0) for t in (k, v))
        scores = q @ k.transpose(-2, -1)
        if scale:
            scores = scores / math.sqrt(self.d_k)
        attention = functional.dropout((scores / temperature).softmax(-1), dropout, True)
        return attention, self.o((attention @ v).transpose(0, 1).reshape(xq.size(0), -1))


def run(n_q, d_model, heads, seed, n_k=None, kv_heads=None, layers=1, share=False, residual=True, layer_norm=True,
        feed_forward=False, weights="linear", sigma=0.02, scale=True, temperature=1.0, gain_q=1.0, gain_k=1.0,
        dropout=0.0, dropout_seed=0):
    torch.manual_seed(seed)
    stack = [Layer(d_model, heads, kv_heads or heads, weights, sigma, feed_forward)
             for _ in range(1 if share else layers)] * (layers if share else 1)
    x = torch.randn(1, n_q, d_model)[0]
    key_x = torch.randn(1, n_k, d_model)[0] if n_k else None
    norm = (lambda t: functional.layer_norm(t, (d_model,))) if layer_norm else (lambda t: t)
    join = lambda t, u: norm(t + u if residual else u)
    xs, attentions, outputs = [], [], []
    torch.manual_seed(dropout_seed)
    with torch.no_grad():
        for layer in stack:
            attention, output = layer(x, x if key_x is None else key_x, scale, temperature, gain_q, gain_k, dropout)
            xs, attentions, outputs = xs + [x], attentions + [attention], outputs + [output]
            x = join(x, output)
            if feed_forward:
                x = join(x, layer.down(functional.relu(layer.up(x))))
    return {"x": torch.stack(xs), "attention": torch.stack(attentions), "output": torch.stack(outputs)}


def multihead_attention(n_q, d_model, heads, seed, n_k=None):
    """PyTorch's own layer, as weights "mha" draws it."""
    torch.manual_seed(seed)
    layer = nn.MultiheadAttention(d_model, heads, batch_first=True)
    x = torch.randn(1, n_q, d_model)
    key_x = torch.randn(1, n_k, d_model) if n_k else x
    with torch.no_grad():
        output, attention = layer(x, key_x, key_x, average_attn_weights=False)
    return {"x": x, "attention": attention, "output": output}


CASES = {
    "grouped": dict(n_q=7, d_model=32, heads=4, seed=1, kv_heads=2),
    "multi_query": dict(n_q=5, n_k=9, d_model=24, heads=3, seed=2, kv_heads=1),
    "dropout": dict(n_q=6, d_model=16, heads=2, seed=3, dropout=0.3, dropout_seed=11),
    "dropout_stack": dict(n_q=5, d_model=16, heads=2, seed=3, dropout=0.5, dropout_seed=12, layers=3),
    "stack": dict(n_q=6, d_model=24, heads=2, seed=4, layers=3),
    "stack_feed_forward": dict(n_q=5, d_model=16, heads=4, seed=5, layers=2, feed_forward=True),
    "stack_shared": dict(n_q=5, d_model=16, heads=4, seed=6, layers=3, feed_forward=True, share=True),
    "stack_bare": dict(n_q=5, d_model=16, heads=4, seed=7, layers=3, residual=False, layer_norm=False),
    "stack_cross": dict(n_q=4, n_k=6, d_model=16, heads=2, seed=8, layers=2),
    "xavier": dict(n_q=5, d_model=20, heads=2, seed=9, weights="xavier", layers=2, feed_forward=True),
    "normal": dict(n_q=5, d_model=20, heads=2, seed=10, weights="normal", sigma=0.3),
    "similarity": dict(n_q=5, d_model=20, heads=2, seed=11, weights="similarity"),
    "knobs": dict(n_q=6, d_model=36, heads=3, seed=12, scale=False, temperature=2.5, gain_q=1.5, gain_k=-0.75),
}


OWN_LAYERS = {
    "mha": dict(n_q=5, d_model=20, heads=2, seed=13),
    "mha_wide": dict(n_q=4, d_model=64, heads=8, seed=42),
    "mha_cross": dict(n_q=4, n_k=6, d_model=24, heads=3, seed=14),
}


def main():
    results = {name: run(**case) for name, case in CASES.items()}
    results |= {name: multihead_attention(**case) for name, case in OWN_LAYERS.items()}
    np.savez_compressed(HERE / "draws.npz", **{name: array.numpy() for name, array in draws().items()})
    np.savez_compressed(HERE / "layers.npz", **{f"{name}.{key}": array.numpy() for name, arrays in results.items()
                                                for key, array in arrays.items()})


if __name__ == "__main__":
    main()
