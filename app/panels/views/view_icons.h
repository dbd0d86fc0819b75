#pragma once
#include <imgui.h>

namespace headscope {

// The pictograms of the views, around a centre in a square of twice `half`. They show what the view draws.

/// What an icon is drawn with.
struct IconPen {
  ImDrawList& list;
  ImVec2 centre;
  float half;
  ImU32 color;

  float line() const { return half > 7 ? half * 0.2F : 1.4F; }
  ImVec2 at(float x, float y) const { return {centre.x + half * x, centre.y + half * y}; }
  void stroke(float x, float y, float to_x, float to_y) const;
  void frame(float x, float y, float to_x, float to_y) const;
  void fill(float x, float y, float to_x, float to_y) const;
  void dot(float x, float y, float radius) const;
  void ring(float x, float y, float radius) const;
};

void grid_icon(const IconPen& pen);
void head_icon(const IconPen& pen);
void lines_icon(const IconPen& pen);
void layers_icon(const IconPen& pen);
void compare_icon(const IconPen& pen);
void table_icon(const IconPen& pen);
void steps_icon(const IconPen& pen);
void lens_icon(const IconPen& pen);
void contributions_icon(const IconPen& pen);
void model_icon(const IconPen& pen);
void picture_icon(const IconPen& pen);
void causes_icon(const IconPen& pen);
void circuits_icon(const IconPen& pen);

}  // namespace headscope
