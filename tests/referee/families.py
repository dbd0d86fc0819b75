"""Rows of docs/models.md as small models: sizes that every case has, and flags of which a case draws some.

A row is model_type: (sizes, flags); the names are those of the configurations of transformers 5.
"""
import random

WORDS = 60  # tokens w0 … w59
TOKENS = {"vocab_size": WORDS, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
STACK = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 40}
LLAMA = TOKENS | STACK | {"num_key_value_heads": 2, "max_position_embeddings": 64}
ENCODER = TOKENS | STACK | {"max_position_embeddings": 64}
BART = TOKENS | {"d_model": 32, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4,
                 "decoder_attention_heads": 2, "encoder_ffn_dim": 40, "decoder_ffn_dim": 36,
                 "max_position_embeddings": 64, "pad_token_id": 1, "decoder_start_token_id": 2, "forced_eos_token_id": None}
T5 = TOKENS | {"d_model": 32, "d_kv": 8, "num_heads": 4, "d_ff": 40, "num_layers": 2, "num_decoder_layers": 3,
               "relative_attention_num_buckets": 8, "relative_attention_max_distance": 12, "decoder_start_token_id": 0}
VISION = STACK | {"image_size": 12, "patch_size": 4}


def rope(kind, **more):
    return {"rope_type": kind, "rope_theta": 500.0} | more


