#include "core/model/config/config_encoders.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/model/config/config_readers.h"
#include "core/model/config/llama_like.h"
#include "core/model/config/rope_config.h"

// As in config_families.cpp.

namespace headscope {
namespace {

/// What a config leaves out.
struct UsualSizes {
  Index vocabulary = 30522, layers = 12, width = 768, heads = 12, inner = 3072, positions = 512;
};

void read_sizes(const ConfigFields& config, const UsualSizes& usual, ModelConfig& model,
                Names layers = {"num_hidden_layers"}, Names widths = {"hidden_size"},
                Names heads = {"num_attention_heads"}, Names inner = {"intermediate_size"}) {
  LayerStack& stack = model.encoder;
  stack.layers = read_layers(config, layers, usual.layers);
  read_vocabulary(config, usual.vocabulary, model);
  model.d_model = read_width(config, widths, usual.width);
  stack.heads = stack.kv_heads = read_heads(config, heads, usual.heads);
  divide_by_heads(config, widths, heads, model);
  stack.d_ff = read_inner_width(config, inner, usual.inner);
  model.positions = read_positions(config, {"max_position_embeddings"}, usual.positions);
}

/// Fields shared by BERT-like models.
void read_encoder_config(const ConfigFields& config, ModelConfig& model) {
  model.norm_epsilon = 1e-12;
  model.norm_first = false;
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  expect_not_set(config, "add_cross_attention");
  if (config.text({"position_embedding_type"}, "absolute") != "absolute")
    throw config.wrong("{}: {} is {}; expected one of: {}", "position_embedding_type", "absolute");
}

void read_like_bert(const ConfigFields& config, const UsualSizes& usual, ModelConfig& model) {
  read_sizes(config, usual, model);
  read_encoder_config(config, model);
  model.token_types = read_token_count(config, {"type_vocab_size"}, 2);
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, 1e-12);
  model.activation = model.head_activation = read_activation(config, "hidden_act", "gelu");
  model.pad_token = 0;
}

}  // namespace

void read_bert_config(const ConfigFields& config, ModelConfig& model) {
  read_like_bert(config, {}, model);
  expect_not_set(config, "use_task_id");  // ERNIE's embeddings of tasks
}

void read_distilbert_config(const ConfigFields& config, ModelConfig& model) {
  read_sizes(config, {.layers = 6}, model, {"n_layers", "num_hidden_layers"}, {"dim", "hidden_size"},
             {"n_heads", "num_attention_heads"}, {"hidden_dim", "intermediate_size"});
  read_encoder_config(config, model);
  model.activation = model.head_activation = read_activation(config, "activation", "gelu");
  model.pad_token = 0;
}

namespace {

/// Rows of the table of positions are counted from the padding's.
void count_positions_from_padding(Index padding, ModelConfig& model) {
  model.position_offset = padding + 1;
  model.padding_has_own_position = true;
}

void read_like_roberta(const ConfigFields& config, const UsualSizes& usual, ModelConfig& model) {
  read_like_bert(config, usual, model);
  model.head_activation = Activation::gelu;
  model.pad_token = 1;
  model.bos_token = 0;
  model.eos_tokens = {2};
  // None is Python's -1.
  const std::optional<Index> pad = config.token("pad_token_id", 1);
  if (!pad) throw config.wrong("{}: {} is {}; expected the number of a token", "pad_token_id");
  count_positions_from_padding(*pad, model);
  if (model.position_offset >= model.positions)
    throw config.wrong("{}: {} is {}; expected less than {}", "pad_token_id", model.positions - 1);
}

}  // namespace

void read_roberta_config(const ConfigFields& config, ModelConfig& model) {
  read_like_roberta(config, {.vocabulary = 50265}, model);
}

// Beltagy et al. 2020.
void read_longformer_config(const ConfigFields& config, ModelConfig& model) {
  read_like_roberta(config, {}, model);
  model.sliding_windows = read_attention_windows(config, model.encoder.layers);
  model.has_global_tokens = true;
  constexpr Index end = 2;
  model.separator = config.token("sep_token_id", end);
}

