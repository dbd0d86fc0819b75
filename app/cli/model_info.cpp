#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/info_text.h"
#include "app/cli/messages.h"
#include "core/base/enum_table.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/names.h"
#include "core/model/config/foreign_folder.h"
#include "core/model/weights/built_in_models.h"
#include "core/model/weights/model_folder.h"
#include "core/model/weights/model_size.h"
#include "core/model/weights/unread_tensors.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/scene/translation_text.h"
#include "core/source/engine/engine.h"
#include "core/source/model/model_source.h"
#include "core/source/model/picture_reader.h"
#include "core/source/model/placeholders.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

/// A text length large enough to be informative about memory, within the model's limit.
Index usual_tokens(const ModelConfig& config) {
  constexpr Index usual = 1024;
  if (const auto& picture = config.picture)
    return picture->own_tokens() + picture->registers + picture->rows() * picture->columns();
  return std::min(usual, config.longest().value_or(usual));
}

std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(std::filesystem::path(path).filename().string());
  return names;
}

const char* position_word(PositionKind kind) {
  constexpr const char* words[] = {"learned", "sinusoidal", "rotary", "none", "relative", "linear"};
  return of_kind(words, kind);
}

/// The number for the only stack, or "6 + 6" for encoder and decoder.
std::string of_stacks(const ModelConfig& config, Index LayerStack::*number) {
  if (!config.encoder_decoder()) return fmt::format("{}", config.body().*number);
  return fmt::format("{} + {}", config.encoder.*number, config.decoder.*number);
}

/// The same of a head's queries and keys.
std::string d_k_text(const ModelConfig& config, const Translator& tr) {
  if (!config.encoder_decoder()) return sizes_of_layers(tr, config.head_dim, config.body().head_dims);
  const Index of_encoder = head_dim_of(config, config.encoder),
              of_decoder = head_dim_of(config, config.decoder);
  return of_encoder == of_decoder ? fmt::format("{}", of_encoder)
                                  : fmt::format("{} + {}", of_encoder, of_decoder);
}

std::string memory_text(const ModelConfig& config, const Translator& tr, std::size_t weights, Index tokens) {
  return tr(config.picture ? TR("{} for the weights, used in place, and {} for a picture of length {}")
            : config.sound ? TR("{} for the weights, used in place, and {} for sound of length {}")
                           : TR("{} for the weights, used in place, and {} for a text of length {}"),
            printed_bytes(static_cast<double>(weights)),
            printed_bytes(static_cast<double>(run_bytes(config, tokens))), tokens);
}

/// What is missing, as sentences.
std::vector<std::string> missing_texts(const ModelFolder& model, const Translator& tr) {
  std::vector<std::string> texts;
  if (!model.missing_shards.empty())
    texts.push_back(tr("weights: {}", fmt::format("{}", fmt::join(model.missing_shards, ", "))));
  else if (!model.weights)
    texts.emplace_back(tr("weights: model.safetensors, or its parts with model.safetensors.index.json"));
  if (model.tokenizer.complete) return texts;
  if (model.tokenizer.not_read.empty())
    texts.emplace_back(tr("tokenizer: tokenizer.json, or vocab.json with merges.txt, or vocab.txt"));
  else
    texts.push_back(tr("tokenizer: tokenizer.json ({} cannot be read in its place)",
                       fmt::format("{}", fmt::join(model.tokenizer.not_read, ", "))));
  return texts;
}

