#include "app/before_imgui_1_92/window/texts_in_use.h"

#include "core/teach/lesson.h"

namespace headscope {
namespace {

/// Every visible text of it, in all languages.
std::vector<std::string_view> texts_of(const Lesson& lesson) {
  std::vector<std::string_view> texts(lesson.title.each.begin(), lesson.title.each.end());
  const auto add = [&](const InLanguages<LessonText>& text) {
    for (const LessonText& in : text.each)
      for_each_span(in.blocks, [&](const TextSpan& span) { texts.push_back(span.text); });
  };
  add(lesson.text);
  for (const LessonStep& step : lesson.steps) {
    texts.insert(texts.end(), step.title.each.begin(), step.title.each.end());
    for (const InLanguages<LessonText>* text : texts_of(step)) add(*text);
  }
  return texts;
}

}  // namespace

std::string_view signs_in_use() {
  return "中文简体■□●○•◆◇▲▼◀▶▸▾★☆✓✗←→↑↓↔↵⇧⌫√−∞√×÷·…±≤≥σ²ᵀ–—“”’ΣλαβÅ⌊⌋‖"
         // Characters used in formulas.
         "γδεζηθικμνξπρστυφχψωΓΔΘΛΞΠΦΨΩ∑∏∂ℓ⊤⊙⊕∈ℝℕℤ⟨⟩⋯′⇒≈≡≠∞";
}

std::vector<std::string_view> sentences_in_use(const Workspace& work) {
  std::vector<std::string_view> texts{work.inputs.sentence};
  if (work.inputs.key_sentence) texts.push_back(*work.inputs.key_sentence);
  if (work.inputs.target) texts.push_back(*work.inputs.target);
  // A model may generate characters that were never typed.
  for (const BlockTrace& block : work.trace()->blocks)
    if (block.shape.kind == BlockKind::decoder)
      for (const Token& token : block.tokens) texts.push_back(token.text);
  if (!work.compare) return texts;
  texts.push_back(work.compare->sentence);
  if (work.compare->key_sentence) texts.push_back(*work.compare->key_sentence);
  return texts;
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