// Zaheer et al. 2020.
void read_bigbird_config(const ConfigFields& config, ModelConfig& model) {
  read_like_bert(config, {.vocabulary = 50358, .positions = 4096}, model);
  model.activation = model.head_activation = read_activation(config, "hidden_act", "gelu_new");
  model.qkv_bias = config.flag("use_bias", true);
  if (config.flag("rescale_embeddings", false)) model.embedding_factor = std::sqrt(model.d_model);
  model.block_sparse = read_block_sparse(config);
  expect_not_set(config, "is_decoder");
  model.bos_token = 1;
  model.eos_tokens = {2};
  constexpr Index separator = 66;
  model.separator = config.token("sep_token_id", separator);
}

// Lan et al. 2020.
void read_albert_config(const ConfigFields& config, ModelConfig& model) {
  read_like_bert(config, {.vocabulary = 30000, .width = 4096, .heads = 64, .inner = 16384}, model);
  model.activation = model.head_activation = read_activation(config, "hidden_act", "gelu_new");
  model.embedding_width = read_width(config, {"embedding_size"}, 128);
  model.project_last = true;
  model.bos_token = 2;
  model.eos_tokens = {3};
  // Layers run through the groups, and all layers of a group follow each other.
  const Index times = model.encoder.layers, groups = read_layers(config, {"num_hidden_groups"}, 1),
              in_group = read_layers(config, {"inner_group_num"}, 1);
  if (groups > times)
    throw config.wrong("{}: {} is {}; expected at most {}, the number of layers", "num_hidden_groups", times);
  constexpr Index max_layers = 1000;
  if (times * in_group > max_layers)
    throw config.wrong("{}: {} is {}; expected at most {} layers in all", "inner_group_num", max_layers);
  model.encoder.layers = times * in_group;
  model.layers_of_group = in_group;
  for (Index i = 0; i < times; ++i)
    for (Index layer = 0; layer < in_group; ++layer)
      model.encoder.stored.push_back(i * groups / times * in_group + layer);
}

// Clark et al. 2020.
void read_electra_config(const ConfigFields& config, ModelConfig& model) {
  read_like_bert(config, {.width = 256, .heads = 4, .inner = 1024}, model);
  const Index width = read_width(config, {"embedding_size"}, 128);
  if (width != model.d_model) model.embedding_width = width;
  model.project_last = true;
  model.head_activation = Activation::gelu;
}

// Song et al. 2020.
void read_mpnet_config(const ConfigFields& config, ModelConfig& model) {
  read_like_bert(config, {.vocabulary = 30527}, model);
  model.token_types = 0;
  model.head_activation = Activation::gelu;
  model.pad_token = 1;
  model.bos_token = 0;
  model.eos_tokens = {2};
  count_positions_from_padding(1, model);
  constexpr Index buckets = 32;  // whatever the size of the table
  model.relative_buckets = config.whole({"relative_attention_num_buckets"}, buckets, buckets, buckets);
}

