#include "core/figure/prediction_boards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/utf8.h"
#include "core/figure/ticks.h"
#include "core/inputs/names.h"
#include "core/scene/colormap.h"
#include "core/scene/readable_numbers.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

// Of what is drawn in a figure; the screen scrolls.
constexpr Index most_columns = 64;

Rgb text_on(Rgb color) {
  const int light = 299 * color.r + 587 * color.g + 114 * color.b;
  return light > 140'000 ? Rgb{0x12, 0x14, 0x18} : Rgb{0xff, 0xff, 0xff};
}

std::string visible(const std::string& token) {
  const std::string text = printable(token_label(token));
  return text.empty() ? "∅" : text;
}

/// What boards of cells are drawn with.
struct CellPen {
  Board& board;
  const BoardStyle& style;

  /// In the middle of `rect`, left out where less than one character has room.
  void text(const std::string& text, const Rect& rect, double share, Rgb color) const {
    const double size = std::min(style.sized(share), 0.86 * rect.height);
    if (size < 0.5 * style.font_size) return;
    const auto measure = [&](std::string_view part) { return style.measure(part, size); };
    const std::string fit = shortened(text, rect.width - 0.25 * size, measure);
    if (fit.empty() || (fit == "…" && text != fit)) return;
    board.texts.push_back(
        {fit, rect.x + rect.width / 2, rect.y + rect.height / 2, {size, color, Anchor::middle, false}});
  }
  /// A number is whole or not there.
  void percentage(double probability, const Rect& rect, double share, Rgb color) const {
    for (const std::string& whole :
         {printed_percent(probability), fmt::format("{:.0f}%", 100 * probability)}) {
      const double size = std::min(style.sized(share), 0.86 * rect.height);
      if (style.measure(whole, size) <= rect.width - 0.25 * size) return text(whole, rect, share, color);
    }
  }
  void label(const std::string& text, double x, double y, double share, Rgb color, Anchor anchor,
             double room) const {
    const double size = style.sized(share);
    const auto measure = [&](std::string_view part) { return style.measure(part, size); };
    board.texts.push_back({shortened(text, room, measure), x, y, {size, color, anchor, false}});
  }
  void cell(const Rect& rect, Rgb color, double gap) const {
    board.fills.push_back({{rect.x, rect.y, rect.width - gap, rect.height - gap}, color});
  }
};

void draw_fitted(const FigurePen& pen, const Rect& area, const char* none,
                 const std::function<Board(const BoardStyle& style)>& make) {
  if (none != nullptr) return pen.centered(pen.tr(none), area, 1.3 * pen.style.font_size, pen.style.quiet);
  BoardStyle style = board_style(pen.style, pen.shaper);
  Board board = make(style);
  // Of a small model in larger type, where the page has room for it.
  constexpr double most = 1.8;
  if (const double larger = std::min(most, area.height / board.height); larger > 1.1) {
    style.font_size *= larger;
    board = make(style);
  }
  draw_board(pen.canvas, board, area.x, area.y);
}

/// The columns of the map of contributions.
struct ContributionColumns {
  struct Part {
    const LogitContributions::Attention* block;
    double x;
    Index heads;
  };
  std::vector<Part> parts;
  double cell = 0, network = 0, bias = 0, end = 0;  // left edges
};

ContributionColumns place_columns(const LogitContributions& parts, double left, double room, double em) {
  ContributionColumns columns;
  Index heads = 0;
  for (const LogitContributions::Attention& block : parts.attention)
    heads += block.heads.empty() ? 0 : std::ssize(block.heads.front());
  const double gap = 0.8 * em;
  const auto gaps = static_cast<double>(parts.attention.size()) * gap;
  columns.cell = std::min((room - gaps) / static_cast<double>(heads + 2), 6 * em);
  double x = left;
  for (const LogitContributions::Attention& block : parts.attention) {
    const Index count = block.heads.empty() ? 0 : std::ssize(block.heads.front());
    columns.parts.push_back({&block, x, count});
    x += static_cast<double>(count) * columns.cell + gap;
  }
  columns.network = x;
  columns.bias = x + columns.cell;
  columns.end = columns.bias + columns.cell;
  return columns;
}

double bias_of_layer(const LogitContributions& parts, std::size_t layer) {
  double sum = parts.feed_forward_bias[layer];
  for (const LogitContributions::Attention& block : parts.attention) sum += block.bias[layer];
  return sum;
}

double largest_share(const LogitContributions& parts) {
  double largest = 1e-9;
  const auto add = [&](double value) { largest = std::max(largest, std::abs(value)); };
  for (std::size_t layer = 0; layer < parts.feed_forward.size(); ++layer) {
    add(parts.feed_forward[layer]);
    add(bias_of_layer(parts, layer));
    for (const LogitContributions::Attention& block : parts.attention)
      for (const double value : block.heads[layer]) add(value);
  }
  return largest;
}

std::string signed_text(double value) {
  return with_minus(fmt::format("{:+.2f}", value));
}

