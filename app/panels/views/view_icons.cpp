#include "app/panels/views/view_icons.h"

#include <iterator>

namespace headscope {

void IconPen::stroke(float x, float y, float to_x, float to_y) const {
  list.AddLine(at(x, y), at(to_x, to_y), color, line());
}
void IconPen::frame(float x, float y, float to_x, float to_y) const {
  list.AddRect(at(x, y), at(to_x, to_y), color, half * 0.15F, 0, line());
}
void IconPen::fill(float x, float y, float to_x, float to_y) const {
  list.AddRectFilled(at(x, y), at(to_x, to_y), color);
}
void IconPen::dot(float x, float y, float radius) const {
  list.AddCircleFilled(at(x, y), half * radius, color);
}
void IconPen::ring(float x, float y, float radius) const {
  list.AddCircle(at(x, y), half * radius, color, 0, line());
}

/// Maps side by side.
void grid_icon(const IconPen& pen) {
  for (const float x : {-0.9F, 0.1F})
    for (const float y : {-0.9F, 0.1F}) pen.frame(x, y, x + 0.8F, y + 0.8F);
}

/// One map, with its diagonal.
void head_icon(const IconPen& pen) {
  pen.frame(-0.9F, -0.9F, 0.9F, 0.9F);
  for (const float at : {-0.6F, -0.2F, 0.2F}) pen.fill(at, at, at + 0.4F, at + 0.4F);
}

void lines_icon(const IconPen& pen) {
  pen.stroke(-0.7F, -0.7F, 0.7F, 0);
  pen.stroke(-0.7F, 0, 0.7F, 0.7F);
  pen.stroke(-0.7F, 0.7F, 0.7F, -0.7F);
  for (const float x : {-0.8F, 0.8F})
    for (const float y : {-0.7F, 0.0F, 0.7F}) pen.dot(x, y, 0.2F);
}

/// Rows of maps, one above another.
void layers_icon(const IconPen& pen) {
  for (const float y : {-0.9F, -0.25F, 0.4F})
    for (const float x : {-0.9F, -0.25F, 0.4F}) pen.fill(x, y, x + 0.5F, y + 0.5F);
}

/// A next to B.
void compare_icon(const IconPen& pen) {
  pen.frame(-0.95F, -0.6F, -0.15F, 0.6F);
  pen.frame(0.15F, -0.6F, 0.95F, 0.6F);
  pen.fill(0.15F, 0, 0.95F, 0.6F);
}

void table_icon(const IconPen& pen) {
  pen.frame(-0.9F, -0.8F, 0.9F, 0.8F);
  for (const float y : {-0.3F, 0.25F}) pen.stroke(-0.9F, y, 0.9F, y);
  pen.stroke(-0.2F, -0.8F, -0.2F, 0.8F);
}

void steps_icon(const IconPen& pen) {
  const float way[] = {-0.9F, 0.7F, -0.3F, 0.7F, -0.3F, 0.1F, 0.3F, 0.1F, 0.3F, -0.5F, 0.9F, -0.5F};
  for (std::size_t i = 0; i + 3 < std::size(way); i += 2)
    pen.stroke(way[i], way[i + 1], way[i + 2], way[i + 3]);
}

void lens_icon(const IconPen& pen) {
  pen.ring(-0.2F, -0.2F, 0.6F);
  pen.stroke(0.25F, 0.25F, 0.85F, 0.85F);
}

/// Bars to both sides of zero.
void contributions_icon(const IconPen& pen) {
  pen.stroke(-0.2F, -0.9F, -0.2F, 0.9F);
  pen.fill(-0.2F, -0.75F, 0.9F, -0.4F);
  pen.fill(-0.7F, -0.15F, -0.2F, 0.2F);
  pen.fill(-0.2F, 0.45F, 0.4F, 0.8F);
}

/// An encoder beside a decoder.
void model_icon(const IconPen& pen) {
  pen.frame(-0.9F, -0.3F, -0.2F, 0.9F);
  pen.frame(0.2F, -0.9F, 0.9F, 0.9F);
  pen.stroke(-0.2F, 0.3F, 0.2F, 0.3F);
}

void picture_icon(const IconPen& pen) {
  pen.frame(-0.9F, -0.8F, 0.9F, 0.8F);
  pen.dot(-0.35F, -0.3F, 0.2F);
  pen.list.AddTriangleFilled(pen.at(-0.7F, 0.6F), pen.at(0.15F, -0.2F), pen.at(0.75F, 0.6F), pen.color);
}

/// One of several that lead to the same is knocked out.
void causes_icon(const IconPen& pen) {
  pen.stroke(-0.5F, -0.6F, 0.6F, 0);
  pen.stroke(-0.5F, 0.6F, 0.6F, 0);
  pen.dot(0.65F, 0, 0.28F);
  pen.dot(-0.65F, -0.6F, 0.22F);
  pen.stroke(-0.9F, 0.35F, -0.4F, 0.85F);
  pen.stroke(-0.9F, 0.85F, -0.4F, 0.35F);
}

/// Heads joined across layers.
void circuits_icon(const IconPen& pen) {
  pen.stroke(-0.6F, 0.6F, -0.6F, -0.2F);
  pen.stroke(-0.6F, -0.2F, 0.6F, -0.6F);
  pen.stroke(0.6F, 0.6F, 0.6F, -0.6F);
  pen.ring(-0.6F, 0.65F, 0.25F);
  pen.ring(0.6F, 0.65F, 0.25F);
  pen.dot(0.6F, -0.6F, 0.28F);
  pen.dot(-0.6F, -0.1F, 0.25F);
}

}  // namespace headscope
