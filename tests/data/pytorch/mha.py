# Headscope: the cat sat on
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k = 16, 4, 4, 4
d_k = d_model // heads
torch.manual_seed(17)


def layer():
    mha = nn.MultiheadAttention(d_model, heads)
    q, k, v = (nn.utils.skip_init(nn.Linear, d_model, d_model) for _ in range(3))
    for part, weight in zip((q, k, v), mha.in_proj_weight.data.chunk(3)):
        part.weight.data, part.bias.data = weight, torch.zeros(d_model)
    o = mha.out_proj
    up, down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)
    return q, k, v, o, up, down


stack = [layer() for _ in range(2)]
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
        x = F.layer_norm(x + output, (d_model,))  # what the next layer reads
        x = F.layer_norm(x + down(F.relu(up(x))), (d_model,))
weights = torch.cat(maps)
print(weights[0, 0])  # weights: [layers, heads, n_q, n_k]; output is of the last layer
