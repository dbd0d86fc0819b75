#include <array>
#include <cmath>

#include "app/panels/widgets/widgets.h"

namespace headscope {
namespace {

void draw_die(ImDrawList* list, ImVec2 c, float r, ImU32 color) {
  list->AddRect({c.x - r, c.y - r}, {c.x + r, c.y + r}, color, r * 0.4F, 0, std::max(1.0F, r * 0.16F));
  const float dot = r * 0.17F, off = r * 0.5F;
  for (const ImVec2 d :
       {ImVec2(-off, -off), ImVec2(off, -off), ImVec2(0, 0), ImVec2(-off, off), ImVec2(off, off)})
    list->AddCircleFilled({c.x + d.x, c.y + d.y}, dot, color, 8);
}

void draw_star(ImDrawList* list, ImVec2 c, float r, ImU32 color) {
  ImVec2 points[10];
  for (int i = 0; i < 10; ++i) {
    const float angle = -1.5708F + 0.62832F * static_cast<float>(i), radius = i % 2 == 0 ? r : r * 0.45F;
    points[i] = {c.x + radius * std::cos(angle), c.y + radius * std::sin(angle)};
  }
  list->AddPolyline(points, 10, color, ImDrawFlags_Closed, std::max(1.0F, r * 0.18F));
}

void draw_funnel(ImDrawList* list, ImVec2 c, float r, ImU32 color) {
  list->AddTriangleFilled({c.x - r, c.y - r * 0.8F}, {c.x + r, c.y - r * 0.8F}, {c.x, c.y + r * 0.4F}, color);
  list->AddRectFilled({c.x - r * 0.2F, c.y}, {c.x + r * 0.2F, c.y + r}, color);
}

void draw_icon(ImDrawList* list, Icon icon, ImVec2 c, float r, ImU32 color) {
  const float w = std::max(1.0F, r * 0.24F);
  switch (icon) {
    case Icon::die:
      return draw_die(list, c, r, color);
    case Icon::funnel:
      return draw_funnel(list, c, r, color);
    case Icon::star:
      return draw_star(list, c, r, color);
    case Icon::close:
      list->AddLine({c.x - r * 0.7F, c.y - r * 0.7F}, {c.x + r * 0.7F, c.y + r * 0.7F}, color, w);
      list->AddLine({c.x - r * 0.7F, c.y + r * 0.7F}, {c.x + r * 0.7F, c.y - r * 0.7F}, color, w);
      return;
    case Icon::plus:
      list->AddLine({c.x, c.y - r * 0.8F}, {c.x, c.y + r * 0.8F}, color, w);
      [[fallthrough]];
    case Icon::minus:
      list->AddLine({c.x - r * 0.8F, c.y}, {c.x + r * 0.8F, c.y}, color, w);
      return;
    case Icon::left:
      list->AddTriangleFilled({c.x - r * 0.6F, c.y}, {c.x + r * 0.5F, c.y - r * 0.8F},
                              {c.x + r * 0.5F, c.y + r * 0.8F}, color);
      return;
    case Icon::right:
      list->AddTriangleFilled({c.x + r * 0.6F, c.y}, {c.x - r * 0.5F, c.y + r * 0.8F},
                              {c.x - r * 0.5F, c.y - r * 0.8F}, color);
      return;
    case Icon::down:
      list->AddTriangleFilled({c.x, c.y + r * 0.6F}, {c.x - r * 0.8F, c.y - r * 0.5F},
                              {c.x + r * 0.8F, c.y - r * 0.5F}, color);
      return;
    case Icon::more:
      for (const float x : {-r * 0.8F, 0.0F, r * 0.8F})
        list->AddCircleFilled({c.x + x, c.y}, w * 0.7F, color, 10);
      return;
    case Icon::up:
      list->AddTriangleFilled({c.x, c.y - r * 0.6F}, {c.x + r * 0.8F, c.y + r * 0.5F},
                              {c.x - r * 0.8F, c.y + r * 0.5F}, color);
      return;
  }
}

}  // namespace

bool icon_button(const char* id, Icon icon, const std::string& help) {
  const float size = ImGui::GetFrameHeight();
  const bool pressed = ImGui::Button((std::string("###") + id).c_str(), {size, size});
  anchor(id);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  draw_icon(ImGui::GetWindowDrawList(), icon, {(low.x + high.x) / 2, (low.y + high.y) / 2}, size * 0.26F,
            ImGui::GetColorU32(ImGuiCol_Text));
  tooltip(help);
  return pressed;
}

}  // namespace headscope
