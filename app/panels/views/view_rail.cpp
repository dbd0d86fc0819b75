#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "core/scene/view_needs.h"

namespace headscope {
namespace {

std::string mark_of(const ViewKindRow& row) {
  return "views " + std::to_string(place_of(row.value));
}

/// Its name, and why the source lacks it or what it is for.
Choice choice_of(const Ui& ui, const ViewKindRow& row) {
  const char* const none = why_no_view({ui.inputs, ui.trace.get(), *ui.block, ui.model.get()}, row);
  return {ui.tr(row.tab), ui.tr(none == nullptr ? row.help : none), none == nullptr};
}

/// In font sizes.
struct RailForm {
  float width, item, caption;
  bool names;
};

RailForm rail_form(const Style& style, float height) {
  constexpr RailForm with_names{4.5F, 2.3F, 1.1F, true}, icons{2.3F, 1.9F, 0.4F, false};
  constexpr float items = view_count, groups = std::size(view_groups);
  const auto needed = [&](const RailForm& form) {
    return style.font_size * (form.item * items + form.caption * groups);
  };
  if (needed(with_names) <= height) return with_names;
  RailForm form = icons;
  form.item = std::clamp((height / style.font_size - form.caption * groups) / items, 1.3F, icons.item);
  return form;
}

/// One frame of the rail.
class Rail {
 public:
  explicit Rail(Ui& ui)
      : ui_(ui),
        colors_(palette(ui.style.theme)),
        form_(rail_form(ui.style, ImGui::GetContentRegionAvail().y)),
        width_(ImGui::GetContentRegionAvail().x) {}

  void draw() {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    for (const ViewGroup group : view_groups) {
      draw_caption(group);
      for (const ViewKindRow& row : view_kinds)
        if (row.group == group) draw_item(row);
    }
    ImGui::PopStyleVar(2);
  }

 private:
  void draw_caption(ViewGroup group) {
    const float em = ui_.style.font_size, height = std::floor(form_.caption * em);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    hear_title(ui_.tr(view_group_name(group)), 3);
    ImGui::Dummy({width_, height});
    if (form_.names) return draw_text(ui_.tr(view_group_name(group)), at.x, at.y, height, colors_.muted);
    if (group == view_groups[0]) return;
    const float y = at.y + std::floor(height / 2);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x + em / 2, y}, {at.x + width_ - em / 2, y + 1},
                                              colors_.border);
  }

  void draw_item(const ViewKindRow& row) {
    const float em = ui_.style.font_size, height = std::floor(form_.item * em);
    const bool on = row.value == ui_.view().kind;
    const Choice choice = choice_of(ui_, row);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::BeginDisabled(!choice.enabled);
    ImGui::PushStyleColor(ImGuiCol_Button, on ? colors_.accent_soft : 0);
    const bool pressed = ImGui::Button((std::string("###") + row.name).c_str(), {width_, height});
    ImGui::PopStyleColor();
    ImGui::EndDisabled();
    hear_on(HeardRole::radio, on, choice.text);
    anchor(mark_of(row));
    tooltip(form_.names ? choice.help : std::string(choice.text) + "\n" + choice.help);
    if (pressed && !on) ui_.state.view.kind = row.value;
    const ImU32 ink = !choice.enabled ? with_alpha(colors_.muted, 0.5F) : on ? colors_.accent : colors_.text;
    const float middle = form_.names ? at.y + 0.85F * em : at.y + height / 2;
    const float half = 0.55F * std::min(em, 0.6F * height);
    draw_icon(row.icon, {at.x + std::floor(width_ / 2), std::floor(middle)}, half, ink);
    if (form_.names) draw_text(choice.text, at.x, at.y + 1.35F * em, height - 1.45F * em, ink);
  }

  static void draw_icon(std::span<const IconPart> icon, ImVec2 centre, float half, ImU32 color) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = std::max(1.4F, 0.2F * half);
    const auto at = [&](float x, float y) { return ImVec2(centre.x + half * x, centre.y + half * y); };
    for (const auto& [shape, x, y, to_x, to_y] : icon) {
      const ImVec2 from = at(x, y), to = at(to_x, to_y);
      switch (shape) {
        case IconShape::stroke:
          list.AddLine(from, to, color, line);
          break;
        case IconShape::frame:
          list.AddRect(from, to, color, 0.15F * half, 0, line);
          break;
        case IconShape::fill:
          list.AddRectFilled(from, to, color);
          break;
        case IconShape::peak:
          list.AddTriangleFilled({from.x, to.y}, {(from.x + to.x) / 2, from.y}, to, color);
          break;
        case IconShape::dot:
          list.AddCircleFilled(from, half * to_x, color);
          break;
        case IconShape::ring:
          list.AddCircle(from, half * to_x, color, 0, line);
          break;
      }
    }
  }

  /// Centred, in smaller letters where it would be cut.
  void draw_text(const char* text, float left, float top, float height, ImU32 color) {
    MapTextStyle style = text_style(ui_.style.small, color, 0.5F, 0.5F);
    style.size *= std::min(1.0F, (width_ - 2) / text_size(style, text).x);
    headscope::draw_text(*ImGui::GetWindowDrawList(), style, {left + width_ / 2, top + height / 2}, text);
  }

  Ui& ui_;
  const Palette& colors_;
  const RailForm form_;
  const float width_;
};

}  // namespace

float view_rail_width(const Style& style, ImVec2 room, bool beside_lesson) {
  constexpr float narrowest = 34, narrowest_beside = 56;
  return room.x < (beside_lesson ? narrowest_beside : narrowest) * style.font_size
             ? 0
             : std::round(rail_form(style, room.y).width * style.font_size);
}

void draw_view_rail(Ui& ui) {
  Rail(ui).draw();
}

void draw_view_list(Ui& ui, float widest) {
  const ViewKindRow& now = ui.view().row();
  ImGui::SetNextItemWidth(std::min(width_of_list(ui.tr(now.tab)), widest));
  if (begin_list("###views", ui.tr(now.tab), ImGuiComboFlags_HeightLargest)) {
    for (const ViewGroup group : view_groups) {
      ImGui::PushFont(nullptr, ui.style.small);
      muted_text(ui.style, ui.tr(view_group_name(group)));
      ImGui::PopFont();
      for (const ViewKindRow& row : view_kinds) {
        if (row.group != group) continue;
        ImGui::PushID(row.name);
        if (choice_line(choice_of(ui, row), row.value == now.value, mark_of(row)))
          ui.state.view.kind = row.value;
        ImGui::PopID();
      }
    }
    ImGui::EndCombo();
  }
  anchor("views");
}

}  // namespace headscope