void print_sizes(const ModelConfig& config, const InfoLines& text, const Translator& tr) {
  const auto list = [&](const char* word, const char* label, Index LayerStack::*number) {
    text.line(word, label, of_stacks(config, number));
  };
  if (config.encoder_decoder()) text.line("stacks", TR("stacks"), tr("encoder + decoder"));
  list("layers", TR("Layers"), &LayerStack::layers);
  const bool attends = config.attention_layers() > 0;
  if (attends) list("heads", TR("Heads"), &LayerStack::heads);
  for (const auto& [mixer, layers] : mixer_texts(tr, config))
    text.line(mixer == Mixer::short_convolution ? "convolution" : to_name(mixer), to_label(mixer), layers);
  const LayerStack& body = config.body();
  if (!body.kv_heads_of_layers.empty())
    text.line("kv_heads", TR("Key-value heads"), sizes_of_layers(tr, body.kv_heads, body.kv_heads_of_layers));
  else if (attends)
    list("kv_heads", TR("Key-value heads"), &LayerStack::kv_heads);
  text.line("d_model", fmt::format("{}", config.d_model));
  if (attends) text.line("d_k", d_k_text(config, tr));
  const auto has_experts = [&](bool has) {
    return config.experts && std::ranges::find(config.experts->layers, has) != config.experts->layers.end();
  };
  if (!body.d_ff_of_layers.empty())
    text.line("d_ff", sizes_of_layers(tr, body.d_ff, body.d_ff_of_layers));
  else if (!config.experts || has_experts(false))
    list("d_ff", "d_ff", &LayerStack::d_ff);
  for (const LayerFact& fact : layer_facts(tr, config)) text.line(fact.name, fact.label, fact.text);
  if (config.experts) text.line("experts", TR("experts"), experts_text(tr, config));
  if (config.picture)
    text.line("picture", TR("picture"), picture_text(tr, *config.picture));
  else if (const auto& sound = config.sound)
    text.line("sound", TR("sound"), tr("{} × {}, frames and bands", sound->frames, sound->bands));
  if (!config.picture) text.line("vocabulary", TR("vocabulary"), fmt::format("{}", config.vocabulary));
  if (config.text_tower)
    text.line("text", TR("Text"),
              layers_and_heads(tr, config.text_tower->encoder.layers, config.text_tower->encoder.heads));
  if (!config.output.labels.empty())
    text.line("labels", TR("labels"),
              cut_off(printable(fmt::format("{}", fmt::join(config.output.labels, ", "))), 200));
  if (!config.picture) text.line("positions", TR("positions"), positions_text(tr, config));
  const std::vector<Index>& windows =
      config.encoder_windows.empty() ? config.sliding_windows : config.encoder_windows;
  const Index window = windows.empty() ? 0 : std::ranges::max(windows);
  const auto layers = std::ranges::count_if(windows, [](Index w) { return w > 0; });
  if (const auto& latent = config.latent)
    text.line("latent", TR("latent attention"),
              tr("a cache keeps {} + {} for each token, in place of {}", latent->rank, latent->rotated,
                 config.decoder.heads * (config.head_dim + latent->d_v)));
  if (config.sinks)
    text.line("sinks", TR("sinks"), tr("one of each head: its weights on tokens sum to less than 1"));
  if (window > 0)
    text.line("window", TR("window"),
              tr.plural("{1} tokens, in {0} layer", "{1} tokens, in {0} layers", layers, layers, window));
  if (config.has_global_tokens)
    text.line("global tokens", TR("global tokens"),
              config.output.kind == OutputKind::text_label ? tr("the first one")
              : config.output.kind == OutputKind::span     ? tr("those before the first separator of three")
                                                           : tr("none, unless a mask names some"));
  if (const auto& blocks = config.block_sparse)
    text.line("blocks", TR("blocks"),
              tr("of {} tokens, in texts of more than {}; the first and the last see all and are seen by all",
                 blocks->block, blocks->dense()));
}

/// The error that opening ends with, when nothing is known to be missing, or what opens and is not read.
struct Checked {
  WeightCheck how = WeightCheck::structure;
  std::optional<Error> problem;
  std::vector<std::string> unread;
};
std::optional<Checked> check_opening(const ModelFolder& model) {
  constexpr std::size_t soon_read = std::size_t{1} << 30;
  if (!model.weights || !model.tokenizer.complete) return {};
  Checked checked;
  if (model.weights->total_bytes() <= soon_read) checked.how = WeightCheck::numbers;
  try {
    Engine engine;
    const auto files = ModelFiles::open(model.folder);
    if (!model.config.picture || model.config.text_tower) Placeholders(model.config, files->tokenizer());
    if (model.config.picture) PictureReader(model.folder, *model.config.picture);
    const auto open = [&](const ModelConfig& config) {
      return LanguageModel::open(*files, model.folder, config, engine.context(), nullptr, checked.how);
    };
    const auto text_tower = model.config.text_tower ? open(*model.config.text_tower) : nullptr;
    const auto body = open(model.config);
    std::vector<const LanguageModel*> parts{body.get()};
    if (text_tower) parts.push_back(text_tower.get());
    checked.unread = unread_tensors(parts);
  } catch (const Error& error) {
    checked.problem = error;
  }
  return checked;
}

/// Throws Error (unable), for the exit status, where opening the model would fail.
void expect_no_problem(const std::optional<Checked>& checked, const ModelFolder& model) {
  if (checked && checked->problem) throw unable_error("{}: this model cannot be opened", model.folder);
}

