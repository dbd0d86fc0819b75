#include "app/panels/views/head_label.h"

#include <fmt/format.h>

#include <cmath>

#include "app/panels/map/map_text.h"
#include "app/panels/widgets/compat.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/widgets.h"
#include "core/scene/translation_text.h"
#include "core/source/source.h"

namespace headscope {
namespace {

unsigned to_hex(const float* rgb) {
  const auto byte = [](float value) { return static_cast<unsigned>(std::lround(value * 255)) & 0xFFU; };
  return byte(rgb[0]) << 16U | byte(rgb[1]) << 8U | byte(rgb[2]);
}

}  // namespace

std::string full_head_name(const Ui& ui, int layer, int head) {
  std::string name = ui.block->layer_count() > 1 ? ui.tr.format("Layer {}, head {}", layer + 1, head + 1)
                                                 : ui.tr.format("Head {}", head + 1);
  const HeadLabel* label = find_label(ui.labels, layer, head);
  if (label && !label->name.empty()) name += " · " + drawn_text(label->name);
  return with_off(ui.tr, std::move(name), *ui.block, layer, head);
}

std::vector<std::string> head_relations(const Ui& ui, int layer, int head) {
  if (!ui.trace || !ui.trace->source) return {};
  return relation_texts(ui.tr, ui.trace->source->model_notes(), ui.block->shape.kind, layer, head);
}

std::string relation_lines(const Ui& ui, int layer, int head) {
  std::string lines;
  for (const std::string& text : head_relations(ui, layer, head)) lines += "\n" + drawn_text(text);
  return lines;
}

std::string short_head_name(const Ui& ui, int layer, int head) {
  return ui.block->layer_count() > 1 ? fmt::format("{}.{}", layer + 1, head + 1) : std::to_string(head + 1);
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
  if (ui.ui_anchors) anchor_item(ui.ui_anchors, ("name of " + short_head_name(ui, layer, head)).c_str());
  if (changed) set_label(ui.labels, label);
}

}  // namespace headscope
