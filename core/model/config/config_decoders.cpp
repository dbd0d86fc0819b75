#include "core/model/config/config_decoders.h"

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "core/io/strict_json.h"
#include "core/model/config/config_readers.h"
#include "core/model/config/rope_config.h"

// As in config_families.cpp.

namespace headscope {
namespace {

struct DecoderDefaults {
  Index vocabulary, d_model, layers, heads, d_ff;  // d_ff 0: 4 d_model
};

/// The sizes of GPT-2 and its successors; without names of d_ff it is what is usual.
void read_decoder_sizes(const ConfigFields& config, Names widths, Names layers, Names heads, Names d_ff,
                        const DecoderDefaults& usual, ModelConfig& model) {
  read_vocabulary(config, usual.vocabulary, model);
  model.d_model = read_width(config, widths, usual.d_model);
  model.decoder.layers = read_layers(config, layers, usual.layers);
  model.decoder.heads = model.decoder.kv_heads = read_heads(config, heads, usual.heads);
  const Index usual_d_ff = usual.d_ff > 0 ? usual.d_ff : 4 * model.d_model;
  model.decoder.d_ff = std::empty(d_ff) ? usual_d_ff : read_inner_width(config, d_ff, usual_d_ff);
  divide_by_heads(config, widths, heads, model);
}

/// [[["global", "local"], 12]]: kinds of attention, each list so many times; one kind a layer.
void read_neo_windows(const ConfigFields& config, ModelConfig& model) {
  const char* field = "attention_types";
  const Index window = read_positions(config, {"window_size"}, 256), layers = model.decoder.layers;
  const auto types = config.json().find(field);
  if (types == config.json().end()) {
    for (Index layer = 0; layer < layers; ++layer)
      model.sliding_windows.push_back(layer % 2 == 0 ? 0 : window);
    return;
  }
  const auto wrong = [&] {
    return config.wrong(
        "{}: {} is {}; expected lists of \"global\" and \"local\", {} in all, one for each layer", field,
        layers);
  };
  if (!types->is_array()) throw wrong();
  for (const auto& item : *types) {
    const auto times = item.is_array() && item.size() == 2 ? integer_in(item[1], 1, layers) : std::nullopt;
    if (!times || !item[0].is_array() || item[0].empty()) throw wrong();
    for (std::int64_t i = 0; i < *times; ++i)
      for (const auto& kind : item[0]) {
        if (kind != "global" && kind != "local") throw wrong();
        model.sliding_windows.push_back(kind == "local" ? window : 0);
        if (std::ssize(model.sliding_windows) > layers) throw wrong();
      }
  }
  if (std::ssize(model.sliding_windows) != layers) throw wrong();
}

}  // namespace

void read_gpt_neo_config(const ConfigFields& config, ModelConfig& model) {
  read_decoder_sizes(config, {"hidden_size"}, {"num_layers", "num_hidden_layers"},
                     {"num_heads", "num_attention_heads"}, {"intermediate_size"}, {50257, 2048, 24, 16, 0},
                     model);
  model.positions = read_positions(config, {"max_position_embeddings"}, 2048);
  model.activation = read_activation(config, "activation_function", "gelu_new");
  model.norm_epsilon = read_epsilon(config, {"layer_norm_epsilon"}, 1e-5);
  model.scale_scores = model.qkv_bias = false;
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.causal = true;
  model.bos_token = 50256;
  model.eos_tokens = {50256};
  read_neo_windows(config, model);
}

void read_opt_config(const ConfigFields& config, ModelConfig& model) {
  read_decoder_sizes(config, {"hidden_size"}, {"num_hidden_layers"}, {"num_attention_heads"}, {"ffn_dim"},
                     {50272, 768, 12, 12, 3072}, model);
  model.position_offset = table_rows_before;
  model.positions = read_positions(config, {"max_position_embeddings"}, 2048) + table_rows_before;
  model.activation = read_activation(config, "activation_function", "relu");
  model.qkv_bias = model.output_bias = model.mlp_bias = config.flag("enable_bias", true);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.causal = true;
  model.pad_token = 1;
  model.bos_token = 2;
  model.eos_tokens = {2};
  model.norm_weights = config.flag("layer_norm_elementwise_affine", true);
  model.norm_first = config.flag("do_layer_norm_before", true);  // not the 350m
  model.last_norm = model.norm_first && !config.flag("_remove_final_layer_norm", false);
  model.embedding_width = read_width(config, {"word_embed_proj_dim"}, model.d_model);
}

namespace {

/// The embedding is multiplied by sqrt(d_model), and two rows of positions come before the first token's.
void read_scaled_embedding(const ConfigFields& config, Index positions, ModelConfig& model) {
  if (config.flag("scale_embedding", true)) model.embedding_factor = std::sqrt(model.d_model);
  model.position_offset = table_rows_before;
  model.positions = read_positions(config, {"max_position_embeddings"}, positions) + table_rows_before;
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.causal = true;
  model.pad_token = 1;
  model.bos_token = 0;
  model.eos_tokens = {2};
}

}  // namespace

// Luo et al. 2022; its norms ignore layer_norm_eps.
void read_biogpt_config(const ConfigFields& config, ModelConfig& model) {
  read_decoder_sizes(config, {"hidden_size"}, {"num_hidden_layers"}, {"num_attention_heads"},
                     {"intermediate_size"}, {42384, 1024, 24, 16, 4096}, model);
  read_scaled_embedding(config, 1024, model);
  model.activation = read_activation(config, "hidden_act", "gelu");
}

// Lin et al. 2022.
void read_xglm_config(const ConfigFields& config, ModelConfig& model) {
  read_decoder_sizes(config, {"d_model", "hidden_size"}, {"num_layers", "num_hidden_layers"},
                     {"attention_heads", "num_attention_heads"}, {"ffn_dim"}, {256008, 1024, 24, 16, 4096},
                     model);
  read_scaled_embedding(config, 2048, model);
  model.position_kind = PositionKind::sinusoidal;
  model.sinusoid_to_end = true;
  model.activation = read_activation(config, "activation_function", "gelu");
  expect_not_set(config, "add_cross_attention");
}

void read_gpt2_config(const ConfigFields& config, ModelConfig& model) {
  read_decoder_sizes(config, {"n_embd", "hidden_size"}, {"n_layer", "num_hidden_layers"},
                     {"n_head", "num_attention_heads"}, {"n_inner"}, {50257, 768, 12, 12, 0}, model);
  model.positions = read_positions(config, {"n_positions", "max_position_embeddings", "n_ctx"}, 1024);
  model.activation = read_activation(config, "activation_function", "gelu_new");
  model.norm_epsilon = read_epsilon(config, {"layer_norm_epsilon"}, 1e-5);
  model.scale_scores = config.flag("scale_attn_weights", true);
  model.scale_scores_by_layer = config.flag("scale_attn_by_inverse_layer_idx", false);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.causal = true;
  expect_not_set(config, "add_cross_attention");
}

// Black et al. 2022; Biderman et al. 2023 (Pythia).
void read_gpt_neox_config(const ConfigFields& config, ModelConfig& model) {
  read_decoder_sizes(config, {"hidden_size"}, {"num_hidden_layers"}, {"num_attention_heads"},
                     {"intermediate_size"}, {50432, 6144, 44, 64, 24576}, model);
  model.positions = read_positions(config, {"max_position_embeddings"}, 2048);
  model.position_kind = PositionKind::rotary;
  model.rope = read_rope(config, model.head_dim, model.positions,
                         {.partial = 0.25,
                          .reads_partial = true,
                          .theta_name = "rotary_emb_base",
                          .partial_name = "rotary_pct"});
  model.activation = read_activation(config, "hidden_act", "gelu");
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, 1e-5);
  model.parallel = config.flag("use_parallel_residual", true);
  model.fused_groups = model.decoder.kv_heads;
  model.qkv_bias = model.output_bias = config.flag("attention_bias", true);
  model.tie_embeddings = config.flag("tie_word_embeddings", false);
  model.causal = true;
  model.bos_token = 0;
  model.eos_tokens = {2};
}

