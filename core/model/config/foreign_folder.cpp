#include "core/model/config/foreign_folder.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/utf8.h"
#include "core/io/file.h"
#include "core/io/path_in_folder.h"
#include "core/io/strict_json.h"

namespace headscope {
namespace {

constexpr const char* adapter_name = "adapter_config.json";
constexpr const char* modules_name = "modules.json";

/// An object or a list; null for a file that is missing or is no JSON, which is said where it is needed.
nlohmann::json json_in(const std::string& folder, const char* name) {
  constexpr std::size_t largest = std::size_t{16} << 20;
  if (!is_in_folder(folder, name)) return {};
  try {
    const std::string path = path_in_folder(folder, name);
    return parse_json(read_file(path, largest), path);
  } catch (const Error&) {
    return {};
  }
}

std::string text_in(const nlohmann::json& object, const char* name) {
  if (!object.is_object() || !object.contains(name) || !object[name].is_string()) return {};
  return cut_off(object[name].get<std::string>(), 200);
}

Error adapter(const std::string& folder) {
  const nlohmann::json config = json_in(folder, adapter_name);
  const std::string base = text_in(config, "base_model_name_or_path");
  return input_error(
      "{}: an adapter (PEFT, {}) of the model {}, not a whole model; merge it first, with merge_and_unload() "
      "and save_pretrained(FOLDER) in Python, and open that folder",
      folder, config.is_object() && config.contains("peft_type") ? text_in(config, "peft_type") : "LoRA",
      base.empty() ? "?" : base);
}

/// The folder of the transformer among its modules, if it is one below.
std::string transformer_below(const std::string& folder) {
  const nlohmann::json modules = json_in(folder, modules_name);
  if (!modules.is_array()) return {};
  for (const nlohmann::json& module : modules)
    if (const std::string path = text_in(module, "path");
        text_in(module, "type").ends_with(".Transformer") && !path.empty() && goes_down(path))
      return (std::filesystem::path(folder) / path).string();
  return {};
}

}  // namespace

std::optional<Error> why_foreign(const std::string& folder) {
  if (is_in_folder(folder, adapter_name)) return adapter(folder);
  const nlohmann::json config = json_in(folder, "config.json");
  if (config.is_object() && config.contains("model_type")) return {};
  const bool of_timm = config.is_object() && config.contains("architecture") &&
                       (config.contains("pretrained_cfg") || config.contains("num_features"));
  if (of_timm)
    return input_error(
        "{}: a model of timm ({}), whose tensors have names of their own; open the same model as "
        "transformers "
        "has it, or its attention as a capture (headscope.capture in Python)",
        folder, text_in(config, "architecture"));
  if (is_in_folder(folder, "open_clip_config.json"))
    return input_error(
        "{}: a model of open_clip, whose tensors have names of their own; open the same model as "
        "transformers "
        "has it (CLIPModel), or its attention as a capture (headscope.capture in Python)",
        folder);
  if (config.is_null() && is_in_folder(folder, modules_name)) {
    const std::string below = transformer_below(folder);
    if (!below.empty())
      return input_error("{}: a model of sentence-transformers; open its transformer, the folder {}", folder,
                         below);
    return input_error(
        "{}: a model of sentence-transformers without a transformer in it; nothing here has "
        "attention",
        folder);
  }
  return {};
}

std::optional<Error> folder_note(const std::string& folder) {
  if (!is_in_folder(folder, modules_name)) return {};
  return input_error(
      "a model of sentence-transformers: its transformer is shown; what its other modules make of that "
      "(pooling, normalization) is not computed");
}

}  // namespace headscope
