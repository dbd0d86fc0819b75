#!/usr/bin/python3
"""Small models with random weights, made by transformers' classes, converted by llama.cpp's own script, with the logits
(of encoders: the last states) and tokens that libllama gives: models.npz, models.json; of those that are named, or all. Runs where python3-transformers,
llama.cpp-tools and libllama0 are (Debian testing)."""
import json
import os
import runpy
import sys
import tempfile

import numpy as np
import torch
import transformers as T
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

sys.path.insert(1, "/usr/share/llama.cpp/llama.cpp-tools")
import conversion.base as conversion

SCRIPT = "/usr/share/doc/llama.cpp-tools/scripts/convert_hf_to_gguf.py"
HERE = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(3)

WORDS = 263
SIZES = dict(hidden_size=16, intermediate_size=16, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
             max_position_embeddings=64, vocab_size=WORDS, tie_word_embeddings=True)
FALCON = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=4, vocab_size=WORDS)
# Name: class, config, name of the pre-tokenizer, options of the script.
MODELS = {
    "olmo3": ("Olmo3ForCausalLM", T.Olmo3Config(**{**SIZES, "num_hidden_layers": 3, "tie_word_embeddings": False}, sliding_window=3,
              layer_types=["sliding_attention", "full_attention", "sliding_attention"]), "dbrx", []),
    "gemma3": ("Gemma3ForCausalLM", T.Gemma3TextConfig(**{**SIZES, "num_hidden_layers": 6}, head_dim=4, sliding_window=3,
               query_pre_attn_scalar=4, rope_parameters={
                   "full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 50000.0},
                   "sliding_attention": {"rope_type": "default", "rope_theta": 300.0}}), "gpt-2", ["--fuse-qkv"]),
    "falcon": ("FalconForCausalLM", T.FalconConfig(**FALCON, new_decoder_architecture=True, num_kv_heads=2,
               num_ln_in_parallel_attn=1), "falcon", []),
    "yarn": ("LlamaForCausalLM", T.LlamaConfig(**SIZES, attention_bias=True, rope_parameters={
             "rope_type": "yarn", "factor": 4.0, "rope_theta": 10000.0, "beta_fast": 8.0, "beta_slow": 2.0,
             "original_max_position_embeddings": 16}), "llama-bpe", ["--fuse-qkv"]),
    "distilbert": ("DistilBertModel", T.DistilBertConfig(dim=16, n_layers=2, n_heads=4, hidden_dim=16, vocab_size=WORDS,
                   max_position_embeddings=64), None, []),
    "seed_oss": ("SeedOssForCausalLM", T.SeedOssConfig(**SIZES, head_dim=4), "seed-coder", []),
    "experts": ("Qwen3MoeForCausalLM", T.Qwen3MoeConfig(**SIZES, head_dim=4, num_experts=3, num_experts_per_tok=2,
                moe_intermediate_size=8, norm_topk_prob=True), "qwen2", []),
}
RANKS = dict(num_key_value_heads=4, q_lora_rank=8, kv_lora_rank=8, qk_nope_head_dim=4, qk_rope_head_dim=4, v_head_dim=6,
             n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=8, first_k_dense_replace=1, n_shared_experts=1,
             tie_word_embeddings=False)
