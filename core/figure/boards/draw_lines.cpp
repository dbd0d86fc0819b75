#include <algorithm>
#include <cmath>

#include "core/analysis/lines.h"
#include "core/figure/boards/draw_parts.h"
#include "core/scene/labels.h"
#include "core/scene/layer_look.h"
#include "core/scene/line_heads.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

/// The rows from `first` to `last` of `tokens` tokens.
std::pair<int, int> seen_rows(const LineColumns& c, std::size_t tokens) {
  const auto n = static_cast<double>(tokens);
  return {static_cast<int>(std::clamp(std::floor((c.seen_top - c.top) / c.row_height), 0.0, n)),
          static_cast<int>(std::clamp(std::ceil((c.seen_bottom - c.top) / c.row_height), 0.0, n)) - 1};
}

/// Of the visible ones: measuring hundreds in every frame would be too slow.
double widest_seen(const FigurePen& pen, const LineColumns& c, const std::vector<std::string>& tokens) {
  double width = 0;
  for (auto [i, last] = seen_rows(c, tokens.size()); i <= last; ++i)
    width = std::max(width, pen.width(tokens[i], c.size));
  return std::min(c.room, width);
}

/// Before each token a block of each head's colour, as opaque as its strongest line there.
// Once for thousands of lines.
std::vector<Rgb> colors_of_heads(const Scene& scene) {
  std::vector<Rgb> colors;
  for (int head = 0; head < scene.block->heads(); ++head)
    colors.push_back(labelled_color(scene.labels, *scene.block, scene.view.layer, head));
  return colors;
}

void draw_blocks(const FigurePen& pen, const LineColumns& c, const DrawnLines& drawn,
                 const std::vector<Rgb>& colors) {
  const LineEnds ends(drawn.set, c.heads, std::ssize(c.queries), std::ssize(c.keys));
  const double width = c.blocks / c.heads.count(), gap = std::min(0.5, 0.2 * width);
  const double height = std::min(0.72 * c.row_height, std::max(2 * width, 0.9 * c.size));
  for (const bool keys : {false, true})
    for (auto [token, last] = seen_rows(c, c.tokens(keys).size()); token <= last; ++token)
      for (int place = 0; place < c.heads.count(); ++place) {
        const float weight = ends.at(keys, token, place);
        if (!(weight > 0)) continue;
        const int head = c.heads.heads()[place];
        const double x = (keys ? c.right : c.left - c.blocks) + place * width;
        pen.canvas.fill({x + gap / 2, c.middle(token) - height / 2, width - gap, height},
                        blend(pen.style.background, colors[head],
                              std::min(1.0, static_cast<double>(weight / drawn.largest))));
      }
}

struct LegendEntry {
  std::string text;
  Rgb color;
  double width;
};

/// A head's relations, in shorter words the higher `brevity` is; from `unreported` on nothing.
constexpr std::size_t unreported = 4;
std::string legend_badge(const FigurePen& pen, const Scene& scene, int layer, int head, std::size_t brevity) {
  const std::vector<std::string> badges = relation_badges(pen.tr, scene, layer, head);
  if (badges.empty() || brevity >= unreported) return {};
  return " · " + badges[std::min(brevity, badges.size() - 1)];
}

/// In as many lines as needed at this text size.
std::vector<std::vector<LegendEntry>> legend_lines(const FigurePen& pen, const FilteredLayer& shown,
                                                   const Scene& scene, double width, double size,
                                                   std::size_t brevity) {
  const double around = 2.1 * size;  // the square and the gap to the next
  std::vector<std::vector<LegendEntry>> lines(1);
  double used = 0;
  for (const int h : scene.heads) {
    const std::string title =
        head_title(pen.tr, scene, shown.layer, h) + legend_badge(pen, scene, shown.layer, h, brevity);
    LegendEntry entry{pen.shortened(title, width - around, size),
                      labelled_color(scene.labels, *shown.block, shown.layer, h), 0};
    entry.width = around + pen.width(entry.text, size);
    if (used + entry.width > width && used > 0) {
      lines.emplace_back();
      used = 0;
    }
    used += entry.width;
    lines.back().push_back(std::move(entry));
  }
  return lines;
}

/// Squares in the heads' colours with their names, centred, in as many lines as needed; returns their height.
double draw_heads(const FigurePen& pen, const FilteredLayer& shown, const Scene& scene, const Rect& area) {
  constexpr double maximum = 0.35, smaller = 0.85, smallest = 1;  // of the height; of the text; points
  constexpr double max_described = 0.2;                           // of the height
  double size = pen.style.font_size;
  std::size_t brevity = 0;
  const auto lay_out = [&] { return legend_lines(pen, shown, scene, area.width, size, brevity); };
  auto lines = lay_out();
  for (; brevity < unreported && 1.5 * size * static_cast<double>(lines.size()) > max_described * area.height;
       lines = lay_out())
    ++brevity;
  while (1.5 * size * static_cast<double>(lines.size()) > maximum * area.height && size > smallest) {
    size *= smaller;
    lines = lay_out();
  }
  const double line = 1.5 * size, square = 0.75 * size;
  double y = area.bottom() - line * static_cast<double>(lines.size());
  for (const auto& entries : lines) {
    double width = 0;
    for (const LegendEntry& entry : entries) width += entry.width;
    double x = area.x + (area.width - width + 1.05 * size) / 2;
    for (const LegendEntry& entry : entries) {
      pen.canvas.fill({x, y + (line - square) / 2, square, square}, entry.color);
      pen.text(entry.text, x + 1.4 * square, y + line / 2, size, pen.style.text, Anchor::start);
      x += entry.width;
    }
    y += line;
  }
  return line * static_cast<double>(lines.size());
}

}  // namespace

