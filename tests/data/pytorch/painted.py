# Headscope: the cat sat on
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k = 16, 2, 4, 4
d_k = d_model // heads
torch.manual_seed(9)
q, k, v, o = (nn.Linear(d_model, d_model) for _ in range(4))
x = torch.randn(1, n_q, d_model)
blocked = torch.tensor([[[c == "1" for c in row] for row in head.split()] for head in (
    "1111 0000 0000 0000",
    "1111 0000 0100 0001",
)])


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


with torch.no_grad():
    Q = split(q(x), heads)
    K = split(k(x), heads)
    V = split(v(x), heads)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    scores = scores.masked_fill(blocked, -math.inf)
    weights = scores.softmax(-1).nan_to_num(0.0)  # a query with no key: 0, not NaN
    context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
    output = o(context)
print(weights[0, 0])  # weights: [1, heads, n_q, n_k]
