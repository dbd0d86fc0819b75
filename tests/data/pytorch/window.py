# Headscope: the cat sat on the mat
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k, kv_heads = 24, 4, 6, 6, 2
d_k = d_model // heads
torch.manual_seed(8)
q = nn.Linear(d_model, d_model)
k = nn.Linear(d_model, kv_heads * d_k)
v = nn.Linear(d_model, kv_heads * d_k)
o = nn.Linear(d_model, d_model)
x = torch.randn(1, n_q, d_model)
blocked = (torch.arange(n_q)[:, None] - torch.arange(n_k)).abs() > 1


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


with torch.no_grad():
    Q = split(F.linear(x, 1.5 * q.weight, q.bias), heads)
    K = split(F.linear(x, -0.75 * k.weight, k.bias), kv_heads)
    V = split(v(x), kv_heads)
    K, V = (t.repeat_interleave(heads // kv_heads, 1) for t in (K, V))
    scores = Q @ K.transpose(-2, -1)
    scores = scores.masked_fill(blocked, -1e9)
    weights = scores.softmax(-1)
    context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
    output = o(context)
print(weights[0, 0])  # weights: [1, heads, n_q, n_k]