ROPES = [rope("default"), rope("linear", factor=2.5), rope("dynamic", factor=2.0),
         rope("llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16),
         rope("yarn", factor=4.0, original_max_position_embeddings=16),
         rope("yarn", factor=4.0, original_max_position_embeddings=16, beta_fast=8.0, beta_slow=2.0, attention_factor=1.3),
         rope("longrope", factor=4.0, original_max_position_embeddings=16, short_factor=[1.0, 1.25, 1.5, 2.0],
              long_factor=[1.0, 2.0, 4.0, 8.0])]
PARTIAL = [rope("default", partial_rotary_factor=share) for share in (0.25, 0.5, 1.0)]
BY_LAYER = [{"full_attention": full, "sliding_attention": rope("default", rope_theta=90.0)}
            for full in (rope("default"), rope("linear", factor=8.0))]
MSCALE = rope("yarn", factor=8.0, original_max_position_embeddings=16, mscale=0.7, mscale_all_dim=1.2)
LATENT = {"num_key_value_heads": 4, "q_lora_rank": 12, "kv_lora_rank": 16, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 6,
          "n_routed_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 20, "first_k_dense_replace": 1}
TIE = [True, False]
LINEAR = ["linear_attention", "full_attention", "linear_attention"]
DELTA = {"head_dim": 8, "linear_num_key_heads": 2, "linear_num_value_heads": 6, "linear_key_head_dim": 8, "linear_value_head_dim": 5,
         "layer_types": LINEAR, "rms_norm_eps": 1e-3}  # 1e-6 enlarges the float32 rounding of tiny rows, of the real classes too
EXPERTS = {"num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 20, "shared_expert_intermediate_size": 24}
DELTA_FLAGS = {"layer_types": [LINEAR[::-1][1:] + ["full_attention"], ["linear_attention"] * 3], "attention_bias": [True],
               "linear_num_key_heads": [1, 6], "linear_conv_kernel_dim": [2], "rms_norm_eps": [1e-2], "num_key_value_heads": [1, 4],
               "rope_parameters": PARTIAL, "tie_word_embeddings": TIE}
MAMBA = {"mamba_n_heads": 6, "mamba_d_state": 8, "rms_norm_eps": 1e-3}
ACT = ["silu", "gelu", "gelu_new", "relu", "gelu_pytorch_tanh", "quick_gelu"]
KINDS = [["full_attention", "sliding_attention", "full_attention"], ["sliding_attention"] * 3]
# Sizes that go together.
OPT_350M = {"do_layer_norm_before": False, "word_embed_proj_dim": 16}
GROUPED = {"num_hidden_groups": 2, "inner_group_num": 2, "num_hidden_layers": 4}
DEBERTA = {"relative_attention": True, "position_biased_input": False, "position_buckets": 6, "share_att_key": True,
           "pos_att_type": ["p2c", "c2p"], "norm_rel_ebd": "layer_norm", "pad_token_id": 0}


def with_pictures(text, flags, vision, more=None):
    """A model that reads pictures, too, of which the part for text is held; the flags are that part's."""
    one_by_one = [{"text_config": text | {key: value}} for key, values in flags.items() if key != "*" for value in values]
    together = [{"text_config": text | one} for one in flags.get("*", [])]
    return ({"text_config": text, "vision_config": vision, "image_token_id": 50, "image_token_index": 50} | (more or {}),
            {"*": one_by_one + together, "tie_word_embeddings": TIE})


PHI_MOE = rope("longrope", original_max_position_embeddings=16, short_mscale=1.3, long_mscale=1.3,
               short_factor=[1.0, 1.25, 1.5, 2.0], long_factor=[1.0, 2.0, 4.0, 8.0])
AXES = [rope("default", mrope_section=[1, 1, 2]), rope("linear", factor=2.5, mrope_section=[2, 1, 1]),
        rope("yarn", factor=4.0, original_max_position_embeddings=16, mrope_section=[2, 1, 1])]
QWEN3_5_ROPE = rope("default", mrope_section=[1, 1, 0], partial_rotary_factor=0.5)
GROWING = [rope("yarn", factor=4.0, original_max_position_embeddings=5, mscale=1.0, mscale_all_dim=1.0, llama_4_scaling_beta=0.1),
           rope("default", original_max_position_embeddings=3, llama_4_scaling_beta=0.5)]
QWEN_VL = {"depth": 1, "hidden_size": 16, "num_heads": 2, "patch_size": 4, "intermediate_size": 20}
QWEN_TOKENS = {"video_token_id": 51, "vision_start_token_id": 52, "vision_end_token_id": 53}
CLIP_VISION = STACK | {"model_type": "clip_vision_model", "image_size": 16, "patch_size": 4}
SIGLIP_VISION = CLIP_VISION | {"model_type": "siglip_vision_model"}
FOUR_LAYERS = ["sliding_attention", "full_attention"] * 2
GEMMA_3N = LLAMA | {"num_hidden_layers": 4, "head_dim": 10, "sliding_window": 4, "layer_types": FOUR_LAYERS, "num_kv_shared_layers": 2,
                    "vocab_size_per_layer_input": WORDS, "hidden_size_per_layer_input": 6, "laurel_rank": 5}
GEMMA_3N_FLAGS = {"num_kv_shared_layers": [0, 1], "altup_num_inputs": [5], "altup_active_idx": [1, 3], "altup_correct_scale": [False],
                  "activation_sparsity_pattern": [[0.9, 0.0, 0.5, 0.99]], "intermediate_size": [[40, 24, 40, 56]],
                  "final_logit_softcapping": [3.0], "attention_bias": [True], "num_key_value_heads": [1, 4], "rms_norm_eps": [1e-3],
                  "rope_parameters": BY_LAYER, "tie_word_embeddings": TIE, "layer_types": [FOUR_LAYERS[::-1], ["full_attention"] * 4]}
GEMMA_4 = LLAMA | {"num_hidden_layers": 4, "head_dim": 8, "global_head_dim": 12, "sliding_window": 4, "layer_types": FOUR_LAYERS,
                   "vocab_size_per_layer_input": WORDS, "hidden_size_per_layer_input": 6}
GEMMA_4_ROPES = [{"full_attention": rope("proportional", partial_rotary_factor=share, **more), "sliding_attention": local}
                 for share, more, local in ((0.5, {}, rope("default", rope_theta=90.0)), (1.0, {"factor": 4.0}, rope("linear", factor=2.0)),
                                            (0.25, {}, rope("proportional", partial_rotary_factor=0.5)))]
GEMMA_4_SHARED = {"num_kv_shared_layers": 2, "use_double_wide_mlp": True}
GEMMA_4_EXPERTS = {"enable_moe_block": True, "num_experts": 5, "top_k_experts": 2, "moe_intermediate_size": 20}
GEMMA_4_FLAGS = {"num_kv_shared_layers": [1, 2], "hidden_size_per_layer_input": [0], "global_head_dim": [8, 0], "attention_bias": [True],
                 "final_logit_softcapping": [3.0], "layer_types": [FOUR_LAYERS[::-1][:3] + FOUR_LAYERS[:1], FOUR_LAYERS[:2] + FOUR_LAYERS[::-1][:2]],
                 "use_bidirectional_attention": ["vision"], "rope_parameters": GEMMA_4_ROPES, "rms_norm_eps": [1e-3],
                 "num_key_value_heads": [1, 4], "tie_word_embeddings": TIE,
                 "*": [GEMMA_4_SHARED, {"attention_k_eq_v": True, "num_global_key_value_heads": 1},
                       {"attention_k_eq_v": True, "num_global_key_value_heads": 4} | GEMMA_4_SHARED,
                       {"global_head_dim": 8, "rope_parameters": BY_LAYER[1]}]}
UNIFIED, UNIFIED_FLAGS = ({key: value for key, value in one.items() if "per_layer" not in key} for one in (GEMMA_4, GEMMA_4_FLAGS))
NO_PICTURES = {name: 1 for name in ("image_token_id", "video_token_id", "audio_token_id")}  # a token that no text has
QWEN2_WINDOW = {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1}

DECODERS = {
    "gpt2": (TOKENS | {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 64},
             {"n_inner": [36], "activation_function": ["relu", "quick_gelu"], "scale_attn_weights": [False],
              "scale_attn_by_inverse_layer_idx": [True], "tie_word_embeddings": [False], "layer_norm_epsilon": [1e-3],
              "reorder_and_upcast_attn": [True]}),
    "gpt_neo": (TOKENS | {"hidden_size": 32, "num_layers": 3, "num_heads": 4, "max_position_embeddings": 64, "window_size": 5,
                          "attention_types": [[["global", "local", "local"], 1]]},
                {"attention_types": [[[["local"], 3]], [[["local"], 1], [["global"], 2]]], "intermediate_size": [36],
                 "activation_function": ["relu"], "tie_word_embeddings": [False], "window_size": [1, 256]}),
    "opt": (TOKENS | {"hidden_size": 32, "ffn_dim": 40, "num_hidden_layers": 3, "num_attention_heads": 4,
                      "max_position_embeddings": 64, "pad_token_id": 1},
            {"*": [OPT_350M, {"word_embed_proj_dim": 40}], "enable_bias": [False], "activation_function": ["gelu"],
             "_remove_final_layer_norm": [True], "layer_norm_elementwise_affine": [False], "tie_word_embeddings": [False]}),
    "llama": (LLAMA, {"rope_parameters": ROPES, "head_dim": [16], "num_key_value_heads": [1, 4], "attention_bias": [True],
                      "mlp_bias": [True], "tie_word_embeddings": TIE, "hidden_act": ACT, "rms_norm_eps": [1e-3]}),
    "mistral": (LLAMA, {"rope_parameters": ROPES, "sliding_window": [None, 4], "head_dim": [16], "tie_word_embeddings": TIE}),
    "ministral3": (LLAMA | {"head_dim": 8, "rope_parameters": GROWING[0]},
                   {"rope_parameters": GROWING, "sliding_window": [4], "tie_word_embeddings": TIE, "head_dim": [16]}),
    "qwen2": (LLAMA, {"rope_parameters": ROPES, "tie_word_embeddings": TIE,
                      "*": [{"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1},
                            {"use_sliding_window": True, "sliding_window": 4, "layer_types": KINDS[0]}]}),
    "qwen3": (LLAMA | {"head_dim": 8}, {"rope_parameters": ROPES, "attention_bias": [True], "tie_word_embeddings": TIE,
                                        "head_dim": [16], "*": [{"use_sliding_window": True, "sliding_window": 4,
                                                                 "max_window_layers": 2}]}),
    "gpt_neox": (ENCODER, {"use_parallel_residual": [False], "rope_parameters": PARTIAL, "hidden_act": ["relu", "gelu_new"],
                           "attention_bias": [False], "tie_word_embeddings": TIE, "layer_norm_eps": [1e-3]}),
    "gptj": (TOKENS | {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 64, "rotary_dim": 4},
             {"rotary_dim": [8], "n_inner": [36], "activation_function": ["relu"], "tie_word_embeddings": [True]}),
    "phi": (LLAMA, {"rope_parameters": PARTIAL, "qk_layernorm": [True], "num_key_value_heads": [1, 4], "tie_word_embeddings": TIE}),
    "stablelm": (LLAMA, {"rope_parameters": PARTIAL, "qk_layernorm": [True], "use_qkv_bias": [True],
                         "use_parallel_residual": [True], "tie_word_embeddings": TIE}),
    "phi3": (LLAMA, {"sliding_window": [4], "tie_word_embeddings": TIE, "num_key_value_heads": [4],
                     "*": [{"original_max_position_embeddings": length, "rope_parameters": rope(
                         "longrope", short_factor=[1.0, 1.25, 1.5, 2.0], long_factor=[1.0, 2.0, 4.0, 8.0],
                         original_max_position_embeddings=length)} for length in (8, 48)]}),
    # Its first files say gelu and mean the tanh form, which transformers 4 took and 5 does not: no flag of it.
    "gemma": (LLAMA | {"head_dim": 10}, {"num_key_value_heads": [1, 4], "tie_word_embeddings": TIE}),
    "gemma2": (LLAMA | {"head_dim": 10, "sliding_window": 4, "query_pre_attn_scalar": 20},
               {"attn_logit_softcapping": [None, 2.0], "final_logit_softcapping": [None, 3.0], "layer_types": KINDS,
                "attention_bias": [True], "query_pre_attn_scalar": [5], "tie_word_embeddings": TIE}),
    "gemma3_text": (LLAMA | {"head_dim": 10, "sliding_window": 4, "query_pre_attn_scalar": 20},
                    {"rope_parameters": BY_LAYER, "layer_types": KINDS, "attention_bias": [True],
                     "attn_logit_softcapping": [2.0], "final_logit_softcapping": [3.0], "tie_word_embeddings": TIE}),
    "gemma3": with_pictures(LLAMA | {"head_dim": 10, "sliding_window": 4, "query_pre_attn_scalar": 20},
                            {"final_logit_softcapping": [3.0], "layer_types": KINDS}, STACK | {"image_size": 16, "patch_size": 4},
                            {"mm_tokens_per_image": 4}),
    "gemma3n_text": (GEMMA_3N, GEMMA_3N_FLAGS),
    "gemma4_text": (GEMMA_4, GEMMA_4_FLAGS | {"*": GEMMA_4_FLAGS["*"] + [GEMMA_4_EXPERTS, GEMMA_4_EXPERTS | GEMMA_4_SHARED]}),
    "gemma4": with_pictures(GEMMA_4, GEMMA_4_FLAGS, None, NO_PICTURES),
    "gemma4_unified_text": (UNIFIED, UNIFIED_FLAGS),
    "gemma4_unified": with_pictures(UNIFIED, UNIFIED_FLAGS, None, NO_PICTURES),
    "gemma3n": with_pictures(GEMMA_3N, GEMMA_3N_FLAGS, {"hidden_size": 16, "vocab_size": 4, "vocab_offset": WORDS},
                             {"audio_config": {"hidden_size": 16, "vocab_size": 4, "vocab_offset": WORDS + 4}}),
    "qwen2_vl": with_pictures(LLAMA | {"rope_parameters": AXES[0]}, {"rope_parameters": AXES, "rms_norm_eps": [1e-3], "*": [QWEN2_WINDOW]},
                              {"depth": 1, "embed_dim": 16, "hidden_size": 32, "num_heads": 2, "patch_size": 4}, QWEN_TOKENS),
    "qwen2_5_vl": with_pictures(LLAMA | {"rope_parameters": AXES[0]}, {"rope_parameters": AXES, "*": [QWEN2_WINDOW]},
                                QWEN_VL | {"out_hidden_size": 32}, QWEN_TOKENS),
    "qwen3_vl": with_pictures(LLAMA | {"head_dim": 8, "rope_parameters": AXES[0]},
                              {"rope_parameters": AXES[:2], "attention_bias": [True], "rms_norm_eps": [1e-3]},
                              QWEN_VL | {"out_hidden_size": 32, "deepstack_visual_indexes": [0]}, QWEN_TOKENS),
    **{kind: with_pictures(LLAMA | DELTA | more | {"rope_parameters": QWEN3_5_ROPE}, {"attention_bias": [True], "rms_norm_eps": [1e-2]},
                           QWEN_VL | {"out_hidden_size": 32}, QWEN_TOKENS)
       for kind, more in (("qwen3_5", {}), ("qwen3_5_moe", EXPERTS))},
    "llava": with_pictures(LLAMA | {"model_type": "llama"}, {"rope_parameters": ROPES, "attention_bias": [True]}, CLIP_VISION),
    "llava_next": with_pictures(LLAMA | {"model_type": "mistral"},
                                {"sliding_window": [None, 4], "*": [{"model_type": "granite", "logits_scaling": 2.0}]}, CLIP_VISION),
    "llava_onevision": with_pictures(LLAMA | {"model_type": "qwen2"}, {"rope_parameters": ROPES[:3], "*": [QWEN2_WINDOW]},
                                     SIGLIP_VISION, {"video_token_index": 51}),
    "paligemma": with_pictures(LLAMA | {"model_type": "gemma", "head_dim": 10},
                               {"num_key_value_heads": [1, 4], "*": [{"model_type": "gemma2", "sliding_window": 4}]},
                               SIGLIP_VISION | {"projection_dim": 32}, {"projection_dim": 32}),
    "internvl": with_pictures(LLAMA | {"model_type": "qwen2"},
                              {"*": [{"model_type": "qwen3", "head_dim": 8}, {"model_type": "llama", "attention_bias": True}]},
                              STACK | {"image_size": [16, 16], "patch_size": [4, 4]}),
    **{kind: with_pictures(LLAMA | {"model_type": "llama"}, {"rope_parameters": ROPES[:4], "hidden_act": ["gelu"]},
                           STACK | {"image_size": 16, "patch_size": 4}, {"scale_factor": 2, "pad_token_id": 0})
       for kind in ("smolvlm", "idefics3")},
    "mistral3": with_pictures(LLAMA | {"model_type": "mistral"}, {"rope_parameters": ROPES[:2], "sliding_window": [None, 4],
                              "*": [{"model_type": "ministral3", "head_dim": 8, "rope_parameters": GROWING[0]}]},
                              CLIP_VISION | {"model_type": "pixtral"}, {"spatial_merge_size": 2}),
    "olmo": (LLAMA, {"clip_qkv": [0.7], "rope_parameters": ROPES[:3], "attention_bias": [True], "tie_word_embeddings": TIE}),
    "olmo2": (LLAMA, {"rope_parameters": ROPES[:5], "attention_bias": [True], "tie_word_embeddings": TIE}),
    "granite": (LLAMA | {"embedding_multiplier": 3.0, "residual_multiplier": 0.4, "attention_multiplier": 0.25,
                         "logits_scaling": 2.0},
                {"attention_bias": [True], "mlp_bias": [True], "rope_parameters": ROPES[:5], "tie_word_embeddings": TIE}),
    "smollm3": (LLAMA, {"no_rope_layers": [[0, 1, 1]], "no_rope_layer_interval": [2], "tie_word_embeddings": TIE,
                        "attention_bias": [True], "mlp_bias": [True], "rope_parameters": ROPES[:5],
                        "*": [{"use_sliding_window": True, "sliding_window": 4, "layer_types": KINDS[0]}]}),
    "cohere": (LLAMA, {"use_qk_norm": [True], "attention_bias": [True], "logit_scale": [0.5], "rope_parameters": ROPES[:3],
                       "tie_word_embeddings": TIE}),
    "cohere2": (LLAMA | {"sliding_window": 4}, {"layer_types": KINDS, "attention_bias": [True], "logit_scale": [0.5],
                                                "rope_parameters": ROPES[:3], "tie_word_embeddings": TIE}),
    "bloom": (TOKENS | {"hidden_size": 32, "n_layer": 3, "n_head": 4},
              {"*": [{"n_head": 6, "hidden_size": 24}], "tie_word_embeddings": [False]}),
    "mixtral": (LLAMA | {"num_local_experts": 4}, {"num_experts_per_tok": [1, 3], "sliding_window": [4],
                                                   "tie_word_embeddings": TIE, "rope_parameters": ROPES[:2]}),
    "qwen2_moe": (LLAMA | {"num_experts": 5, "num_experts_per_tok": 3, "moe_intermediate_size": 20,
                           "shared_expert_intermediate_size": 24},
                  {"norm_topk_prob": [True], "decoder_sparse_step": [2], "mlp_only_layers": [[1]], "qkv_bias": [False],
                   "tie_word_embeddings": TIE}),
    "qwen3_moe": (LLAMA | {"num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 20, "head_dim": 10},
                  {"norm_topk_prob": [True], "decoder_sparse_step": [2], "mlp_only_layers": [[1]], "attention_bias": [True],
                   "tie_word_embeddings": TIE}),
    "arcee": (LLAMA, {"rope_parameters": ROPES[:5], "attention_bias": [True], "mlp_bias": [True], "hidden_act": ["gelu"],
                      "tie_word_embeddings": TIE, "head_dim": [16]}),
    "seed_oss": (LLAMA | {"head_dim": 8}, {"attention_bias": [False], "attention_out_bias": [True], "mlp_bias": [True],
                                           "rope_parameters": ROPES[:3], "tie_word_embeddings": TIE}),
    "ernie4_5": (LLAMA | {"head_dim": 8}, {"use_bias": [True], "rope_parameters": ROPES[:3], "head_dim": [16], "tie_word_embeddings": TIE}),
    "helium": (LLAMA | {"head_dim": 8}, {"attention_bias": [True], "mlp_bias": [True], "rope_parameters": ROPES[:3],
                                         "tie_word_embeddings": TIE, "rms_norm_eps": [1e-3]}),
    "cwm": (LLAMA | {"head_dim": 8, "sliding_window": 4}, {"layer_types": KINDS, "rope_parameters": ROPES[:5], "mlp_bias": [True],
                                                           "tie_word_embeddings": TIE}),
    **{kind: (LLAMA | {"head_dim": 8}, {"attention_bias": [False], "rope_parameters": PARTIAL, "tie_word_embeddings": TIE,
                                        "num_key_value_heads": [1, 4]}) for kind in ("glm", "glm4")},
    "starcoder2": (LLAMA, {"use_bias": [False], "sliding_window": [4], "hidden_act": ["relu"], "norm_epsilon": [1e-3],
                           "rope_parameters": ROPES[:3], "tie_word_embeddings": TIE}),
    "olmo3": (LLAMA | {"sliding_window": 4}, {"layer_types": KINDS, "rope_parameters": ROPES[:5], "attention_bias": [True],
                                              "tie_word_embeddings": TIE}),
    "olmoe": (LLAMA | {"num_experts": 5, "num_experts_per_tok": 2}, {"norm_topk_prob": [True], "attention_bias": [True],
                                                                     "num_key_value_heads": [4], "tie_word_embeddings": TIE}),
    "exaone4": (LLAMA | {"sliding_window": 4}, {"rope_parameters": ROPES[:4], "tie_word_embeddings": TIE, "*": [
        *({"sliding_window": 4, "layer_types": kinds} for kinds in KINDS),
        {"sliding_window": None, "layer_types": ["full_attention"] * 3}]}),
    "nemotron": (LLAMA, {"rope_parameters": PARTIAL, "attention_bias": [True], "mlp_bias": [True], "norm_eps": [1e-3],
                         "hidden_act": ["silu"], "tie_word_embeddings": TIE, "num_key_value_heads": [4]}),
    "granitemoe": (LLAMA | {"num_local_experts": 4, "embedding_multiplier": 3.0, "residual_multiplier": 0.4,
                            "attention_multiplier": 0.25, "logits_scaling": 2.0},
                   {"num_experts_per_tok": [1, 3], "attention_bias": [True], "rope_parameters": ROPES[:3], "tie_word_embeddings": TIE}),
    "biogpt": (ENCODER | {"pad_token_id": 1}, {"scale_embedding": [False], "hidden_act": ["relu"], "layer_norm_eps": [1e-3],
                                               "tie_word_embeddings": TIE}),
    "xglm": (TOKENS | {"d_model": 32, "num_layers": 3, "attention_heads": 4, "ffn_dim": 40, "max_position_embeddings": 64, "pad_token_id": 1},
             {"scale_embedding": [False], "activation_function": ["relu"], "tie_word_embeddings": TIE}),
    "phimoe": (LLAMA | {"num_local_experts": 5}, {"rope_parameters": [PHI_MOE], "attention_bias": [True], "lm_head_bias": [True],
                                                  "sliding_window": [4], "router_jitter_noise": [0.2, 0.6], "tie_word_embeddings": TIE,
                                                  "rms_norm_eps": [1e-3], "hidden_act": ["gelu"]}),
    "mpt": (TOKENS | {"d_model": 32, "n_layers": 3, "n_heads": 4, "max_seq_len": 64},
            {"attn_config": [{"clip_qkv": 0.7}, {"softmax_scale": 0.5}], "*": [{"n_heads": 6, "d_model": 24}],
             "layer_norm_epsilon": [1e-3], "tie_word_embeddings": TIE}),
    "codegen": (TOKENS | {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 64, "rotary_dim": 4},
                {"rotary_dim": [8], "n_inner": [36], "activation_function": ["relu"], "tie_word_embeddings": [True], "*": [{"n_head": 8, "n_embd": 64}]}),
    "openai-gpt": (TOKENS | {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 64},
                   {"afn": ["relu", "silu"], "layer_norm_epsilon": [1e-3], "tie_word_embeddings": [False]}),
    "gpt_oss": (LLAMA | {"head_dim": 8, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 4},
                {"rope_parameters": ROPES[:6], "layer_types": KINDS, "attention_bias": [False], "num_experts_per_tok": [1, 3],
                 "sliding_window": [3], "num_key_value_heads": [1, 4], "rms_norm_eps": [1e-3], "tie_word_embeddings": TIE}),
    "deepseek_v2": (LLAMA | LATENT | {"n_shared_experts": 2}, {
        "q_lora_rank": [None], "attention_bias": [True], "mlp_bias": [True], "first_k_dense_replace": [0, 3],
        "routed_scaling_factor": [2.5], "num_experts_per_tok": [3], "v_head_dim": [12], "rope_parameters": ROPES[:5] + [MSCALE],
        "tie_word_embeddings": TIE, "*": [{"topk_method": "group_limited_greedy", "n_group": 3, "topk_group": 2}]}),
    "deepseek_v3": (LLAMA | LATENT | {"n_shared_experts": 1, "n_group": 3, "topk_group": 2}, {
        "q_lora_rank": [None], "attention_bias": [True], "first_k_dense_replace": [0, 3], "rope_interleave": [False],
        "routed_scaling_factor": [1.5], "num_experts_per_tok": [3], "norm_topk_prob": [False], "v_head_dim": [12],
        "rope_parameters": ROPES[:5] + [MSCALE], "tie_word_embeddings": TIE, "*": [{"n_group": 1, "topk_group": 1}]}),
    "qwen3_next": (LLAMA | DELTA | EXPERTS | {"rope_parameters": PARTIAL[1]}, DELTA_FLAGS | {
        "norm_topk_prob": [False], "num_experts_per_tok": [1], "decoder_sparse_step": [2], "mlp_only_layers": [[1]]}),
    "qwen3_5_text": (LLAMA | DELTA | {"rope_parameters": PARTIAL[1]}, DELTA_FLAGS),
    "qwen3_5_moe_text": (LLAMA | DELTA | EXPERTS | {"rope_parameters": PARTIAL[1]}, DELTA_FLAGS | {"num_experts_per_tok": [1]}),
    "lfm2": (LLAMA | {"layer_types": ["conv", "full_attention", "conv"]}, {
        "layer_types": [["full_attention", "conv", "full_attention"]], "conv_bias": [True], "conv_L_cache": [2, 5], "norm_eps": [1e-3],
        "block_auto_adjust_ff_dim": [False], "block_ffn_dim_multiplier": [1.3], "block_multiple_of": [8], "rope_parameters": ROPES[:4],
        "tie_word_embeddings": TIE, "num_key_value_heads": [1, 4]}),
    "falcon_h1": (LLAMA | MAMBA | {"mamba_d_ssm": 48, "mamba_n_groups": 2}, {
        "mamba_n_groups": [1], "mamba_d_ssm": [24], "mamba_d_conv": [2], "mamba_conv_bias": [False], "mamba_proj_bias": [True],
        "projectors_bias": [True], "attention_bias": [True], "mlp_bias": [True], "key_multiplier": [0.5], "ssm_in_multiplier": [1.5],
        "ssm_out_multiplier": [0.7], "attention_in_multiplier": [1.2], "attention_out_multiplier": [0.8],
        "mlp_multipliers": [[0.7, 1.4]], "ssm_multipliers": [[0.7, 1.2, 0.9, 1.1, 1.3]], "embedding_multiplier": [2.0],
        "lm_head_multiplier": [0.5], "time_step_limit": [[0.4, 0.9]], "rope_parameters": ROPES[:3], "tie_word_embeddings": TIE,
        "*": [{"mamba_rms_norm": True}, {"mamba_rms_norm": True, "mamba_norm_before_gate": False}]}),
    "granitemoehybrid": (LLAMA | MAMBA | {"mamba_n_heads": 8, "layer_types": ["mamba", "attention", "mamba"], "num_local_experts": 3,
                                          "shared_intermediate_size": 24}, {
        "layer_types": [["attention", "mamba", "mamba"]], "mamba_n_groups": [2], "mamba_d_conv": [2], "mamba_conv_bias": [False],
        "mamba_proj_bias": [True], "attention_bias": [True], "num_local_experts": [0], "num_experts_per_tok": [1],
        "position_embedding_type": ["rope"], "embedding_multiplier": [3.0], "residual_multiplier": [0.4], "attention_multiplier": [0.25],
        "logits_scaling": [2.0], "time_step_limit": [[0.4, 0.9]], "tie_word_embeddings": TIE, "mamba_expand": [1],
        "rms_norm_eps": [1e-2]}),
    "falcon": (TOKENS | {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "max_position_embeddings": 64},
               {"*": [{"new_decoder_architecture": True, "num_kv_heads": 2},
                      {"new_decoder_architecture": True, "num_kv_heads": 2, "num_ln_in_parallel_attn": 1},
                      {"multi_query": False}, {"alibi": True}, {"alibi": True, "multi_query": False, "parallel_attn": False},
                      {"alibi": True, "multi_query": False, "hidden_size": 30, "num_attention_heads": 6}],
                "bias": [True], "parallel_attn": [False], "ffn_hidden_size": [40], "activation": ["relu"],
                "rope_parameters": ROPES[:2], "tie_word_embeddings": TIE}),
}
ENCODERS = {
    "bert": (ENCODER, {"hidden_act": ["relu", "gelu_new"], "layer_norm_eps": [1e-3], "tie_word_embeddings": [False],
                       "type_vocab_size": [3]}),
    "distilbert": (TOKENS | {"dim": 32, "n_layers": 3, "n_heads": 4, "hidden_dim": 40, "max_position_embeddings": 64},
                   {"activation": ["relu"], "sinusoidal_pos_embds": [True], "tie_word_embeddings": [False]}),
    **{kind: (ENCODER | {"pad_token_id": 1, "type_vocab_size": 1},
              {"hidden_act": ["relu"], "layer_norm_eps": [1e-3], "tie_word_embeddings": [False]})
       for kind in ("roberta", "xlm-roberta", "camembert", "data2vec-text")},
    "esm": (ENCODER | {"pad_token_id": 1, "mask_token_id": 9, "layer_norm_eps": 1e-5, "position_embedding_type": "rotary"},
            {"emb_layer_norm_before": [True], "token_dropout": [True], "position_embedding_type": ["absolute"], "rope_theta": [500.0],
             "tie_word_embeddings": [False]}),
    "nomic_bert": (ENCODER | {"rope_parameters": rope("default")},
                   {"rope_parameters": ROPES[:3], "hidden_act": ["gelu"], "layer_norm_eps": [1e-3], "type_vocab_size": [3], "head_dim": [12],
                    "tie_word_embeddings": [False]}),
    "eurobert": (LLAMA, {"rope_parameters": ROPES[:5], "attention_bias": [True], "mlp_bias": [True], "head_dim": [16], "num_key_value_heads": [1, 4],
                         "classifier_pooling": ["bos", "mean", "late"], "hidden_act": ["gelu"], "rms_norm_eps": [1e-3], "tie_word_embeddings": TIE}),
    "rembert": (ENCODER | {"input_embedding_size": 12, "output_embedding_size": 20},
                {"input_embedding_size": [32], "output_embedding_size": [12], "hidden_act": ["relu"], "layer_norm_eps": [1e-3],
                 "type_vocab_size": [3], "is_decoder": [True]}),
    "dpr": (ENCODER, {"hidden_act": ["relu"], "layer_norm_eps": [1e-3], "type_vocab_size": [3]}),
    "deberta": (ENCODER | {key: DEBERTA[key] for key in ("relative_attention", "position_biased_input", "pos_att_type")},
                {"pos_att_type": [["c2p"], ["p2c"], "c2p|p2c", []], "relative_attention": [False], "position_biased_input": [True],
                 "type_vocab_size": [2], "max_relative_positions": [9], "hidden_act": ["relu"], "layer_norm_eps": [1e-3],
                 "*": [{"legacy": False, "tie_word_embeddings": False}]}),
    "ernie": (ENCODER, {"hidden_act": ["relu"], "layer_norm_eps": [1e-3], "type_vocab_size": [3], "tie_word_embeddings": [False]}),
    "longformer": (ENCODER | {"pad_token_id": 1, "type_vocab_size": 1, "attention_window": 6},
                   {"attention_window": [4, 64, [4, 12, 4]], "hidden_act": ["relu"], "layer_norm_eps": [1e-3], "tie_word_embeddings": [False]}),
    "big_bird": (ENCODER | {"block_size": 2, "num_random_blocks": 1, "sep_token_id": 4},
                 {"num_random_blocks": [2], "block_size": [3], "attention_type": ["original_full"], "use_bias": [False],
                  "rescale_embeddings": [True], "hidden_act": ["relu"], "layer_norm_eps": [1e-3], "tie_word_embeddings": [False]}),
    "albert": (ENCODER | {"embedding_size": 12}, {"*": [GROUPED, {"num_hidden_layers": 4, "num_hidden_groups": 4}],
                                                  "hidden_act": ["relu"], "embedding_size": [32], "layer_norm_eps": [1e-3]}),
    "electra": (ENCODER | {"embedding_size": 12}, {"embedding_size": [32], "hidden_act": ["relu"], "layer_norm_eps": [1e-3],
                                                   "tie_word_embeddings": [False]}),
    "mpnet": (ENCODER | {"pad_token_id": 1}, {"layer_norm_eps": [1e-5], "hidden_act": ["relu"], "tie_word_embeddings": [False]}),
    "modernbert": (ENCODER | {"num_hidden_layers": 4, "local_attention": 6},
                   {"attention_bias": [True], "mlp_bias": [True], "norm_bias": [True], "classifier_bias": [True],
                    "local_attention": [2], "hidden_activation": ["gelu_new"], "classifier_activation": ["relu"],
                    "classifier_pooling": ["mean"], "rope_parameters": BY_LAYER, "decoder_bias": [False],
                    "layer_types": [["sliding_attention", "full_attention"] * 2], "tie_word_embeddings": [False]}),
    "deberta-v2": (ENCODER | DEBERTA,
                   {"share_att_key": [False], "norm_rel_ebd": ["none"], "pos_att_type": [["c2p"], ["p2c"], "c2p|p2c", []],
                    "relative_attention": [False], "position_biased_input": [True], "type_vocab_size": [2],
                    "*": [{"legacy": False, "tie_word_embeddings": False}, {"conv_kernel_size": 3, "conv_act": "gelu"}, {"conv_kernel_size": 5, "conv_groups": 4},
                          {"position_buckets": -1, "max_relative_positions": 9}], "hidden_act": ["relu"]}),
    "xlnet": (TOKENS | {"d_model": 32, "n_layer": 3, "n_head": 4, "d_inner": 40},
              {"attn_type": ["uni"], "clamp_len": [3], "mem_len": [None], "summary_type": ["first", "mean", "cls_index"], "summary_activation": ["relu"],
               "ff_activation": ["relu"], "layer_norm_eps": [1e-3], "tie_word_embeddings": [False],
               "*": [{"attn_type": "uni", "clamp_len": 5}, {"attn_type": "uni", "same_length": True}]}),
    "funnel": (TOKENS | {"pad_token_id": None,  # whose row version 5 reads and then overwrites with zeros
                         "d_model": 32, "n_head": 4, "d_head": 8, "d_inner": 40, "block_sizes": [2, 1, 2]},
               {"pooling_type": ["max"], "attention_type": ["factorized"], "separate_cls": [False], "truncate_seq": [False],
                "pool_q_only": [False], "d_head": [12], "num_decoder_layers": [1, 3], "hidden_act": ["relu"], "layer_norm_eps": [1e-3],
                "tie_word_embeddings": [False],
                "*": [{"block_sizes": [2, 1, 2], "block_repeats": [2, 1, 2]}, {"block_sizes": [1, 2], "block_repeats": [1, 3]}, {"block_sizes": [1, 1, 1, 1], "block_repeats": [1, 1, 1, 1]},
                      {"separate_cls": False, "pool_q_only": False, "attention_type": "factorized"},
                      {"truncate_seq": False, "pool_q_only": False, "pooling_type": "max"}]}),
}
FF = ["relu", "gated-gelu", "gated-silu", "gelu"]
BART_FLAGS = {"scale_embedding": TIE, "activation_function": ["gelu", "relu", "swish"], "*": [{"encoder_layers": 3, "decoder_layers": 1}],
              "tie_word_embeddings": [False]}
TRANSLATORS = {
    "t5": (T5, {"feed_forward_proj": FF, "tie_word_embeddings": TIE, "d_kv": [6], "scale_decoder_outputs": TIE}),
    "mt5": (T5, {"feed_forward_proj": FF, "tie_word_embeddings": TIE}),
    "umt5": (T5, {"feed_forward_proj": FF, "tie_word_embeddings": TIE, "relative_attention_max_distance": [20]}),
    "marian": (BART | {"pad_token_id": 59, "decoder_start_token_id": 59, "eos_token_id": 0},
               {key: BART_FLAGS[key] for key in ("scale_embedding", "activation_function", "*")}),
    **{kind: (BART, BART_FLAGS) for kind in ("bart", "mbart", "m2m_100")},
    "led": ({key: value for key, value in BART.items() if key not in ("max_position_embeddings", "forced_eos_token_id")}
            | {"max_encoder_position_embeddings": 64, "max_decoder_position_embeddings": 48, "attention_window": 6},
            {"attention_window": [4, 64, [4, 8]], "activation_function": ["relu"], "tie_word_embeddings": [False]}),
    "bigbird_pegasus": (BART | {"block_size": 2, "num_random_blocks": 1, "pad_token_id": 0, "eos_token_id": 1},
                        {"num_random_blocks": [2], "block_size": [3], "attention_type": ["original_full"], "use_bias": [True],
                         "scale_embedding": [False], "activation_function": ["relu"], "tie_word_embeddings": [False]}),
    "whisper": ({key: value for key, value in BART.items() if key not in ("max_position_embeddings", "forced_eos_token_id")}
                | {"max_source_positions": 12, "max_target_positions": 32, "num_mel_bins": 6, "begin_suppress_tokens": None},
                {"activation_function": ["relu"], "num_mel_bins": [10], "*": BART_FLAGS["*"], "tie_word_embeddings": [False]}),
    "pegasus": (BART | {"pad_token_id": 0, "decoder_start_token_id": 0, "eos_token_id": 1}, BART_FLAGS),
}
PATCH = {"qkv_bias": [False], "hidden_act": ["relu", "gelu_new"], "layer_norm_eps": [1e-3], "patch_size": [3, 6], "image_size": [24]}
TOWER = {"hidden_act": ["quick_gelu", "gelu"], "layer_norm_eps": [1e-3], "patch_size": [3], "image_size": [24]}
VISIONS = {
    "vit": (VISION, PATCH), "deit": (VISION, PATCH), "vit_msn": (VISION, PATCH),
    "dinov2": (VISION, PATCH | {"use_swiglu_ffn": [True], "mlp_ratio": [2]}),
    "dinov2_with_registers": (VISION, PATCH | {"use_swiglu_ffn": [True], "num_register_tokens": [1]}),
    "vit_mae": (VISION, PATCH), "ijepa": (VISION, PATCH),
    "dinov3_vit": (VISION, {key: PATCH[key] for key in PATCH if key != "qkv_bias"}
                   | {"num_register_tokens": [2], "use_gated_mlp": [True], "rope_theta": [10.0], "query_bias": [False], "key_bias": [True],
                      "value_bias": [False], "proj_bias": [False], "mlp_bias": [False]}),
    "beit": (VISION, {key: PATCH[key] for key in PATCH if key != "qkv_bias"}
             | {"use_absolute_position_embeddings": [True], "use_relative_position_bias": [True], "use_shared_relative_position_bias": [True],
                "*": [{"use_relative_position_bias": True, "use_shared_relative_position_bias": True}],
                "use_mean_pooling": [False]}),
    "clip": (VISION, TOWER), "siglip": (VISION, TOWER),
    "siglip2": (STACK | {"patch_size": 4, "num_patches": 9}, {"hidden_act": ["gelu"], "layer_norm_eps": [1e-3], "patch_size": [3], "num_patches": [16]}),
}
KINDS_OF_MODELS = {"decoders": DECODERS, "encoders": ENCODERS, "translators": TRANSLATORS, "vision": VISIONS}


def settings(flags, pick, more):
    """None, then every value of every flag alone, then some of several flags at random."""
    given = [{key: value} if key != "*" else value for key, values in flags.items() for value in values]
    together = []
    for _ in range(more):
        drawn = {}
        for one in pick.sample(given, min(len(given), pick.randint(2, 4))):
            drawn |= one
        together.append(drawn)
    return [{}, *given, *together]


def picker(*seed):
    return random.Random("/".join(map(str, seed)))
