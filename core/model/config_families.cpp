#include "core/model/config_families.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/utf8.h"
#include "core/io/strict_json.h"
#include "core/model/rope_config.h"

// Each family's defaults are those of its class in transformers (models/*/configuration_*.py), since files
// may omit values equal to them. Alternative names of a field are listed together, the family's own first.

namespace headscope {
namespace {

using Names = ConfigFields::Names;

// Fields common to several families.

/// At least 1, and within the limits of all views, or beyond any model.
template <Index maximum>
Index read_size(const ConfigFields& config, Names names, Index fallback) {
  return config.whole(names, fallback, 1, maximum);
}
constexpr auto read_layers = read_size<1000>, read_heads = read_size<1000>;
constexpr auto read_width = read_size<Index{1} << 20>, read_inner_width = read_size<Index{1} << 24>;
constexpr auto read_token_count = read_size<Index{1} << 26>, read_positions = read_size<max_positions>;

/// Tables of positions that begin with rows for no position (BART, OPT).
constexpr Index table_rows_before = 2;

void read_vocabulary(const ConfigFields& config, Index fallback, ModelConfig& model) {
  model.vocabulary = read_token_count(config, {"vocab_size"}, fallback);
  model.decoder_vocabulary = model.vocabulary;
}

/// `text` is the field's value, or a part of it.
Activation named_activation(const ConfigFields& config, const char* name, const char* text) {
  constexpr std::pair<const char*, Activation> names[] = {{"gelu", Activation::gelu},
                                                          {"gelu_python", Activation::gelu},
                                                          {"gelu_new", Activation::gelu_tanh},
                                                          {"gelu_fast", Activation::gelu_tanh},
                                                          {"gelu_accurate", Activation::gelu_tanh},
                                                          {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                                          {"gelu_python_tanh", Activation::gelu_tanh},
                                                          {"quick_gelu", Activation::quick_gelu},
                                                          {"gelu_10", Activation::gelu_clipped},
                                                          {"relu", Activation::relu},
                                                          {"relu2", Activation::relu_squared},
                                                          {"relu6", Activation::relu6},
                                                          {"leaky_relu", Activation::leaky_relu},
                                                          {"silu", Activation::silu},
                                                          {"swish", Activation::silu},
                                                          {"mish", Activation::mish},
                                                          {"tanh", Activation::tanh},
                                                          {"sigmoid", Activation::sigmoid},
                                                          {"linear", Activation::linear},
                                                          {"laplace", Activation::laplace}};
  for (const auto& [known, value] : names)
    if (std::string(text) == known) return value;
  throw config.wrong("{}: {} is {}; expected one of: {}", name,
                     "gelu, gelu_new, gelu_pytorch_tanh, quick_gelu, relu, silu, tanh …");
}

Activation read_activation(const ConfigFields& config, const char* name, const char* fallback) {
  return named_activation(config, name, config.text({name}, fallback).c_str());
}

/// Rejects a field that changes the arithmetic and is not supported for any family.
void expect_not_set(const ConfigFields& config, const char* name) {
  if (config.flag(name, false)) throw config.wrong("{}: {} is {}; expected false: it is not supported", name);
}

/// The same for one that is true unless the file says otherwise.
void expect_set(const ConfigFields& config, const char* name) {
  if (!config.flag(name, true)) throw config.wrong("{}: {} is {}; expected true: it is not supported", name);
}

double read_epsilon(const ConfigFields& config, ConfigFields::Names names, double fallback) {
  constexpr double maximum = 1;
  return config.above_zero(names, fallback, maximum);
}

/// Divides d_model equally among the heads.
void divide_by_heads(const ConfigFields& config, ConfigFields::Names widths, ConfigFields::Names heads,
                     ModelConfig& model) {
  config.expect_multiple(widths, model.d_model, heads, model.body().heads);
  model.head_dim = model.d_model / model.body().heads;
}

struct DecoderDefaults {
  Index vocabulary, d_model, layers, heads, d_ff;  // d_ff 0: 4 d_model
};

/// The sizes of GPT-2 and its successors.
void read_decoder_sizes(const ConfigFields& config, Names widths, Names layers, Names heads, Names d_ff,
                        const DecoderDefaults& usual, ModelConfig& model) {
  read_vocabulary(config, usual.vocabulary, model);
  model.d_model = read_width(config, widths, usual.d_model);
  model.decoder.layers = read_layers(config, layers, usual.layers);
  model.decoder.heads = model.decoder.kv_heads = read_heads(config, heads, usual.heads);
  model.decoder.d_ff = read_inner_width(config, d_ff, usual.d_ff > 0 ? usual.d_ff : 4 * model.d_model);
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
  expect_set(config, "do_layer_norm_before");  // the 350m
  expect_set(config, "layer_norm_elementwise_affine");
  expect_not_set(config, "_remove_final_layer_norm");
  if (read_width(config, {"word_embed_proj_dim"}, model.d_model) != model.d_model)
    throw config.wrong("{}: {} is {}; expected the same as hidden_size: {}", "word_embed_proj_dim",
                       model.d_model);
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

/// Fields shared by BERT-like models.
void read_encoder_config(const ConfigFields& config, Names widths, Names heads, ModelConfig& model) {
  read_vocabulary(config, 30522, model);
  model.d_model = read_width(config, widths, 768);
  model.encoder.heads = model.encoder.kv_heads = read_heads(config, heads, 12);
  divide_by_heads(config, widths, heads, model);
  model.positions = read_positions(config, {"max_position_embeddings"}, 512);
  model.norm_epsilon = 1e-12;
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.causal = config.flag("is_decoder", false);
  expect_not_set(config, "add_cross_attention");
  if (config.text({"position_embedding_type"}, "absolute") != "absolute")
    throw config.wrong("{}: {} is {}; expected one of: {}", "position_embedding_type", "absolute");
}

void read_bert_config(const ConfigFields& config, ModelConfig& model) {
  model.encoder.layers = read_layers(config, {"num_hidden_layers"}, 12);
  read_encoder_config(config, {"hidden_size"}, {"num_attention_heads"}, model);
  model.encoder.d_ff = read_inner_width(config, {"intermediate_size"}, 3072);
  model.token_types = read_token_count(config, {"type_vocab_size"}, 2);
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, 1e-12);
  model.activation = model.head_activation = read_activation(config, "hidden_act", "gelu");
  model.pad_token = 0;
}

void read_distilbert_config(const ConfigFields& config, ModelConfig& model) {
  model.encoder.layers = read_layers(config, {"n_layers", "num_hidden_layers"}, 6);
  read_encoder_config(config, {"dim", "hidden_size"}, {"n_heads", "num_attention_heads"}, model);
  model.encoder.d_ff = read_inner_width(config, {"hidden_dim", "intermediate_size"}, 3072);
  model.activation = model.head_activation = read_activation(config, "activation", "gelu");
  model.pad_token = 0;
}

void read_roberta_config(const ConfigFields& config, ModelConfig& model) {
  read_bert_config(config, model);
  read_vocabulary(config, 50265, model);
  model.head_activation = Activation::gelu;
  model.pad_token = 1;
  model.bos_token = 0;
  model.eos_tokens = {2};
  // Rows of the table are counted from the padding's; none is Python's -1.
  const std::optional<Index> pad = config.token("pad_token_id", 1);
  if (!pad) throw config.wrong("{}: {} is {}; expected the number of a token", "pad_token_id");
  model.position_offset = *pad + 1;
  model.padding_has_own_position = true;
  if (model.position_offset >= model.positions)
    throw config.wrong("{}: {} is {}; expected less than {}", "pad_token_id", model.positions - 1);
}

/// "relu", "gated-gelu", "gated-silu"; newer files repeat this in two more fields, which take precedence.
void read_t5_feed_forward(const ConfigFields& config, const char* fallback, ModelConfig& model) {
  const char* field = "feed_forward_proj";
  const std::string text = config.text({field}, fallback);
  model.gated = text.starts_with("gated-");
  std::string name = model.gated ? text.substr(6) : text;
  if (text == "gated-gelu") name = "gelu_new";
  model.gated = config.flag("is_gated_act", model.gated);
  model.activation = config.has("dense_act_fn") ? read_activation(config, "dense_act_fn", "")
                                                : named_activation(config, field, name.c_str());
}

void read_t5_config(const ConfigFields& config, ModelConfig& model) {
  const bool mt5 = config.text({"model_type"}, "t5") == "mt5";
  read_vocabulary(config, mt5 ? 250112 : 32128, model);
  model.d_model = read_width(config, {"d_model", "hidden_size"}, 512);
  model.head_dim = read_width(config, {"d_kv", "head_dim"}, 64);
  LayerStack& encoder = model.encoder;
  encoder.layers = read_layers(config, {"num_layers", "num_hidden_layers"}, mt5 ? 8 : 6);
  encoder.heads = encoder.kv_heads = read_heads(config, {"num_heads", "num_attention_heads"}, mt5 ? 6 : 8);
  encoder.d_ff = read_inner_width(config, {"d_ff"}, mt5 ? 1024 : 2048);
  model.decoder = encoder;
  model.decoder.layers = read_layers(config, {"num_decoder_layers"}, encoder.layers);
  model.position_kind = PositionKind::relative;
  constexpr Index max_buckets = 1 << 16;
  model.relative_buckets = config.whole({"relative_attention_num_buckets"}, 32, 4, max_buckets);
  // Half of the buckets are exact distances; the others are between that and the longest.
  model.relative_max_distance =
      config.whole({"relative_attention_max_distance"}, 128, model.relative_buckets / 2 + 1, max_positions);
  model.norm_epsilon = read_epsilon(config, {"layer_norm_epsilon"}, 1e-6);
  read_t5_feed_forward(config, mt5 ? "gated-gelu" : "relu", model);
  model.qkv_bias = model.output_bias = model.mlp_bias = false;
  model.scale_scores = false;
  model.tie_embeddings = config.flag("tie_word_embeddings", !mt5);
  // Newer files mark every T5 as tied, and say here whether it really was: only tied outputs are scaled.
  model.scale_decoder_outputs = config.flag("scale_decoder_outputs", model.tie_embeddings);
  if (!model.scale_decoder_outputs) model.tie_embeddings = false;
  model.pad_token = 0;
  model.eos_tokens = {1};
  if (model.architecture.starts_with("T5EncoderModel") || model.architecture.starts_with("MT5EncoderModel"))
    model.decoder = {};
}

/// Fields shared by Marian, BART and its successors.
void read_marian_like(const ConfigFields& config, Index vocabulary, ModelConfig& model) {
  const Names widths = {"d_model", "hidden_size"};
  read_vocabulary(config, vocabulary, model);
  model.d_model = read_width(config, widths, 1024);
  const Names encoder_heads = {"encoder_attention_heads"}, decoder_heads = {"decoder_attention_heads"};
  model.encoder.layers = read_layers(config, {"encoder_layers"}, 12);
  model.encoder.heads = model.encoder.kv_heads = read_heads(config, encoder_heads, 16);
  model.encoder.d_ff = read_inner_width(config, {"encoder_ffn_dim"}, 4096);
  model.decoder.layers = read_layers(config, {"decoder_layers"}, 12);
  model.decoder.heads = model.decoder.kv_heads = read_heads(config, decoder_heads, 16);
  model.decoder.d_ff = read_inner_width(config, {"decoder_ffn_dim"}, 4096);
  config.expect_multiple(widths, model.d_model, encoder_heads, model.encoder.heads);
  config.expect_multiple(widths, model.d_model, decoder_heads, model.decoder.heads);
  model.head_dim = model.d_model / model.decoder.heads;
  model.positions = read_positions(config, {"max_position_embeddings"}, 1024);
  model.activation = read_activation(config, "activation_function", "gelu");
  model.scale_embedding = config.flag("scale_embedding", false);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
}

/// Its class and mBART's; tokens differ.
void read_bart_like(const ConfigFields& config, ModelConfig& model) {
  read_marian_like(config, 50265, model);
  model.position_offset = table_rows_before;
  model.positions += table_rows_before;
  model.bos_token = 0;
  model.pad_token = 1;
  model.eos_tokens = {2};
  model.forced_eos_token = 2;
}
void read_bart_config(const ConfigFields& config, ModelConfig& model) {
  read_bart_like(config, model);
  model.decoder_start_token = 2;
}

void read_pegasus_config(const ConfigFields& config, ModelConfig& model) {
  read_marian_like(config, 50265, model);
  model.position_kind = PositionKind::sinusoidal;
  model.pad_token = model.decoder_start_token = 0;
  model.eos_tokens = {1};
  model.forced_eos_token = 1;
}

void read_marian_config(const ConfigFields& config, ModelConfig& model) {
  read_marian_like(config, 58101, model);
  model.decoder_vocabulary = read_token_count(config, {"decoder_vocab_size"}, model.vocabulary);
  model.shared_embeddings = config.flag("share_encoder_decoder_embeddings", true);
  model.position_kind = PositionKind::sinusoidal;
  model.pad_token = 58100;
  model.decoder_start_token = 58100;
  model.eos_tokens = {0};
  model.forced_eos_token = 0;
}

// LLaMA and families with the same structure.

/// Key-value heads if omitted in the file: the class default, if compatible with its heads.
Index usual_kv_heads(Index of_class, Index heads) {
  return heads % of_class == 0 ? of_class : heads;
}

struct LlamaDefaults {
  Index vocabulary, d_model, d_ff, layers, heads, kv_heads, positions, head_dim;  // 0: follows from others
};

void read_llama_like(const ConfigFields& config, const LlamaDefaults& usual, ModelConfig& model) {
  const Names widths = {"hidden_size"}, heads = {"num_attention_heads"}, kv_heads = {"num_key_value_heads"};
  read_vocabulary(config, usual.vocabulary, model);
  model.d_model = read_width(config, widths, usual.d_model);
  LayerStack& stack = model.decoder;
  stack.layers = read_layers(config, {"num_hidden_layers"}, usual.layers);
  stack.heads = read_heads(config, heads, usual.heads);
  const bool equal = usual.kv_heads == 0 || config.is_null("num_key_value_heads");
  stack.kv_heads =
      read_heads(config, kv_heads, equal ? stack.heads : usual_kv_heads(usual.kv_heads, stack.heads));
  config.expect_multiple(heads, stack.heads, kv_heads, stack.kv_heads);
  stack.d_ff = read_inner_width(config, {"intermediate_size"}, usual.d_ff);
  const bool own_head_dim = config.has("head_dim") || (usual.head_dim > 0 && !config.is_null("head_dim"));
  if (own_head_dim)
    model.head_dim = read_width(config, {"head_dim"}, usual.head_dim);
  else
    divide_by_heads(config, widths, heads, model);
  model.positions = read_positions(config, {"max_position_embeddings"}, usual.positions);
  model.position_kind = PositionKind::rotary;
  model.rope = read_rope(config, model.head_dim, model.positions);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-6);
  model.activation = read_activation(config, "hidden_act", "silu");
  model.gated = true;
  model.causal = true;
  model.tie_embeddings = config.flag("tie_word_embeddings", false);
  model.qkv_bias = model.output_bias = config.flag("attention_bias", false);
  model.mlp_bias = config.flag("mlp_bias", false);
}

/// `from`: the first layer with a window, if the file has no list of layers.
void read_windows(const ConfigFields& config, std::optional<Index> window, Index from, ModelConfig& model) {
  const Index layers = model.decoder.layers;
  const std::vector<std::string> types = config.texts("layer_types");
  if (!types.empty() && std::ssize(types) != layers)
    throw config.wrong("{}: {} is {}; expected a list of {}, one for each layer", "layer_types", layers);
  model.sliding_windows.assign(static_cast<std::size_t>(layers), 0);
  for (std::size_t layer = 0; layer < model.sliding_windows.size(); ++layer) {
    const std::string type = !types.empty()                      ? types[layer]
                             : static_cast<Index>(layer) >= from ? "sliding_attention"
                                                                 : "full_attention";
    if (type != "sliding_attention" && type != "full_attention")
      throw input_error("{}: {} is {}; expected one of: {}", config.file(), "layer_types", cut_off(type, 60),
                        "full_attention, sliding_attention");
    if (type == "sliding_attention") model.sliding_windows[layer] = window.value_or(0);
  }
}

std::optional<Index> read_window(const ConfigFields& config, Index fallback) {
  if (config.is_null("sliding_window")) return std::nullopt;
  return read_positions(config, {"sliding_window"}, fallback);
}

/// Only with `use_sliding_window`, starting at some layer.
void read_qwen_windows(const ConfigFields& config, ModelConfig& model) {
  const bool used = config.flag("use_sliding_window", false);
  const std::optional<Index> window = used ? read_window(config, 4096) : std::nullopt;
  read_windows(config, window, config.whole({"max_window_layers"}, 28, 0, 1000), model);
}

void read_llama_config(const ConfigFields& config, ModelConfig& model) {
  model.bos_token = 1;
  model.eos_tokens = {2};
  read_llama_like(config, {32000, 4096, 11008, 32, 32, 0, 2048, 0}, model);
}

void read_mistral_config(const ConfigFields& config, ModelConfig& model) {
  model.bos_token = 1;
  model.eos_tokens = {2};
  read_llama_like(config, {32000, 4096, 14336, 32, 32, 8, 131072, 0}, model);
  read_windows(config, read_window(config, 4096), 0, model);
}

void read_qwen2_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {151936, 4096, 22016, 32, 32, 32, 32768, 0}, model);
  model.qkv_bias = true;
  model.output_bias = model.mlp_bias = false;
  read_qwen_windows(config, model);
}