void print_model(const ModelFolder& model, const Translator& tr) {
  const InfoLines text(tr);
  const ModelConfig& config = model.config;
  text.line("model", TR("model"), tr(to_name(config)));
  if (config.text_part_of != nullptr)
    text.line("part", TR("part"), tr(TR("the text part of {}; pictures are not read"), config.text_part_of));
  text.line("folder", TR("folder"), model.folder);
  if (!config.architecture.empty()) text.line("architecture", TR("architecture"), config.architecture);
  print_sizes(config, text, tr);
  if (model.weights) {
    const WeightFiles& weights = *model.weights;
    text.line("parameters", TR("parameters"), fmt::format("{}", count_parameters(config, weights)));
    text.line("dtype", TR("number type"), parameter_types(config, weights));
    text.line("weights", TR("weights"),
              fmt::format("{} ({})", fmt::join(names_of(weights.paths()), ", "),
                          tr.plural("{1}, {0} tensor", "{1}, {0} tensors", weights.tensors().size(),
                                    weights.tensors().size(),
                                    printed_bytes(static_cast<double>(weights.total_bytes())))));
    const Index tokens = usual_tokens(config);
    text.line("memory", TR("memory"), memory_text(config, tr, weights.total_bytes(), tokens));
  }
  if (!model.tokenizer.files.empty())
    text.line("tokenizer", TR("tokenizer"), fmt::format("{}", fmt::join(model.tokenizer.files, ", ")));
  if (config.notes)
    for (const RelationOfHead& one : config.notes->relations)
      text.line("relation", TR("relation"),
                fmt::format("{}:{}.{}  {}", to_name(one.block), one.layer, one.head, relation_text(tr, one)));
  if (!model.chat_template.empty())
    text.line("chat template", TR("chat template"),
              tr.plural("{} character", "{} characters", model.chat_template.size()));
  for (const std::string& missing : missing_texts(model, tr)) text.line("missing", TR("missing"), missing);
  if (const auto note = folder_note(model.folder)) text.line("note", TR("note"), tr(*note));
  const auto checked = check_opening(model);
  if (!checked) return;
  if (!checked->problem)
    text.line("checked", TR("checked"),
              checked->how == WeightCheck::numbers
                  ? tr("names, types and shapes of the tensors, and all their numbers")
                  : tr("names, types and shapes of the tensors; not their numbers, which are searched for "
                       "NaN and infinity on opening"));
  if (!checked->unread.empty()) text.line("unread", TR("not read"), tr(unread_note(checked->unread)));
  if (checked->problem) text.line("problem", TR("cannot be opened"), tr(*checked->problem));
  expect_no_problem(checked, model);
}

Json json_of(const LayerStack& stack) {
  Json json{
      {"layers", stack.layers}, {"heads", stack.heads}, {"kv_heads", stack.kv_heads}, {"d_ff", stack.d_ff}};
  const auto add = [&](const char* name, const std::vector<Index>& of_layers) {
    if (!of_layers.empty()) json[name] = of_layers;
  };
  add("kv_heads_of_layers", stack.kv_heads_of_layers);
  add("d_k_of_layers", stack.head_dims);
  add("d_ff_of_layers", stack.d_ff_of_layers);
  add("keys_of_layers", stack.keys_of);
  return json;
}

Json missing_json(const ModelFolder& model) {
  Json missing = Json::array();
  for (const std::string& shard : model.missing_shards) missing.push_back(shard);
  if (!model.weights && model.missing_shards.empty()) missing.push_back("model.safetensors");
  if (!model.tokenizer.complete) missing.push_back("tokenizer.json");
  return missing;
}

Json relations_json(const ModelNotes& notes) {
  Json relations = Json::array();
  for (const RelationOfHead& one : notes.relations)
    relations.push_back({{"relation", one.relation->name},
                         {"block", to_name(one.block)},
                         {"layer", one.layer},
                         {"head", one.head},
                         {"score", one.score},
                         {"guided", one.guided}});
  return relations;
}

