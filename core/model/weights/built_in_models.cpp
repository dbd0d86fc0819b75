#include "core/model/weights/built_in_models.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/io/path_in_folder.h"
#include "core/system/process.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array built_in{
    BuiltInModel{
        "translator", TR("English–Chinese translator"),
        TR("A small encoder–decoder that comes with the program and translates simple sentences; its "
           "attention is as it was learnt."),
        true},
    BuiltInModel{"translator-guided", TR("English–Chinese translator, guided"),
                 TR("The same task and the same sentences; some of its heads were trained towards named "
                    "relations between words."),
                 true},
    BuiltInModel{"induction", TR("Language model that repeats"),
                 TR("A small causal language model (GPT-2) that continues repeated text, by a previous-token "
                    "head and an "
                    "induction head."),
                 false},
    BuiltInModel{
        "drawn-shapes", TR("Vision transformer for shapes"),
        TR("A small vision transformer (ViT) that has learnt to name the coloured one of two shapes in "
           "a picture."),
        false},
    BuiltInModel{
        "asked-colour", TR("Longformer that finds a colour"),
        TR("A small Longformer that has learnt to answer what colour a thing in the text has; its first "
           "token is global."),
        false},
};

/// The folder of the models: the configured one, or the one beside the program's own.
fs::path folder_of_models() {
  if (const std::string requested = environment("HEADSCOPE_MODELS"); !requested.empty()) return requested;
  return fs::path(program_path()).parent_path().parent_path() / HEADSCOPE_MODELS_BESIDE;
}

}  // namespace

std::span<const BuiltInModel> built_in_models() {
  return built_in;
}

const BuiltInModel* find_built_in(std::string_view name) {
  const auto found =
      std::ranges::find(built_in, name, [](const BuiltInModel& one) { return std::string_view(one.name); });
  return found == built_in.end() ? nullptr : &*found;
}

std::string built_in_names() {
  std::string names;
  for (const BuiltInModel& one : built_in) names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

std::string folder_of_model(const std::string& model) {
  return is_built_in(model) ? (folder_of_models() / model).string() : model;
}

bool is_file_of_built_in(const std::string& path) {
  const std::size_t end = path.find('/');
  return end != std::string::npos && is_built_in(path.substr(0, end)) && goes_down(path.substr(end + 1));
}

std::string file_of_model(const std::string& path) {
  if (!is_file_of_built_in(path)) return path;
  const std::size_t end = path.find('/');
  return folder_of_model(path.substr(0, end)) + path.substr(end);
}

void expect_installed(const std::string& model) {
  if (!is_built_in(model)) return;
  const std::string folder = folder_of_model(model);
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw input_error("the model {} is not installed; expected its folder at {}", model, folder);
}

}  // namespace headscope