// "embedding +1.20 + position −0.30 + … = logit 5.31"
std::string sum_text(const LogitContributions& parts, const Translator& tr) {
  double heads = 0, networks = 0, biases = 0;
  for (std::size_t layer = 0; layer < parts.feed_forward.size(); ++layer) {
    networks += parts.feed_forward[layer];
    biases += bias_of_layer(parts, layer);
    for (const LogitContributions::Attention& block : parts.attention)
      for (const double value : block.heads[layer]) heads += value;
  }
  std::string text = tr.format("embedding {}", signed_text(parts.embedding));
  if (parts.position != 0) text += " · " + tr.format("position {}", signed_text(parts.position));
  text += " · " + tr.format("heads {}", signed_text(heads)) + " · " +
          tr.format("feed-forward {}", signed_text(networks));
  if (biases != 0) text += " · " + tr.format("layers' biases {}", signed_text(biases));
  if (parts.norm_bias != 0) text += " · " + tr.format("last norm's bias {}", signed_text(parts.norm_bias));
  if (parts.output_bias != 0) text += " · " + tr.format("output's bias {}", signed_text(parts.output_bias));
  return text + " · " + tr.format("sum {} = the logit", signed_text(parts.sum()));
}

}  // namespace

const char* no_lens(const Trace* trace) {
  if (trace == nullptr || !trace->inputs.trained())
    return TR("A seeded layer predicts no tokens: open a trained model.");
  return trace->predictions ? nullptr
                            : TR("This model has no output for tokens (no language modelling head).");
}

const char* no_contributions(const Trace* trace) {
  if (const char* none = no_lens(trace)) return none;
  return trace->predictions->has_contributions()
             ? nullptr
             : TR("What a head adds to a logit is not defined for this model: its norms come after the sums, "
                  "or before its output, so its parts do not add up.");
}

double lens_margin(const BoardStyle& style) {
  return 2.6 * style.font_size;
}

Board lens_board(const Scene& scene, const Expectations& shown, const BoardStyle& style, BoardRoom room,
                 const Translator& tr) {
  Board board;
  board.width = room.width;
  board.height = room.height;
  const CellPen pen{board, style};
  const double em = style.font_size, left = lens_margin(style), top = 1.7 * em;
  const auto columns = static_cast<double>(shown.range.end - shown.range.begin);
  const auto rows = static_cast<double>(shown.range.end_layer - shown.range.first_layer);
  const double width = (room.width - left) / columns;
  const double height = std::min((room.height - top) / rows, 3.2 * em);
  const double gap = std::min(width, height) > 0.6 * em ? 1 : 0;
  const Colors& map = colors(scene.view.colormap);
  const Predictions& predictions = *scene.trace->predictions;
  const auto& tokens = block_of(scene.trace, predictions.block())->tokens;
  for (Index query = shown.range.begin; query < shown.range.end; ++query) {
    const double x = left + static_cast<double>(query - shown.range.begin) * width;
    pen.text(visible(tokens[static_cast<std::size_t>(query)].text), {x, 0, width, top}, 0.9, style.quiet);
    for (int layer = shown.range.first_layer; layer < shown.range.end_layer; ++layer) {
      const Rect cell{x, top + (layer - shown.range.first_layer) * height, width, height};
      const TokenProbability& best = shown.at(layer, query).front();
      const Rgb color =
          map[static_cast<std::size_t>(std::clamp(std::lround(best.probability * 255), 0L, 255L))];
      pen.cell(cell, color, gap);
      const bool two = height > 2.3 * em;
      const Rect upper{cell.x, cell.y, cell.width - gap, (two ? 0.58 : 1) * cell.height - gap};
      pen.text(visible(predictions.token(best.id)), upper, 0.95, text_on(color));
      if (two)
        pen.percentage(best.probability,
                       {cell.x, cell.y + upper.height, upper.width, cell.height - upper.height}, 0.75,
                       text_on(color));
      board.regions.push_back({cell, fmt::format("lens {} {}", layer, query), ""});
    }
  }
  for (int layer = shown.range.first_layer; layer < shown.range.end_layer; ++layer)
    pen.text(std::to_string(layer + 1),
             {0, top + (layer - shown.range.first_layer) * height, left - 0.3 * em, height}, 0.9,
             style.quiet);
  pen.text(tr("Layer"), {0, 0, left, top}, 0.75, style.quiet);
  board.height = std::min(room.height, top + rows * height);
  return board;
}

