#!/usr/bin/env python3
"""Writes real_decoders.json and real_decoders.npz: small decoders and what transformers' own classes compute for them.

Each model is one in which a flag of its file, or the way in which version 5 saves it, changes the numbers. Weights are
drawn from their names (draw() of tests/referee/arrays.py), so that only results are stored. Run it where transformers 5 and
torch are, such as Debian testing: python3-transformers, python3-torch.
"""
import json
import math
import pathlib
import sys
import tempfile

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from referee.arrays import draw

here = pathlib.Path(__file__).resolve().parent

SIZES = dict(vocab_size=24, hidden_size=16, intermediate_size=12, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=64, pad_token_id=3, bos_token_id=1, eos_token_id=2)
MOE = dict(SIZES, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=8, head_dim=4)
IDS = [5, 9, 17, 4, 21, 8, 5, 12]

# name: class, its configuration, changes of config.json, ids, how it is saved
CASES = {
    # The file has an output matrix of its own, whatever the flag says.
    "llama-tied-own": ("LlamaForCausalLM", dict(SIZES), {"tie_word_embeddings": True}, IDS),
    "gemma2-tied-by-default-own": ("Gemma2ForCausalLM", dict(SIZES, head_dim=4, sliding_window=3, tie_word_embeddings=False),
                                   {"tie_word_embeddings": None}, IDS),
    "gpt_neox-tied-own": ("GPTNeoXForCausalLM", dict(SIZES, hidden_size=32), {"tie_word_embeddings": True}, IDS),
    # A label is read at the last token that is not padding.
    "qwen2-label-padded": ("Qwen2ForSequenceClassification", dict(SIZES, num_labels=3), {}, [5, 9, 3, 4, 21, 3, 3]),
    "gpt2-label-all-padding": ("GPT2ForSequenceClassification",
                               dict(vocab_size=24, n_embd=16, n_layer=2, n_head=4, n_positions=64, pad_token_id=3), {}, [3, 3, 3]),
    # Both directions.
    "llama-both": ("LlamaForCausalLM", dict(SIZES, is_causal=False), {}, IDS),
    "mistral-both-window": ("MistralForCausalLM", dict(SIZES, sliding_window=2, is_causal=False), {}, IDS),
    "bloom-both": ("BloomForCausalLM", dict(vocab_size=24, hidden_size=18, n_layer=2, n_head=3, is_causal=False), {}, IDS),
    "gemma3-both-window": ("Gemma3ForCausalLM",
                           dict(SIZES, head_dim=4, sliding_window=4, layer_types=["sliding_attention", "full_attention"],
                                use_bidirectional_attention=True), {}, IDS),
    "gpt_neo-not-both": ("GPTNeoForCausalLM",
                         dict(vocab_size=24, hidden_size=16, num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]],
                              window_size=3, max_position_embeddings=64, is_causal=False), {}, IDS),
    # Fields that a class has and ignores, or reads in its own way.
    "llama-partial": ("LlamaForCausalLM", dict(SIZES, rope_parameters={
        "rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}), {}, IDS),
    "stablelm-partial": ("StableLmForCausalLM", dict(SIZES, hidden_size=32, rope_parameters={
        "rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}), {}, IDS),
    "gemma3-cap": ("Gemma3ForCausalLM", dict(SIZES, head_dim=4, attn_logit_softcapping=2.0, query_pre_attn_scalar=4), {}, IDS),
    # ALiBi rounded to bfloat16.
    "falcon-rounded": ("FalconForCausalLM", dict(vocab_size=24, hidden_size=24, num_hidden_layers=2, num_attention_heads=6, alibi=True,
                                                 multi_query=False, parallel_attn=False, bias=True),
                       {}, [4 + i * 7 % 19 for i in range(14)]),
    # Names of bodies and of experts.
    "qwen2-answer": ("Qwen2ForQuestionAnswering", dict(SIZES), {}, IDS),
    "mistral-answer": ("MistralForQuestionAnswering", dict(SIZES), {}, IDS),
    "opt-350m-label": ("OPTForSequenceClassification",
                       dict(vocab_size=24, hidden_size=16, ffn_dim=12, num_hidden_layers=2, num_attention_heads=4,
                            max_position_embeddings=64, do_layer_norm_before=False, word_embed_proj_dim=8, num_labels=3), {}, IDS),
    "mixtral-fused": ("MixtralForCausalLM", dict(SIZES, num_local_experts=4), {}, IDS, "fused"),
    "qwen2_moe-fused": ("Qwen2MoeForCausalLM", dict(MOE, shared_expert_intermediate_size=12), {}, IDS, "fused"),
    "qwen3_moe-fused": ("Qwen3MoeForCausalLM", dict(MOE), {}, IDS, "fused"),
    # float64 numbers.
    "gpt2-float64": ("GPT2LMHeadModel", dict(vocab_size=24, n_embd=16, n_layer=2, n_head=4, n_positions=64), {}, IDS, "F64"),
    "llama-float64": ("LlamaForCausalLM", dict(SIZES), {}, IDS, "F64"),
}


def softmax_recorded(maps):
    """Falcon's eager attention adds ALiBi twice; its usual one does not say its weights."""
    def attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + attn_mask
        maps.append(scores.softmax(-1)[0])
        return scores.softmax(-1) @ v
    return attention


def write_folder(folder, name, case):
    class_name, sizes, changes, _, *how = case
    model_class = getattr(transformers, class_name)
    config = model_class.config_class(**sizes)
    if class_name.startswith("Gemma3"):
        config = transformers.Gemma3TextConfig(**sizes)
    model = model_class(config).eval()
    model.save_pretrained(folder, **({"save_original_format": False} if "fused" in how else {}))
    tensors = load_file(folder + "/model.safetensors")
    rows = []
    for key in sorted(tensors):
        shape = list(tensors[key].shape)
        norm = len(shape) == 1 and key.endswith("weight")
        scale, offset = (0.2, 0.0 if "Gemma" in class_name else 1.0) if norm else (0.3 if len(shape) == 1 else 0.6, 0.0)
        rows.append([key, shape, scale, offset, 1])
        tensors[key] = draw(f"{name}/{key}", shape, scale, offset, "F32").contiguous()
    save_file(tensors, folder + "/model.safetensors", metadata={"format": "pt"})
    written = json.loads(pathlib.Path(folder + "/config.json").read_text())
    for key, value in changes.items():
        written.pop(key, None)
        if value is not None:
            written[key] = value
    if "is_causal" in sizes:
        written["is_causal"] = sizes["is_causal"]
    pathlib.Path(folder + "/config.json").write_text(json.dumps(written))
    return written, rows


def results(folder, case):
    class_name, sizes, _, ids, *_ = case
    alibi = sizes.get("alibi", False)
    model = getattr(transformers, class_name).from_pretrained(
        folder, dtype=torch.float32, attn_implementation="sdpa" if alibi else "eager").eval()
    maps, usual = [], torch.nn.functional.scaled_dot_product_attention
    with torch.no_grad():
        if alibi:
            torch.nn.functional.scaled_dot_product_attention = softmax_recorded(maps)
        out = model(torch.tensor([ids]), output_attentions=not alibi, output_hidden_states=True, use_cache=False)
        torch.nn.functional.scaled_dot_product_attention = usual
    if not alibi:
        maps = [layer[0] for layer in out.attentions]
    answer = "start_logits" in out
    logits = torch.stack([out.start_logits[0], out.end_logits[0]], -1) if answer else out.logits[0]
    return {"attention": torch.stack(maps), "x": torch.stack([x[0] for x in out.hidden_states[:len(maps)]]),
            "logits": logits if logits.ndim == 2 else logits[None]}


def main():
    entries, arrays = [], {}
    for name, case in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            config, rows = write_folder(folder, name, case)
            for key, value in results(folder, case).items():
                arrays[f"{name}.{key}"] = value.numpy().astype(np.float32)
        config.pop("transformers_version", None)
        entries.append({"name": name, "dtype": "F64" if "F64" in case else "F32", "config": config, "tensors": rows,
                        "ids": case[3]})
    (here / "real_decoders.json").write_text("[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n")
    np.savez(here / "real_decoders.npz", **arrays)


main()
