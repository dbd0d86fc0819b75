#!/usr/bin/python3
"""Forward passes in PyTorch that can be taken apart, which real classes cannot: make_causes.py, make_cells.py and
make_contributions.py run them with one part changed, or with the stream as a sum of terms. What a whole model gives is
held against the real classes (scripts/referee --tests writes models.json's arrays); these agree with them to 8e-6.

Weights are drawn from the tensor's name (draw() here, tests/support/model_folder.h there). A name with a # is one tensor in
each of so many layers.
"""
import json
import math
import pathlib

import numpy as np
import torch
from torch.nn import functional as F

HERE = pathlib.Path(__file__).parent
GAMMA = 0x9E3779B97F4A7C15


def draw(name, shape, scale, offset, dtype):
    """splitmix64 from the FNV-1a hash of the name; its upper 24 bits as [-1, 1)."""
    seed = 0xCBF29CE484222325
    for byte in name.encode():
        seed = (seed ^ byte) * 0x100000001B3 % 2**64
    count = math.prod(shape)
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(GAMMA)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    unit = (z >> np.uint64(40)).astype(np.float64) / 2**23 - 1
    values = torch.from_numpy((offset + scale * unit).astype(np.float32).reshape(shape))
    half = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}[dtype]
    return values.to(half).double()


class Weights:
    """The tensors of one case. Asking for one that is not there yet defines it: the forward pass is the list."""

    def __init__(self, case, dtype="F32", rename=lambda name: name):
        self.case, self.dtype, self.rename = case, dtype, rename
        self.rows, self.seen = [], {}

    def row(self, name, shape, scale, offset, layer):
        # Scales of few bits: their products with 24 bits are exact, fused or not.
        scale = max(1, round(scale * 64)) / 64
        stored = self.rename(name)
        known = next((row for row in self.rows if row[0] == stored), None)
        if known is None:
            self.rows.append([stored, list(shape), scale, offset, 1 + (layer or 0)])
        else:
            known[4] = max(known[4], 1 + (layer or 0))
        return stored

    def get(self, name, shape, scale, offset=0.0, layer=None):
        stored = self.row(name, shape, scale, offset, layer)
        if layer is not None:
            stored = stored.replace("#", str(layer))
        if stored not in self.seen:
            scale = max(1, round(scale * 64)) / 64
            self.seen[stored] = draw(f"{self.case}/{stored}", shape, scale, offset, self.dtype)
        return self.seen[stored]

    def linear(self, name, x, out, layer=None, bias=True, columns=False, gain=2.4):
        """x Wᵀ + b, W [out, in]; with `columns` x W + b, W [in, out]."""
        d = x.shape[-1]
        w = self.get(name + ".weight", (d, out) if columns else (out, d), gain / math.sqrt(d), 0, layer)
        y = x @ (w if columns else w.T)
        return y + self.get(name + ".bias", (out,), 0.25, 0, layer) if bias else y

    def layer_norm(self, name, x, eps, layer=None):
        d = x.shape[-1]
        return F.layer_norm(x, (d,), self.get(name + ".weight", (d,), 0.25, 1, layer),
                            self.get(name + ".bias", (d,), 0.125, 0, layer), eps)

    def rms_norm(self, name, x, eps, layer=None, width=None):
        weight = self.get(name + ".weight", (width or x.shape[-1],), 0.25, 1, layer)
        return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps))


