#include "app/state/model_card.h"

#include <filesystem>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/model/on_board.h"

namespace headscope {
namespace {

/// Without the title, which stands above it already.
std::string_view without_title(std::string_view markdown) {
  if (!markdown.starts_with("# ")) return markdown;
  const std::size_t end = markdown.find('\n');
  return end == std::string_view::npos ? std::string_view() : markdown.substr(end + 1);
}

}  // namespace

ModelCard read_model_card(Language language) {
  namespace fs = std::filesystem;
  constexpr std::size_t longest = std::size_t{1} << 20;
  const fs::path folder = fs::path(folder_of_model(models_on_board().front().name)).parent_path();
  const fs::path own = folder / "README.zh.md";
  std::error_code error;
  const bool chinese = language == Language::zh && fs::exists(own, error);
  const std::string text = read_file((chinese ? own : folder / "README.md").string(), longest);
  Budget budget("README.md", text.size());
  std::vector<LessonMistake> mistakes;
  return {true, lesson_text(without_title(text), 1, budget, mistakes), language};
}

}  // namespace headscope