void print_model_json(const ModelFolder& model) {
  const ModelConfig& config = model.config;
  Json json{{"model", to_name(config)},
            {"folder", model.folder},
            {"architecture", config.architecture},
            {"text_part_of", config.text_part_of == nullptr ? Json() : Json(config.text_part_of)},
            {"causal", config.causal || config.encoder_decoder()}};
  json.update(json_of(config.body()));
  if (config.encoder_decoder()) {
    json["encoder"] = json_of(config.encoder);
    json["decoder"] = json_of(config.decoder);
  }
  json["d_model"] = config.d_model;
  json["d_k"] = config.head_dim;
  json["vocabulary"] = config.vocabulary;
  json["positions"] = config.longest()       ? Json(*config.longest())
                      : config.positions > 0 ? Json(config.positions)
                                             : Json(nullptr);
  if (const auto& picture = config.picture)
    json["picture"] = {{"width", picture->width},
                       {"height", picture->height},
                       {"patch_width", picture->patch_width},
                       {"patch_height", picture->patch_height},
                       {"registers", picture->registers}};
  if (const auto& sound = config.sound) json["sound"] = {{"frames", sound->frames}, {"bands", sound->bands}};
  if (config.text_tower) json["text"] = json_of(config.text_tower->encoder);
  json["position_kind"] = position_word(config.position_kind);
  json["position_limit"] = config.longest().has_value();
  json["rope_scaling"] = config.rope ? Json(to_name(config.rope->scaling)) : Json(nullptr);
  json["sliding_windows"] = config.sliding_windows;
  if (!config.encoder_windows.empty()) json["encoder_windows"] = config.encoder_windows;
  if (config.has_global_tokens) json["global_tokens"] = true;
  if (const auto& blocks = config.block_sparse)
    json["block_sparse"] = {{"block", blocks->block}, {"random", blocks->random}, {"dense", blocks->dense()}};
  json["sinks"] = config.sinks;
  if (config.state_mixer) {
    for (Index layer = 0; layer < config.decoder.layers; ++layer)
      json["mixers"].push_back(to_name(config.mixer_of(layer)));
    json["state_mixer"] = {{"kind", to_name(config.state_mixer->kind)},
                           {"heads", config.state_mixer->heads},
                           {"beside_attention", config.mixer_beside}};
  }
  if (const auto& latent = config.latent)
    json["latent"] = {{"query_rank", latent->query_rank},
                      {"rank", latent->rank},
                      {"rotated", latent->rotated},
                      {"d_v", latent->d_v}};
  if (const auto& own = config.layer_embeddings)
    json["layer_embeddings"] = {{"width", own->width}, {"vocabulary", own->vocabulary}};
  if (const auto& alt_up = config.alt_up)
    json["alt_up"] = {{"streams", alt_up->streams}, {"active", alt_up->active}};
  if (config.laurel_rank > 0) json["laurel_rank"] = config.laurel_rank;
  if (!config.sparsity.empty()) json["sparsity"] = config.sparsity;
  if (config.experts)
    json["experts"] = {{"count", config.experts->count},
                       {"of_token", config.experts->of_token},
                       {"d_ff", config.experts->d_ff}};
  json["tied_embeddings"] = config.tie_embeddings;
  if (!config.output.labels.empty()) json["labels"] = config.output.labels;
  if (model.weights) {
    json["parameters"] = count_parameters(config, *model.weights);
    json["dtype"] = parameter_types(config, *model.weights);
    json["tensors"] = model.weights->tensors().size();
    json["weight_files"] = names_of(model.weights->paths());
    json["weight_bytes"] = model.weights->total_bytes();
    json["run_bytes"] = {{"tokens", usual_tokens(config)},
                         {"bytes", run_bytes(config, usual_tokens(config))}};
  }
  json["tokenizer_files"] = model.tokenizer.files;
  if (!model.chat_template.empty()) json["chat_template"] = model.chat_template;
  if (const auto note = folder_note(model.folder)) json["note"] = note->what();
  if (config.notes) json["relations"] = relations_json(*config.notes);
  json["missing"] = missing_json(model);
  const auto checked = check_opening(model);
  json["checked"] = !checked                               ? Json(nullptr)
                    : checked->how == WeightCheck::numbers ? Json("numbers")
                                                           : Json("structure");
  json["unread_tensors"] = checked && !checked->problem ? Json(checked->unread) : Json(nullptr);
  json["problem"] = checked && checked->problem ? Json(checked->problem->what()) : Json(nullptr);
  dump_json(json);
  expect_no_problem(checked, model);
}

}  // namespace

void print_model(const std::string& model, const Translator& tr) {
  print_model(look_into_model(folder_of_model(model)), tr);
}

void run_model_info(const CommandRequest& request, const Translator& tr) {
  if (request.inputs_given)
    throw input_error("{} is a folder; expected a session or a figure when options are given", request.file);
  expect_installed(request.file);
  const ModelFolder model = look_into_model(folder_of_model(request.file));
  if (request.json)
    print_model_json(model);
  else
    print_model(model, tr);
}

}  // namespace headscope
