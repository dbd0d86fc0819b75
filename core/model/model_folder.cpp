#include "core/model/model_folder.h"

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/io/gguf_metadata.h"
#include "core/io/path_in_folder.h"
#include "core/io/weight_formats.h"
#include "core/model/built_in_models.h"
#include "core/model/gguf_model.h"

namespace headscope {
namespace {

/// Weights in any format, or an index of them.
bool has_weights(const std::string& folder) {
  return std::ranges::any_of(files_in(folder), [](const std::string& name) {
    return ending(name) == ".safetensors" || name == "model.safetensors.index.json";
  });
}

}  // namespace

bool is_model_path(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) || is_gguf(path);
}

TokenizerFiles find_tokenizer_files(const std::string& folder) {
  TokenizerFiles found;
  if (is_gguf(folder)) return {{std::filesystem::path(folder).filename().string()}, {}, true};
  const auto look_for = [&](const char* name) {
    const bool there = is_in_folder(folder, name);
    if (there) found.files.emplace_back(name);
    return there;
  };
  const bool whole = look_for("tokenizer.json");
  const bool vocabulary = look_for("vocab.json"), merges = look_for("merges.txt"),
             pieces = look_for("vocab.txt");
  found.complete = whole || (vocabulary && merges) || pieces;
  for (const char* name : {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"})
    look_for(name);
  for (const char* name :
       {"tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "source.spm", "target.spm"})
    if (is_in_folder(folder, name)) found.not_read.emplace_back(name);
  return found;
}

ModelFolder look_into_model(const std::string& folder) {
  ModelFolder model{folder, read_config(folder), std::nullopt, {}, find_tokenizer_files(folder), {}};
  if (is_gguf(folder)) {
    model.weights = open_gguf_weights(folder);
    model.chat_template = gguf_chat_template(folder);
    return model;
  }
  model.missing_shards = missing_shards(folder);
  if (!has_weights(folder)) {
    if (const std::optional<Error> other = other_weights_in(folder)) throw Error(*other);
    return model;
  }
  if (model.missing_shards.empty()) model.weights = WeightFiles::open_folder(folder);
  return model;
}

void expect_model(const std::string& model) {
  expect_installed(model);
  const std::string folder = folder_of_model(model);
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(folder, ignored)))
    throw input_error("{} does not exist; expected the folder of a model, or a built-in one: {}", folder,
                      built_in_names());
  if (is_gguf(folder)) return void(read_config(folder));
  expect_folder(folder);
  if (!is_in_folder(folder, "config.json")) read_config(folder);  // its Error says what is there instead
}

}  // namespace headscope
