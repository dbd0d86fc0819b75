#include "core/figure/boards/profiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {
namespace {

/// One row or one column of a map, and the positions of its cells along the map's edge.
struct Profile {
  const MapPicture& picture;
  bool is_row;
  Index index;

  Index count() const { return is_row ? picture.n_k : picture.n_q; }
  int pixels() const { return is_row ? picture.width : picture.height; }
  CellSpan cells(int pixel) const {
    return is_row ? cells_of_pixel(picture.key_begin, picture.key_end, count(), pixels(), pixel)
                  : cells_of_pixel(picture.query_begin, picture.query_end, count(), pixels(), pixel);
  }
  float value(Index i) const {
    const Index cell = is_row ? index * picture.n_k + i : i * picture.n_k + index;
    return picture.blocked && picture.blocked[cell] != cell_shown ? 0 : picture.values[cell];
  }
  /// Of either sign.
  float largest(CellSpan span) const {
    float result = 0;
    for (Index i = span.first; i <= span.last; ++i)
      if (std::abs(value(i)) > std::abs(result)) result = value(i);
    return result;
  }
  Extent extent() const {
    Extent all{0, 0};
    for (Index i = 0; i < count(); ++i) all.extend({value(i), value(i)});
    return all;
  }
};

/// Calls bar(first pixel, end pixel, value) for each run of pixels that shows the same cells.
template <typename Bar>
void for_each_bar(const Profile& profile, const Bar& bar) {
  for (int begin = 0; begin < profile.pixels();) {
    const CellSpan span = profile.cells(begin);
    int end = begin + 1;
    while (end < profile.pixels() && profile.cells(end) == span) ++end;
    if (!span.empty()) bar(begin, end, profile.largest(span));
    begin = end;
  }
}

constexpr double bars_share = 0.68;  // of the size; the rest is the caption's

/// `room` is above the map for a row, right of it for a column.
void draw_profile(const FigurePen& pen, const Rect& map, const Profile& profile, const Rect& room,
                  const std::string& caption, bool is_signed, double size) {
  const bool row = profile.is_row;
  const Extent extent = profile.extent();
  const float largest = std::max(-extent.low, extent.high);
  const double begin = row ? map.x : map.y, end = row ? map.right() : map.bottom(),
               pixel = (end - begin) / profile.pixels(), base = row ? room.bottom() : room.x,
               space = row ? room.height : room.width,
               length = std::max(0.0, std::min(space * bars_share, space - 1.3 * size));
  if (largest > 0)
    for_each_bar(profile, [&](int first, int last, float value) {
      const double from = begin + first * pixel, high = length * (std::abs(value) / largest);
      const double wide = (last - first) * pixel, gap = wide > 4 * pixel ? pen.canvas.hairline() : 0;
      pen.canvas.fill(row ? Rect{from, base - high, wide - gap, high} : Rect{base, from, high, wide - gap},
                      is_signed ? diverging_colors(Theme::light)[value < 0 ? 40 : 215] : pen.style.accent);
    });
  // What is below the largest by more than a float can tell is rounding.
  const auto bound = [largest](float value) {
    return bound_text(std::abs(value) < largest * std::numeric_limits<float>::epsilon() ? 0 : value);
  };
  const std::string ends = extent.low < 0
                               ? pen.tr("{}, {} to {}", caption, bound(extent.low), bound(extent.high))
                               : pen.tr("{}, 0 to {}", caption, bound(extent.high));
  // Smaller before it is cut, which takes the numbers.
  constexpr double least = 0.6;
  const double along = row ? room.width : room.height;
  size *= std::clamp(along / std::max(1e-9, pen.measure(size)(ends)), least, 1.0);
  const std::string shown = pen.shortened(ends, along, size);
  const double line = pen.canvas.hairline();
  if (row) {
    pen.canvas.line(begin, base, end, base, line, pen.style.border, 1);
    pen.text(shown, begin, room.y + size / 2, size, pen.style.muted, Anchor::start);
  } else {
    pen.canvas.line(base, begin, base, end, line, pen.style.border, 1);
    pen.text(shown, room.right() - size / 2, begin, size, pen.style.muted, Anchor::end, true);
  }
}

}  // namespace

void draw_profiles(const FigurePen& pen, const MapPicture& picture, const Rect& map, const ProfiledCell& cell,
                   double size) {
  const double gap = 0.4 * pen.style.font_size, room = profile_size * pen.style.font_size;
  draw_profile(pen, map, {picture, true, cell.row}, {map.x, map.y - room, map.width, room - gap},
               pen.tr(cell.attends ? TR("attention of “{}”") : TR("row of “{}”"), cell.query), cell.is_signed,
               size);
  draw_profile(
      pen, map, {picture, false, cell.column}, {map.right() + gap, map.y, room - 2 * gap, map.height},
      pen.tr(cell.attends ? TR("attention to “{}”") : TR("column of “{}”"), cell.key), cell.is_signed, size);
}

}  // namespace headscope
