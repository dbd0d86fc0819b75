#include <algorithm>

#include "core/analysis/expectations.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/map_pictures.h"
#include "core/figure/boards/word_boxes.h"
#include "core/scene/prediction_text.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

std::array<FigurePanel, 3> panels(const FigurePen& pen, const Comparison& c, const ComparedHead& maps,
                                  const ComparisonLook& look, const Scene& scene, int head) {
  const std::size_t h = head;
  const auto panel = [&](ComparedMap map, const ColorRange& range) {
    FigurePanel one;
    one.title = compared_title(pen.tr, scene, c, head, map);
    one.picture = compared_picture(c, maps, scene.view, head, map, range);
    one.tokens.emplace(AxisTokens{look.rows, look.columns});
    one.place_title(scene.labels, c.shown_a->layer, head);
    return one;
  };
  return {panel(ComparedMap::a, look.weights[h]), panel(ComparedMap::b, look.weights[h]),
          panel(ComparedMap::difference, look.difference[h])};
}

constexpr int effect_tokens = 5;
constexpr double effect_row = 1.9, effect_heading = 1.9;  // of the text

std::string side_title(const FigurePen& pen, const Scene& scene, int side) {
  const auto names =
      side_names(pen.tr, scene.trace->inputs, scene.other_trace->inputs, scene.block->layer_count() > 1);
  const std::string letter = side == 0 ? "A" : "B", &name = names[side];
  return name.empty() ? letter : letter + " · " + name;
}

}  // namespace

void draw_compare(const FigurePen& pen, std::shared_ptr<const FilteredLayer> a,
                  std::shared_ptr<const FilteredLayer> b, const Scene& scene, const Rect& area) {
  const auto c = compare_layers(std::move(a), std::move(b));
  if (c->heads == 0 || c->rows() == 0 || c->columns() == 0)
    return pen.centered(pen.tr("Nothing to compare"), area, pen.style.title_size, pen.style.muted);
  const int head = scene.head.value_or(0);
  ComparisonLook look = comparison_look(*c, scene.view.range);
  if (pen.range) {
    const float end = pen.range->high - pen.range->low;  // the largest possible difference of two weights
    std::ranges::fill(look.weights, *pen.range);
    std::ranges::fill(look.difference, ColorRange{-end, end});
  }
  const ComparedHead maps = compare_head(*c, head);
  auto three = panels(pen, *c, maps, look, scene, head);
  if (scene.marks_locked && scene.locked) {
    const auto place = [](const CommonAxis& axis, int token) {
      return static_cast<int>(std::ranges::find(axis.tokens, token, &AlignedToken::a) - axis.tokens.begin());
    };
    const Cell& cell = scene.locked->cell;
    for (FigurePanel& panel : three)
      panel.framed = std::pair(place(c->queries, cell.query), place(c->keys, cell.key));
  }
  if (pen.extras.marks)
    for (FigurePanel& panel : three) panel.marks = placed_marks(scene.marks, *c, head);
  std::vector<ColorRange> ranges;
  for (const FigurePanel& panel : three) ranges.push_back(panel.picture.range);
  NumberExtent weights, differences;
  if (scene.view.numbers == Numbers::automatic) {
    for (const std::size_t side : {0U, 1U}) weights.add(NumberExtent::of(three[side].picture));
    differences = NumberExtent::of(three[2].picture);
  }
  LayoutRequest request = layout_request(pen, scene.view, area, {0, 1, 2}, *three[0].tokens, ranges);
  if (pen.extras.as_on_screen) {
    request.maps_first = true;
    request.rows = scene.view.rows;
    request.columns = scene.view.columns;
  }
  const GridLayout grid = grid_layout(request);
  if (pen.findings != nullptr && !scene.block->pooled()) pen.findings->labelled_every = grid.labelled_every;
  for (const PanelLayout& place : grid.panels) {
    FigurePanel& panel = three[place.head];
    panel.title = lettered(pen, grid, place, panel.title);
    panel.letter = bold_letter(pen, grid, place);
    panel.numbers = place.head == 2 ? differences : weights;
    draw_panel(pen, grid, place, panel);
  }
  draw_bar_name(pen, grid.bar_name, grid.label_size, compared_name(pen.tr, scene.view.range, *c->shown_a));
}