namespace {

/// "P2C | c2p", or a list of both.
std::vector<std::string> position_terms(const ConfigFields& config) {
  const char* const name = "pos_att_type";
  if (!config.has(name)) return {};
  if (!config.member(name).is_text()) return config.texts(name);
  std::vector<std::string> terms;
  std::istringstream text(config.text({name}, ""));
  for (std::string term; std::getline(text, term, '|');) {
    std::erase_if(term, [](char c) { return c == ' '; });
    std::ranges::transform(term, term.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    if (!term.empty()) terms.push_back(term);
  }
  return terms;
}

/// Which terms scores have.
Disentangled read_terms(const ConfigFields& config) {
  Disentangled positions;
  positions.to_position = positions.from_position = false;
  for (const std::string& term : position_terms(config)) {
    if (term != "c2p" && term != "p2c")
      throw config.wrong("{}: {} is {}; expected one of: {}", "pos_att_type", "c2p, p2c");
    bool& has = term == "c2p" ? positions.to_position : positions.from_position;
    // DeBERTa divides by the length of the list.
    if (has) throw config.wrong("{}: {} is {}; expected each of them once", "pos_att_type");
    has = true;
  }
  return positions;
}

/// Below 1: as many as there are positions.
Index read_farthest(const ConfigFields& config) {
  const Index farthest = config.whole({"max_relative_positions"}, -1, -1, max_positions);
  return farthest < 1 ? config.whole({"max_position_embeddings"}, 512, 1, max_positions) : farthest;
}

Disentangled read_disentangled(const ConfigFields& config, Disentangled positions) {
  positions.farthest = read_farthest(config);
  const Index buckets = config.whole({"position_buckets"}, -1, -1, max_positions);
  positions.buckets = std::max<Index>(buckets, 0);
  if (buckets > 0 && (buckets < 4 || positions.farthest < buckets / 2 + 2))
    throw config.wrong("{}: {} is {}; expected at least 4, and half of it below {}", "position_buckets",
                       positions.farthest - 1);
  positions.shared = config.flag("share_att_key", false);
  positions.normed = config.text({"norm_rel_ebd"}, "none").find("layer_norm") != std::string::npos;
  return positions;
}

std::optional<TokenConvolution> read_convolution(const ConfigFields& config, Index width) {
  const Index taps = config.whole({"conv_kernel_size"}, 0, 0, 1000);
  if (taps == 0) return {};
  if (taps % 2 == 0)
    throw config.wrong("{}: {} is {}; expected an odd number, or 0 for no convolution", "conv_kernel_size");
  TokenConvolution convolution{.taps = taps, .groups = config.whole({"conv_groups"}, 1, 1, width)};
  config.expect_multiple({"hidden_size"}, width, {"conv_groups"}, convolution.groups);
  convolution.activation = read_activation(config, "conv_act", "tanh");
  return convolution;
}

}  // namespace

namespace {

/// What both versions have.
void read_like_deberta(const ConfigFields& config, ModelConfig& model) {
  if (!config.flag("position_biased_input", true)) model.position_kind = PositionKind::none;
  model.token_types = config.whole({"type_vocab_size"}, 0, 0, 1000);
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, 1e-7);
  model.norm_first = false;
  model.activation = model.head_activation = read_activation(config, "hidden_act", "gelu");
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  // Scores are scaled for all terms, also where they have no relative positions.
  model.score_factor = 1 / std::sqrt(static_cast<double>(model.head_dim) * read_terms(config).terms());
  // Its output is always the embedding.
  model.newer_head = !config.flag("legacy", true);
  if (model.newer_head) model.tie_embeddings = true;
  if (config.whole({"embedding_size"}, model.d_model, 1, Index{1} << 20) != model.d_model)
    throw config.wrong("{}: {} is {}; expected {}, which is hidden_size", "embedding_size", model.d_model);
  if (config.whole({"attention_head_size"}, model.head_dim, 1, Index{1} << 20) != model.head_dim)
    throw config.wrong("{}: {} is {}; expected {}", "attention_head_size", model.head_dim);
  if (const char* const name = "pooler_hidden_act"; config.text({name}, "gelu") != "gelu")
    throw config.wrong("{}: {} is {}; expected one of: {}", name, "gelu");
  model.pad_token = 0;
}

}  // namespace

// He et al. 2021; He et al. 2023.
void read_deberta_config(const ConfigFields& config, ModelConfig& model) {
  read_sizes(config, {.vocabulary = 128100, .layers = 24, .width = 1536, .heads = 24, .inner = 6144}, model);
  read_like_deberta(config, model);
  if (config.flag("relative_attention", false))
    model.disentangled = read_disentangled(config, read_terms(config));
  model.convolution = read_convolution(config, model.d_model);
}

// He et al. 2021: the first version, without buckets.
void read_deberta_v1_config(const ConfigFields& config, ModelConfig& model) {
  read_sizes(config, {.vocabulary = 50265}, model);
  read_like_deberta(config, model);
  expect_not_set(config, "talking_head");
  model.key_bias = false;
  model.fused_groups = model.encoder.heads;
  if (!config.flag("relative_attention", false)) return;
  Disentangled& terms = model.disentangled.emplace(read_terms(config));
  terms.farthest = read_farthest(config);
  terms.shared = false;
}