// Wang and Komatsuzaki 2021.
void read_gptj_config(const ConfigFields& config, ModelConfig& model) {
  read_decoder_sizes(config, {"n_embd", "hidden_size"}, {"n_layer", "num_hidden_layers"},
                     {"n_head", "num_attention_heads"}, {"n_inner"}, {50400, 4096, 28, 16, 0}, model);
  model.positions = read_positions(config, {"n_positions", "max_position_embeddings", "n_ctx"}, 2048);
  model.position_kind = PositionKind::rotary;
  Rope& rope = model.rope.emplace();
  rope.in_pairs = true;
  rope.dimensions = config.whole({"rotary_dim"}, 64, 2, model.head_dim);
  if (config.is_null("rotary_dim") || rope.dimensions > model.head_dim)
    throw config.wrong("{}: {} is {}; expected the number of a head's dimensions that are rotated",
                       "rotary_dim");
  if (rope.dimensions % 2 != 0) throw config.wrong("{}: {} is {}; expected an even number", "rotary_dim");
  model.activation = read_activation(config, "activation_function", "gelu_new");
  model.norm_epsilon = read_epsilon(config, {"layer_norm_epsilon"}, 1e-5);
  model.qkv_bias = model.output_bias = false;
  model.tie_embeddings = config.flag("tie_word_embeddings", false);
  model.causal = true;
  model.bos_token = 50256;
  model.eos_tokens = {50256};
  set_parallel(model);
}

