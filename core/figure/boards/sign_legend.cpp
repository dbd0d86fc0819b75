#include "core/figure/boards/sign_legend.h"

#include <algorithm>

#include "core/analysis/filtered_layer.h"
#include "core/scene/labels.h"

namespace headscope {
namespace {

// In sizes of its text.
constexpr double hatch = 0.9, before_meaning = 0.35, between = 1.2, legend_line = 1.5, legend_gap = 0.3;

double width_of(const FigurePen& pen, const ExplainedSign& one, double size) {
  const double sign = one.sign.empty() ? hatch * size : pen.width(one.sign, size);
  return sign + before_meaning * size + pen.width(one.meaning, size);
}

/// Drawn as cells are, in every format.
void draw_hatch(const FigurePen& pen, const Rect& rect) {
  static constexpr float value = 0;
  static constexpr std::uint8_t blocked = cell_masked;
  pen.map(map_picture(&value, &blocked, 1, 1, colors(Colormap::viridis), {}), rect);
  draw_edges(pen.canvas, pen.canvas.snapped(rect), pen.canvas.hairline(), pen.style.border);
}

}  // namespace

void note_signs_of_text(Signs& signs, const Translator& tr, std::string_view text, bool formulas) {
  if (!formulas) signs.note_number(text);
  signs.off |= text == tr("off") || text.ends_with(off_suffix(tr));
}

void note_signs_of_map(Signs& signs, const MapPicture& picture) {
  if (signs.blocked || picture.blocked == nullptr) return;
  const CellSpan rows = visible_cells(picture.query_begin, picture.query_end, picture.n_q),
                 columns = visible_cells(picture.key_begin, picture.key_end, picture.n_k);
  if (columns.empty()) return;
  for (int row = rows.first; row <= rows.last && !signs.blocked; ++row) {
    const std::uint8_t *const first = picture.blocked + row * picture.n_k + columns.first,
                              *const end = first + (columns.last - columns.first + 1);
    signs.blocked = std::find(first, end, cell_masked) != end;
  }
}

double legend_height(const Signs& signs, double font_size) {
  const bool any = signs.blocked || signs.small || signs.undefined || signs.off || signs.below_zero ||
                   signs.no_key || signs.uniform_row;
  return any ? (legend_line + legend_gap) * font_size : 0;
}

void draw_sign_legend(const FigurePen& pen, Rect& area) {
  const std::vector<ExplainedSign> legend = explained(pen.tr, pen.signs);
  if (legend.empty()) return;
  const auto width_at = [&](double size) {
    double width = -between * size;
    for (const ExplainedSign& one : legend) width += between * size + width_of(pen, one, size);
    return width;
  };
  double size = pen.style.font_size;
  size = std::clamp(size * area.width / width_at(size), pen.style.smallest, size);
  const double middle = area.bottom() - legend_line * size / 2;
  double x = area.x + (area.width - width_at(size)) / 2;
  for (const ExplainedSign& one : legend) {
    const double end = x + width_of(pen, one, size);
    if (one.stroke)
      pen.canvas.fill({x, middle - hatch * size / 2, hatch * size / 4, hatch * size}, pen.style.warning);
    else if (one.sign.empty())
      draw_hatch(pen, {x, middle - hatch * size / 2, hatch * size, hatch * size});
    else
      pen.text(one.sign, x, middle, size, pen.style.text, Anchor::start);
    pen.text(one.meaning, end, middle, size, pen.style.muted, Anchor::end);
    x = end + between * size;
  }
  area.height -= legend_height(pen.signs, size);
}

}  // namespace headscope
