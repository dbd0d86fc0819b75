#include "core/model/config/config_readers.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/utf8.h"
#include "core/io/strict_json.h"
#include "core/model/config/family.h"

namespace headscope {

void read_vocabulary(const ConfigFields& config, Index fallback, ModelConfig& model) {
  model.vocabulary = read_token_count(config, {"vocab_size"}, fallback);
  model.decoder_vocabulary = model.vocabulary;
}

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

void expect_not_set(const ConfigFields& config, const char* name) {
  if (config.flag(name, false)) throw config.wrong("{}: {} is {}; expected false: it is not supported", name);
}

void expect_set(const ConfigFields& config, const char* name) {
  if (!config.flag(name, true)) throw config.wrong("{}: {} is {}; expected true: it is not supported", name);
}

double read_epsilon(const ConfigFields& config, Names names, double fallback) {
  constexpr double maximum = 1;
  return config.above_zero(names, fallback, maximum);
}

void divide_by_heads(const ConfigFields& config, Names widths, Names heads, ModelConfig& model) {
  config.expect_multiple(widths, model.d_model, heads, model.body().heads);
  model.head_dim = model.d_model / model.body().heads;
}

double read_factor(const ConfigFields& config, const char* name, double fallback) {
  constexpr double maximum = 1e6;
  return config.above_zero({name}, fallback, maximum);
}

void set_parallel(ModelConfig& model) {
  model.parallel = model.shared_norm = true;
}

void read_windows(const ConfigFields& config, std::optional<Index> window,
                  const std::function<bool(Index layer)>& local, ModelConfig& model) {
  const Index layers = model.body().layers;
  const std::vector<std::string> types = config.texts("layer_types");
  if (!types.empty() && std::ssize(types) != layers)
    throw config.wrong("{}: {} is {}; expected a list of {}, one for each layer", "layer_types", layers);
  model.sliding_windows.assign(layers, 0);
  for (std::size_t layer = 0; layer < model.sliding_windows.size(); ++layer) {
    const std::string type = !types.empty() ? types[layer]
                             : local(layer) ? "sliding_attention"
                                            : "full_attention";
    if (type != "sliding_attention" && type != "full_attention")
      throw input_error("{}: {} is {}; expected one of: {}", config.file(), "layer_types", cut_off(type, 60),
                        "full_attention, sliding_attention");
    if (type == "sliding_attention") model.sliding_windows[layer] = window.value_or(0);
  }
}

std::vector<Index> read_attention_windows(const ConfigFields& config, Index layers) {
  const char* const field = "attention_window";
  constexpr Index usual = 512;
  std::vector<Index> windows = config.has(field) ? config.tokens(field) : std::vector{usual};
  if (windows.size() == 1) windows.assign(layers, windows.front());
  const bool even = std::ranges::all_of(windows, [](Index width) { return width > 0 && width % 2 == 0; });
  if (!even || std::ssize(windows) != layers)
    throw config.wrong("{}: {} is {}; expected an even number, or a list of {}, one for each layer", field,
                       layers);
  // Half of it to either side.
  for (Index& width : windows) width = width / 2 + 1;
  return windows;
}

std::optional<BlockSparse> read_block_sparse(const ConfigFields& config) {
  const char* const field = "attention_type";
  const std::string type = config.text({field}, "block_sparse");
  if (type != "block_sparse" && type != "original_full")
    throw config.wrong("{}: {} is {}; expected one of: {}", field, "block_sparse, original_full");
  if (type != "block_sparse") return {};
  return BlockSparse{config.whole({"block_size"}, 64, 1, max_positions),
                     config.whole({"num_random_blocks"}, 3, 0, 1000)};
}

namespace {

/// Whether a decoder whose file says that it is not causal sees to both sides. GPT-Neo's masks are its own.
bool has_both_directions(const ConfigFields& config, const ModelConfig& model) {
  if (model.family == ModelFamily::gpt_neo || config.flag("is_causal", true)) return false;
  // One of transformers' two implementations ignores the flag there.
  if (model.family == ModelFamily::stablelm) expect_set(config, "is_causal");
  return true;
}

}  // namespace

void read_direction(const ConfigFields& config, ModelConfig& model) {
  using Family = ModelFamily;
  if (model.encoder_decoder()) return expect_set(config, "is_causal");
  if (model.has_decoder()) {
    if (!has_both_directions(config, model)) return;
    model.causal = false;
    // To either side transformers counts keys up to the window's width away, not less.
    for (Index& window : model.sliding_windows) window += window > 0 ? 1 : 0;
    return;
  }
  const bool may_decode =
      model.family == Family::bert || model.family == Family::roberta || model.family == Family::electra;
  if (may_decode && config.flag("is_decoder", false)) {
    model.causal = config.flag("is_causal", true);
    return;
  }
  // Their masks are their own.
  if (model.family == Family::mpnet || model.family == Family::deberta || model.family == Family::deberta_v1)
    return;
  if (model.causal) return expect_set(config, "is_causal");
  expect_not_set(config, "is_causal");
}

namespace {

OutputKind output_kind(const ModelConfig& model) {
  constexpr std::pair<const char*, OutputKind> kinds[] = {
      {"ForSequenceClassification", OutputKind::text_label},
      {"ForTokenClassification", OutputKind::token_label},
      {"ForImageClassification", OutputKind::picture_label},
      {"ForImageClassificationWithTeacher", OutputKind::picture_label},
      {"XLNetForQuestionAnswering", OutputKind::tokens},  // by a search that is not read
      {"ForQuestionAnsweringSimple", OutputKind::span},
      {"ForQuestionAnswering", OutputKind::span},
      {"DPRReader", OutputKind::span},
      {"ForPreTraining", OutputKind::replaced}};
  for (const auto& [end, kind] : kinds)
    if (model.architecture.ends_with(end) && !head_names(model, kind).output.empty()) return kind;
  return OutputKind::tokens;
}

/// {"0": "NEGATIVE", "1": "POSITIVE"}; without it transformers has as many labels as num_labels says, or two,
/// BART three.
std::vector<std::string> read_labels(const ConfigFields& config, ModelFamily family) {
  constexpr Index most = 100'000;
  const Index usual = family == ModelFamily::bart ? 3 : 2;
  std::vector<std::string> labels;
  const auto named = config.object("id2label");
  const auto count = named ? std::ssize(named->json()) : config.whole({"num_labels"}, usual, 1, most);
  for (Index i = 0; i < std::min(count, most); ++i) {
    const std::string number = std::to_string(i);
    labels.push_back(named ? named->text({number.c_str()}, "") : "LABEL_" + number);
    if (!named || named->has(number.c_str())) continue;
    if (count == 1) throw config.wrong("{}: {} is {}; expected the name of label 0", "id2label");
    throw config.wrong("{}: {} is {}; expected the names of labels 0 to {}", "id2label", count - 1);
  }
  if (labels.empty() || count > most)
    throw config.wrong("{}: {} is {}; expected an object with 1 to {} labels", "id2label", most);
  return labels;
}

LabelScale read_label_scale(const ConfigFields& config, std::size_t labels) {
  const std::string problem = config.text({"problem_type"}, "");
  if (problem == "regression") return LabelScale::number;
  if (problem == "multi_label_classification" || labels == 1) return LabelScale::any;
  if (problem.empty() || problem == "single_label_classification") return LabelScale::one;
  throw config.wrong("{}: {} is {}; expected one of: {}", "problem_type",
                     "regression, single_label_classification, multi_label_classification");
}

using Reads = OutputConfig::Reads;

/// What a label of the whole is read from, by a name of those.
Reads read_pooling(const ConfigFields& config, const char* field, const char* usual,
                   std::initializer_list<std::pair<const char*, Reads>> kinds) {
  const std::string pooling = config.text({field}, usual);
  std::string names;
  for (const auto& [name, reads] : kinds) {
    if (pooling == name) return reads;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw config.wrong("{}: {} is {}; expected one of: {}", field, names);
}

}  // namespace

void read_output(const ConfigFields& config, ModelConfig& model) {
  OutputConfig& output = model.output;
  output.kind = output_kind(model);
  if (output.kind == OutputKind::tokens) return;
  model.tie_embeddings = false;
  model.output_factor = 1;
  model.logit_cap = 0;
  // In place of labels of the file; predicted_text() has their words.
  if (output.kind == OutputKind::span) output.labels = {"start", "end"};
  if (output.kind == OutputKind::replaced) output.labels = {"original", "replaced"};
  if (!output.of_whole() && output.kind != OutputKind::token_label) return;
  output.labels = read_labels(config, model.family);
  output.scale = output.kind == OutputKind::token_label ? LabelScale::one
                                                        : read_label_scale(config, output.labels.size());
  if (output.kind == OutputKind::text_label && model.has_decoder())
    output.reads = model.has_encoder() ? OutputConfig::Reads::end : OutputConfig::Reads::last;
  if (model.family == ModelFamily::modernbert && output.kind == OutputKind::text_label)
    output.reads =
        read_pooling(config, "classifier_pooling", "cls", {{"cls", Reads::first}, {"mean", Reads::mean}});
  if (model.family == ModelFamily::eurobert && output.kind == OutputKind::text_label)
    output.reads =
        read_pooling(config, "classifier_pooling", "late",
                     {{"bos", Reads::first}, {"mean", Reads::mean}, {"late", Reads::mean_of_logits}});
  if (model.family == ModelFamily::xlnet && output.kind == OutputKind::text_label) {
    output.reads = read_pooling(
        config, "summary_type", "last",
        {{"last", Reads::last}, {"first", Reads::first}, {"mean", Reads::mean}, {"cls_index", Reads::last}});
    expect_set(config, "summary_use_proj");
  }
}

void read_tokens(const ConfigFields& config, ModelConfig& model) {
  model.bos_token = config.token("bos_token_id", model.bos_token);
  model.pad_token = config.token("pad_token_id", model.pad_token);
  model.decoder_start_token = config.token("decoder_start_token_id", model.decoder_start_token);
  model.forced_bos_token = config.token("forced_bos_token_id", model.forced_bos_token);
  model.forced_eos_token = config.token("forced_eos_token_id", model.forced_eos_token);
  // null means none, for a family that has one by default.
  if (config.has("eos_token_id") || config.is_null("eos_token_id"))
    model.eos_tokens = config.tokens("eos_token_id");
  // [[58100]]: lists of tokens; those with a single token are never generated.
  const auto lists = config.json().find("bad_words_ids");
  if (lists == config.json().end() || !lists->is_array()) return;
  model.never_generated.clear();
  for (const nlohmann::json& list : *lists)
    if (const auto token =
            list.is_array() && list.size() == 1 ? integer_in(list[0], 0, INT32_MAX) : std::nullopt)
      model.never_generated.push_back(static_cast<Index>(*token));
}

}  // namespace headscope
