# Headscope: it's "no" \n
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k = 512, 8, 6, 2
d_k = d_model // heads
torch.manual_seed(18446744073709551615)
q, k, v, o = (nn.Linear(d_model, d_model) for _ in range(4))


def mix(state):  # SplitMix64
    z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def vector(token):  # N(0, 1), of the token's text and the seed alone
    step, start = 0x9E3779B97F4A7C15, 14695981039346656037
    for byte in token.encode():  # FNV-1a
        start = (start ^ byte) * 1099511628211 % 2**64
    start ^= mix((18446744073709551615 + step) % 2**64)
    count = -(-d_model // 16) * 16
    draws = [mix((start + (i + 1) * step) % 2**64) >> 40 for i in range(count)]
    u = torch.tensor(draws).view(-1, 2, 8) / 2**24  # Box–Muller
    radius, angle = (-2 * (1 - u[:, 0]).log()).sqrt(), 2 * math.pi * u[:, 1]
    return torch.stack([radius * angle.cos(), radius * angle.sin()], 1).flatten()[:d_model]


x = torch.stack([vector(t) for t in ["it's", "\"", "no", "\"", "\\", "n"]])[None]
y = torch.stack([vector(t) for t in ["猫", "sat"]])[None]


def split(t, heads):  # [1, n, heads d_k] to [1, heads, n, d_k]
    return t.view(1, -1, heads, d_k).transpose(1, 2)


with torch.no_grad():
    Q = split(q(x), heads)
    K = split(k(y), heads)
    V = split(v(y), heads)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    weights = scores.softmax(-1)
    context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)
    output = o(context)
print(weights[0, 0])  # weights: [1, heads, n_q, n_k]