// Nijkamp et al. 2023: GPT-J, whose fused matrix was divided among four devices.
void read_codegen_config(const ConfigFields& config, ModelConfig& model) {
  read_gptj_config(config, model);
  model.fused_groups = 4;
  model.fused_values_first = true;
  if (model.decoder.heads % model.fused_groups != 0)
    throw config.wrong("{}: {} is {}; expected a multiple of {}", "n_head", model.fused_groups);
}

// Radford et al. 2018.
void read_openai_gpt_config(const ConfigFields& config, ModelConfig& model) {
  read_decoder_sizes(config, {"n_embd", "hidden_size"}, {"n_layer", "num_hidden_layers"},
                     {"n_head", "num_attention_heads"}, {}, {40478, 768, 12, 12, 0}, model);
  model.positions = read_positions(config, {"n_positions", "max_position_embeddings"}, 512);
  // Its own names: its gelu is the one with tanh.
  const char* const field = "afn";
  const std::string name = config.text({field}, "gelu");
  if (name != "gelu" && name != "relu" && name != "silu" && name != "swish")
    throw config.wrong("{}: {} is {}; expected one of: {}", field, "gelu, relu, silu, swish");
  model.activation = name == "gelu" ? Activation::gelu_tanh : named_activation(config, field, name.c_str());
  model.norm_epsilon = read_epsilon(config, {"layer_norm_epsilon"}, 1e-5);
  model.norm_first = model.last_norm = false;
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.causal = true;
}

namespace {

void expect_number(const ConfigFields& config, const char* name, Index number) {
  if (config.whole({name}, number, 0, 1000) != number)
    throw config.wrong("{}: {} is {}; expected {}", name, number);
}

/// What of MPT's attention its class in transformers does not compute, whatever the file says.
void expect_usual_attention(const ConfigFields& attention) {
  for (const char* name : {"prefix_lm", "qk_ln", "attn_uses_sequence_id"}) expect_not_set(attention, name);
  expect_set(attention, "alibi");
  const char* const type = "attn_type";
  const char* const usual = "multihead_attention";
  if (attention.text({type}, usual) != usual)
    throw attention.wrong("{}: {} is {}; expected one of: {}", type, usual);
  expect_number(attention, "alibi_bias_max", 8);
}

}  // namespace

