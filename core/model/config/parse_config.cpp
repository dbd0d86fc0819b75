#include "core/model/config/parse_config.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/file.h"
#include "core/io/path_in_folder.h"
#include "core/io/strict_json.h"
#include "core/io/weight_formats.h"
#include "core/model/config/config_families.h"
#include "core/model/config/config_readers.h"
#include "core/model/config/foreign_folder.h"

namespace headscope {
namespace {

constexpr const char* config_name = "config.json";
constexpr const char* generation_name = "generation_config.json";
constexpr std::size_t largest_config = std::size_t{16} << 20;

/// Whether any of the names, which have commas between them, is the one that `is` accepts.
template <typename Is>
bool any_name(std::string_view names, const Is& is) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    if (is(names.substr(0, end))) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

bool is_model_type(const ConfigFamily& row, const std::string& type) {
  return any_name(row.model_types, [&](std::string_view name) { return name == type; });
}

/// "GPT2LMHeadModel" belongs to GPT2, "Qwen2MoeForCausalLM" does not belong to Qwen2.
bool is_class_of(const ConfigFamily& row, std::string_view architecture) {
  return any_name(row.class_names, [&](std::string_view stem) {
    if (!architecture.starts_with(stem)) return false;
    const std::string_view rest = architecture.substr(stem.size());
    return std::ranges::any_of(std::initializer_list<const char*>{"Model", "For", "LMHead", "DoubleHeads",
                                                                  "MTModel", "Encoder", "PreTrained"},
                               [&](const char* part) { return rest.starts_with(part); });
  });
}

const ConfigFamily& config_family(const ConfigFields& config, const std::string& type,
                                  const std::string& architecture) {
  for (const ConfigFamily& row : config_families())
    if (type.empty() ? is_class_of(row, architecture) : is_model_type(row, type)) return row;
  const std::string named = type.empty() ? architecture : type;
  if (named.empty() || named.find('\0') != std::string::npos)
    throw input_error("{}: {} is missing; headscope info --families lists what it may be", config.file(),
                      "model_type");
  // Its advice comes first: the window cuts long lines off.
  throw input_error(
      "make a capture of this model with headscope.capture (Python) and open that: {}: the architecture {} "
      "is not known; headscope info --families lists the known ones",
      config.file(), cut_off(named, 60));
}

/// Rejects weights that differ from the family's layout.
void expect_plain_weights(const ConfigFields& config, ModelFamily family) {
  const auto quantized = config.object("quantization_config");
  const bool known =
      quantized && family == ModelFamily::gpt_oss && quantized->text({"quant_method"}, "") == "mxfp4";
  if (config.has("quantization_config") && !known)
    throw config.wrong("{}: {} is {}; expected a model that is not quantized (float32, float16 or bfloat16)",
                       "quantization_config");
  if (const auto pruned = config.object("pruned_heads"); pruned && !pruned->json().empty())
    throw config.wrong("{}: {} is {}; expected a model with all its heads", "pruned_heads");
}

/// The row of a model_type; nullptr if it is no such model.
const PictureTextModel* picture_text_model(const std::string& type) {
  for (const PictureTextModel& row : picture_text_models())
    if (type == row.model_type) return &row;
  return nullptr;
}

/// Where the fields of the text part are.
ConfigFields text_fields(const ConfigFields& config) {
  if (config.is_null("text_config")) throw config.wrong("{}: {} is {}; expected an object", "text_config");
  return config.object("text_config").value_or(config);
}

/// The model_type of the text part.
std::string text_type(const PictureTextModel& whole, const ConfigFields& text) {
  const std::string type = text.text({"model_type"}, whole.text_type);
  if (whole.read != nullptr) return whole.text_type;
  if (text.path().empty() && type == whole.model_type) return whole.text_type;  // it is the whole config
  if (picture_text_model(type) != nullptr)
    throw text.wrong("{}: {} is {}; expected the type of a decoder", "model_type");
  return type;
}

/// Of the part for text of a model that reads pictures.
void expect_decoder(const ConfigFields& text, const ModelConfig& model) {
  if (model.has_encoder() || model.picture)
    throw text.wrong("{}: {} is {}; expected the type of a decoder", "model_type");
}

/// The output's matrix is the whole model's: the embedding where the file has none, and nothing scales or
/// caps what it gives (transformers 5).
void read_output_of_whole(const ConfigFields& whole, bool caps_logits, ModelConfig& model) {
  model.tie_embeddings = whole.flag("tie_word_embeddings", true);
  model.output_factor = 1;
  if (!caps_logits) model.logit_cap = 0;
}

/// Gemma 3n's and Gemma 4's classes have other vectors for them than the table's, with and without a picture.
void read_unread_tokens(const ConfigFields& whole, ModelConfig& model) {
  if (model.family == ModelFamily::gemma4)
    for (const char* name : {"image_token_id", "video_token_id", "audio_token_id"})
      if (const auto token = whole.token(name)) model.unread_tokens.push_back(*token);
  if (model.family != ModelFamily::gemma3n) return;
  constexpr Index usual = 262'144;
  const auto pictures = whole.object("vision_config");
  const Index first = pictures ? pictures->whole({"vocab_offset"}, usual, 0, 1 << 26) : usual;
  for (Index id = first; id < model.vocabulary; ++id) model.unread_tokens.push_back(id);
}

/// Drops tokens beyond the vocabulary, which never occur; small test models keep those of a large one.
void drop_unknown_tokens(const ConfigFields& config, ModelConfig& model) {
  const bool stated = config.has("decoder_start_token_id");
  const Index vocabulary = std::max(model.vocabulary, model.decoder_vocabulary);
  for (std::optional<Index>* token :
       {&model.bos_token, &model.pad_token, &model.forced_bos_token, &model.forced_eos_token})
    if (*token && **token >= vocabulary) token->reset();
  for (std::vector<Index>* list : {&model.eos_tokens, &model.never_generated})
    std::erase_if(*list, [&](Index token) { return token >= vocabulary; });
  if (!model.encoder_decoder()) return;
  // mBART's first models begin with the language that is written.
  if (model.family == ModelFamily::mbart && !model.decoder_start_token) return;
  if (!model.decoder_start_token) model.decoder_start_token = model.bos_token;
  if (!model.decoder_start_token || (!stated && *model.decoder_start_token >= model.decoder_vocabulary))
    model.decoder_start_token = model.pad_token ? model.pad_token : model.bos_token;
  if (!model.decoder_start_token || *model.decoder_start_token >= model.decoder_vocabulary)
    throw input_error("{}: {} is {}; expected less than {}", config.file(), "decoder_start_token_id",
                      model.decoder_start_token ? std::to_string(*model.decoder_start_token) : "null",
                      model.decoder_vocabulary);
}

Error no_config(const std::string& folder) {
  // In the hub's cache the model is two folders further down.
  const std::string snapshots = (std::filesystem::path(folder) / "snapshots").string();
  for (const std::string& revision : files_in(snapshots))
    if (is_in_folder(snapshots, revision + "/" + config_name))
      return input_error("{}: {} is missing; open the folder {}", folder, config_name,
                         (std::filesystem::path(snapshots) / revision).string());
  return input_error("{}: {} is missing; expected the folder of a model", folder, config_name);
}

}  // namespace

ModelConfig parse_config(std::string_view text, const std::string& source) {
  return parse_config(text, source, {});
}

ModelConfig parse_config(std::string_view text, const std::string& source, const FieldNames& names) {
  const nlohmann::json json = parse_json(text, source);
  const ConfigFields config(JsonField(json, source), &names);
  config.expect_object();
  ModelConfig model;
  if (const auto classes = config.texts("architectures"); !classes.empty())
    model.architecture = classes.front();
  const PictureTextModel* const whole = picture_text_model(config.text({"model_type"}, ""));
  const ConfigFields fields = whole != nullptr ? text_fields(config) : config;
  const std::string type = whole != nullptr ? text_type(*whole, fields) : config.text({"model_type"}, "");
  const ConfigFamily& row = config_family(fields, type, model.architecture);
  expect_plain_weights(config, row.family);
  expect_plain_weights(fields, row.family);
  model.family = row.family;
  if (whole != nullptr) model.text_part_of = whole->name;
  model.dtype = config.text({"dtype", "torch_dtype"}, "");
  (whole != nullptr && whole->read != nullptr ? whole->read : row.read)(fields, model);
  if (whole != nullptr) expect_decoder(fields, model);
  if (whole != nullptr && model.rope) model.rope->first_position = whole->first_position;
  if (model.sliding_windows.empty()) model.sliding_windows.assign(model.body().layers, 0);
  read_direction(fields, model);
  read_output(config, model);
  read_tokens(fields, model);
  if (whole != nullptr) read_tokens(config, model);
  if (whole != nullptr) read_unread_tokens(config, model);
  if (whole != nullptr) read_output_of_whole(config, whole->caps_logits, model);
  if (model.has_decoder()) model.output.padding = model.pad_token;  // XLNet's last token may be one
  drop_unknown_tokens(config, model);
  model.notes = read_model_notes(config, model);
  return model;
}

void apply_generation_config(std::string_view text, const std::string& source, ModelConfig& model) {
  const nlohmann::json json = parse_json(text, source);
  const ConfigFields config(JsonField(json, source));
  config.expect_object();
  read_tokens(config, model);
  drop_unknown_tokens(config, model);
}

ModelConfig read_folder_config(const std::string& folder) {
  expect_folder(folder);
  if (const std::optional<Error> foreign = why_foreign(folder)) throw Error(*foreign);
  if (!is_in_folder(folder, config_name)) {
    if (const std::optional<Error> other = other_weights_in(folder)) throw Error(*other);
    throw no_config(folder);
  }
  const std::string path = path_in_folder(folder, config_name);
  ModelConfig model = parse_config(read_file(path, largest_config), path);
  if (!is_in_folder(folder, generation_name)) return model;
  const std::string generation = path_in_folder(folder, generation_name);
  apply_generation_config(read_file(generation, largest_config), generation, model);
  return model;
}

}  // namespace headscope
