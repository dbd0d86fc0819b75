# Headscope: 猫 sat on the 猫
import math

import torch
from torch import nn
from torch.nn import functional as F

d_model, heads, n_q, n_k = 8, 2, 5, 5
d_k = d_model // heads
torch.manual_seed(11)
q, k, v, o = (nn.Linear(d_model, d_model) for _ in range(4))
x = torch.tensor([[
    [1.6349639, 3.0595937, 1.2642564, 1.6527246, 0.54653627, -0.5901165, -1.2415801, 2.1177983],
    [0.60679674, -0.12028313, 0.5951421, 0.2276715, -0.3331224, 0.9189258, -0.6157901, 2.7652173],
    [1.4284239, -1.7315255, 0.3747737, 1.694071, -0.035878036, -0.0478788, 0.0126688, 1.5687926],
    [0.10707441, -1.2298754, 0.547799, 3.0279312, -0.97960836, 3.3836396, -0.2356312, 1.5626085],
    [0.8781614, 1.4059501, 1.6536747, 1.5737855, 0.5865256, -0.5909164, -1.2375802, 2.1177902],
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
print(weights[0, 0])  # [layers, heads, n_q, n_k]; output is of the last layer
