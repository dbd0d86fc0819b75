#include "app/state/text/document_page.h"

#include <filesystem>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/model/weights/built_in_models.h"
#include "core/teach/documents.h"

namespace headscope {
namespace {

/// Without the title, which is already shown above.
std::string_view without_title(std::string_view markdown) {
  if (!markdown.starts_with("# ")) return markdown;
  const std::size_t end = markdown.find('\n');
  return end == std::string_view::npos ? std::string_view() : markdown.substr(end + 1);
}

std::string model_cards(Language language) {
  namespace fs = std::filesystem;
  constexpr std::size_t longest = std::size_t{1} << 20;
  const auto card_in = [&](const fs::path& folder) {
    std::error_code error;
    const fs::path own = folder / fmt::format("README.{}.md", language_row(language).code);
    return fs::exists(own, error) ? own : folder / "README.md";
  };
  const fs::path all = fs::path(folder_of_model(built_in_models().front().name)).parent_path();
  std::string text = read_file(card_in(all).string(), longest);
  // Models of another kind than the first have their own section.
  for (const BuiltInModel& model : built_in_models()) {
    std::error_code error;
    if (const fs::path own = card_in(folder_of_model(model.name)); fs::exists(own, error))
      text += "\n" + read_file(own.string(), longest);
  }
  return text;
}

}  // namespace

const char* title_of_page(std::string_view name) {
  const DocumentRow* const document = find_document(name);
  return document == nullptr ? TR("The built-in models") : document->title;
}

DocumentPage read_page(std::string_view name, Language language) {
  const std::string text =
      name == models_page ? model_cards(language) : std::string(document_text(name, language));
  Budget budget("README.md", text.size());
  std::vector<LessonMistake> mistakes;
  return {true, std::string(name), lesson_text(without_title(text), 1, budget, mistakes), language};
}

}  // namespace headscope
