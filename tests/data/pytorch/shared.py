# Headscope: the cat sat
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k = 12, 3, 3, 3
d_k = d_model // heads
torch.manual_seed(13)


def linear(n_in, n_out):
    made = nn.utils.skip_init(nn.Linear, n_in, n_out)
    nn.init.normal_(made.weight, 0.0, 0.3)
    nn.init.zeros_(made.bias)
    return made


def layer():
    q, k, v, o = (linear(d_model, d_model) for _ in range(4))
    up, down = linear(d_model, 4 * d_model), linear(4 * d_model, d_model)
    return q, k, v, o, up, down


stack = [layer()] * 2
x = torch.randn(1, n_q, d_model)


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


maps = []
with torch.no_grad():
    for q, k, v, o, up, down in stack:
        Q = split(q(x), heads)
        K = split(k(x), heads)
        V = split(v(x), heads)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
        weights = scores.softmax(-1)
        context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
        output = o(context)
        maps.append(weights)
        x = output  # what the next layer reads
        x = down(F.relu(up(x)))
weights = torch.cat(maps)
print(weights[0, 0])  # weights: [layers, heads, n_q, n_k]; output is of the last layer