def activation(word):
    return {"relu": F.relu, "gelu": F.gelu, "silu": F.silu, "swish": F.silu, "tanh": torch.tanh,
            "gelu_new": lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
            "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x)}[word]


def heads_of(x, heads):
    return x.view(x.shape[0], heads, -1).transpose(0, 1)


def attend(out, q, k, v, scale, bias=None, blocked=None, cap=None):
    """q [heads, n_q, d_k], k and v [kv_heads, n_k, d_k]; kv head i // (heads / kv_heads) for head i."""
    out.setdefault("attention", [])
    group = q.shape[0] // k.shape[0]
    keys, values = k.repeat_interleave(group, 0), v.repeat_interleave(group, 0)
    scores = q @ keys.transpose(1, 2) * scale
    if cap:
        scores = cap * torch.tanh(scores / cap)
    if bias is not None:
        scores = scores + bias
    if blocked is not None:
        scores = scores.masked_fill(blocked, -math.inf)
    weights = scores.softmax(-1)
    out["attention"].append(weights)
    out["q"], out["k"], out["v"] = q, k, v
    return (weights @ values).transpose(0, 1).reshape(q.shape[1], -1)


def causal(n, window=None):
    i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
    blocked = j > i
    return blocked | (j <= i - window) if window else blocked


# ---------------------------------------------------------------------------------------------------- families

def gpt2(w, c, ids, **_):
    d, heads, n = c["n_embd"], c["n_head"], len(ids)
    eps = c.get("layer_norm_epsilon", 1e-5)
    act = activation(c.get("activation_function", "gelu_new"))
    out = {"x": []}
    wte = w.get("wte.weight", (c["vocab_size"], d), 1)
    x = wte[ids] + w.get("wpe.weight", (c["n_positions"], d), 0.5)[:n]
    for layer in range(c["n_layer"]):
        out["x"].append(x)
        qkv = w.linear("h.#.attn.c_attn", w.layer_norm("h.#.ln_1", x, eps, layer), 3 * d, layer, columns=True)
        q, k, v = (heads_of(t, heads) for t in qkv.split(d, 1))
        scale = 1 / math.sqrt(d // heads) if c.get("scale_attn_weights", True) else 1
        if c.get("scale_attn_by_inverse_layer_idx"):
            scale /= layer + 1
        context = attend(out, q, k, v, scale, blocked=causal(n))
        x = x + w.linear("h.#.attn.c_proj", context, d, layer, columns=True)
        wide = act(w.linear("h.#.mlp.c_fc", w.layer_norm("h.#.ln_2", x, eps, layer), c.get("n_inner") or 4 * d, layer,
                            columns=True))
        x = x + w.linear("h.#.mlp.c_proj", wide, d, layer, columns=True)
    out["stream"] = x
    final = w.layer_norm("ln_f", x, eps)
    if is_labelled(c):
        return {"self": out, "logits": labels(w, c, final, last=True)}
    head = wte if c.get("tie_word_embeddings", True) else w.get("lm_head.weight", wte.shape, 1 / math.sqrt(d))
    return {"self": out, "logits": final @ head.T}


def labels(w, c, final, last=False):
    """The head that the architecture names, on the last layer's rows as a head for tokens would read them."""
    family, kind = c["model_type"], c["architectures"][0].split("For")[1]
    d, count = final.shape[1], len(c.get("id2label", "01"))
    if kind == "PreTraining":
        y = activation(c.get("hidden_act", "gelu"))(w.linear("discriminator_predictions.dense", final, d))
        score = w.linear("discriminator_predictions.dense_prediction", y, 1)
        return torch.cat([torch.zeros_like(score), score], 1)  # [original, replaced]: a sigmoid is a softmax of two
    if kind == "SequenceClassification":
        final = final.mean(0, keepdim=True) if c.get("classifier_pooling") == "mean" else final[-1:] if last else final[:1]
        if family in ("bert", "albert"):
            final = torch.tanh(w.linear("pooler.dense" if family == "bert" else "pooler", final, d))
        elif family == "deberta-v2":
            final = F.gelu(w.linear("pooler.dense", final, d))
        elif family == "distilbert":
            final = F.relu(w.linear("pre_classifier", final, d))
        elif family in ("roberta", "mpnet", "electra"):
            act = F.gelu if family == "electra" else torch.tanh
            return w.linear("classifier.out_proj", act(w.linear("classifier.dense", final, d)), count)
        if last:
            return w.linear("score", final, count, bias=False)
    if family == "modernbert":
        y = activation(c.get("classifier_activation", "gelu"))(w.linear("head.dense", final, d, bias=False))
        final = F.layer_norm(y, (d,), w.get("head.norm.weight", (d,), 0.25, 1), None, c.get("norm_eps", 1e-5))
    elif kind == "QuestionAnswering":
        return w.linear("qa_outputs", final, 2)
    return w.linear("score" if last and family != "gpt2" else "classifier", final, 2 if kind == "QuestionAnswering" else count)


def labels_of_reread(w, c, ids, final):
    """Of encoder–decoders that read the text twice: the label is read at the last token that ends the text."""
    d = final.shape[1]
    if c["architectures"][0].endswith("QuestionAnswering"):
        return w.linear("qa_outputs", final, 2)
    end = max(i for i, token in enumerate(ids) if token == c["eos_token_id"])
    y = torch.tanh(w.linear("classification_head.dense", final[end:end + 1], d))
    return w.linear("classification_head.out_proj", y, len(c["id2label"]))


def is_labelled(c):
    return c["architectures"][0].endswith(("Classification", "QuestionAnswering", "ElectraForPreTraining"))


def bert(w, c, ids, types=None, head="cls", **_):
    d, heads = c["hidden_size"], c["num_attention_heads"]
    eps = c.get("layer_norm_eps", 1e-12)
    act = activation(c.get("hidden_act", "gelu"))
    roberta = c["model_type"] in ("roberta", "xlm-roberta", "camembert")
    n = len(ids)
    if roberta:
        real = torch.tensor([i != c.get("pad_token_id", 1) for i in ids]).long()
        positions = real.cumsum(0) * real + c.get("pad_token_id", 1)
    else:
        positions = torch.arange(n)
    out = {"x": []}
    words = w.get("embeddings.word_embeddings.weight", (c["vocab_size"], d), 1)
    x = words[ids] + w.get("embeddings.position_embeddings.weight", (c["max_position_embeddings"], d), 0.5)[positions]
    x = x + w.get("embeddings.token_type_embeddings.weight", (c.get("type_vocab_size", 2), d), 0.5)[types or [0] * n]
    x = w.layer_norm("embeddings.LayerNorm", x, eps)
    for layer in range(c["num_hidden_layers"]):
        out["x"].append(x)
        base = "encoder.layer.#."
        q, k, v = (heads_of(w.linear(base + "attention.self." + part, x, d, layer), heads)
                   for part in ("query", "key", "value"))
        context = attend(out, q, k, v, 1 / math.sqrt(d // heads))
        x = w.layer_norm(base + "attention.output.LayerNorm",
                         x + w.linear(base + "attention.output.dense", context, d, layer), eps, layer)
        wide = act(w.linear(base + "intermediate.dense", x, c["intermediate_size"], layer))
        x = w.layer_norm(base + "output.LayerNorm", x + w.linear(base + "output.dense", wide, d, layer), eps, layer)
    out["stream"] = x
    result = {"self": out}
    if is_labelled(c):
        return result | {"logits": labels(w, c, x)}
    if not head:
        return result
    if roberta:
        y = w.layer_norm("lm_head.layer_norm", F.gelu(w.linear("lm_head.dense", x, d)), eps)
        result["logits"] = y @ words.T + w.get("lm_head.bias", (c["vocab_size"],), 0.25)
    else:
        y = w.layer_norm("cls.predictions.transform.LayerNorm", act(w.linear("cls.predictions.transform.dense", x, d)),
                         eps)
        result["logits"] = y @ words.T + w.get("cls.predictions.bias", (c["vocab_size"],), 0.25)
    return result


def distilbert(w, c, ids, head=True, **_):
    d, heads = c["dim"], c["n_heads"]
    eps = 1e-12
    act = activation(c.get("activation", "gelu"))
    out = {"x": []}
    words = w.get("embeddings.word_embeddings.weight", (c["vocab_size"], d), 1)
    x = words[ids] + w.get("embeddings.position_embeddings.weight", (c["max_position_embeddings"], d), 0.5)[:len(ids)]
    x = w.layer_norm("embeddings.LayerNorm", x, eps)
    for layer in range(c["n_layers"]):
        out["x"].append(x)
        base = "transformer.layer.#."
        q, k, v = (heads_of(w.linear(base + f"attention.{part}_lin", x, d, layer), heads) for part in "qkv")
        context = attend(out, q, k, v, 1 / math.sqrt(d // heads))
        x = w.layer_norm(base + "sa_layer_norm", x + w.linear(base + "attention.out_lin", context, d, layer), eps,
                         layer)
        wide = act(w.linear(base + "ffn.lin1", x, c["hidden_dim"], layer))
        x = w.layer_norm(base + "output_layer_norm", x + w.linear(base + "ffn.lin2", wide, d, layer), eps, layer)
    out["stream"] = x
    result = {"self": out}
    if is_labelled(c):
        return result | {"logits": labels(w, c, x)}
    if head:
        y = w.layer_norm("vocab_layer_norm", act(w.linear("vocab_transform", x, d)), eps)
        result["logits"] = y @ words.T + w.get("vocab_projector.bias", (c["vocab_size"],), 0.25)
    return result


def rotary(c, d, n):
    """cos and sin [n, d], the halves repeated. Su et al. 2021; scalings as published with the models."""
    rope = c.get("rope_parameters") or c.get("rope_scaling") or {}
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind == "yarn" and c.get("model_type") == "phi3":
        kind = "longrope"  # as the first Phi-3 called it
    base = rope.get("rope_theta", c.get("rope_theta", 10000.0))
    limit = c.get("max_position_embeddings", 2048)
    factor = rope.get("factor", 1.0)
    even = torch.arange(0, d, 2).double()
    magnitude = 1.0
    if kind == "dynamic" and n > limit:
        base = base * (factor * n / limit - (factor - 1)) ** (d / (d - 2))
    f = base ** (-even / d)
    if kind == "linear":
        f = f / factor
    elif kind == "llama3":
        low, high, old = rope["low_freq_factor"], rope["high_freq_factor"], rope["original_max_position_embeddings"]
        wavelength = 2 * math.pi / f
        s = (old / wavelength - low) / (high - low)
        middle = (1 - s) * f / factor + s * f
        f = torch.where(wavelength > old / low, f / factor, torch.where(wavelength < old / high, f, middle))
    elif kind == "yarn":
        old = rope.get("original_max_position_embeddings") or limit
        place = lambda turns: d * math.log(old / (turns * 2 * math.pi)) / (2 * math.log(base))
        low = max(math.floor(place(rope.get("beta_fast") or 32)), 0)
        high = min(math.ceil(place(rope.get("beta_slow") or 1)), d - 1)
        ramp = ((torch.arange(d // 2).double() - low) / (high - low or 0.001)).clamp(0, 1)
        f = f / factor * ramp + f * (1 - ramp)
        magnitude = rope.get("attention_factor") or 0.1 * math.log(factor) + 1
    elif kind in ("longrope", "su"):
        old = c["original_max_position_embeddings"]
        f = f / torch.tensor(rope["long_factor" if n > old else "short_factor"]).double()
        magnitude = math.sqrt(1 + math.log(limit / old) / math.log(old))
    angles = torch.arange(n).double()[:, None] * f
    angles = torch.cat([angles, angles], 1)
    return angles.cos() * magnitude, angles.sin() * magnitude


def rotate(x, cos, sin):
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


def llama(w, c, ids, **_):
    """LLaMA and what grew from it: Mistral, Qwen2, Qwen3."""
    family, n = c["model_type"], len(ids)
    d, heads = c["hidden_size"], c["num_attention_heads"]
    kv_heads = c.get("num_key_value_heads", heads)
    d_k = c.get("head_dim") or (128 if family == "qwen3" else d // heads)
    eps = c.get("rms_norm_eps", 1e-6)
    act = activation(c.get("hidden_act", "silu"))
    qkv_bias = family == "qwen2" or c.get("attention_bias", False)
    o_bias, mlp_bias = c.get("attention_bias", False), c.get("mlp_bias", False)
    cos, sin = rotary(c, d_k, n)
    out = {"x": []}
    words = w.get("embed_tokens.weight", (c["vocab_size"], d), 1)
    x = words[ids]
    for layer in range(c["num_hidden_layers"]):
        out["x"].append(x)
        base = "layers.#."
        y = w.rms_norm(base + "input_layernorm", x, eps, layer)
        q, k, v = (heads_of(w.linear(f"{base}self_attn.{part}_proj", y, count * d_k, layer, bias=qkv_bias), count)
                   for part, count in (("q", heads), ("k", kv_heads), ("v", kv_heads)))
        if family == "qwen3":
            q = w.rms_norm(base + "self_attn.q_norm", q, eps, layer)
            k = w.rms_norm(base + "self_attn.k_norm", k, eps, layer)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        window = c.get("sliding_window")
        if family in ("qwen2", "qwen3"):
            if "layer_types" in c:
                window = window if c["layer_types"][layer] == "sliding_attention" else None
            elif not c.get("use_sliding_window") or layer < c.get("max_window_layers", 28):
                window = None
        elif family == "llama":
            window = None
        context = attend(out, q, k, v, 1 / math.sqrt(d_k), blocked=causal(n, window))
        x = x + w.linear(base + "self_attn.o_proj", context, d, layer, bias=o_bias)
        y = w.rms_norm(base + "post_attention_layernorm", x, eps, layer)
        gate = act(w.linear(base + "mlp.gate_proj", y, c["intermediate_size"], layer, bias=mlp_bias))
        up = w.linear(base + "mlp.up_proj", y, c["intermediate_size"], layer, bias=mlp_bias)
        x = x + w.linear(base + "mlp.down_proj", gate * up, d, layer, bias=mlp_bias)
    out["stream"] = x
    final = w.rms_norm("norm", x, eps)
    if is_labelled(c):
        return {"self": out, "logits": labels(w, c, final, last=True)}
    tied = c.get("tie_word_embeddings", False)
    head = words if tied else w.get("lm_head.weight", words.shape, 1.7 / math.sqrt(d))
    return {"self": out, "logits": final @ head.T}


def buckets(n_q, n_k, two_sided, count, farthest):
    """Raffel et al. 2020: key - query, exact where near, logarithmic where far."""
    relative = torch.arange(n_k)[None, :] - torch.arange(n_q)[:, None]
    result = torch.zeros_like(relative)
    if two_sided:
        count //= 2
        result = (relative > 0).long() * count
        distance = relative.abs()
    else:
        distance = (-relative).clamp(min=0)
    exact = count // 2
    far = exact + (torch.log(distance.float() / exact) / math.log(farthest / exact) * (count - exact)).long()
    return result + torch.where(distance < exact, distance, far.clamp(max=count - 1))


def t5(w, c, ids, decoder_ids=None, **_):
    d, d_k, heads = c["d_model"], c["d_kv"], c["num_heads"]
    eps = c.get("layer_norm_epsilon", 1e-6)
    word = c.get("feed_forward_proj", "relu")
    gated, act = word.startswith("gated-"), activation({"gated-gelu": "gelu_new"}.get(word, word.split("-")[-1]))
    shared = w.get("shared.weight", (c["vocab_size"], d), 1)

    def attention(out, base, layer, x, keys, bias, blocked):
        q = heads_of(w.linear(base + "q", x, heads * d_k, layer, bias=False, gain=1), heads)
        k, v = (heads_of(w.linear(base + part, keys, heads * d_k, layer, bias=False), heads) for part in "kv")
        return w.linear(base + "o", attend(out, q, k, v, 1, bias, blocked), d, layer, bias=False)

    def stack(name, ids, encoded=None):
        decoder = encoded is not None
        out, cross = {"x": []}, {}
        n = len(ids)
        of_layers = c["model_type"] == "umt5"
        x = shared[ids]
        for layer in range(c["num_decoder_layers" if decoder else "num_layers"]):
            out["x"].append(x)
            if layer == 0 or of_layers:
                table = w.get(f"{name}.block.{'#' if of_layers else 0}.layer.0.SelfAttention.relative_attention_bias.weight",
                              (c["relative_attention_num_buckets"], heads), 1, layer=layer if of_layers else None)
                bias = table[buckets(n, n, not decoder, c["relative_attention_num_buckets"],
                                     c.get("relative_attention_max_distance", 128))].permute(2, 0, 1)
            base = f"{name}.block.#.layer."
            y = w.rms_norm(base + "0.layer_norm", x, eps, layer)
            x = x + attention(out, base + "0.SelfAttention.", layer, y, y, bias, causal(n) if decoder else None)
            if decoder:
                y = w.rms_norm(base + "1.layer_norm", x, eps, layer)
                x = x + attention(cross, base + "1.EncDecAttention.", layer, y, encoded, None, None)
            base += "2." if decoder else "1."
            y = w.rms_norm(base + "layer_norm", x, eps, layer)
            base += "DenseReluDense."
            if gated:
                wide = act(w.linear(base + "wi_0", y, c["d_ff"], layer, bias=False)) \
                    * w.linear(base + "wi_1", y, c["d_ff"], layer, bias=False)
            else:
                wide = act(w.linear(base + "wi", y, c["d_ff"], layer, bias=False))
            x = x + w.linear(base + "wo", wide, d, layer, bias=False)
        out["stream"] = x
        return out, cross, w.rms_norm(f"{name}.final_layer_norm", x, eps)

    encoder, _, encoded = stack("encoder", ids)
    if c["architectures"][0].endswith("TokenClassification"):
        return {"self": encoder, "logits": labels(w, c, encoded)}
    decoder, cross, final = stack("decoder", decoder_ids, encoded)
    if is_labelled(c):
        return {"encoder": encoder, "decoder": decoder, "cross": cross, "logits": labels_of_reread(w, c, ids, final)}
    if c.get("tie_word_embeddings", True):
        logits = final * d ** -0.5 @ shared.T
    else:
        logits = final @ w.get("lm_head.weight", shared.shape, 1.7 / math.sqrt(d)).T
    return {"encoder": encoder, "decoder": decoder, "cross": cross, "logits": logits}


def marian(w, c, ids, decoder_ids, **_):
    """Marian, BART (a table of positions, norms of the embedding), PEGASUS (norms first, and last), mBART (all)."""
    d, eps = c["d_model"], 1e-5
    m2m = c["model_type"] == "m2m_100"
    table, first = (c["model_type"] in kinds for kinds in (("bart", "mbart"), ("mbart", "pegasus", "m2m_100")))
    act = activation(c.get("activation_function", "gelu"))
    shared = w.get("shared.weight", (c["vocab_size"], d), 1 / math.sqrt(d))
    factor = math.sqrt(d) if c.get("scale_embedding") else 1

    def positions(name, ids):
        n = len(ids)
        if m2m:  # from padding + 1 = 2 on, in frequencies to 1 / 10000 inclusive; padding is not counted
            real = (torch.tensor(ids) != 1).double()[:, None]
            place = real.cumsum(0) + 1
            angle = place / 10000 ** (torch.arange(d // 2).double() / (d // 2 - 1))
            return real * torch.cat([angle.sin(), angle.cos()], 1)
        if table:
            return w.get(f"{name}.embed_positions.weight", (c["max_position_embeddings"] + 2, d), 0.5)[2:n + 2]
        angle = torch.arange(n).double()[:, None] / 10000 ** (2 * torch.arange(d // 2).double() / d)
        return torch.cat([angle.sin(), angle.cos()], 1)

    def attention(out, base, layer, x, keys, heads, blocked):
        q = heads_of(w.linear(base + "q_proj", x, d, layer), heads)
        k, v = (heads_of(w.linear(base + part, keys, d, layer), heads) for part in ("k_proj", "v_proj"))
        return w.linear(base + "out_proj", attend(out, q, k, v, 1 / math.sqrt(d // heads), None, blocked), d, layer)

    def stack(name, ids, encoded=None):
        decoder = encoded is not None
        out, cross = {"x": []}, {}
        heads, n = c[f"{name}_attention_heads"], len(ids)
        x = shared[ids] * factor + positions(name, ids)
        if table:
            x = w.layer_norm(f"{name}.layernorm_embedding", x, eps)

        def sublayer(x, norm, layer, f):
            return x + f(w.layer_norm(norm, x, eps, layer)) if first else w.layer_norm(norm, x + f(x), eps, layer)

        for layer in range(c[f"{name}_layers"]):
            out["x"].append(x)
            base = f"{name}.layers.#."
            x = sublayer(x, base + "self_attn_layer_norm", layer, lambda y: attention(
                out, base + "self_attn.", layer, y, y, heads, causal(n) if decoder else None))
            if decoder:
                x = sublayer(x, base + "encoder_attn_layer_norm", layer, lambda y: attention(
                    cross, base + "encoder_attn.", layer, y, encoded, heads, None))
            x = sublayer(x, base + "final_layer_norm", layer, lambda y: w.linear(
                base + "fc2", act(w.linear(base + "fc1", y, c[f"{name}_ffn_dim"], layer)), d, layer))
        out["stream"] = x
        return out, cross, w.layer_norm(f"{name}.layer_norm", x, eps) if first else x

    encoder, _, encoded = stack("encoder", ids)
    decoder, cross, final = stack("decoder", decoder_ids, encoded)
    if is_labelled(c):
        return {"encoder": encoder, "decoder": decoder, "cross": cross, "logits": labels_of_reread(w, c, ids, final)}
    logits = final @ shared.T + (0 if m2m else w.get("final_logits_bias", (1, c["vocab_size"]), 0.25))
    return {"encoder": encoder, "decoder": decoder, "cross": cross, "logits": logits}


def opt(w, c, ids, **_):
    d, heads, n, eps = c["hidden_size"], c["num_attention_heads"], len(ids), 1e-5
    act, bias = activation(c.get("activation_function", "relu")), c.get("enable_bias", True)
    first, width = c.get("do_layer_norm_before", True), c.get("word_embed_proj_dim", d)
    out = {"x": []}
    words = w.get("decoder.embed_tokens.weight", (c["vocab_size"], width), 1)
    x = words[ids] if width == d else w.linear("decoder.project_in", words[ids], d, bias=False)
    x = x + w.get("decoder.embed_positions.weight", (c["max_position_embeddings"] + 2, d), 0.5)[2:n + 2]

    def normed(name, x, layer=None):
        if not c.get("layer_norm_elementwise_affine", True):
            return F.layer_norm(x, (d,), eps=eps)
        return w.layer_norm(name, x, eps, layer)

    def sublayer(name, x, layer, f):
        return x + f(normed(name, x, layer)) if first else normed(name, x + f(x), layer)

    def attention(y, layer):
        q, k, v = (heads_of(w.linear(base + f"self_attn.{part}_proj", y, d, layer, bias), heads) for part in "qkv")
        context = attend(out, q, k, v, 1 / math.sqrt(d // heads), blocked=causal(n))
        return w.linear(base + "self_attn.out_proj", context, d, layer, bias)

    for layer in range(c["num_hidden_layers"]):
        out["x"].append(x)
        base = "decoder.layers.#."
        x = sublayer(base + "self_attn_layer_norm", x, layer, lambda y: attention(y, layer))
        x = sublayer(base + "final_layer_norm", x, layer, lambda y: w.linear(
            base + "fc2", act(w.linear(base + "fc1", y, c["ffn_dim"], layer, bias)), d, layer, bias))
    out["stream"] = x
    if first and not c.get("_remove_final_layer_norm"):
        x = normed("decoder.final_layer_norm", x)
    if width != d:
        x = w.linear("decoder.project_out", x, width, bias=False)
    return {"self": out, "logits": x @ words.T}


def turn(x, c, dims, n, pairs=False):
    """Rotates the first `dims` of each head's row: halves, or neighbours."""
    cos, sin = (part[:, :dims // 2] for part in rotary(c, dims, n))
    if pairs:
        a, b = x[..., 0:dims:2], x[..., 1:dims:2]
        turned = torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(-2)
    else:
        a, b = x[..., :dims // 2], x[..., dims // 2:dims]
        turned = torch.cat([a * cos - b * sin, b * cos + a * sin], -1)
    return torch.cat([turned, x[..., dims:]], -1)


def encoder(w, c, ids, types=None, head=True, **_):
    """ALBERT, ELECTRA and MPNet, by what they have beside BERT."""
    family, n = c["model_type"], len(ids)
    d, heads, eps = c["hidden_size"], c["num_attention_heads"], c.get("layer_norm_eps", 1e-12)
    act = activation(c.get("hidden_act", "gelu_new" if family == "albert" else "gelu"))
    width = d if family == "mpnet" else c.get("embedding_size", 128)
    positions = torch.arange(n)
    if family == "mpnet":
        real = torch.tensor([i != 1 for i in ids]).long()
        positions = real.cumsum(0) * real + 1
    words = w.get("embeddings.word_embeddings.weight", (c["vocab_size"], width), 1)
    x = words[ids] + w.get("embeddings.position_embeddings.weight", (c["max_position_embeddings"], width), 0.5)[positions]
    if family != "mpnet":
        x = x + w.get("embeddings.token_type_embeddings.weight", (c.get("type_vocab_size", 2), width), 0.5)[types or [0] * n]
    x = w.layer_norm("embeddings.LayerNorm", x, eps)
    if family == "albert":
        x = w.linear("encoder.embedding_hidden_mapping_in", x, d)
    elif width != d:
        x = w.linear("embeddings_project", x, d)
    bias = None
    if family == "mpnet":
        table = w.get("encoder.relative_attention_bias.weight", (32, heads), 1)
        bias = table[buckets(n, n, True, 32, 128)].permute(2, 0, 1)
    out = {"x": []}

    def layer(x, base, number, names, ffn):
        q, k, v = (heads_of(w.linear(base + name, x, d, number), heads) for name in names[:3])
        context = attend(out, q, k, v, 1 / math.sqrt(d // heads), bias)
        x = w.layer_norm(base + names[4], x + w.linear(base + names[3], context, d, number), eps, number)
        wide = act(w.linear(base + ffn[0], x, c["intermediate_size"], number))
        return w.layer_norm(base + ffn[2], x + w.linear(base + ffn[1], wide, d, number), eps, number)

    usual = ("intermediate.dense", "output.dense", "output.LayerNorm")
    for number in range(c["num_hidden_layers"]):
        if family == "albert":
            group = int(number / (c["num_hidden_layers"] / c.get("num_hidden_groups", 1)))
            for inner in range(c.get("inner_group_num", 1)):
                out["x"].append(x)
                x = layer(x, f"encoder.albert_layer_groups.#.albert_layers.{inner}.", group,
                          ("attention.query", "attention.key", "attention.value", "attention.dense", "attention.LayerNorm"),
                          ("ffn", "ffn_output", "full_layer_layer_norm"))
            continue
        out["x"].append(x)
        names = ("self.query", "self.key", "self.value", "output.dense", "output.LayerNorm") if family == "electra" \
            else ("attn.q", "attn.k", "attn.v", "attn.o", "LayerNorm")
        x = layer(x, "encoder.layer.#.", number, ["attention." + name for name in names], usual)
    out["stream"] = x
    result = {"self": out}
    if is_labelled(c):
        return result | {"logits": labels(w, c, x)}
    if head:
        dense, norm, output = {"albert": ("predictions.dense", "predictions.LayerNorm", "predictions"),
                               "electra": ("generator_predictions.dense", "generator_predictions.LayerNorm",
                                           "generator_lm_head"),
                               "mpnet": ("lm_head.dense", "lm_head.layer_norm", "lm_head")}[family]
        head_act = act if family == "albert" else F.gelu
        y = w.layer_norm(norm, head_act(w.linear(dense, x, width)), eps)
        result["logits"] = y @ words.T + w.get(output + ".bias", (c["vocab_size"],), 0.25)
    return result


def deberta(w, c, ids, types=None, head=True, **_):
    """He et al. 2021: scores of contents with contents, contents with positions and positions with contents."""
    d, heads, n, eps = c["hidden_size"], c["num_attention_heads"], len(ids), c.get("layer_norm_eps", 1e-7)
    d_k, act = d // heads, activation(c.get("hidden_act", "gelu"))
    kinds = c.get("pos_att_type", [])
    kinds = kinds.split("|") if isinstance(kinds, str) else kinds
    farthest, count = c.get("max_relative_positions", -1), c.get("position_buckets", -1)
    farthest = c["max_position_embeddings"] if farthest < 1 else farthest
    half = count if count > 0 else farthest
    distance = torch.arange(n)[:, None] - torch.arange(n)[None, :]
    if count > 0:
        middle, size = count // 2, distance.abs().clamp(min=1)
        far = torch.ceil(torch.log(size / middle) / math.log((farthest - 1) / middle) * (middle - 1)) + middle
        distance = torch.where(size <= middle, distance, (far * distance.sign()).long())
    place = (distance + half).clamp(0, 2 * half - 1)
    words = w.get("embeddings.word_embeddings.weight", (c["vocab_size"], d), 1)
    x = words[ids]
    if c.get("position_biased_input", True):
        x = x + w.get("embeddings.position_embeddings.weight", (c["max_position_embeddings"], d), 0.5)[:n]
    if c.get("type_vocab_size", 0) > 0:
        x = x + w.get("embeddings.token_type_embeddings.weight", (c["type_vocab_size"], d), 0.5)[types or [0] * n]
    x = w.layer_norm("embeddings.LayerNorm", x, eps)
    relative = c.get("relative_attention", False)
    if relative:
        vectors = w.get("encoder.rel_embeddings.weight", (2 * half, d), 1)
        if "layer_norm" in c.get("norm_rel_ebd", "none"):
            vectors = w.layer_norm("encoder.LayerNorm", vectors, eps)
    out, base = {"x": []}, "encoder.layer.#."
    for layer in range(c["num_hidden_layers"]):
        out["x"].append(x)
        project = lambda name, y: heads_of(w.linear(base + f"attention.self.{name}_proj", y, d, layer), heads)
        q, k, v = (project(name, x) for name in ("query", "key", "value"))
        scale, bias = 1 / math.sqrt(d_k * (1 + len(kinds))) if relative else 1 / math.sqrt(d_k), None
        if relative:
            bias = torch.zeros(heads, n, n).double()
            pick = lambda products: products.gather(2, place.expand(heads, n, n))
            if "c2p" in kinds:
                to = project("key" if c.get("share_att_key") else "pos_key", vectors)
                bias = bias + pick(q @ to.transpose(1, 2)) * scale
            if "p2c" in kinds:
                of = project("query" if c.get("share_att_key") else "pos_query", vectors)
                # Row j, key; column i, query: with the vector of the distance i - j.
                bias = bias + (k @ of.transpose(1, 2)).gather(2, place.T.expand(heads, n, n)).transpose(1, 2) * scale
        context = attend(out, q, k, v, scale, bias)
        x = w.layer_norm(base + "attention.output.LayerNorm",
                         x + w.linear(base + "attention.output.dense", context, d, layer), eps, layer)
        wide = act(w.linear(base + "intermediate.dense", x, c["intermediate_size"], layer))
        x = w.layer_norm(base + "output.LayerNorm", x + w.linear(base + "output.dense", wide, d, layer), eps, layer)
        if layer == 0 and c.get("conv_kernel_size", 0) > 0:  # over the first layer's input, added to its output
            taps, groups = c["conv_kernel_size"], c.get("conv_groups", 1)
            kernel = w.get("encoder.conv.conv.weight", (d, d // groups, taps), 1.7 / math.sqrt(d // groups * taps))
            y = F.conv1d(out["x"][0].T, kernel, w.get("encoder.conv.conv.bias", (d,), 0.25), padding=taps // 2,
                         groups=groups).T
            x = w.layer_norm("encoder.conv.LayerNorm", x + activation(c.get("conv_act", "tanh"))(y), eps)
    out["stream"] = x
    result = {"self": out}
    if is_labelled(c):
        return result | {"logits": labels(w, c, x)}
    if head:
        dense, norm, bias = ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
                             "cls.predictions.bias") if c.get("legacy", True) else \
            ("lm_predictions.lm_head.dense", "lm_predictions.lm_head.LayerNorm", "lm_predictions.lm_head.bias")
        y = w.layer_norm(norm, act(w.linear(dense, x, d)), eps)
        result["logits"] = y @ words.T + w.get(bias, (c["vocab_size"],), 0.25)
    return result


def modernbert(w, c, ids, head=True, **_):
    d, heads, n, eps = c["hidden_size"], c["num_attention_heads"], len(ids), c.get("norm_eps", 1e-5)
    d_k, act = d // heads, activation(c.get("hidden_activation", "gelu"))
    bias, d_ff, newer = c.get("attention_bias", False), c["intermediate_size"], c.get("rope_parameters")
    out = {"x": []}

    def norm(name, x, layer=None):
        if c.get("norm_bias", False):
            return w.layer_norm(name, x, eps, layer)
        return F.layer_norm(x, (d,), w.get(name + ".weight", (d,), 0.25, 1, layer), None, eps)

    def is_local(layer):
        if "layer_types" in c:
            return c["layer_types"][layer] == "sliding_attention"
        return layer % c.get("global_attn_every_n_layers", 3) != 0

    def rope(layer):
        if newer:
            return {"rope_parameters": newer["sliding_attention" if is_local(layer) else "full_attention"]}
        return {"rope_theta": c.get("local_rope_theta", 10000.0) if is_local(layer) else c.get("global_rope_theta", 160000.0)}

    words = w.get("embeddings.tok_embeddings.weight", (c["vocab_size"], d), 1)
    x = norm("embeddings.norm", words[ids])
    apart = (torch.arange(n)[:, None] - torch.arange(n)[None, :]).abs()
    for layer in range(c["num_hidden_layers"]):
        out["x"].append(x)
        y = x if layer == 0 else norm("layers.#.attn_norm", x, layer)
        q, k, v = (heads_of(part, heads) for part in w.linear("layers.#.attn.Wqkv", y, 3 * d, layer, bias).split(d, 1))
        q, k = (turn(part, rope(layer), d_k, n) for part in (q, k))
        blocked = apart > c.get("local_attention", 128) // 2 if is_local(layer) else None
        context = attend(out, q, k, v, 1 / math.sqrt(d_k), None, blocked)
        x = x + w.linear("layers.#.attn.Wo", context, d, layer, bias)
        first, second = w.linear("layers.#.mlp.Wi", norm("layers.#.mlp_norm", x, layer), 2 * d_ff, layer,
                                 c.get("mlp_bias", False)).chunk(2, 1)
        x = x + w.linear("layers.#.mlp.Wo", act(first) * second, d, layer, c.get("mlp_bias", False))
    out["stream"] = x
    final = norm("final_norm", x)
    result = {"self": out}
    if is_labelled(c):
        return result | {"logits": labels(w, c, final)}
    if head:
        act = activation(c.get("classifier_activation", "gelu"))
        y = norm("head.norm", act(w.linear("head.dense", final, d, bias=c.get("classifier_bias", False))))
        result["logits"] = y @ words.T + w.get("decoder.bias", (c["vocab_size"],), 0.25)
    return result


FAMILIES = {"gpt2": gpt2, "bert": bert, "roberta": bert, "xlm-roberta": bert, "camembert": bert, "distilbert": distilbert,
            "llama": llama, "mistral": llama, "qwen2": llama, "qwen3": llama, "t5": t5, "umt5": t5, "opt": opt, "marian": marian,
            "bart": marian, "mbart": marian, "m2m_100": marian, "pegasus": marian, "albert": encoder, "electra": encoder,
            "mpnet": encoder, "modernbert": modernbert, "deberta-v2": deberta}


# ------------------------------------------------------------------------------------------------------- cases

HEADS = ("lm_head", "lm_predictions.", "classification_head.", "cls.", "vocab_", "final_logits_bias", "predictions.", "generator_", "head.", "decoder.bias",
         "classifier", "pre_classifier", "score", "qa_outputs", "discriminator_")


def prefixed(prefix, heads=HEADS):
    return lambda name: name if name.startswith(heads) else prefix + name


def old_names(name):
    name = prefixed("bert.")(name)
    return name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")


IDS = [3, 17, 5, 41, 5, 17, 22, 9, 30]
GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 50, "n_positions": 32, "n_embd": 24,
        "n_layer": 2, "n_head": 4}
BERT = {"model_type": "bert", "architectures": ["BertForMaskedLM"], "vocab_size": 50, "hidden_size": 24,
        "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 40, "max_position_embeddings": 32,
        "hidden_act": "gelu"}
ROBERTA = BERT | {"model_type": "roberta", "architectures": ["RobertaForMaskedLM"], "type_vocab_size": 1,
                  "layer_norm_eps": 1e-5, "pad_token_id": 1}
DISTILBERT = {"model_type": "distilbert", "architectures": ["DistilBertForMaskedLM"], "vocab_size": 50, "dim": 24,
              "n_layers": 2, "n_heads": 4, "hidden_dim": 40, "max_position_embeddings": 32}
LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": 50, "hidden_size": 24,
         "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 40,
         "max_position_embeddings": 64}
MISTRAL = LLAMA | {"model_type": "mistral", "architectures": ["MistralForCausalLM"]}
QWEN2 = LLAMA | {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"]}
QWEN3 = LLAMA | {"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"], "head_dim": 8}
T5 = {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "vocab_size": 50, "d_model": 24, "d_kv": 8,
      "num_heads": 4, "d_ff": 40, "num_layers": 2, "num_decoder_layers": 2, "relative_attention_num_buckets": 8,
      "relative_attention_max_distance": 12, "decoder_start_token_id": 0, "pad_token_id": 0}
UMT5 = T5 | {"model_type": "umt5", "architectures": ["UMT5ForConditionalGeneration"], "feed_forward_proj": "gated-gelu"}
MARIAN = {"model_type": "marian", "architectures": ["MarianMTModel"], "vocab_size": 50, "d_model": 24,
          "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 3,
          "encoder_ffn_dim": 40, "decoder_ffn_dim": 32, "max_position_embeddings": 32, "scale_embedding": True,
          "activation_function": "swish", "decoder_start_token_id": 49, "pad_token_id": 49}
OPT = {"model_type": "opt", "architectures": ["OPTForCausalLM"], "vocab_size": 50, "hidden_size": 24, "ffn_dim": 40,
       "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 32, "word_embed_proj_dim": 24}
BART = MARIAN | {"model_type": "bart", "architectures": ["BartForConditionalGeneration"], "activation_function": "gelu",
                 "scale_embedding": False, "decoder_start_token_id": 2, "pad_token_id": 1}
MBART = BART | {"model_type": "mbart", "architectures": ["MBartForConditionalGeneration"], "scale_embedding": True}
PEGASUS = MARIAN | {"model_type": "pegasus", "architectures": ["PegasusForConditionalGeneration"],
                    "activation_function": "relu", "decoder_start_token_id": 0, "pad_token_id": 0}
M2M = MBART | {"model_type": "m2m_100", "architectures": ["M2M100ForConditionalGeneration"],
               "activation_function": "relu", "scale_embedding": True}


LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 16}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 256}

ENCODER = {k: v for k, v in BERT.items() if k != "hidden_act"} | {"num_hidden_layers": 4}
ALBERT = ENCODER | {"model_type": "albert", "architectures": ["AlbertForMaskedLM"], "embedding_size": 12}
ELECTRA = ENCODER | {"model_type": "electra", "architectures": ["ElectraForMaskedLM"], "embedding_size": 12,
                     "num_hidden_layers": 2}
MPNET = ENCODER | {"model_type": "mpnet", "architectures": ["MPNetForMaskedLM"], "num_hidden_layers": 2}
MODERNBERT = {"model_type": "modernbert", "architectures": ["ModernBertForMaskedLM"], "vocab_size": 50,
              "hidden_size": 24, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 40,
              "max_position_embeddings": 32, "local_attention": 4}

DEBERTA = ENCODER | {"model_type": "deberta-v2", "architectures": ["DebertaV2ForMaskedLM"], "num_hidden_layers": 2,
                     "relative_attention": True, "position_biased_input": False, "pos_att_type": "p2c|c2p",
                     "max_relative_positions": -1, "position_buckets": 6, "share_att_key": True,
                     "norm_rel_ebd": "layer_norm", "type_vocab_size": 0}
THREE = {"0": "NEGATIVE", "1": "NEUTRAL", "2": "POSITIVE"}

# name, config, how stored, what else the forward pass takes
CASES = [
    ("gpt2", GPT2, {"rename": prefixed("transformer.")}, {}),
    ("gpt2-bare", GPT2 | {"architectures": ["GPT2Model"]}, {}, {}),
    ("gpt2-scaled", GPT2 | {"scale_attn_by_inverse_layer_idx": True, "activation_function": "relu", "n_inner": 36,
                            "tie_word_embeddings": False, "n_layer": 3, "layer_norm_epsilon": 1e-3},
     {"rename": prefixed("transformer.")}, {}),
    ("gpt2-unscaled", GPT2 | {"scale_attn_weights": False, "activation_function": "quick_gelu"},
     {"rename": prefixed("transformer."), "dtype": "BF16"}, {}),
    ("bert", BERT, {"rename": old_names}, {"types": [0, 0, 0, 0, 1, 1, 1, 1, 1]}),
    ("bert-bare", BERT | {"architectures": ["BertModel"], "layer_norm_eps": 1e-3, "hidden_act": "relu"}, {},
     {"head": ""}),
    ("roberta", ROBERTA, {"rename": prefixed("roberta.")}, {"ids": [3, 17, 1, 41, 5, 1, 1, 9, 30]}),
    ("distilbert", DISTILBERT, {"rename": prefixed("distilbert.")}, {}),
    ("distilbert-bare", DISTILBERT | {"architectures": ["DistilBertModel"], "activation": "relu"},
     {"dtype": "F16"}, {"head": False}),
    ("llama2", LLAMA | {"num_key_value_heads": 4}, {"rename": prefixed("model.")}, {}),
    ("llama-bare", {k: v for k, v in LLAMA.items() if k != "num_key_value_heads"} |
     {"architectures": ["LlamaModel"], "tie_word_embeddings": True}, {}, {}),
    ("llama3", LLAMA | {"rope_theta": 500.0, "rope_scaling": LLAMA3, "tie_word_embeddings": True, "rms_norm_eps": 1e-5},
     {"rename": prefixed("model.")}, {}),
    ("llama-linear", LLAMA | {"rope_scaling": {"type": "linear", "factor": 2.5}}, {"rename": prefixed("model.")}, {}),
    ("llama-dynamic", LLAMA | {"max_position_embeddings": 6, "rope_scaling": {"type": "dynamic", "factor": 2.0}},
     {"rename": prefixed("model.")}, {}),
    ("llama-yarn", LLAMA | {"rope_scaling": YARN, "head_dim": 16, "num_attention_heads": 2, "num_key_value_heads": 1,
                            "rope_theta": 1000.0}, {"rename": prefixed("model.")}, {}),
    ("llama-newer", LLAMA | {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 300.0},
                             "attention_bias": True, "mlp_bias": True, "head_dim": 10, "dtype": "bfloat16"},
     {"rename": prefixed("model."), "dtype": "BF16"}, {}),
    ("mistral", MISTRAL | {"sliding_window": 4, "head_dim": 8}, {"rename": prefixed("model.")}, {}),
    ("mistral-open", MISTRAL | {"sliding_window": None}, {"rename": prefixed("model."), "dtype": "F16"}, {}),
    ("qwen2", QWEN2 | {"tie_word_embeddings": True, "sliding_window": 3, "use_sliding_window": True,
                       "max_window_layers": 1}, {"rename": prefixed("model.")}, {}),
    ("qwen2-open", QWEN2 | {"sliding_window": 3, "use_sliding_window": False}, {"rename": prefixed("model.")}, {}),
    ("qwen3", QWEN3 | {"tie_word_embeddings": True}, {"rename": prefixed("model.")}, {}),
    ("qwen3-window", QWEN3 | {"sliding_window": 3, "use_sliding_window": True,
                              "layer_types": ["sliding_attention", "full_attention"]},
     {"rename": prefixed("model.")}, {}),
    ("t5", T5, {}, {"ids": IDS + IDS[:5], "decoder_ids": [0, 7, 8, 9, 21, 33]}),
    ("t5-gated", T5 | {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False, "d_kv": 6, "num_layers": 1,
                       "num_decoder_layers": 3}, {}, {"ids": IDS, "decoder_ids": [0] + IDS + IDS[:5]}),
    ("umt5", UMT5 | {"tie_word_embeddings": False, "num_layers": 3}, {},
     {"ids": IDS + IDS[:5], "decoder_ids": [0, 7, 8, 9, 21, 33]}),
    ("umt5-tied", UMT5 | {"feed_forward_proj": "relu", "relative_attention_max_distance": 20}, {"dtype": "F16"},
     {"ids": IDS, "decoder_ids": [0] + IDS}),
    ("umt5-text", UMT5 | {"architectures": ["UMT5ForSequenceClassification"], "id2label": THREE, "eos_token_id": 1},
     {"rename": prefixed("transformer.")}, {"ids": [3, 17, 5, 41, 1], "decoder_ids": [0, 3, 17, 5, 41]}),
    ("marian", MARIAN, {"rename": prefixed("model.")}, {"decoder_ids": [49, 11, 12, 13]}),
    ("opt", OPT, {"rename": prefixed("model.")}, {"ids": [2, 17, 1, 41, 5, 17, 22, 9, 30]}),
    ("opt-unbiased", OPT | {"enable_bias": False, "activation_function": "gelu"}, {"dtype": "BF16"}, {}),
    ("bart", BART, {"rename": prefixed("model.")}, {"decoder_ids": [2, 11, 12, 1, 13]}),
    ("mbart", MBART, {"rename": prefixed("model.")}, {"decoder_ids": [2, 11, 12, 13]}),
    ("pegasus", PEGASUS, {"rename": prefixed("model.")}, {"decoder_ids": [0, 11, 12, 13]}),
    ("opt-350m", OPT | {"do_layer_norm_before": False, "word_embed_proj_dim": 16}, {"rename": prefixed("model.")},
     {"ids": [2, 17, 1, 41, 5, 17, 22, 9, 30]}),
    ("opt-odd", OPT | {"_remove_final_layer_norm": True, "word_embed_proj_dim": 28,
                       "layer_norm_elementwise_affine": False}, {"rename": prefixed("model.")}, {}),
    ("marian-unscaled", MARIAN | {"scale_embedding": False, "activation_function": "gelu", "encoder_layers": 1},
     {"rename": prefixed("model.", ("final_logits_bias",))}, {"decoder_ids": [49, 7]}),
    ("xlm-roberta", ROBERTA | {"model_type": "xlm-roberta", "architectures": ["XLMRobertaForMaskedLM"]},
     {"rename": prefixed("roberta.")}, {}),
    ("camembert", ROBERTA | {"model_type": "camembert", "architectures": ["CamembertForMaskedLM"]},
     {"rename": prefixed("roberta."), "dtype": "F16"}, {}),
    ("albert", ALBERT, {"rename": prefixed("albert.")}, {"types": [0, 0, 0, 0, 1, 1, 1, 1, 1]}),
    ("albert-groups", ALBERT | {"num_hidden_groups": 3, "inner_group_num": 2, "hidden_act": "relu",
                                "embedding_size": 24, "layer_norm_eps": 1e-3},
     {"rename": prefixed("albert."), "dtype": "F16"}, {}),
    ("albert-bare", ALBERT | {"architectures": ["AlbertModel"], "num_hidden_groups": 2}, {}, {"head": False}),
    ("electra", ELECTRA, {"rename": prefixed("electra.")}, {"types": [0, 0, 0, 0, 1, 1, 1, 1, 1]}),
    ("electra-equal", ELECTRA | {"embedding_size": 24, "hidden_act": "relu"},
     {"rename": prefixed("electra."), "dtype": "BF16"}, {}),
    ("mpnet", MPNET, {"rename": prefixed("mpnet.")}, {"ids": [3, 17, 1, 41, 5, 1, 1, 9, 30]}),
    ("mpnet-bare", MPNET | {"architectures": ["MPNetModel"], "layer_norm_eps": 1e-5}, {"dtype": "F16"},
     {"head": False, "ids": IDS + IDS + IDS[:4]}),
    ("modernbert", MODERNBERT, {"rename": prefixed("model.")}, {}),
    ("modernbert-biased", MODERNBERT | {"attention_bias": True, "mlp_bias": True, "norm_bias": True,
                                        "classifier_bias": True, "global_attn_every_n_layers": 2,
                                        "local_attention": 3, "hidden_activation": "gelu_new",
                                        "global_rope_theta": 300.0, "local_rope_theta": 50.0},
     {"rename": prefixed("model."), "dtype": "BF16"}, {}),
    ("modernbert-newer", MODERNBERT | {"architectures": ["ModernBertModel"],
                                       "layer_types": ["sliding_attention", "full_attention"] * 2,
                                       "rope_parameters": {
                                           "full_attention": {"rope_type": "default", "rope_theta": 500.0},
                                           "sliding_attention": {"rope_type": "default", "rope_theta": 90.0}}},
     {"dtype": "F16"}, {"head": False}),
    ("deberta-v2", DEBERTA, {"rename": prefixed("deberta.")}, {"ids": IDS + IDS + IDS[:4]}),
    ("deberta-v2-own", DEBERTA | {"share_att_key": False, "norm_rel_ebd": "none", "pos_att_type": ["c2p", "p2c"],
                                  "position_buckets": -1, "max_relative_positions": 5, "type_vocab_size": 2,
                                  "position_biased_input": True, "layer_norm_eps": 1e-3},
     {"rename": prefixed("deberta."), "dtype": "BF16"}, {"types": [0, 0, 0, 0, 1, 1, 1, 1, 1]}),
    ("deberta-v2-bare", DEBERTA | {"architectures": ["DebertaV2Model"], "pos_att_type": ["c2p"], "hidden_act": "relu"},
     {"dtype": "F16"}, {"head": False}),
    ("deberta-v2-convolved", DEBERTA | {"conv_kernel_size": 3, "conv_act": "gelu"}, {"rename": prefixed("deberta.")}, {}),
    ("deberta-v2-newer_head", DEBERTA | {"legacy": False, "tie_word_embeddings": False, "hidden_act": "relu",
                                         "conv_kernel_size": 5, "conv_groups": 3},
     {"rename": prefixed("deberta."), "dtype": "F16"}, {}),
    ("bart-text", BART | {"architectures": ["BartForSequenceClassification"], "id2label": THREE, "eos_token_id": 2},
     {"rename": prefixed("model.")}, {"ids": [0, 17, 5, 2, 2, 41, 9, 2, 7], "decoder_ids": [2, 0, 17, 5, 2, 2, 41, 9, 2]}),
    ("mbart-text", MBART | {"architectures": ["MBartForSequenceClassification"], "id2label": {"0": "score"},
                            "problem_type": "regression", "eos_token_id": 2, "decoder_layers": 1},
     {"rename": prefixed("model."), "dtype": "F16"}, {"ids": [17, 5, 41, 2, 30], "decoder_ids": [30, 17, 5, 41, 2]}),
    ("bart-span", BART | {"architectures": ["BartForQuestionAnswering"], "encoder_layers": 3, "eos_token_id": 2},
     {"rename": prefixed("model.")}, {"ids": [0, 17, 5, 2, 2, 41, 9, 2], "decoder_ids": [2, 0, 17, 5, 2, 2, 41, 9]}),
    ("t5-text", T5 | {"architectures": ["T5ForSequenceClassification"], "id2label": THREE, "eos_token_id": 1},
     {"rename": prefixed("transformer.")}, {"ids": [3, 17, 5, 41, 1], "decoder_ids": [0, 3, 17, 5, 41]}),
    ("t5-span", T5 | {"architectures": ["T5ForQuestionAnswering"], "eos_token_id": 1}, {},
     {"ids": [3, 17, 5, 41, 1], "decoder_ids": [0, 3, 17, 5, 41]}),
    ("t5-tokens", T5 | {"architectures": ["T5ForTokenClassification"], "id2label": THREE},
     {"rename": prefixed("transformer.")}, {}),
    ("m2m_100", M2M, {"rename": prefixed("model.")}, {"ids": [3, 17, 1, 41, 5, 1, 9], "decoder_ids": [2, 11, 12, 1, 13]}),
    ("m2m_100-unscaled", M2M | {"scale_embedding": False, "activation_function": "gelu"},
     {"rename": prefixed("model."), "dtype": "BF16"}, {"decoder_ids": [2, 11, 12]}),
    *[(f"{base['model_type']}-{short}", base | {"architectures": [name + "For" + head]} | more,
       {"rename": prefixed(prefix, HEADS + ("pooler",) if name == "DebertaV2" else HEADS)}, {})
      for base, name, prefix, heads in (
          (BERT, "Bert", "bert.", {"text": {"id2label": THREE}, "tokens": {"id2label": THREE}, "span": {}}),
          (ROBERTA, "Roberta", "roberta.", {"text": {}, "tokens": {"id2label": THREE}, "span": {}}),
          (DISTILBERT, "DistilBert", "distilbert.", {"text": {"id2label": THREE}, "tokens": {}, "span": {}}),
          (ALBERT, "Albert", "albert.", {"text": {"id2label": {"0": "score"}, "problem_type": "regression"}, "span": {}}),
          (ELECTRA, "Electra", "electra.", {"text": {"id2label": THREE}, "tokens": {}, "replaced": {}}),
          (MPNET, "MPNet", "mpnet.", {"text": {"id2label": {"0": "relevant"}}, "tokens": {"id2label": THREE}}),
          (MODERNBERT, "ModernBert", "model.",
           {"text": {"id2label": THREE, "problem_type": "multi_label_classification", "classifier_pooling": "mean"},
            "tokens": {"id2label": THREE}, "span": {}}),
          (GPT2, "GPT2", "transformer.", {"text": {"id2label": THREE, "pad_token_id": 0}, "tokens": {"id2label": THREE},
                                         "span": {}}),
          (LLAMA, "Llama", "model.", {"text": {"id2label": THREE}, "tokens": {"id2label": THREE}, "span": {}}),
          (DEBERTA, "DebertaV2", "deberta.", {"text": {"id2label": THREE}, "tokens": {}, "span": {}}),
          (QWEN2, "Qwen2", "model.", {"text": {}}))
      for short, more in heads.items()
      for head in ({"text": "SequenceClassification", "tokens": "TokenClassification", "span": "QuestionAnswering",
                    "replaced": "PreTraining"}[short],)],
]
