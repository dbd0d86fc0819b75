#!/usr/bin/env python3
"""Makes the captures of queries with no key in tests/data/fuzz/capture by PyTorch's own attention. Needs torch and numpy."""
import json
import pathlib

import numpy
import torch

folder = pathlib.Path(__file__).parent / "fuzz" / "capture"
words = numpy.frombuffer(json.dumps("the cat sat on mats".split()).encode(), numpy.uint8)
torch.manual_seed(4)
d_model, heads, n = 6, 3, 5
attention = torch.nn.MultiheadAttention(d_model, heads, batch_first=True).eval()
x = torch.randn(1, n, d_model)

# The third head may see nothing: https://github.com/pytorch/pytorch/issues/160064.
mask = torch.zeros(heads, n, n, dtype=torch.bool)
mask[2] = True
projected = torch.nn.functional.linear(x, attention.in_proj_weight, attention.in_proj_bias)
q, k, v = (part.reshape(n, heads, d_model // heads).transpose(0, 1)[None].detach().numpy() for part in projected.chunk(3, -1))
with torch.no_grad():
    output, weights = attention(x, x, x, attn_mask=mask, average_attn_weights=False)
assert weights[0, 2].isnan().all() and not weights[0, :2].isnan().any()
numpy.savez(folder / "no_key_head.npz", attention=weights.numpy(), tokens=words, q=q, k=k, v=v, x=x[0].numpy(), output=output.numpy())

# Padding at the left under a causal mask: the first queries of every layer see nothing, and what they give is NaN.
causal = torch.ones(n, n, dtype=torch.bool).triu(1)
causal[:, :2] = True
layers, layer_x, stream = [], [], x
with torch.no_grad():
    for _ in range(2):
        layer_x.append(stream[0].numpy())
        stream, weights = attention(stream.nan_to_num(), stream.nan_to_num(), stream.nan_to_num(), attn_mask=causal, average_attn_weights=False)
        layers.append(weights[0].numpy())
assert numpy.isnan(layers[1][:, :2]).all() and not numpy.isnan(layers[1][:, 2:]).any() and numpy.isnan(layer_x[1][:2]).all()
numpy.savez(folder / "no_key_padding.npz", attention=numpy.stack(layers), tokens=words, layer_x=numpy.stack(layer_x))
