#include <algorithm>
#include <cmath>

#include "app/panels/map/map_pointer.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "core/figure/boards/cell_numbers.h"

namespace headscope {
namespace {

constexpr int lens_around = 1;  // cells on each side of the one under the pointer

/// One frame of the lens: some cells in a separate box, with their tokens to the left and below.
class Lens {
 public:
  Lens(Ui& ui, const ScreenMap& map, const AxisTexts& texts, const PointedCell& at)
      : ui_(ui), map_(map), texts_(texts), at_(at), theme_(palette(ui.style.theme)) {}

  void draw() {
    place();
    const ImVec2 max{from_.x + size_.x, from_.y + size_.y};
    list_.AddRectFilled(from_, max, theme_.panel, ui_.style.font_size * 0.3F);
    for (int row = rows_.first; row <= rows_.last; ++row)
      for (int column = columns_.first; column <= columns_.last; ++column) draw_cell(row, column);
    for (int row = rows_.first; row <= rows_.last; ++row)
      label(texts_.rows, row, {from_.x + margin_ + names_, corner(row, 0).y + cell_.y / 2}, names_, 1);
    for (int column = columns_.first; column <= columns_.last; ++column)
      label(texts_.columns, column, {corner(0, column).x + cell_.x / 2, max.y - margin_ - line_ / 2},
            cell_.x * 0.96F, 0.5F);
    const float stroke = 2 * mark_line(ui_.style);
    const ImVec2 low = corner(at_.row, at_.column);
    list_.AddRect(low, {low.x + cell_.x, low.y + cell_.y}, IM_COL32_WHITE, 0, 0, stroke + 2);
    list_.AddRect(low, {low.x + cell_.x, low.y + cell_.y}, theme_.accent, 0, 0, stroke);
    list_.AddRect(from_, max, theme_.text, ui_.style.font_size * 0.3F, 0, stroke);
    note_place("lens", from_, max);
  }

 private:
  struct Span {
    int first = 0, last = 0;
    float count() const { return static_cast<float>(last - first + 1); }
  };

  /// The same number of cells at the map's edge as elsewhere.
  static Span around_cell(int cell, Index n) {
    const int last = static_cast<int>(n) - 1;
    const int first = std::clamp(cell - lens_around, 0, std::max(0, last - 2 * lens_around));
    return {first, std::min(last, first + 2 * lens_around)};
  }

  void place() {
    rows_ = around_cell(at_.row, map_.request.n_q);
    columns_ = around_cell(at_.column, map_.request.n_k);
    const ImVec2 window = ImGui::GetIO().DisplaySize, mouse = ImGui::GetIO().MousePos;
    line_ = ui_.style.large;
    margin_ = line_ * 0.3F;
    // Large compared with the map's cells, but at most a fraction of the window.
    const float maximum = std::min(window.y * 0.2F, window.x * 0.13F);
    const float wish = 1.8F * std::max(map_.cell_width(), map_.cell_height());
    const float side = std::clamp(wish, std::min(maximum, window.y * 0.11F), maximum);
    cell_ = {side * 1.15F, side};
    names_ = 0;
    for (int row = rows_.first; row <= rows_.last; ++row)
      names_ = std::max(names_, text_size(name_style(0), shown_token(text_of(texts_.rows, row))).x);
    names_ = std::min(names_, 1.4F * cell_.x);
    size_ = {names_ + columns_.count() * cell_.x + 3 * margin_,
             rows_.count() * cell_.y + line_ + 3 * margin_};
    // The cell stays under the pointer if the window is large enough.
    const ImVec2 at{names_ + 2 * margin_ + (static_cast<float>(at_.column - columns_.first) + 0.5F) * cell_.x,
                    margin_ + (static_cast<float>(at_.row - rows_.first) + 0.5F) * cell_.y};
    from_ = {std::round(std::clamp(mouse.x - at.x, 0.0F, std::max(0.0F, window.x - size_.x))),
             std::round(std::clamp(mouse.y - at.y, 0.0F, std::max(0.0F, window.y - size_.y)))};
  }

  ImVec2 corner(int row, int column) const {
    return {from_.x + 2 * margin_ + names_ + static_cast<float>(column - columns_.first) * cell_.x,
            from_.y + margin_ + static_cast<float>(row - rows_.first) * cell_.y};
  }

  void draw_cell(int row, int column) {
    const HeatmapRequest& request = map_.request;
    const Index cell = row * request.n_k + column;
    const bool shown = !request.blocked || request.blocked[cell] == 0;
    const float value = request.values[cell];
    const Rgb color = shown ? request.color_of(value, row) : request.masked.background;
    const ImVec2 low = corner(row, column), high{low.x + cell_.x, low.y + cell_.y};
    list_.AddRectFilled(low, high, to_color(color));
    if (!shown) return;
    MapTextStyle text = name_style(readable_on(color));
    text.align_x = 0.5F;
    draw_text(list_, text, {(low.x + high.x) / 2, (low.y + high.y) / 2},
              CellNumbers{1, CellDigits::bare}.text(value));
  }

  MapTextStyle name_style(ImU32 color) const { return {ui_.style.large, color, 0, 0.5F}; }
  static const std::string& text_of(const std::vector<std::string>& texts, int i) { return texts[i]; }

  void label(const std::vector<std::string>& texts, int i, ImVec2 at, float room, float align) {
    MapTextStyle style = name_style(theme_.text);
    style.align_x = align;
    const std::string text = texts_.tokens ? shown_token(text_of(texts, i)) : text_of(texts, i);
    if (text_size(style, text).x > room) style.size = ui_.style.font_size;
    draw_text(list_, style, at, shortened(text, room + 0.5, measure_with(style.size)));
  }

  Ui& ui_;
  const ScreenMap& map_;
  const AxisTexts& texts_;
  const PointedCell& at_;
  const Palette& theme_;
  ImDrawList& list_ = *ImGui::GetForegroundDrawList();
  Span rows_, columns_;
  ImVec2 from_, size_, cell_;
  float names_ = 0, line_ = 0, margin_ = 0;
};

}  // namespace

void draw_lens(Ui& ui, const ScreenMap& map, const AxisTexts& texts, const PointedCell& at) {
  if (ui.hides_numbers) return;
  if (!ui.style.lens || map.request.values == nullptr) return;
  Lens(ui, map, texts, at).draw();
}

}  // namespace headscope