// Yang et al. 2019, with the attention of Dai et al. 2019. Without tokens of an earlier text, of which
// mem_len and reuse_len are.
void read_xlnet_config(const ConfigFields& config, ModelConfig& model) {
  read_sizes(config, {.vocabulary = 32000, .layers = 24, .width = 1024, .heads = 16, .inner = 4096}, model,
             {"n_layer", "num_hidden_layers"}, {"d_model", "hidden_size"}, {"n_head", "num_attention_heads"},
             {"d_inner"});
  if (const char* const name = "d_head"; read_width(config, {name}, model.head_dim) != model.head_dim)
    throw config.wrong("{}: {} is {}; expected {}", name, model.head_dim);
  model.position_kind = PositionKind::none;
  Disentangled& terms = model.disentangled.emplace();
  terms.computed = true;
  terms.shared = terms.from_position = false;
  terms.farthest = std::max<Index>(config.whole({"clamp_len"}, -1, -1, max_positions), 0);
  expect_not_set(config, "bi_data");
  const std::string type = config.text({"attn_type"}, "bi");
  if (type != "bi" && type != "uni")
    throw config.wrong("{}: {} is {}; expected one of: {}", "attn_type", "bi, uni");
  model.causal = type == "uni";
  // As many tokens as an earlier text has, and the query's own.
  if (config.flag("same_length", false) && model.causal)
    model.sliding_windows.assign(model.encoder.layers, 1);
  model.token_types = 0;
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, 1e-12);
  model.norm_first = false;
  model.activation = read_activation(config, "ff_activation", "gelu");
  model.head_activation = read_activation(config, "summary_activation", "tanh");
  model.key_bias = model.value_bias = model.output_bias = false;
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.pad_token = 5;
  model.bos_token = 1;
  model.eos_tokens = {2};
}

namespace {

/// How often each layer of a block is run, and their numbers in the files.
void read_blocks(const ConfigFields& config, Funnel& funnel, ModelConfig& model) {
  constexpr Index most_blocks = 4, most_layers = 1000;
  const char *const sizes_field = "block_sizes", *const repeats_field = "block_repeats";
  const std::vector<Index> sizes =
      config.has(sizes_field) ? config.tokens(sizes_field) : std::vector<Index>{4, 4, 4};
  const auto positive = [](const std::vector<Index>& list) {
    return std::ranges::all_of(list, [](Index count) { return count > 0 && count <= most_layers; });
  };
  if (sizes.size() < 2 || std::ssize(sizes) > most_blocks || !positive(sizes))
    throw config.wrong("{}: {} is {}; expected a list of length 2 to {}, the layers of each block",
                       sizes_field, most_blocks);
  const std::vector<Index> repeats =
      config.has(repeats_field) ? config.tokens(repeats_field) : std::vector<Index>(sizes.size(), 1);
  if (repeats.size() != sizes.size() || !positive(repeats))
    throw config.wrong("{}: {} is {}; expected a list of {}, one for each block", repeats_field,
                       std::ssize(sizes));
  model.layers_of_group = std::max(std::ranges::max(sizes), funnel.upsampled);
  for (Index block = 0; block < std::ssize(sizes); ++block) {
    funnel.layers.push_back(sizes[block] * repeats[block]);
    for (Index layer = 0; layer < funnel.layers.back(); ++layer)
      model.encoder.stored.push_back(block * model.layers_of_group + layer / repeats[block]);
  }
  model.encoder.layers = funnel.first_of(funnel.blocks()) + funnel.upsampled;
  if (model.encoder.layers > most_layers)
    throw config.wrong("{}: {} is {}; expected numbers that sum to at most {}", sizes_field, most_layers);
}

}  // namespace

