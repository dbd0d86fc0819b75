# Headscope: the cat sat on the mat
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k, kv_heads = 24, 4, 6, 6, 2
d_k = d_model // heads
torch.manual_seed(14)


def fixed(weight):
    made = nn.utils.skip_init(nn.Linear, weight.size(1), weight.size(0))
    made.weight.data, made.bias.data = weight.clone(), torch.zeros(weight.size(0))
    return made


q, o = fixed(torch.eye(d_model)), fixed(torch.eye(d_model))
k, v = fixed(torch.eye(d_model).view(kv_heads, -1, d_k, d_model)[:, 0].reshape(-1, d_model)), fixed(torch.eye(d_model).view(kv_heads, -1, d_k, d_model)[:, 0].reshape(-1, d_model))
x = torch.randn(1, n_q, d_model)


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


with torch.no_grad():
    Q = split(q(x), heads)
    K = split(k(x), kv_heads)
    V = split(v(x), kv_heads)
    K, V = (t.repeat_interleave(heads // kv_heads, 1) for t in (K, V))
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    weights = scores.softmax(-1)
    context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
    output = o(context)
print(weights[0, 0])  # weights: [1, heads, n_q, n_k]
