#include "app/panels/sentence.h"

#include <algorithm>
#include <utility>

#include "app/panels/panel_focus.h"
#include "app/panels/token_chips.h"
#include "app/panels/widgets.h"
#include "app/state/app.h"
#include "app/state/panel_order.h"
#include "core/inputs/token_edit.h"

namespace headscope {
namespace {

/// How much of the window's height, in lines of text, is for maps rather than for the sentence.
bool is_low() {
  return ImGui::GetMainViewport()->WorkSize.y < 36 * ImGui::GetFontSize();
}

/// As high as its text was in the frame before, within limits.
float box_lines(const SentenceBox& box) {
  return std::clamp(static_cast<float>(box.wrapped.lines().size()), 1.0F, is_low() ? 2.0F : 3.0F);
}

/// Of tokens; a part of one more says that they scroll.
float chip_lines(bool cross) {
  if (is_low()) return 1.3F;
  return cross ? 2.1F : 3.1F;
}

/// Tab and Esc lead out of it.
void leave_box(App& app, SentenceBox& box) {
  const int leave = std::exchange(box.leave, 0);
  if (leave == 0) return;
  box.focused = false;
  if (leave != SentenceBox::to_maps) return step_panel(app, leave);
  go_to_panel(app, Panel::maps);
  app.state.panel_quiet = true;
}

/// The box of a sentence; the keyboard goes to it where its panel is wanted.
void draw_box(Ui& ui, SentenceBox& box, Panel panel, const char* id, std::string& text, const char* empty) {
  if (ui.state.panel_wanted == panel) {
    ui.state.panel_wanted = Panel::none;
    box.take_focus = true;
  }
  edit_text(box, id, text, box_lines(box), ui.memory.typed, empty, ui.tr);
}

}  // namespace

void draw_sentence(App& app, Ui& ui) {
  const Translator& tr = ui.tr;
  const bool cross = ui.inputs.cross();
  SentenceBox &box = ui.memory.sentence, &key_box = ui.memory.key_sentence;
  const Text before = ui.inputs;
  if (cross) ImGui::Columns(2, "sentences", false);
  if (cross) hint(ui.style, tr("Queries come from this sentence"));
  draw_box(ui, box, Panel::sentence, "sentence", ui.inputs.sentence,
           tr("Type or paste a sentence in any language"));
  draw_tokens(ui, Side::queries, chip_lines(cross));
  if (cross) {
    ImGui::NextColumn();
    hint(ui.style, tr("Keys and values come from this sentence"));
    draw_box(ui, key_box, Panel::key_sentence, "key sentence", *ui.inputs.key_sentence,
             tr("Type or paste the second sentence"));
    draw_tokens(ui, Side::keys, chip_lines(cross));
    ImGui::Columns(1);
  }
  carry_boundaries(before, ui.inputs);
  if (box.focused) ui.state.panel = Panel::sentence;
  if (key_box.focused) ui.state.panel = Panel::key_sentence;
  for (SentenceBox* left : {&box, &key_box}) leave_box(app, *left);
}

}  // namespace headscope
