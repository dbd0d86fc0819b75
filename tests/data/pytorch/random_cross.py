# Headscope: the cat sat on
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k = 16, 2, 4, 5
d_k = d_model // heads
torch.manual_seed(10)


def layer():
    q, k, v, o = (nn.Linear(d_model, d_model) for _ in range(4))
    return q, k, v, o


stack = [layer() for _ in range(2)]
x, y = torch.randn(1, n_q, d_model), torch.randn(1, n_k, d_model)
blocked = torch.tensor([[c == "1" for c in row] for row in """
01101
00111
00111
11100
""".split()])


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


maps = []
with torch.no_grad():
    for q, k, v, o in stack:
        Q = split(q(x), heads)
        K = split(k(y), heads)
        V = split(v(y), heads)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
        scores = scores.masked_fill(blocked, -math.inf)
        weights = scores.softmax(-1)
        context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
        output = o(context)
        maps.append(weights)
        x = F.layer_norm(x + output, (d_model,))  # what the next layer reads
weights = torch.cat(maps)
print(weights[0, 0])  # weights: [layers, heads, n_q, n_k]; output is of the last layer