// MosaicML 2023.
void read_mpt_config(const ConfigFields& config, ModelConfig& model) {
  read_decoder_sizes(config, {"d_model", "hidden_size"}, {"n_layers", "num_hidden_layers"},
                     {"n_heads", "num_attention_heads"}, {}, {50368, 2048, 24, 16, 0}, model);
  model.positions = read_positions(config, {"max_seq_len"}, 2048);
  model.position_kind = PositionKind::linear;
  if (const auto attention = config.object("attn_config")) {
    expect_usual_attention(*attention);
    if (attention->has("clip_qkv")) model.qkv_limit = read_factor(*attention, "clip_qkv", 1);
    if (attention->has("softmax_scale")) model.score_factor = read_factor(*attention, "softmax_scale", 1);
  }
  expect_number(config, "expansion_ratio", 4);
  if (config.has("logit_scale"))
    throw config.wrong("{}: {} is {}; expected null: it is not supported", "logit_scale");
  expect_set(config, "no_bias");
  model.norm_epsilon = read_epsilon(config, {"layer_norm_epsilon"}, 1e-5);
  model.qkv_bias = model.output_bias = model.mlp_bias = model.norm_bias = false;
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.causal = true;
}

// Le Scao et al. 2022.
void read_bloom_config(const ConfigFields& config, ModelConfig& model) {
  read_decoder_sizes(config, {"n_embed", "hidden_size"}, {"n_layer", "num_hidden_layers"},
                     {"n_head", "num_attention_heads"}, {"n_inner"}, {250880, 64, 2, 8, 0}, model);
  model.position_kind = PositionKind::linear;
  model.activation = Activation::gelu_tanh;
  model.norm_epsilon = read_epsilon(config, {"layer_norm_epsilon"}, 1e-5);
  model.fused_groups = model.decoder.kv_heads;
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.causal = true;
  model.bos_token = 1;
  model.eos_tokens = {2};
  expect_not_set(config, "apply_residual_connection_post_layernorm");
}

// Almazrouei et al. 2023.
void read_falcon_config(const ConfigFields& config, ModelConfig& model) {
  const Names heads = {"num_attention_heads", "n_head"}, kv_heads = {"num_kv_heads", "n_head_kv"};
  read_decoder_sizes(config, {"n_embed", "hidden_size"}, {"num_hidden_layers", "n_layer"}, heads,
                     {"ffn_hidden_size"}, {65024, 4544, 32, 71, 0}, model);
  const bool newer = config.flag("new_decoder_architecture", config.text({"model_type"}, "") == "RefinedWeb");
  const bool one_key = config.flag("multi_query", true);
  LayerStack& stack = model.decoder;
  stack.kv_heads = newer ? read_heads(config, kv_heads, stack.heads) : one_key ? 1 : stack.heads;
  config.expect_multiple(heads, stack.heads, kv_heads, stack.kv_heads);
  model.fused_groups = stack.kv_heads;
  const Index norms = config.whole({"num_ln_in_parallel_attn"}, newer ? 2 : 1, 1, 2);
  model.parallel = config.flag("parallel_attn", true) || newer;
  model.shared_norm = model.parallel && !(newer && norms == 2);
  if (newer && norms == 1) expect_set(config, "parallel_attn");
  model.positions = read_positions(config, {"max_position_embeddings"}, 2048);
  if (config.flag("alibi", false)) {
    model.position_kind = PositionKind::linear;
    model.rounded_bias = true;
  } else {
    model.position_kind = PositionKind::rotary;
    model.rope = read_rope(config, model.head_dim, model.positions);
  }
  model.activation = read_activation(config, "activation", "gelu");
  model.norm_epsilon = read_epsilon(config, {"layer_norm_epsilon"}, 1e-5);
  model.qkv_bias = model.output_bias = model.mlp_bias = config.flag("bias", false);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.causal = true;
  model.bos_token = 11;
  model.eos_tokens = {11};
}

}  // namespace headscope
