# Headscope: The animal didn't cross the street because it was tired
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k = 512, 8, 10, 10
d_k = d_model // heads
torch.manual_seed(42)
q, k, v, o = (nn.Linear(d_model, d_model) for _ in range(4))
x = torch.randn(1, n_q, d_model)


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


off = [1, 6]  # the ablated heads
with torch.no_grad():
    Q = split(q(x), heads)
    K = split(k(x), heads)
    V = split(v(x), heads)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    weights = scores.softmax(-1)
    context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
    each = context.view(1, n_q, heads, d_k)
    each[:, :, off] = 0
    output = o(context)
print(weights[0, 0])  # weights: [1, heads, n_q, n_k]
