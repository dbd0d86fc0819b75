#include "app/panels/views/head_label.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/map/map_pointer.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/caption.h"
#include "app/state/view/navigation.h"
#include "core/scene/translation_text.h"
#include "core/source/source.h"

namespace headscope {
namespace {

unsigned to_hex(const float* rgb) {
  const auto byte = [](float value) { return static_cast<unsigned>(std::lround(value * 255)) & 0xFFU; };
  return byte(rgb[0]) << 16U | byte(rgb[1]) << 8U | byte(rgb[2]);
}

void draw_swatch(const Ui& ui, int head, bool on, bool over, float side) {
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const Palette& theme = palette(ui.style.theme);
  const Rgb rgb = labelled_color(ui.labels, *ui.block, ui.shown->layer, head);
  const ImU32 color = to_color(rgb);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = side / 5, stroke = std::max(1.0F, side / 12);
  if (on) list.AddRectFilled(min, max, color, rounding);
  list.AddRect(min, max, over ? theme.text : color, rounding, 0, stroke);
  const float size = side * 0.6F;
  const MapTextStyle text = text_style(size, on ? readable_on(rgb) : theme.muted, 0.5F, 0.5F);
  draw_text(list, text, {(min.x + max.x) / 2, (min.y + max.y) / 2}, std::to_string(head + 1));
}

}  // namespace

std::string full_head_name(const Ui& ui, int layer, int head) {
  if (ui.block->cells.rollout != Rollout::off) return ui.tr("Rollout up to layer {}", layer + 1);
  std::string name = ui.block->layer_count() > 1 ? ui.tr("Layer {}, head {}", layer + 1, head + 1)
                                                 : ui.tr("Head {}", head + 1);
  const HeadLabel* label = find_label(ui.labels, layer, head);
  if (label && !label->name.empty()) name += " · " + drawn_text(label->name);
  return with_off(ui.tr, std::move(name), *ui.block, layer, head);
}

int head_of_keys(const Ui& ui) {
  const std::vector<int>& heads = ui.scene->heads;
  const int present = present_head(ui.state, ui.shown->heads());
  return std::ranges::find(heads, present) != heads.end() ? present : heads.front();
}

std::string heard_cell(const Ui& ui, std::optional<CellCaption> cell) {
  if (!cell) return {};
  cell->title.clear();
  if (ui.hides_numbers)
    for (auto& [of, number] : cell->numbers) number = "?";
  return spoken(*cell);
}

std::string heard_cell(const Ui& ui, int layer, int head) {
  if (layer != ui.shown->layer) return {};
  auto cell = caption_of(ui.tr, ui.state, *ui.shown, ui.labels, nullptr);
  return cell && cell->head == head ? heard_cell(ui, std::move(cell)) : "";
}

std::string key_that_moves_cell(const Translator& tr) {
  return tr("{}: {}", tr("Arrow keys"), tr("Lock the neighbouring cell"));
}

Heard::Asked hear_map(HeardMap map, ImVec2 min, ImVec2 max) {
  Heard* const heard = listener();
  if (heard == nullptr) return Heard::Asked::nothing;
  HeardItem item;
  item.role = map.opens ? HeardRole::button : HeardRole::image;
  item.id = ImGui::GetID(map.id.c_str());
  item.name = std::move(map.name);
  item.rect = {min.x, min.y, max.x, max.y};
  item.value = std::move(map.cell);
  for (const std::string& key : map.keys) item.help += (item.help.empty() ? "" : "\n") + key;
  return heard->add_part(map.keyboard, std::move(item), map.present);
}

void hear_head(Ui& ui, unsigned keyboard, int head, ImVec2 min, ImVec2 max) {
  if (listener() == nullptr) return;
  const Translator& tr = ui.tr;
  const bool alone = ui.view().row().one_head;
  HeardMap map{"map " + std::to_string(head), keyboard, full_head_name(ui, ui.shown->layer, head)};
  map.cell = heard_cell(ui, ui.shown->layer, head);
  map.keys = {key_that_moves_cell(tr)};
  map.opens = !alone;
  if (!alone) map.keys.push_back(tr("{}: {}", "Enter", tr("Enlarge this head")));
  for (std::string& relation : head_relations(ui, ui.shown->layer, head))
    map.keys.push_back(drawn_text(relation));
  map.present = alone || head == head_of_keys(ui);
  const Heard::Asked asked = hear_map(std::move(map), min, max);
  if (asked == Heard::Asked::press && !alone) open_head(ui.state, head);
  if (asked == Heard::Asked::focus) show_head(ui.state, head);
}

std::vector<std::string> head_relations(const Ui& ui, int layer, int head) {
  if (!ui.trace || !ui.trace->source) return {};
  return relation_texts(ui.tr, ui.trace->about().model_notes, ui.block->shape.kind, layer, head);
}

std::string relation_lines(const Ui& ui, int layer, int head) {
  std::string lines;
  for (const std::string& text : head_relations(ui, layer, head)) lines += "\n" + drawn_text(text);
  return lines;
}

std::string short_head_name(const Ui& ui, int layer, int head) {
  return ui.block->layer_count() > 1 ? head_number(layer, head) : std::to_string(head + 1);
}

std::string fitting_badge(const Ui& ui, int layer, int head,
                          const std::function<bool(const std::string& badge)>& fits) {
  for (const std::string& badge : relation_badges(ui.tr, *ui.scene, layer, head))
    if (const std::string drawn = drawn_text(badge); fits(drawn)) return drawn;
  return {};
}

ImU32 head_rgb(const Ui& ui, int layer, int head) {
  return to_color(labelled_color(ui.labels, *ui.block, layer, head));
}

void edit_head_label(Ui& ui, int layer, int head, bool focus) {
  const HeadLabel* now = find_label(ui.labels, layer, head);
  HeadLabel label = now ? *now : HeadLabel{layer, head, {}, {}};
  const Rgb rgb = labelled_color(ui.labels, layer, head, ui.block->heads());
  float color[] = {static_cast<float>(rgb.r) / 255, static_cast<float>(rgb.g) / 255,
                   static_cast<float>(rgb.b) / 255};
  bool changed = false;
  if (ImGui::ColorEdit3("##color", color, ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel)) {
    label.color = to_hex(color);
    changed = true;
  }
  tooltip(ui.tr("Head colour; click to choose another"));
  if (label.color) {
    ImGui::SameLine();
    if (icon_button("own color", Icon::close, ui.tr("Reset to the default colour"))) {
      label.color.reset();
      changed = true;
    }
  }
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (focus) focus_next_item();
  if (typed_text("##name", label.name, ui.tr("Name"))) changed = true;
  anchor("name of " + short_head_name(ui, layer, head));
  if (changed) set_label(ui.labels, label);
}

void draw_head_swatches(Ui& ui) {
  const int heads = ui.block->heads();
  std::set<int>& hidden = ui.state.view.hidden_heads;
  const float side = std::max(ui.style.finger, ui.style.font_size * 1.5F), gap = 0.3F * ui.style.font_size;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  ImGui::PushID("head swatches");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  const std::vector<int>& order = ui.scene->order;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int head = order[i];
    if (i > 0) {
      ImGui::SameLine();
      if (ImGui::GetCursorScreenPos().x + side > right) ImGui::NewLine();
    }
    ImGui::PushID(head);
    const bool pressed = invisible_button("head", {side, side});
    const bool over = ImGui::IsItemHovered();
    const ImGuiIO& io = ImGui::GetIO();
    // The button reports on release: the second release of a double click must not toggle again.
    const bool second = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && io.MouseClickedLastCount[0] > 1;
    if ((over && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) || (pressed && io.KeyShift))
      show_head_alone(hidden, heads, head);
    else if (pressed && !second)
      toggle_head(hidden, heads, head);
    draw_swatch(ui, head, !hidden.contains(head), over || ImGui::IsItemFocused(), side);
    hear_on(HeardRole::check, !hidden.contains(head), head_title(ui, head));
    anchor(fmt::format("head {}", head + 1));
    note_map(ui, {ui.shown->layer, head, ui.side, {}, {}}, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
             over, head == (ui.state.lock ? ui.state.lock->head : ui.scene->heads.front()));
    tooltip(head_title(ui, head) + relation_lines(ui, ui.shown->layer, head) + "\n" +
            ui.tr("Click to show or hide. Double-click or Shift+click to show only this head, and again to "
                  "show all."));
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
}

}  // namespace headscope
