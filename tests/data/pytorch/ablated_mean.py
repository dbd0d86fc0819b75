# Headscope: the cat sat on
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k, kv_heads = 16, 4, 4, 4, 2
d_k = d_model // heads
torch.manual_seed(18)


def layer():
    q = nn.Linear(d_model, d_model)
    k = nn.Linear(d_model, kv_heads * d_k)
    v = nn.Linear(d_model, kv_heads * d_k)
    o = nn.Linear(d_model, d_model)
    return q, k, v, o


stack = [layer() for _ in range(3)]
x = torch.randn(1, n_q, d_model)
blocked = torch.ones(n_q, n_k, dtype=torch.bool).triu(1)


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


maps = []
ablated = [[2], [], [0, 3]]  # the heads of each layer
with torch.no_grad():
    for off, (q, k, v, o) in zip(ablated, stack):
        Q = split(q(x), heads)
        K = split(k(x), kv_heads)
        V = split(v(x), kv_heads)
        K, V = (t.repeat_interleave(heads // kv_heads, 1) for t in (K, V))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
        scores = scores.masked_fill(blocked, -math.inf)
        weights = scores.softmax(-1)
        context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
        each = context.view(1, n_q, heads, d_k)
        each[:, :, off] = each[:, :, off].mean(1, keepdim=True)
        output = o(context)
        maps.append(weights)
        x = F.layer_norm(x + output, (d_model,))  # what the next layer reads
weights = torch.cat(maps)
print(weights[0, 0])  # weights: [layers, heads, n_q, n_k]; output is of the last layer
