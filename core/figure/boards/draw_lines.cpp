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

/// The two columns of tokens, in points.
struct Columns {
  double top = 0, row_height = 0, size = 0;
  double left = 0, right = 0;  // where the lines begin and end
  double blocks = 0;           // width of the heads' blocks before each token
  double room = 0;             // for a token's text
  double middle(int row) const { return top + (row + 0.5) * row_height; }
};

/// All tokens on one page: a few keep a readable distance, many get smaller.
Columns place_columns(const FigurePen& pen, const std::vector<std::string>& queries,
                      const std::vector<std::string>& keys, int heads, const Rect& area) {
  constexpr double smallest = 2, roomiest = 2.4, longest = 40;  // points, rows and lines in sizes of the text
  Columns c;
  const auto rows = static_cast<double>(std::max(queries.size(), keys.size()));
  const double size = 1.2 * pen.style.font_size;
  c.row_height = std::min(area.height / rows, roomiest * size);
  c.size = std::clamp(c.row_height / 1.15, smallest, size);
  c.top = area.y + (area.height - rows * c.row_height) / 2;
  c.room = 0.25 * area.width;
  c.blocks = std::min(c.size * blocks_width(heads), 0.1 * area.width);
  const double gap = 0.5 * c.size + c.blocks;
  const auto label = [&](const char* word) { return pen.shaper.width(pen.tr(word), pen.style.font_size); };
  const double left = std::max(std::min(c.room, pen.widest(queries, c.size)), label("Query")) + gap;
  const double right = std::max(std::min(c.room, pen.widest(keys, c.size)), label("Key")) + gap;
  const double length = std::min(area.width - left - right, longest * size);
  c.left = area.x + (area.width - left - right - length) / 2 + left;
  c.right = c.left + length;
  return c;
}

void draw_tokens(const FigurePen& pen, const Columns& c, const std::vector<std::string>& tokens, bool keys) {
  const int step = std::max(1, static_cast<int>(std::ceil(1.05 * c.size / c.row_height - 1e-9)));
  for (int i = 0; i < static_cast<int>(tokens.size()); i += step)
    pen.text(pen.shortened(tokens[static_cast<std::size_t>(i)], c.room, c.size),
             keys ? c.right + c.blocks + 0.4 * c.size : c.left - c.blocks - 0.4 * c.size, c.middle(i), c.size,
             pen.style.text, keys ? Anchor::start : Anchor::end);
}

/// Before each token a block of each head's colour, as opaque as its strongest line there.
void draw_blocks(const FigurePen& pen, const Columns& c, const LineSet& set, const LineHeads& heads,
                 const FilteredLayer& shown, float largest, const Scene& scene) {
  const LineEnds ends(set, heads, shown.n_q(), shown.n_k());
  const double width = c.blocks / heads.count(), gap = std::min(0.5, 0.2 * width);
  const double height = std::min(0.72 * c.row_height, std::max(2 * width, 0.9 * c.size));
  for (const bool keys : {false, true})
    for (int token = 0; token < (keys ? shown.n_k() : shown.n_q()); ++token)
      for (int place = 0; place < heads.count(); ++place) {
        const float weight = ends.at(keys, token, place);
        if (!(weight > 0)) continue;
        const int head = heads.heads()[static_cast<std::size_t>(place)];
        const double x = (keys ? c.right : c.left - c.blocks) + place * width;
        pen.canvas.fill(
            {x + gap / 2, c.middle(token) - height / 2, width - gap, height},
            blend(pen.style.background, labelled_color(scene.labels, *shown.block, shown.layer, head),
                  std::min(1.0, static_cast<double>(weight / largest))));
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
    entry.width = around + pen.shaper.width(entry.text, size);
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

void draw_lines(const FigurePen& pen, const FilteredLayer& shown, const Scene& scene, const Rect& area) {
  const LayerLook look(shown);
  const double size = pen.style.font_size, heading = 1.8 * size;
  const double legend = draw_heads(pen, shown, scene, area) + size;
  const Rect room{area.x, area.y + heading, area.width, std::max(1.0, area.height - heading - legend)};
  const LineHeads heads(scene.heads, shown.block->heads());
  const Columns c = place_columns(pen, look.rows(), look.columns(), heads.count(), room);
  const std::set<int>& hidden = scene.view.hidden_heads;
  const TokenPlace alone = token_alone(scene, shown);
  const LineSet set = alone.any() ? lines_of_token(shown, hidden, alone.row, alone.column, max_lines)
                                  : strongest_lines(shown, hidden, max_lines);
  const float largest = pen.range ? std::max(pen.range->high, set.largest) : set.largest;
  for (const Line& line : set.lines) {
    const LineLook drawn = line_look(line.weight, largest);
    const double shift = heads.offset(line.head) * c.row_height;
    const double y0 = c.middle(line.row) + shift, y1 = c.middle(line.column) + shift;
    const double width = std::max(0.4, drawn.width * c.size);
    // Overlapping heads would mix to a colour that belongs to neither.
    pen.canvas.covering_line(c.left, y0, c.right, y1, width,
                             labelled_color(scene.labels, *shown.block, shown.layer, line.head),
                             drawn.opacity, pen.style.background);
  }
  draw_blocks(pen, c, set, heads, shown, largest, scene);
  draw_tokens(pen, c, look.rows(), false);
  draw_tokens(pen, c, look.columns(), true);
  pen.text(pen.tr("Query"), c.left - c.blocks - 0.4 * c.size, c.top - 0.7 * size, size, pen.style.muted,
           Anchor::end);
  pen.text(pen.tr("Key"), c.right + c.blocks + 0.4 * c.size, c.top - 0.7 * size, size, pen.style.muted,
           Anchor::start);
}

}  // namespace headscope