LineColumns place_line_columns(const FigurePen& pen, const std::vector<std::string>& queries,
                               const std::vector<std::string>& keys, LineHeads heads, const Rect& area,
                               double smallest, double seen_top, double seen_bottom) {
  constexpr double roomiest = 2.4, longest = 40;  // of a row and of the lines, in sizes of the text
  LineColumns c{queries, keys, std::move(heads)};
  const auto rows = static_cast<double>(std::max<std::size_t>({1, queries.size(), keys.size()}));
  const double size = 1.2 * pen.style.font_size;
  c.row_height = std::min(area.height / rows, roomiest * size);
  c.size = std::clamp(c.row_height / 1.15, smallest, size);
  c.top = area.y + (area.height - rows * c.row_height) / 2;
  c.seen_top = seen_top;
  c.seen_bottom = seen_bottom;
  c.room = 0.25 * area.width;
  c.blocks = std::min(c.size * blocks_width(c.heads.count()), 0.1 * area.width);
  const double gap = 0.5 * c.size + c.blocks;
  const auto label = [&](const char* word) { return pen.width(pen.tr(word), pen.style.font_size); };
  const double left = std::max(widest_seen(pen, c, queries), label("Query")) + gap;
  const double right = std::max(widest_seen(pen, c, keys), label("Key")) + gap;
  const double length = std::min(area.width - left - right, longest * size);
  c.left = area.x + (area.width - left - right - length) / 2 + left;
  c.right = c.left + length;
  c.first = c.left - left;
  c.last = c.right + right;
  return c;
}

std::vector<int> LineColumns::shown_tokens(bool of_keys, int always) const {
  const int step = std::max(1, static_cast<int>(std::ceil(1.05 * size / row_height - 1e-9)));
  std::vector<int> shown;
  for (auto [i, end] = seen_rows(*this, tokens(of_keys).size()); i <= end; ++i)
    if (i == always || (i % step == 0 && (always < 0 || std::abs(i - always) >= step))) shown.push_back(i);
  return shown;
}

double LineColumns::text_x(bool of_keys) const {
  return of_keys ? right + blocks + 0.4 * size : left - blocks - 0.4 * size;
}

std::string LineColumns::text(const FigurePen& pen, bool of_keys, int token) const {
  return pen.shortened(tokens(of_keys)[token], room, size);
}

void draw_line_columns(const FigurePen& pen, const LineColumns& c, const DrawnLines& drawn,
                       const Scene& scene) {
  const std::vector<Rgb> colors = colors_of_heads(scene);
  const auto draw_line = [&](const Line& line) {
    const bool pointed = drawn.pointed == &line;
    const LineLook look = line_look(line.weight, drawn.largest);
    const double opacity = pointed ? 1 : drawn.pointed != nullptr ? 0.35 * look.opacity : look.opacity;
    const double width = std::max(0.4, (look.width + (pointed ? 0.08 : 0)) * c.size);
    const double from = c.end(line.row, line.head), to = c.end(line.column, line.head);
    const auto draw_part = [&](double begin, double end) {
      const auto x = [&](double share) { return c.left + share * (c.right - c.left); };
      const auto y = [&](double share) { return from + share * (to - from); };
      // Overlapping heads would mix to a colour that belongs to neither.
      pen.canvas.covering_line(x(begin), y(begin), x(end), y(end), width, colors[line.head], opacity,
                               pen.style.background);
    };
    if (!line.negative) return draw_part(0, 1);
    const double dash = std::clamp(0.6 * c.size / std::max(c.right - c.left, 1e-9), 0.01, 0.1);
    for (double begin = 0; begin < 1; begin += 2 * dash) draw_part(begin, std::min(1.0, begin + dash));
    if (pen.noted != nullptr) pen.noted->below_zero = true;
  };
  for (const Line& line : drawn.set.lines)
    if (drawn.pointed != &line) draw_line(line);
  if (drawn.pointed != nullptr) draw_line(*drawn.pointed);
  draw_blocks(pen, c, drawn, colors);
  for (const bool keys : {false, true})
    for (const int token : c.shown_tokens(keys, keys ? drawn.key : drawn.query))
      pen.text(c.text(pen, keys, token), c.text_x(keys), c.middle(token), c.size, pen.style.text,
               keys ? Anchor::start : Anchor::end);
}

void draw_line_headings(const FigurePen& pen, const LineColumns& c, double y) {
  for (const bool keys : {false, true})
    pen.text(pen.tr(keys ? TR("Key") : TR("Query")), c.text_x(keys), y, pen.style.font_size, pen.style.muted,
             keys ? Anchor::start : Anchor::end);
}

void draw_lines(const FigurePen& pen, const FilteredLayer& shown, const Scene& scene, const Rect& area) {
  const LayerLook look(shown);
  const double size = pen.style.font_size, heading = 1.8 * size;
  const double legend = draw_heads(pen, shown, scene, area) + size;
  const Rect room{area.x, area.y + heading, area.width, std::max(1.0, area.height - heading - legend)};
  constexpr double smallest = 2;  // points
  const LineColumns columns = place_line_columns(pen, look.rows(), look.columns(),
                                                 {scene.heads, shown.block->heads()}, room, smallest);
  const std::set<int>& hidden = scene.view.hidden_heads;
  const TokenPlace alone = token_alone(scene, shown);
  const LineSet set = alone.any() ? lines_of_token(shown, hidden, alone.row, alone.column, max_lines)
                                  : strongest_lines(shown, hidden, max_lines);
  draw_line_columns(pen, columns, {set, pen.range ? std::max(pen.range->high, set.largest) : set.largest},
                    scene);
  draw_line_headings(pen, columns, columns.top - 0.7 * size);
}

}  // namespace headscope
