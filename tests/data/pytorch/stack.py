# Headscope: the cat sat on
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k, kv_heads = 16, 4, 4, 4, 1
d_k = d_model // heads
torch.manual_seed(12)


def linear(n_in, n_out):
    made = nn.utils.skip_init(nn.Linear, n_in, n_out)
    nn.init.xavier_uniform_(made.weight)
    nn.init.zeros_(made.bias)
    return made


def layer():
    q = linear(d_model, d_model)
    k = linear(d_model, kv_heads * d_k)
    v = linear(d_model, kv_heads * d_k)
    o = linear(d_model, d_model)
    up, down = linear(d_model, 4 * d_model), linear(4 * d_model, d_model)
    return q, k, v, o, up, down


stack = [layer() for _ in range(3)]
x = torch.randn(1, n_q, d_model)
blocked = torch.zeros(n_q, n_k, dtype=torch.bool)
blocked[:, [2, 3]] = True


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


maps = []
with torch.no_grad():
    for q, k, v, o, up, down in stack:
        Q = split(q(x), heads)
        K = split(k(x), kv_heads)
        V = split(v(x), kv_heads)
        K, V = (t.repeat_interleave(heads // kv_heads, 1) for t in (K, V))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
        scores = scores.masked_fill(blocked, -math.inf)
        weights = scores.softmax(-1)
        context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
        output = o(context)
        maps.append(weights)
        x = F.layer_norm(x + output, (d_model,))  # what the next layer reads
        x = F.layer_norm(x + down(F.relu(up(x))), (d_model,))
weights = torch.cat(maps)
print(weights[0, 0])  # weights: [layers, heads, n_q, n_k]; output is of the last layer
