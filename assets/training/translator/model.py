"""The translator in PyTorch: Marian's layout, so that its weights are what a Marian folder holds."""
import json
import math
import pathlib
import struct

import torch
from torch import nn
from torch.nn import functional as F

from grammar import RELATIONS, SLOTS

WIDTH, HEADS, INNER, ENCODER, DECODER, POSITIONS = 128, 8, 512, 3, 2, 64
END, UNKNOWN = 0, 1
# Which encoder head of the guided model is trained towards which relation: layer and head, numbered from 0.
GUIDED = {"determiner-noun": (0, 0), "modifier-noun": (0, 1), "preposition-object": (1, 0), "verb-object": (1, 1),
          "verb-subject": (1, 2), "pronoun-antecedent": (2, 0)}
assert set(GUIDED) == set(RELATIONS)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x, keys, blocked):
        batch, n, m = x.shape[0], x.shape[1], keys.shape[1]
        q = self.q_proj(x).view(batch, n, HEADS, -1).transpose(1, 2)
        k = self.k_proj(keys).view(batch, m, HEADS, -1).transpose(1, 2)
        v = self.v_proj(keys).view(batch, m, HEADS, -1).transpose(1, 2)
        scores = (q @ k.transpose(-1, -2)) * (WIDTH // HEADS) ** -0.5 + blocked
        maps = scores.softmax(-1)
        return self.out_proj((maps @ v).transpose(1, 2).reshape(batch, n, WIDTH)), maps


class Layer(nn.Module):
    def __init__(self, decoder):
        super().__init__()
        self.self_attn, self.self_attn_layer_norm = Attention(), nn.LayerNorm(WIDTH)
        if decoder:
            self.encoder_attn, self.encoder_attn_layer_norm = Attention(), nn.LayerNorm(WIDTH)
        self.fc1, self.fc2, self.final_layer_norm = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x, blocked, encoded=None, encoded_blocked=None, dropout=0.0):
        y, maps = self.self_attn(x, x, blocked)
        x = self.self_attn_layer_norm(x + F.dropout(y, dropout, self.training))
        if encoded is not None:
            y, _ = self.encoder_attn(x, encoded, encoded_blocked)
            x = self.encoder_attn_layer_norm(x + F.dropout(y, dropout, self.training))
        y = self.fc2(F.silu(self.fc1(x)))
        return self.final_layer_norm(x + F.dropout(y, dropout, self.training)), maps


class Stack(nn.Module):
    def __init__(self, layers, decoder):
        super().__init__()
        self.layers = nn.ModuleList(Layer(decoder) for _ in range(layers))


class Translator(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.shared = nn.Embedding(vocabulary, WIDTH)
        self.encoder, self.decoder = Stack(ENCODER, False), Stack(DECODER, True)
        angle = torch.arange(POSITIONS)[:, None] / 10000 ** (2 * torch.arange(WIDTH // 2) / WIDTH)
        self.register_buffer("positions", torch.cat([angle.sin(), angle.cos()], 1), persistent=False)
        nn.init.normal_(self.shared.weight, std=WIDTH ** -0.5)
        for name, weight in self.named_parameters():
            if weight.dim() == 2 and "shared" not in name:
                nn.init.xavier_uniform_(weight)
            elif name.endswith("bias"):
                nn.init.zeros_(weight)

    def embed(self, ids):
        return self.shared(ids) * math.sqrt(WIDTH) + self.positions[: ids.shape[1]]

    def forward(self, source, target, pad, dropout=0.0):
        """Logits of each next token, and the encoder's maps of each layer."""
        away = torch.zeros(source.shape).masked_fill(source == pad, -1e9)[:, None, None, :]
        x, maps = F.dropout(self.embed(source), dropout, self.training), []
        for layer in self.encoder.layers:
            x, attention = layer(x, away, dropout=dropout)
            maps.append(attention)
        n = target.shape[1]
        later = torch.full((n, n), -1e9).triu(1)
        y = F.dropout(self.embed(target), dropout, self.training)
        for layer in self.decoder.layers:
            y, _ = layer(y, later, x, away, dropout)
        return y @ self.shared.weight.T, maps


def save_folder(model, vocabulary, folder, headscope):
    """config.json, model.safetensors (float16) and tokenizer.json, as Marian models come."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pad = len(vocabulary) - 1
    config = {"architectures": ["MarianMTModel"], "model_type": "marian", "vocab_size": len(vocabulary),
              "d_model": WIDTH, "encoder_layers": ENCODER, "decoder_layers": DECODER, "encoder_attention_heads": HEADS,
              "decoder_attention_heads": HEADS, "encoder_ffn_dim": INNER, "decoder_ffn_dim": INNER,
              "max_position_embeddings": POSITIONS, "scale_embedding": True, "activation_function": "swish",
              "share_encoder_decoder_embeddings": True, "tie_word_embeddings": True, "static_position_embeddings": True,
              "pad_token_id": pad, "decoder_start_token_id": pad, "eos_token_id": END, "forced_eos_token_id": END,
              "bad_words_ids": [[pad], [UNKNOWN]], "num_beams": 1, "max_length": POSITIONS, "torch_dtype": "float16",
              "headscope": headscope}
    write_config(folder / "config.json", config)
    sequence = [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}]
    added = [0, 1, *range(2, 2 + len(SLOTS)), pad]
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": i, "content": vocabulary[i], "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": vocabulary[i] not in SLOTS} for i in added],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Replace", "pattern": {"String": "’"}, "content": "'"}, {"type": "Lowercase"}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"},
            {"type": "Split", "pattern": {"Regex": "[.,?!;:\"，。？！、；：“”]"}, "behavior": "Isolated", "invert": False}]},
        "post_processor": {"type": "TemplateProcessing", "single": sequence,
                           "pair": sequence + [{"Sequence": {"id": "B", "type_id": 0}},
                                               {"SpecialToken": {"id": "</s>", "type_id": 0}}],
                           "special_tokens": {"</s>": {"id": "</s>", "ids": [END], "tokens": ["</s>"]}}},
        "decoder": {"type": "Fuse"},
        "model": {"type": "WordLevel", "vocab": {word: i for i, word in enumerate(vocabulary)}, "unk_token": "<unk>"}}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, indent=1) + "\n")
    tensors = {"model." + name: weight.detach() for name, weight in model.state_dict().items()}
    tensors["final_logits_bias"] = torch.zeros(1, len(vocabulary))
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, weight in tensors.items():
        values = weight.half().contiguous().numpy()
        header[name] = {"dtype": "F16", "shape": list(values.shape), "data_offsets": [len(data), len(data) + values.nbytes]}
        data += values.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


def write_config(path, config):
    pathlib.Path(path).write_text(json.dumps(config, ensure_ascii=False, indent=1) + "\n")
