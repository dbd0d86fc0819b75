#include "core/figure/boards/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/figure/boards/arrangement.h"
#include "core/figure/boards/grid_shape.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

constexpr std::array<Attempt, 9> of_figure{{{1, Parts::all, 0.6},
                                            {0.85, Parts::all, 0.6},
                                            {1, Parts::outer_axes, 0.6},
                                            {0.85, Parts::outer_axes, 0.6},
                                            {0.7, Parts::outer_axes, 0.6},
                                            {0.7, Parts::outer_ticks, 0.5},
                                            {0.55, Parts::outer_ticks, 0.25},
                                            {0.55, Parts::no_axes, 0.25},
                                            {0.55, Parts::maps_only, 0}}};

constexpr std::array<Attempt, 9> of_window{{{1, Parts::keys_in_rows, 0.6},
                                            {1, Parts::ticks_in_rows, 0.6},
                                            {1, Parts::outer_axes, 0.6},
                                            {1, Parts::outer_ticks, 0.55},
                                            {0.85, Parts::outer_ticks, 0.55},
                                            {0.7, Parts::outer_ticks, 0.5},
                                            {0.7, Parts::no_axes, 0.4},
                                            {0.55, Parts::no_axes, 0.25},
                                            {0.55, Parts::maps_only, 0}}};

constexpr std::array<Attempt, 5> of_projector{{{1, Parts::all, 0.6},
                                               {1, Parts::ticks_in_rows, 0.68},
                                               {1, Parts::outer_ticks, 0.5},
                                               {1, Parts::no_axes, 0.25},
                                               {1, Parts::maps_only, 0}}};

std::span<const Attempt> attempts_for(const LayoutRequest& request) {
  if (request.presented) return request.heads.size() == 1 ? of_projector : std::span(of_projector).subspan(1);
  return request.maps_first ? of_window : of_figure;
}

/// The longest of an evenly chosen sample of the labels: enough for an estimate.
double width_of_longest(const std::vector<std::string>& tokens, const LayoutRequest& request) {
  constexpr std::size_t maximum = 32;
  double longest = 0;
  const std::size_t step = tokens.size() / maximum + 1;
  for (std::size_t i = 0; i < tokens.size(); i += step)
    longest = std::max(longest, request.measure(tokens[i]));
  return longest;
}

/// For the best shape, with nothing around the maps.
double bare_score(const std::vector<GridShape>& shapes, const LayoutRequest& request) {
  const auto n_q = static_cast<double>(request.y_tokens.size()),
             n_k = static_cast<double>(request.x_tokens.size());
  double largest = 0;
  for (const GridShape& shape : shapes) {
    const double width = request.area.width / shape.columns, height = request.area.height / shape.rows;
    const double longest = request.stretch * std::min(width / n_k, height / n_q);
    const double side = std::sqrt(std::min(width, n_k * longest) * std::min(height, n_q * longest));
    largest = std::max(largest, shape_score(shape, static_cast<int>(request.heads.size()), side));
  }
  return largest;
}

/// ".31", as in cells.
std::string bare(std::string text) {
  constexpr std::string_view minus = "−";
  const std::size_t zero = text.starts_with(minus) ? minus.size() : 0;
  if (text.compare(zero, 2, "0.") == 0) text.erase(zero, 1);
  return text;
}

}  // namespace

GridLayout grid_layout(const LayoutRequest& request) {
  const auto heads = static_cast<int>(request.heads.size());
  const std::vector<GridShape> shapes = grid_shapes(heads, request.rows, request.columns);
  const LabelLengths labels{width_of_longest(request.x_tokens, request),
                            width_of_longest(request.y_tokens, request)};
  const auto tried = [&](const Attempt& attempt) {
    const Metrics m = metrics(request, attempt);
    const GridShape shape = largest_shape(shapes, heads, [&](GridShape candidate) {
      Arrangement arrangement(request, m, candidate);
      arrangement.estimate(labels);
      return arrangement.side();
    });
    Arrangement arrangement(request, m, shape);
    arrangement.arrange();
    return arrangement;
  };
  for (Attempt attempt : attempts_for(request)) {
    attempt.level_bars = request.maps_first;
    Arrangement arrangement = tried(attempt);
    if (!request.maps_first) {
      if (arrangement.share() >= attempt.enough) return arrangement.layout();
      continue;
    }
    const double score = shape_score(arrangement.shape(), heads, arrangement.side());
    if (attempt.enough > 0 && (score <= 0 || score < attempt.enough * bare_score(shapes, request))) continue;
    if (!request.shared_bar && !request.presented) return arrangement.layout();
    // One bar is next to the maps if they need the height rather than the width; on a projector all are.
    attempt.level_bars = false;
    Arrangement beside = tried(attempt);
    return beside.side() > 0 && beside.side() >= arrangement.side() ? beside.layout() : arrangement.layout();
  }
  return {};
}

LevelBar level_bar(const Rect& line, const ColorRange& range, double font_size, const MeasureText& measure,
                   bool presented, double minimum) {
  struct Way {
    double scale;
    int digits;
    bool bare = false;
  };
  const double gap = 0.3 * font_size, thick = 0.55 * font_size, shortest = 1.5 * font_size;
  LevelBar level;
  level.bar = {line.x, line.y + (line.height - thick) / 2, line.width, std::min(thick, line.height)};
  for (const Way& way : {Way{1, 3}, Way{1, 2}, Way{1, 1}, Way{0.85, 2}, Way{0.72, 2}, Way{0.72, 2, true},
                         Way{0.6, 2, true}, Way{0.6, 1, true}, Way{0.5, 1, true}}) {
    if (presented ? way.scale < 1 : way.scale == 1 && way.digits == 1) continue;
    if (way.scale * font_size < minimum) continue;
    std::string left = low_text(range, way.digits), right = high_text(range, way.digits);
    if (way.bare) left = bare(std::move(left)), right = bare(std::move(right));
    const double before = way.scale * measure(left) + gap, after = way.scale * measure(right) + gap;
    if (line.width - before - after < way.scale * shortest) continue;
    level.bar.x += before;
    level.bar.width -= before + after;
    level.font_size = way.scale * font_size;
    level.low = left;
    level.high = right;
    break;
  }
  return level;
}

std::pair<std::string, std::string> in_two_lines(const std::string& text, const MeasureText& measure) {
  std::pair<std::string, std::string> best{text, ""};
  double minimum = measure(text);
  for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1)) {
    const std::string first = text.substr(0, at), second = text.substr(at + 1);
    const double width = std::max(measure(first), measure(second));
    if (width < minimum) {
      minimum = width;
      best = {first, second};
    }
  }
  return best;
}

}  // namespace headscope