YARN = {"rope_type": "yarn", "factor": 4.0, "rope_theta": 10000.0, "original_max_position_embeddings": 16}
MODELS |= {
    "gpt_oss": ("GptOssForCausalLM", T.GptOssConfig(**{**SIZES, "tie_word_embeddings": False}, head_dim=4, num_local_experts=3, num_experts_per_tok=2, sliding_window=3,
                rope_parameters={**YARN, "truncate": True}), "gpt-4o", []),
    "deepseek_v2": ("DeepseekV2ForCausalLM", T.DeepseekV2Config(**{**SIZES, **RANKS}, rope_parameters={
                    **YARN, "mscale": 0.7, "mscale_all_dim": 0.7}), "deepseek-llm", []),
    "deepseek_v3": ("DeepseekV3ForCausalLM", T.DeepseekV3Config(**{**SIZES, **RANKS}, n_group=2, topk_group=1,
                    norm_topk_prob=True, scoring_func="sigmoid", rope_parameters={**YARN, "mscale": 1.0, "mscale_all_dim": 1.0}),
                    "deepseek-v3", []),
}
DELTA = dict(num_hidden_layers=3, layer_types=["linear_attention", "full_attention", "linear_attention"], head_dim=8, linear_num_key_heads=2,
             linear_num_value_heads=4, linear_key_head_dim=4, linear_value_head_dim=4, linear_conv_kernel_dim=3)
