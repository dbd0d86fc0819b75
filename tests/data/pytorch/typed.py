# Headscope: one two
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k = 4, 2, 2, 2
d_k = d_model // heads
torch.manual_seed(42)


def fixed(weight):
    made = nn.utils.skip_init(nn.Linear, weight.size(1), weight.size(0))
    made.weight.data, made.bias.data = weight.clone(), torch.zeros(weight.size(0))
    return made


q = fixed(torch.tensor([
    [0.1, 0.4, -0.3, 0.2],
    [-0.2, 0.3, 1.1, 0.6],
    [1, -0.5, -0.4, 0.8],
    [0.5, 0.2, 0.7, -0.1],
], dtype=torch.float32).T)
k = fixed(torch.tensor([
    [1, 0, 0, 0.5],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0.25, 0, 0, 1],
], dtype=torch.float32).T)
v = fixed(torch.tensor([
    [1, 0, 0, 0.5],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0.25, 0, 0, 1],
], dtype=torch.float32).T)
o = fixed(torch.tensor([
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 2, 1, 0],
    [0, 0, 0, 1],
], dtype=torch.float32).T)
x = torch.tensor([[
    [1, 0.5, -1, 2],
    [-0.5, 1, 0.3, -2],
]], dtype=torch.float32)


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


with torch.no_grad():
    Q = split(q(x), heads)
    K = split(k(x), heads)
    V = split(v(x), heads)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    weights = scores.softmax(-1)
    context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
    output = o(context)
print(weights[0, 0])  # weights: [1, heads, n_q, n_k]
