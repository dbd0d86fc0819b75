#include <algorithm>

#include "app/panels/compare.h"
#include "app/panels/map_pointer.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"

namespace headscope {
namespace {

void choose_head(Ui& ui, int& head, int heads) {
  const auto step = [&](int by) { head = (head + by + heads) % heads; };
  if (icon_button("head before", Icon::left, ui.tr("The head before"))) step(-1);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ui.style.font_size * 7);
  if (ImGui::BeginCombo("##head", head_title(ui, head).c_str())) {
    for (int h = 0; h < heads; ++h) {
      ImGui::PushID(h);
      if (ImGui::Selectable(head_title(ui, h).c_str(), h == head)) head = h;
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  mark_item(ui.marks, "compared head");
  ImGui::SameLine();
  if (icon_button("head after", Icon::right, ui.tr("The next head"))) step(1);
}

void draw_changes(Ui& ui) {
  const std::vector<const char*> fields = changed_fields(ui.inputs, *ui.other.inputs);
  if (fields.empty())
    return hint(ui.style, ui.state.edit_b
                              ? ui.tr("B is a copy of A: change anything of it at the left.")
                              : ui.tr("B is a copy of A: choose B above, then change anything of it."));
  std::string names;
  for (const char* field : fields) names += (names.empty() ? "" : ", ") + std::string(ui.tr(field));
  hint(ui.style, ui.tr.format("B differs in: {}", names));
}

}  // namespace

std::vector<const char*> changed_fields(const Inputs& a, const Inputs& b) {
  std::vector<const char*> fields;
  const auto note = [&fields](bool same, const char* name) {
    if (!same) fields.push_back(name);
  };
  note(a.sentence == b.sentence, TR("sentence"));
  note(a.key_sentence == b.key_sentence, TR("second sentence"));
  note(a.d_model == b.d_model, TR("d_model"));
  note(a.heads == b.heads, TR("heads"));
  note(a.kv_heads == b.kv_heads, TR("key-value heads"));
  note(a.seed == b.seed, TR("seed"));
  note(a.inputs == b.inputs, TR("inputs"));
  note(a.positions == b.positions, TR("positions"));
  note(a.mask == b.mask, TR("mask"));
  note(a.mask_fill == b.mask_fill, TR("fill"));
  note(a.temperature == b.temperature, TR("temperature"));
  note(a.scale == b.scale, TR("scale"));
  note(a.dropout == b.dropout && a.dropout_seed == b.dropout_seed, TR("dropout"));
  note(a.gain_q == b.gain_q && a.gain_k == b.gain_k, TR("gain"));
  note(a.weights == b.weights && a.sigma == b.sigma && a.typed == b.typed, TR("weights"));
  note(a.layers == b.layers && a.share_layers == b.share_layers && a.residual == b.residual &&
           a.layer_norm == b.layer_norm && a.feed_forward == b.feed_forward,
       TR("stack"));
  if (fields.empty() && !(a == b)) fields.push_back(TR("other fields"));
  return fields;
}

void draw_compare_bar(Ui& ui, int& head, int heads) {
  const Translator& tr = ui.tr;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(tr("Sentence and controls change"));
  ImGui::SameLine();
  int side = ui.state.edit_b ? 1 : 0;
  if (choose("side",
             {{"A", tr("Sentence and controls change A")}, {"B", tr("Sentence and controls change B")}},
             side))
    ui.state.edit_b = side == 1;
  mark_item(ui.marks, "side");
  next_in_line(ui.style.font_size * 7);
  if (ImGui::Button(tr("Copy A to B"))) ui.other.inputs = ui.inputs;
  tooltip(tr("B begins anew as a copy of A"));
  mark_item(ui.marks, "copy A to B");
  next_in_line(ui.style.font_size * 4);
  if (ImGui::Button(tr("Swap"))) std::swap(ui.inputs, *ui.other.inputs);
  tooltip(tr("A becomes B and B becomes A"));
  if (heads > 0) {
    next_in_line(ui.style.font_size * 12);
    choose_head(ui, head, heads);
  }
  draw_changes(ui);
  if (!ui.other.error.empty()) error_text(ui.style, "B: " + ui.other.error);
}

}  // namespace headscope
