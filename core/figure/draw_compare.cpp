#include <algorithm>

#include "core/analysis/comparison.h"
#include "core/figure/draw_parts.h"
#include "core/figure/range.h"

namespace headscope {
namespace {

/// The token of both sides, or what became of it: "cat → dog", "− cat" where only A has it, "+ dog" where
/// only B has.
std::vector<std::string> aligned_texts(const std::vector<AlignedToken>& places, const std::vector<Token>& a,
                                       const std::vector<Token>& b) {
  std::vector<std::string> result;
  for (const AlignedToken& place : places) {
    const std::string left = place.a < 0 ? "" : a[static_cast<std::size_t>(place.a)].text;
    const std::string right = place.b < 0 ? "" : b[static_cast<std::size_t>(place.b)].text;
    if (place.b < 0)
      result.push_back("− " + left);
    else if (place.a < 0)
      result.push_back("+ " + right);
    else
      result.push_back(left == right ? left : left + " → " + right);
  }
  return result;
}

/// One range for A and B, so that the same colour is the same weight in both.
ColorRange joint_range(const ShownLayer& a, const ShownLayer& b, Range range, int head) {
  const auto h = static_cast<std::size_t>(head);
  ColorRange joint = color_ranges(a, range)[h];
  const ColorRange other = color_ranges(b, range)[h];
  joint.low = std::min(joint.low, other.low);
  joint.high = std::max(joint.high, other.high);
  return joint;
}

std::array<FigurePanel, 3> panels(const FigurePen& pen, const Comparison& c, const Session& session,
                                  int head) {
  const auto h = static_cast<std::size_t>(head);
  const std::size_t cells = h * static_cast<std::size_t>(c.rows() * c.columns());
  const ColorRange both = joint_range(*c.shown_a, *c.shown_b, session.view.range, head);
  const float most = c.largest[h] > 0 ? c.largest[h] : 1;
  const auto picture = [&](const Tensor& values, const std::vector<std::uint8_t>& state,
                           const std::array<Rgb, 256>& map, const ColorRange& range) {
    return map_picture(values.at(head), state.empty() ? nullptr : state.data() + cells, c.rows(), c.columns(),
                       map, range, pen.style.masked);
  };
  const auto& map = colors(session.view.colormap);
  const std::string x = pen.tr("Key"), y = pen.tr("Query");
  return {{{"A", {}, picture(c.a, c.state_a, map, both), {}, "", x, y},
           {"B", {}, picture(c.b, c.state_b, map, both), {}, "", x, y},
           {"B − A",
            {},
            picture(c.difference, c.state_difference, diverging_colors(), {-most, most, false}),
            {},
            "",
            x,
            y}}};
}

}  // namespace

void draw_compare(const FigurePen& pen, std::shared_ptr<const ShownLayer> a,
                  std::shared_ptr<const ShownLayer> b, const Session& session, const Rect& area) {
  const auto c = compare_layers(std::move(a), std::move(b));
  if (c->heads == 0 || c->rows() == 0 || c->columns() == 0)
    return pen.centered(pen.tr("There is nothing to compare"), area, pen.style.title_size, pen.style.quiet);
  const int head = std::clamp(session.view.head.value_or(0), 0, c->heads - 1);
  const auto three = panels(pen, *c, session, head);
  LayoutRequest request;
  request.area = area;
  request.heads = {0, 1, 2};
  request.x_tokens = aligned_texts(c->keys, c->shown_a->trace->key_tokens, c->shown_b->trace->key_tokens);
  request.y_tokens = aligned_texts(c->queries, c->shown_a->trace->tokens, c->shown_b->trace->tokens);
  request.font_size = pen.style.font_size;
  request.numbers = session.view.numbers == Numbers::automatic;
  for (const FigurePanel& panel : three)
    for (const float bound : {panel.picture.range.low, panel.picture.range.high})
      request.bar_values.push_back(bound_text(bound));
  request.measure = pen.measure();
  const GridLayout grid = grid_layout(request);
  for (const PanelLayout& place : grid.panels)
    draw_panel(pen, grid, place, three[static_cast<std::size_t>(place.head)]);
}

}  // namespace headscope