Board contributions_board(const Scene& scene, const TokenContributions& shown, const BoardStyle& style,
                          BoardRoom room, const Translator& tr) {
  Board board;
  board.width = room.width;
  const CellPen pen{board, style};
  const double em = style.font_size, left = 2.6 * em, title = 1.6 * em, top = title + 1.5 * em,
               below = 1.8 * em;
  const LogitContributions& parts = shown.parts;
  const Predictions& predictions = *scene.trace->predictions;
  const auto& tokens = block_of(scene.trace, predictions.block())->tokens;
  pen.label(tr.format("Logit of “{}” ({}) after “{}” (token {}): {}", visible(predictions.token(shown.token)),
                      printed_percent(shown.probability),
                      visible(tokens[static_cast<std::size_t>(shown.position)].text), shown.position + 1,
                      with_minus(fmt::format("{:.2f}", parts.logit))),
            left, title / 2, 1, style.text, Anchor::start, room.width - left);
  const ContributionColumns columns = place_columns(parts, left, room.width - left, em);
  const auto rows = static_cast<double>(parts.feed_forward.size());
  const double height = std::min((room.height - top - below) / rows, 3 * em);
  const double gap = std::min(columns.cell, height) > 0.5 * em ? 1 : 0;
  const double largest = largest_share(parts);
  const Colors& map = diverging_colors();
  const auto cell = [&](double x, std::size_t layer, double value, std::string name, std::string help) {
    const Rect rect{x, top + static_cast<double>(layer) * height, columns.cell, height};
    const Rgb color =
        map[static_cast<std::size_t>(std::clamp(std::lround(127.5 + 127.5 * value / largest), 0L, 255L))];
    pen.cell(rect, color, gap);
    const std::string number = signed_text(value);
    if (style.measure(number, style.sized(0.75)) < rect.width - gap)
      pen.text(number, {rect.x, rect.y, rect.width - gap, rect.height - gap}, 0.75, text_on(color));
    board.regions.push_back({rect, std::move(name), std::move(help)});
  };
  for (const ContributionColumns::Part& part : columns.parts) {
    const bool several = columns.parts.size() > 1;
    const bool wide = columns.cell > 4 * em;
    for (Index head = 0; head < part.heads; ++head)
      pen.text(wide ? tr.format("Head {}", head + 1) : std::to_string(head + 1),
               {part.x + static_cast<double>(head) * columns.cell, title, columns.cell, 1.5 * em}, 0.85,
               style.quiet);
    if (several)
      pen.label(part.block->kind == BlockKind::cross ? tr("Cross-attention") : tr("Decoder"), part.x,
                title + 0.1 * em, 0.7, style.quiet, Anchor::start,
                static_cast<double>(part.heads) * columns.cell);
  }
  pen.text(tr("Layer"), {0, title, left, 1.5 * em}, 0.75, style.quiet);
  pen.text(tr("Feed-forward"), {columns.network, title, columns.cell, 1.5 * em}, 0.75, style.quiet);
  pen.text(tr("Biases"), {columns.bias, title, columns.cell, 1.5 * em}, 0.75, style.quiet);
  for (std::size_t layer = 0; layer < parts.feed_forward.size(); ++layer) {
    for (const ContributionColumns::Part& part : columns.parts)
      for (Index head = 0; head < part.heads; ++head) {
        const double value = part.block->heads[layer][static_cast<std::size_t>(head)];
        cell(part.x + static_cast<double>(head) * columns.cell, layer, value,
             fmt::format("contribution {} {} {}", to_name(part.block->kind), layer, head),
             tr.format("Layer {}, head {} adds {}", layer + 1, head + 1,
                       with_minus(fmt::format("{:+.4f}", value))));
      }
    const std::string network = with_minus(fmt::format("{:+.4f}", parts.feed_forward[layer]));
    cell(columns.network, layer, parts.feed_forward[layer], fmt::format("note network {}", layer),
         tr.format("Layer {}: the feed-forward network adds {}", layer + 1, network));
    const double bias = bias_of_layer(parts, layer);
    cell(columns.bias, layer, bias, fmt::format("note bias {}", layer),
         tr.format("Layer {}: the biases of W_O and of the feed-forward network add {}", layer + 1,
                   with_minus(fmt::format("{:+.4f}", bias))));
    pen.text(std::to_string(layer + 1),
             {0, top + static_cast<double>(layer) * height, left - 0.3 * em, height}, 0.9, style.quiet);
  }
  const double bottom = top + rows * height;
  pen.label(sum_text(parts, tr), left, bottom + below / 2, 0.9, style.text, Anchor::start, room.width - left);
  board.height = bottom + below;
  return board;
}

void draw_lens(const FigurePen& pen, const Scene& scene, const Rect& area) {
  draw_fitted(pen, area, no_lens(scene.trace.get()), [&](const BoardStyle& style) {
    ExpectationRange range = whole_range(*scene.trace, true);
    const Index n = range.end;
    range.end = std::min<Index>(n, scene.view.position ? *scene.view.position + 1 : n);
    range.begin = std::max<Index>(0, range.end - most_columns);
    range.end = std::min<Index>(n, std::max(range.end, std::min(n, most_columns)));
    return lens_board(scene, *expectations(*scene.trace, range), style, {area.width, area.height}, pen.tr);
  });
}

void draw_contributions(const FigurePen& pen, const Scene& scene, const Rect& area) {
  draw_fitted(pen, area, no_contributions(scene.trace.get()), [&](const BoardStyle& style) {
    return contributions_board(scene,
                               *token_contributions(*scene.trace, scene.view.token, scene.view.position),
                               style, {area.width, area.height}, pen.tr);
  });
}

}  // namespace headscope
