# Headscope: the cat sat on the mat
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k = 32, 4, 6, 6
d_k = d_model // heads
torch.manual_seed(7)
q, k, v, o = (nn.Linear(d_model, d_model) for _ in range(4))
x = torch.randn(1, n_q, d_model)
blocked = torch.ones(n_q, n_k, dtype=torch.bool).triu(1)
blocked[:, [4]] = True


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


with torch.no_grad():
    Q = split(q(x), heads)
    K = split(k(x), heads)
    V = split(v(x), heads)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    scores = scores.masked_fill(blocked, -math.inf)
    weights = (scores / 0.5).softmax(-1)
    context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
    output = o(context)
print(weights[0, 0])  # weights: [1, heads, n_q, n_k]