bool has_effect(const Scene& scene) {
  const auto predicts = [](const std::shared_ptr<const Trace>& trace) {
    return trace && trace->predictions && !predicting_block(*trace).tokens.empty();
  };
  return scene.view.row().compares && scene.other && predicts(scene.trace) && predicts(scene.other_trace) &&
         scene.trace->inputs.model == scene.other_trace->inputs.model;
}

double effect_height(double font_size) {
  return (effect_heading + effect_tokens * effect_row + 1) * font_size;
}

void draw_effect(const FigurePen& pen, const Scene& scene, const Rect& area) {
  const std::vector<Token>&a = predicting_block(*scene.trace).tokens,
        &b = predicting_block(*scene.other_trace).tokens;
  const Index last = scene.trace->predictions->text_query().value_or(std::ssize(a) - 1);
  const bool at_lock = scene.marks_locked && scene.locked && scene.block->tokens == a;
  const Index query = at_lock ? std::clamp<Index>(scene.locked->cell.query, 0, last) : last;
  const Index query_b = query == last ? std::ssize(b) - 1 : std::min<Index>(query, std::ssize(b) - 1);
  const auto shifted = shifted_predictions(*scene.trace, *scene.other_trace, query, query_b, scene.stop);
  if (!shifted) return;
  std::vector<ShiftedToken> tokens = shifted->tokens;
  tokens.resize(std::min<std::size_t>(tokens.size(), effect_tokens));
  std::ranges::stable_sort(tokens, std::greater(), [](const ShiftedToken& t) { return std::max(t.a, t.b); });

  const double size = pen.style.font_size, line = effect_heading * size, square = 0.7 * size;
  const bool dark = scene.view.theme == Theme::dark;
  const Rgb colors_of[] = {pen.style.muted, colors(Colormap::viridis)[dark ? 170 : 96]};
  const int place = static_cast<int>(query);
  const std::string at = word_label(a[query].text) + number_of_repeated(a, place);
  const std::string heading =
      !scene.trace->predictions->of_tokens()      ? prediction_place(pen.tr, *scene.trace->predictions, at)
      : scene.trace->predictions->of_next_token() ? pen.tr("Expected after “{}”: probability", at)
                                                  : pen.tr("Expected in place of “{}”: probability", at);
  // The sides are at the right of the heading, in type that leaves room for both.
  constexpr double smallest = 0.6;
  double legend = 0;
  for (const int side : {0, 1}) legend += pen.width(side_title(pen, scene, side), size) + 2.4 * size;
  const double scale = std::clamp(area.width / (pen.width(heading, size) + 2 * size + legend), smallest, 1.0);
  const double type = scale * size;
  legend *= scale;
  double x = area.right() - legend;
  const double y = area.y + line / 2;
  pen.text(pen.shortened(heading, std::max(0.0, area.width - legend - type), type), area.x, y, type,
           pen.style.text, Anchor::start);
  for (const int side : {0, 1}) {
    pen.canvas.fill({x, y - square / 2, square, square}, colors_of[side]);
    const std::string title = side_title(pen, scene, side);
    pen.text(title, x + 1.5 * square, y, type, pen.style.text, Anchor::start);
    x += pen.width(title, type) + 2.4 * type;
  }
  double names = 0, percents = 0, largest = 0;
  for (const ShiftedToken& token : tokens) {
    names = std::max(names, pen.width(predicted_label(pen.tr, *scene.trace, token.id), size));
    for (const double share : {token.a, token.b}) {
      percents = std::max(percents, pen.width(percent_in_column(share), 0.8 * size));
      largest = std::max(largest, share);
    }
  }
  names = std::min(names, 0.3 * area.width);
  const double left = area.x + names + 0.6 * size, room = area.right() - left - percents - 0.6 * size;
  double top = area.y + line;
  for (const ShiftedToken& token : tokens) {
    pen.text(pen.shortened(predicted_label(pen.tr, *scene.trace, token.id), names, size), left - 0.6 * size,
             top + 0.5 * effect_row * size, size, pen.style.text, Anchor::end);
    for (const int side : {0, 1}) {
      const double share = side == 0 ? token.a : token.b, high = 0.7 * size;
      const Rect bar{left, top + (0.15 + 0.8 * side) * size, std::max(0.5, room * share / largest), high};
      pen.canvas.fill(bar, colors_of[side]);
      pen.text(percent_in_column(share), bar.right() + 0.4 * size, bar.y + high / 2, 0.8 * size,
               pen.style.text, Anchor::start);
    }
    top += effect_row * size;
  }
}

}  // namespace headscope
