#include "app/state/app.h"

#include "core/scene/source_title.h"

namespace headscope {

App::App(std::function<void()> wake_window) : Workspace(std::move(wake_window)), actions(all_actions()) {}

std::string window_title(const OpenSession& open) {
  const std::string& path = open.document.path;
  if (!path.empty())
    return (is_modified(open) ? "• " : "") + path.substr(path.rfind('/') + 1) + " – Headscope";
  const std::string source = source_name(open.inputs);
  return source.empty() ? "Headscope" : source + " – Headscope";
}

std::string_view signs_in_use() {
  return "中文简体■□●○◆◇▲▼◀▶▸▾★☆✓✗←→↑↓↔↵⇧⌫√−∞√×÷·…±≤≥σ²ᵀ–—“”’ΣλαβÅ⌊⌋‖"
         // Characters used in formulas.
         "γδεζηθικμνξπρστυφχψωΓΔΘΛΞΠΦΨΩ∑∏∂ℓ⊤⊙⊕∈ℝℕℤ⟨⟩⋯′⇒≈≡≠∞";
}

std::vector<std::string_view> texts_in_use(const App& app) {
  std::vector<std::string_view> texts{app.state.view.title, app.document.path};
  for (const std::string_view text : sentences_in_use(app)) texts.push_back(text);
  for (const Bookmark& bookmark : app.bookmarks) texts.push_back(bookmark.name);
  for (const HeadLabel& label : app.labels) texts.push_back(label.name);
  for (const Mark& mark : app.marks) texts.push_back(mark.text);
  for (const Notice& notice : app.notices.list()) texts.push_back(notice.text);
  for (const std::string& file : app.settings.recent_files) texts.push_back(file);
  for (const std::string& folder : app.settings.recent_models) texts.push_back(folder);
  texts.push_back(app.inputs.model);
  texts.push_back(app.opening.folder());
  for (const Action& action : app.actions)
    if (!action.own.empty()) texts.emplace_back(text_of(action, app.tr));
  if (app.lesson.playing())
    for (const std::string_view text : texts_of(*app.lesson.lesson)) texts.push_back(text);
  for (const LessonMistake& mistake : app.lesson.mistakes) texts.emplace_back(mistake.error.what());
  return texts;
}

}  // namespace headscope
