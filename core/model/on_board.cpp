#include "core/model/on_board.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/base/error.h"
#include "core/base/translate.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array on_board{
    ModelOnBoard{
        "translator", TR("English–Chinese translator"),
        TR("A small encoder–decoder that comes with the program and translates simple sentences; its "
           "attention is as it was learnt."),
        true},
    ModelOnBoard{"translator-guided", TR("English–Chinese translator, guided"),
                 TR("The same task and the same sentences; some of its heads were trained towards named "
                    "relations between words."),
                 true},
    ModelOnBoard{
        "induction", TR("Language model that repeats"),
        TR("A small causal language model (GPT-2) that has learnt to go on with what was there before, by a "
           "previous-token head and an induction head."),
        false},
};

/// Where models may lie: where somebody says so, beside the program that runs, and while it is developed in
/// the source tree.
std::vector<fs::path> places() {
  std::vector<fs::path> found;
  if (const char* asked = std::getenv("HEADSCOPE_MODELS"); asked != nullptr && *asked != 0)
    return {fs::path(asked)};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) found.push_back(program.parent_path().parent_path() / HEADSCOPE_MODELS_BESIDE);
  found.emplace_back(HEADSCOPE_MODELS);
  return found;
}

}  // namespace

std::span<const ModelOnBoard> models_on_board() {
  return on_board;
}

const ModelOnBoard* find_on_board(std::string_view name) {
  const auto found =
      std::ranges::find(on_board, name, [](const ModelOnBoard& one) { return std::string_view(one.name); });
  return found == on_board.end() ? nullptr : &*found;
}

std::string names_on_board() {
  std::string names;
  for (const ModelOnBoard& one : on_board) names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

std::string folder_of_model(const std::string& model) {
  if (!is_on_board(model)) return model;
  const std::vector<fs::path> all = places();
  std::error_code error;
  for (const fs::path& place : all)
    if (fs::is_directory(place / model, error)) return (place / model).string();
  return (all.front() / model).string();
}

void expect_installed(const std::string& model) {
  if (!is_on_board(model)) return;
  const std::string folder = folder_of_model(model);
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw input_error("the model {} is not installed; expected its folder at {}", model, folder);
}

}  // namespace headscope