void read_qwen3_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {151936, 4096, 22016, 32, 32, 32, 32768, 128}, model);
  model.mlp_bias = false;
  model.qk_norm = true;
  read_qwen_windows(config, model);
}

}  // namespace

std::span<const ConfigFamily> config_families() {
  static constexpr ConfigFamily rows[] = {
      {ModelFamily::gpt2, "GPT-2", "gpt2", "GPT2", read_gpt2_config},
      {ModelFamily::bert, "BERT", "bert", "Bert", read_bert_config},
      {ModelFamily::distilbert, "DistilBERT", "distilbert", "DistilBert", read_distilbert_config},
      {ModelFamily::roberta, "RoBERTa", "roberta,xlm-roberta,camembert", "Roberta", read_roberta_config},
      {ModelFamily::llama, "LLaMA", "llama", "Llama", read_llama_config},
      {ModelFamily::mistral, "Mistral", "mistral", "Mistral", read_mistral_config},
      {ModelFamily::qwen2, "Qwen2", "qwen2", "Qwen2", read_qwen2_config},
      {ModelFamily::qwen3, "Qwen3", "qwen3", "Qwen3", read_qwen3_config},
      {ModelFamily::t5, "T5", "t5,mt5", "T5", read_t5_config},
      {ModelFamily::marian, "Marian", "marian", "Marian", read_marian_config},
      {ModelFamily::gpt_neo, "GPT-Neo", "gpt_neo", "GPTNeo", read_gpt_neo_config},
      {ModelFamily::opt, "OPT", "opt", "OPT", read_opt_config},
      {ModelFamily::bart, "BART", "bart", "Bart", read_bart_config},
      {ModelFamily::mbart, "mBART", "mbart", "MBart", read_bart_like},
      {ModelFamily::pegasus, "PEGASUS", "pegasus", "Pegasus", read_pegasus_config}};
  return rows;
}

}  // namespace headscope