ROUTED = dict(num_experts=3, num_experts_per_tok=2, moe_intermediate_size=8, shared_expert_intermediate_size=8)
MAMBA = dict(mamba_n_heads=4, mamba_d_head=8, mamba_d_state=4, mamba_d_conv=3, mamba_n_groups=2, tie_word_embeddings=False)
MODELS |= {
    "qwen3_next": ("Qwen3NextForCausalLM", T.Qwen3NextConfig(**{**SIZES, **DELTA}, **ROUTED), "qwen2", ["--no-mtp"]),
    "qwen3_5": ("Qwen3_5ForCausalLM", T.Qwen3_5TextConfig(**{**SIZES, **DELTA}, rope_parameters={
                "rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25, "mrope_section": [1, 0, 0]}), "qwen35", ["--no-mtp"]),
    "lfm2": ("Lfm2ForCausalLM", T.Lfm2Config(**{**SIZES, "num_hidden_layers": 3}, layer_types=["conv", "full_attention", "conv"],
             block_auto_adjust_ff_dim=False), "lfm2", []),
    "falcon_h1": ("FalconH1ForCausalLM", T.FalconH1Config(**{**SIZES, **MAMBA}, head_dim=4, mamba_d_ssm=32, mamba_rms_norm=True,
                  mamba_norm_before_gate=False, key_multiplier=0.7, ssm_multipliers=[0.7, 1.2, 0.9, 1.1, 1.3]), "falcon-h1", []),
    "granite_hybrid": ("GraniteMoeHybridForCausalLM", T.GraniteMoeHybridConfig(**{**SIZES, **MAMBA, "mamba_n_groups": 1, "vocab_size": 264}, layer_types=["mamba", "attention"],
                       num_local_experts=3, num_experts_per_tok=2, shared_intermediate_size=8), "gpt-2", []),
}
LAYERS = {**SIZES, "num_hidden_layers": 4, "layer_types": ["sliding_attention", "full_attention"] * 2, "sliding_window": 3, "num_kv_shared_layers": 2,
          "head_dim": 4, "hidden_size_per_layer_input": 4}
MODELS |= {
    "gemma3n": ("Gemma3nForCausalLM", T.Gemma3nTextConfig(**LAYERS, vocab_size_per_layer_input=WORDS, laurel_rank=4, altup_active_idx=1,
                activation_sparsity_pattern=[0.95, 0.0, 0.5, 0.0]), "gpt-2", []),
    "gemma4": ("Gemma4ForCausalLM", T.Gemma4TextConfig(**{**LAYERS, "vocab_size": 276}, vocab_size_per_layer_input=276, global_head_dim=8,
               attention_k_eq_v=True, num_global_key_value_heads=1, use_double_wide_mlp=True, enable_moe_block=True, num_experts=3, top_k_experts=2,
               moe_intermediate_size=8, final_logit_softcapping=3.0), "gemma4", []),
}
# llama.cpp's deviation of gates is of one less than there are, and it needs keys of each layer and the published widths: Gemma 3n
# is held to its class.
BY_CLASS = {"gemma3n"}
ENCODERS = {"distilbert"}
LETTERS = sorted(pre_tokenizers.ByteLevel.alphabet())


def save_gemma_tokenizer(folder):
    """Spaces are ▁; characters that are no tokens are spelt as bytes."""
    words = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>", *(f"<0x{byte:02X}>" for byte in range(256)),
             *"▁ t h e i n 天 ▁t he ▁the in 今 \n \n\n é".split(" ")]
    T.GemmaTokenizer(vocab={word: i for i, word in enumerate(words)},
                     merges=[("▁", "t"), ("h", "e"), ("▁t", "he"), ("i", "n"), ("\n", "\n")]).save_pretrained(folder)


def save_tokenizer(folder, encoder):
    if encoder:
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + [chr(c) for c in range(33, 127)]
        words += ["##" + chr(c) for c in range(97, 123)]
        with open(folder + "/vocab.txt", "w") as file:
            file.write("\n".join(words + [f"[unused{i}]" for i in range(WORDS - len(words))]))
        T.BertTokenizerFast(vocab_file=folder + "/vocab.txt").save_pretrained(folder)
        return
    vocabulary = {letter: i for i, letter in enumerate(LETTERS)}
    merges = [("Ġ", "t"), ("h", "e"), ("Ġt", "he"), ("i", "n"), ("1", "2"), ("l", "l")]
    for pair in merges:
        vocabulary["".join(pair)] = len(vocabulary)
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|endoftext|>"])
    T.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<|endoftext|>",
                              eos_token="<|endoftext|>").save_pretrained(folder)
    path = folder + "/tokenizer_config.json"
    with open(path) as file:
        settings = json.load(file)
    with open(path, "w") as file:
        json.dump({**settings, "tokenizer_class": "GPT2Tokenizer"}, file)


def convert(name, path):
    """Gives the model of transformers that the file is made of."""
    class_name, config, pre, options = MODELS[name]
    with tempfile.TemporaryDirectory() as folder:
        model = getattr(T, class_name)(config).eval().float()
        with torch.no_grad():
            for weights in model.parameters():
                weights.copy_(torch.randn_like(weights) * (0.2 if weights.ndim == 1 else 0.3))
                if weights.ndim == 1:
                    weights.add_(0.5)
        model.save_pretrained(folder)
        if pre == "gemma4":
            save_gemma_tokenizer(folder)
        else:
            save_tokenizer(folder, name in ENCODERS)
        conversion.TextModel.get_vocab_base_pre = lambda self, tokenizer: pre or "bert-bge"
        sys.argv = [SCRIPT, folder, "--outfile", path, "--outtype", "f32", "--model-name", name, *options]
        os.environ["NO_LOCAL_GGUF"] = "1"
        runpy.run_path(SCRIPT, run_name="__main__")
        return model


def main():
    sys.path.insert(0, HERE)
    from libllama import Model
    names = sys.argv[1:] or list(MODELS)
    arrays, texts = dict(np.load(HERE + "/models.npz")), json.load(open(HERE + "/models.json"))
    for name in names:
        path = f"{HERE}/{name}.gguf"
        made = convert(name, path)
        ids = np.random.default_rng(5).integers(0, 256, 9).tolist()
        arrays[name + ".ids"] = np.array(ids, np.int64)
        if name in BY_CLASS:
            arrays[name + ".output"], texts[name] = made.double()(torch.tensor([ids])).logits[0].detach().float().numpy(), {}
            continue
        model = Model(path)
        arrays[name + ".output"] = model.states(ids) if name in ENCODERS else model.logits(ids)
        texts[name] = {text: model.tokens(text) for text in
                       ["", "the end", "In 1234567 they'll\n\n sing  twice", "naïve café 12\t今天 天气", "(a+b)=`c`"]}
    np.savez_compressed(HERE + "/models.npz", **arrays)
    with open(HERE + "/models.json", "w") as file:
        json.dump(texts, file, ensure_ascii=False)


main()