// Dai et al. 2020, with the attention of Dai et al. 2019.
void read_funnel_config(const ConfigFields& config, ModelConfig& model) {
  LayerStack& stack = model.encoder;
  read_vocabulary(config, 30522, model);
  model.d_model = read_width(config, {"d_model", "hidden_size"}, 768);
  stack.heads = stack.kv_heads = read_heads(config, {"n_head", "num_attention_heads"}, 12);
  model.head_dim = read_width(config, {"d_head"}, 64);
  stack.d_ff = read_inner_width(config, {"d_inner"}, 3072);
  model.position_kind = PositionKind::none;
  Disentangled& terms = model.disentangled.emplace();
  terms.computed = true;
  terms.shared = terms.from_position = false;
  Funnel& funnel = model.funnel.emplace();
  // These read the pooled rows.
  const bool pooled = model.architecture.ends_with("BaseModel") ||
                      model.architecture.ends_with("ForSequenceClassification") ||
                      model.architecture.ends_with("ForMultipleChoice");
  if (!pooled) funnel.upsampled = config.whole({"num_decoder_layers"}, 2, 1, 1000);
  read_blocks(config, funnel, model);
  const auto either = [&](const char* field, const char* usual, const char* other) {
    const std::string type = config.text({field}, usual);
    if (type != usual && type != other)
      throw config.wrong("{}: {} is {}; expected one of: {}", field, std::string(usual) + ", " + other);
    return type == usual;
  };
  funnel.largest = !either("pooling_type", "mean", "max");
  funnel.by_shifts = either("attention_type", "relative_shift", "factorized");
  funnel.first_apart = config.flag("separate_cls", true);
  funnel.last_left_out = config.flag("truncate_seq", true);
  funnel.queries_alone = config.flag("pool_q_only", true);
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, 1e-9);
  model.norm_first = false;
  model.last_norm = false;
  model.activation = read_activation(config, "hidden_act", "gelu_new");
  model.head_activation = Activation::tanh;
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.pad_token = 0;
}

// Warner et al. 2024.
void read_modernbert_config(const ConfigFields& config, ModelConfig& model) {
  read_sizes(config, {.vocabulary = 50368, .layers = 22, .inner = 1152, .positions = 8192}, model);
  model.position_kind = PositionKind::rotary;
  const RopeDefaults rope{.theta = 160'000,
                          .theta_name = "global_rope_theta",
                          .layer_type = "full_attention",
                          .local_theta_name = "local_rope_theta",
                          .scales_windows = true};
  model.rope = read_rope(config, model.head_dim, model.positions, rope);
  model.local_rope = read_local_rope(config, model.head_dim, model.positions, rope);
  const Index every = config.whole({"global_attn_every_n_layers"}, 3, 1, 1000);
  // Keys up to half of it away, to either side.
  const Index reach = config.whole({"local_attention"}, 128, 1, max_positions) / 2;
  read_windows(
      config, reach + 1, [&](Index layer) { return layer % every != 0; }, model);
  model.norm_epsilon = read_epsilon(config, {"norm_eps"}, 1e-5);
  model.norm_bias = config.flag("norm_bias", false);
  model.first_layer_normed = false;
  model.activation = read_activation(config, "hidden_activation", "gelu");
  model.head_activation = read_activation(config, "classifier_activation", "gelu");
  model.gated = true;
  model.qkv_bias = model.output_bias = config.flag("attention_bias", false);
  model.mlp_bias = config.flag("mlp_bias", false);
  model.output.transform_bias = config.flag("classifier_bias", false);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.pad_token = 50283;
  model.bos_token = 50281;
  model.eos_tokens = {50282};
}

// Lin et al. 2023, Rives et al. 2021: https://doi.org/10.1126/science.ade2574
void read_esm_config(const ConfigFields& config, ModelConfig& model) {
  read_sizes(config, {.vocabulary = 33, .positions = 1026}, model);
  expect_not_set(config, "add_cross_attention");
  expect_not_set(config, "is_folding_model");
  const std::string positions = config.text({"position_embedding_type"}, "absolute");
  if (positions == "rotary") {
    model.position_kind = PositionKind::rotary;
    model.rope = read_rope(config, model.head_dim, model.positions, {.theta = 10'000});
  } else if (positions != "absolute") {
    throw config.wrong("{}: {} is {}; expected one of: {}", "position_embedding_type", "absolute, rotary");
  } else if (const auto pad = config.token("pad_token_id")) {
    count_positions_from_padding(*pad, model);
  } else {
    throw config.wrong("{}: {} is {}; expected the number of a token", "pad_token_id");
  }
  model.token_types = 0;
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, 1e-12);
  model.activation = model.head_activation = Activation::gelu;  // whatever hidden_act says
  model.embedding_norm = config.flag("emb_layer_norm_before", false);
  if (config.flag("token_dropout", false)) model.dropped_token = config.token("mask_token_id").value_or(-1);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
}

// Nussbaum et al. 2024. Its first files have GPT-2's names, and flags of a class that is a part of the
// folder.
void read_nomic_bert_config(const ConfigFields& config, ModelConfig& model) {
  read_sizes(config, {.vocabulary = 30528, .positions = 2048}, model, {"num_hidden_layers", "n_layer"},
             {"hidden_size", "n_embd"}, {"num_attention_heads", "n_head"}, {"intermediate_size", "n_inner"});
  for (const char* name : {"prenorm", "parallel_block", "causal", "use_rms_norm", "qkv_proj_bias",
                           "mlp_fc1_bias", "mlp_fc2_bias", "rotary_emb_interleaved"})
    expect_not_set(config, name);
  for (const char* name : {"rotary_scaling_factor", "num_experts"})
    if (config.has(name)) throw config.wrong("{}: {} is {}; expected null: it is not supported", name);
  if (const char* name = "rotary_emb_fraction"; config.above_zero({name}, 1, 1) != 1)
    throw config.wrong("{}: {} is {}; expected {}", name, 1);
  if (const char* name = "activation_function"; config.text({name}, "swiglu") != "swiglu")
    throw config.wrong("{}: {} is {}; expected one of: {}", name, "swiglu");
  if (config.has("head_dim")) model.head_dim = read_width(config, {"head_dim"}, model.head_dim);
  model.position_kind = PositionKind::rotary;
  model.rope =
      read_rope(config, model.head_dim, model.positions, {.theta = 1000, .theta_name = "rotary_emb_base"});
  model.token_types = read_token_count(config, {"type_vocab_size"}, 2);
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps", "layer_norm_epsilon"}, 1e-12);
  model.norm_first = false;
  model.activation = model.head_activation = read_activation(config, "hidden_act", "silu");
  model.gated = true;
  model.qkv_bias = model.output_bias = model.mlp_bias = false;
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
  model.pad_token = 0;
}

// Boizard et al. 2025: LLaMA's layers, read in both directions.
void read_eurobert_config(const ConfigFields& config, ModelConfig& model) {
  read_llama_like(config, {128256, 768, 3072, 12, 12, 0, 8192, 0}, model);
  model.norm_epsilon = read_epsilon(config, {"rms_norm_eps"}, 1e-5);
  model.encoder = std::exchange(model.decoder, {});
  model.causal = false;
  model.bos_token = 128000;
  model.pad_token = 128001;
  model.eos_tokens = {128001};
}

// Chung et al. 2021.
void read_rembert_config(const ConfigFields& config, ModelConfig& model) {
  read_like_bert(config, {.vocabulary = 250300, .layers = 32, .width = 1152, .heads = 18, .inner = 4608},
                 model);
  model.embedding_width = read_width(config, {"input_embedding_size"}, 256);
  model.project_last = true;
  model.head_width = read_width(config, {"output_embedding_size"}, 1664);
  model.tie_embeddings = config.flag("tie_word_embeddings", false);
  model.bos_token = 312;
  model.eos_tokens = {313};
}

// Karpukhin et al. 2020: BERT's body; what is compared, the first row of its output, is not shown.
void read_dpr_config(const ConfigFields& config, ModelConfig& model) {
  read_like_bert(config, {}, model);
  expect_not_set(config, "is_decoder");
  model.first_type_alone = model.architecture.ends_with("Reader");
}

}  // namespace headscope
