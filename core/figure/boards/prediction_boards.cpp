#include "core/figure/boards/prediction_boards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/figure/boards/board_column.h"
#include "core/figure/boards/cell_board.h"
#include "core/figure/boards/stage_parts.h"
#include "core/figure/boards/word_boxes.h"
#include "core/inputs/names.h"
#include "core/scene/colormap.h"
#include "core/scene/labels.h"
#include "core/scene/prediction_text.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

// For figures; the screen scrolls.
constexpr Index max_lens_columns = 64;

/// The columns of the map of contributions.
struct ContributionColumns {
  struct Part {
    const LogitContributions::Attention* block;
    double x;
    Index heads;
  };
  std::vector<Part> parts;
  double cell = 0;               // width of a head's
  double named = 0;              // and of the two columns with a name
  double network = 0, bias = 0;  // left edges
};

/// Of the layer with most of them.
Index most_heads(const LogitContributions::Attention& block) {
  std::size_t most = 0;
  for (const std::vector<double>& layer : block.heads) most = std::max(most, layer.size());
  return static_cast<Index>(most);
}

/// `maximum`: the largest width of a cell; `named`: the width that the names of the last two columns need.
ContributionColumns place_columns(const LogitContributions& parts, double left, double room, double em,
                                  double maximum, double named) {
  ContributionColumns columns;
  Index heads = 0;
  for (const LogitContributions::Attention& block : parts.attention) heads += most_heads(block);
  const double gap = 0.8 * em;
  const double usable = room - static_cast<double>(parts.attention.size()) * gap;
  columns.cell = std::min(usable / static_cast<double>(heads + 2), maximum);
  if (columns.cell < named) {
    columns.named = std::min(named, 0.14 * usable);
    columns.cell = std::min(columns.cell, (usable - 2 * columns.named) / static_cast<double>(heads));
  }
  columns.named = std::max(columns.named, columns.cell);
  double x = left;
  for (const LogitContributions::Attention& block : parts.attention) {
    const Index count = most_heads(block);
    columns.parts.push_back({&block, x, count});
    x += static_cast<double>(count) * columns.cell + gap;
  }
  columns.network = x;
  columns.bias = x + columns.named;
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
  const std::string text = signed_in_column(value, 2);
  return text == "·" ? "0.00" : text;
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
  std::string text = tr("embedding {}", signed_text(parts.embedding));
  if (parts.position != 0) text += " · " + tr("position {}", signed_text(parts.position));
  if (parts.token_type != 0) text += " · " + tr("token type {}", signed_text(parts.token_type));
  if (parts.embedding_bias != 0)
    text += " · " + tr("embedding's biases {}", signed_text(parts.embedding_bias));
  text += " · " + tr("heads {}", signed_text(heads)) + " · " + tr("feed-forward {}", signed_text(networks));
  if (parts.convolution != 0) text += " · " + tr("convolution {}", signed_text(parts.convolution));
  if (parts.mixers != 0) text += " · " + tr("other mixers {}", signed_text(parts.mixers));
  if (parts.layer_embeddings != 0)
    text += " · " + tr("per-layer embeddings {}", signed_text(parts.layer_embeddings));
  if (biases != 0) text += " · " + tr("layers' biases {}", signed_text(biases));
  if (parts.norm_bias != 0) text += " · " + tr("last norm's bias {}", signed_text(parts.norm_bias));
  if (parts.output_bias != 0) text += " · " + tr("output's biases {}", signed_text(parts.output_bias));
  return text + " · " + tr("sum {} = the logit", signed_text(parts.sum()));
}

/// "Logit of “tired” (12.3%) after “too” (token 12): 5.31"
std::string logit_text(const Scene& scene, const TokenContributions& shown, const Translator& tr) {
  const Predictions& predictions = *scene.trace->predictions;
  const std::string label = predicted_label(tr, *scene.trace, shown.token),
                    probability = prediction_number(predictions, shown.probability),
                    logit = with_minus(fmt::format("{:.2f}", shown.parts.logit));
  if (shown.parts.rows > 1) return tr("Logit of “{}” ({}): {}", label, probability, logit);
  const auto& tokens = block_of(scene.trace, predictions.block())->tokens;
  return tr(predictions.of_next_token() ? TR("Logit of “{}” ({}) after “{}” (token {}): {}")
                                        : TR("Logit of “{}” ({}) at “{}” (token {}): {}"),
            label, probability, word_label(tokens[shown.position].text), shown.position + 1, logit);
}

}  // namespace

double lens_margin(const BoardStyle& style) {
  return 2.6 * style.font_size;
}

Board lens_colors(const Scene& scene, const BoardStyle& style, double width, const Translator& tr) {
  return color_bar(colors(scene.view.colormap), {0, 100}, tr("Probability, %"), style, width);
}

namespace {

/// Widths of the widest texts in type of the usual size.
struct LensWidths {
  double tokens = 0;    ///< of the text, above the columns
  double expected = 0;  ///< in the cells
};

LensWidths lens_widths(const Scene& scene, const Expectations& shown, const BoardStyle& style,
                       const Translator& tr) {
  const Predictions& predictions = *scene.trace->predictions;
  const auto& tokens = block_of(scene.trace, predictions.block())->tokens;
  const auto measured = [&](const std::string& token, const std::string& number = "") {
    return style.measure(word_label(token) + number, style.font_size);
  };
  LensWidths widest;
  for (Index query = shown.range.begin; query < shown.range.end; ++query) {
    widest.tokens = std::max(
        widest.tokens, measured(tokens[query].text, number_of_repeated(tokens, static_cast<int>(query))));
    for (int layer = shown.range.first_layer; layer < shown.range.end_layer; ++layer)
      widest.expected = std::max(
          widest.expected, measured(predicted_text(tr, *scene.trace, shown.at(layer, query).front().id)));
  }
  return widest;
}

/// How much larger than usual type can be so that a text of width `longest` fits into a cell of that size.
double type_scale(double longest, const BoardStyle& style, double width, double height) {
  constexpr double maximum = 1.8, lines = 2.6;
  return std::min({width / (longest + 0.5 * style.font_size), height / lines / style.font_size, maximum});
}

}  // namespace

Board lens_board(const Scene& scene, const Expectations& shown, const BoardStyle& style, BoardRoom room,
                 const Translator& tr) {
  Board board;
  board.width = room.width;
  board.height = room.height;
  const CellPen pen{board, style};
  const double em = style.font_size, left = lens_margin(style);
  const auto columns = static_cast<double>(shown.range.end - shown.range.begin);
  const double rows = shown.range.end_layer - shown.range.first_layer;
  const double width = (room.width - left) / columns;
  double type = 1, heading = 1;
  if (room.fill) {
    const LensWidths widest = lens_widths(scene, shown, style, tr);
    const double row = room.height / (rows + 1);
    type = std::max(1.0, type_scale(widest.expected, style, width, row));
    // Below that only what is too long gets smaller.
    constexpr double usual = 0.75;
    heading = std::clamp(type_scale(widest.tokens, style, width, row), usual, type);
  }
  const double top = 1.7 * heading * em, maximum = room.fill ? room.height : std::max(3.2 * em, 0.6 * width);
  const double height = std::min((room.height - top) / rows, maximum);
  const double gap = std::min(width, height) > 0.6 * em ? 1 : 0;
  const Colors& map = colors(scene.view.colormap);
  const Predictions& predictions = *scene.trace->predictions;
  const auto of_block = block_of(scene.trace, predictions.block());
  const BlockTrace& block = *of_block;
  const auto& tokens = block.tokens;
  std::vector<double> probabilities;
  for (Index query = shown.range.begin; query < shown.range.end; ++query)
    for (int layer = shown.range.first_layer; layer < shown.range.end_layer; ++layer)
      probabilities.push_back(shown.at(layer, query).front().probability);
  const double percent = pen.fitting_share(probabilities, width - gap, height, 0.75 * type);
  for (Index query = shown.range.begin; query < shown.range.end; ++query) {
    const double x = left + static_cast<double>(query - shown.range.begin) * width;
    const Rect over{x, 0, width, top};
    if (predictions.text_queries() > 1)
      pen.text(tr(block.patches ? TR("whole picture") : TR("whole text")), over, 0.9 * heading, style.muted);
    else
      pen.token(tokens, query, over, 0.9 * heading, style.muted);
    for (int layer = shown.range.first_layer; layer < shown.range.end_layer; ++layer) {
      const Rect cell{x, top + (layer - shown.range.first_layer) * height, width, height};
      const TokenProbability& best = shown.at(layer, query).front();
      const Rgb color = map[std::clamp(std::lround(best.probability * 255), 0L, 255L)];
      pen.cell(cell, color, gap);
      // The two lines stay together, centred in a high cell.
      const bool two = height > 2.3 * em;
      const double lines = two ? std::min(cell.height - gap, 2.9 * type * em) : cell.height - gap;
      const double above = cell.y + (cell.height - gap - lines) / 2;
      const Rect upper{cell.x, above, cell.width - gap, (two ? 0.56 : 1) * lines};
      pen.text(predicted_label(tr, *scene.trace, best.id), upper, 0.95 * type, ink_on(color));
      if (two)
        pen.percentage(best.probability, {cell.x, upper.bottom(), upper.width, lines - upper.height}, percent,
                       ink_on(color));
      board.regions.push_back(
          {cell, fmt::format("lens {} {}", layer, query), "", TokenOfLayer{layer, query}});
    }
  }
  for (int layer = shown.range.first_layer; layer < shown.range.end_layer; ++layer)
    pen.text(std::to_string(layer + 1),
             {0, top + (layer - shown.range.first_layer) * height, left - 0.3 * em, height}, 0.9,
             style.muted);
  pen.text(tr("Layer"), {0, 0, left, top}, 0.75, style.muted);
  board.height = std::min(room.height, top + rows * height);
  return board;
}

Board contributions_board(const Scene& scene, const TokenContributions& shown, const BoardStyle& style,
                          BoardRoom room, const Translator& tr) {
  Board board;
  board.width = room.width;
  const CellPen pen{board, style};
  const double em = style.font_size, left = 2.6 * em;
  const LogitContributions& parts = shown.parts;
  const double largest = largest_share(parts);
  const int decimals = column_decimals(largest);
  const auto most = static_cast<float>(largest);
  Board bar = color_bar(diverging_colors(scene.view.theme), {-most, most}, tr("Logit contribution"), style,
                        std::min(bar_width * em, room.width - left));
  const double beside = room.width - left - bar.width - em;
  const bool in_title = beside > 14 * em;
  const double bar_x = in_title ? room.width - bar.width : left, bar_height = bar.height;
  double title =
      pen.paragraph(logit_text(scene, shown, tr), left, 0, 1, in_title ? beside : room.width - left);
  add(board, std::move(bar), bar_x, in_title ? 0 : title);
  title = in_title ? std::max(title, bar_height) : title + bar_height;
  // The kind of attention is written above the head numbers.
  const double kinds = parts.attention.size() > 1 ? 1.25 * style.sized(0.8) : 0;
  const double heads = title + kinds, top = heads + 1.5 * em;
  const std::string sum = sum_text(parts, tr), held = tr(held_text(parts.held));
  const double of_sum = 0.4 * em + pen.paragraph_height(sum, 0.9, room.width - left);
  const double below = of_sum + pen.paragraph_height(held, 0.9, room.width - left);
  const std::string widest = signed_in_column(-largest, decimals);
  double named = 0;
  for (const std::string& text : {std::string(tr("Feed-forward")), std::string(tr("Biases")), widest})
    named = std::max(named, style.measure(text, style.sized(0.75)) + 0.6 * em);
  const ContributionColumns columns =
      place_columns(parts, left, room.width - left, em, room.fill ? room.width : 6 * em, named);
  const auto rows = static_cast<double>(parts.feed_forward.size());
  const double all = (room.height - top - below) / rows;
  // Lower rows do not fit their numbers: then the window scrolls.
  const double height =
      room.fill ? std::max(all, 0.0) : std::clamp(all, 0.95 * em, std::max(3 * em, 0.7 * columns.cell));
  const double gap = std::min(columns.cell, height) > 0.5 * em ? 1 : 0;
  // In the size of text where cells have room for it, otherwise in that of labels.
  const bool roomy = height > 2 * em && style.measure(widest, em) + em < columns.cell - gap;
  const double type = roomy ? 1 : 0.75;
  const auto cell = [&](double x, double width, std::size_t layer, double value, std::string name,
                        std::string help, const BoardTarget& target = {}) {
    const Rect rect{x, top + static_cast<double>(layer) * height, width, height};
    const Rgb color = diverging_color(value, largest, scene.view.theme);
    pen.cell(rect, color, gap);
    const auto* const head = std::get_if<HeadPlace>(&target);
    const bool off = value == 0 && head != nullptr &&
                     is_ablated(*block_of(scene.trace, head->block), head->layer, head->head);
    const std::string number = off ? tr("off") : signed_in_column(value, decimals);
    pen.number(number, {rect.x, rect.y, rect.width - gap, rect.height - gap}, type, ink_on(color));
    board.regions.push_back({rect, std::move(name), std::move(help), target});
  };
  const bool wide = columns.cell > 4 * em;
  for (const ContributionColumns::Part& part : columns.parts) {
    for (Index head = 0; head < part.heads; ++head)
      pen.text(wide ? tr("Head {}", head + 1) : std::to_string(head + 1),
               {part.x + static_cast<double>(head) * columns.cell, heads, columns.cell, 1.5 * em}, 0.85,
               style.muted);
    if (kinds > 0)
      pen.label(block_title(tr, part.block->kind), part.x, title + kinds / 2, 0.8, style.muted, Anchor::start,
                static_cast<double>(part.heads) * columns.cell);
  }
  pen.text(tr("Layer"), {0, heads, left, 1.5 * em}, 0.75, style.muted);
  pen.text(tr("Feed-forward"), {columns.network, heads, columns.named, 1.5 * em}, 0.75, style.muted);
  pen.text(tr("Biases"), {columns.bias, heads, columns.named, 1.5 * em}, 0.75, style.muted);
  for (std::size_t layer = 0; layer < parts.feed_forward.size(); ++layer) {
    for (const ContributionColumns::Part& part : columns.parts)
      for (Index head = 0; head < std::ssize(part.block->heads[layer]); ++head) {
        const double value = part.block->heads[layer][head];
        cell(part.x + static_cast<double>(head) * columns.cell, columns.cell, layer, value,
             fmt::format("contribution {} {} {}", to_name(part.block->kind), layer, head),
             tr("Layer {}, head {} adds {}", layer + 1, head + 1, with_minus(fmt::format("{:+.4f}", value))),
             HeadPlace{part.block->kind, static_cast<int>(layer), static_cast<int>(head)});
      }
    const std::string network = with_minus(fmt::format("{:+.4f}", parts.feed_forward[layer]));
    cell(columns.network, columns.named, layer, parts.feed_forward[layer],
         fmt::format("note network {}", layer),
         tr("Layer {}: the feed-forward network adds {}", layer + 1, network));
    const double bias = bias_of_layer(parts, layer);
    cell(columns.bias, columns.named, layer, bias, fmt::format("note bias {}", layer),
         tr("Layer {}: the biases of W_O, the feed-forward network and the norms after them add {}",
            layer + 1, with_minus(fmt::format("{:+.4f}", bias))));
    pen.text(std::to_string(layer + 1),
             {0, top + static_cast<double>(layer) * height, left - 0.3 * em, height}, 0.9, style.muted);
  }
  const double bottom = top + rows * height;
  pen.paragraph(sum, left, bottom + 0.4 * em, 0.9, room.width - left);
  pen.paragraph(held, left, bottom + of_sum, 0.9, room.width - left);
  board.height = bottom + below;
  return board;
}

void draw_lens(const FigurePen& pen, const Scene& scene, const Rect& area) {
  std::shared_ptr<const Expectations> shown;
  draw_filled(pen, area, [&](const BoardStyle& style, bool fill) {
    ExpectationRange range = whole_range(*scene.trace, true);
    const Index first = range.begin, n = range.end;
    range.end = std::clamp<Index>(scene.view.predictions.position ? *scene.view.predictions.position + 1 : n,
                                  first + 1, n);
    range.begin = std::max<Index>(first, range.end - max_lens_columns);
    range.end = std::min<Index>(n, std::max(range.end, std::min(n, max_lens_columns)));
    if (!shown) shown = expectations(*scene.trace, range);
    Board bar = lens_colors(scene, style, std::min(bar_width * style.font_size, area.width), pen.tr);
    const double top = bar.height + 0.2 * style.font_size, x = area.width - bar.width;
    Board board = lens_board(scene, *shown, style, {area.width, area.height - top, fill}, pen.tr);
    Board page;
    page.width = area.width;
    page.height = board.height + top;
    add(page, std::move(bar), x, 0);
    add(page, std::move(board), 0, top);
    return page;
  });
}

void draw_contributions(const FigurePen& pen, const Scene& scene, const Rect& area) {
  std::shared_ptr<const TokenContributions> shown;
  draw_filled(pen, area, [&](const BoardStyle& style, bool fill) {
    if (!shown)
      shown =
          token_contributions(*scene.trace, scene.view.predictions.token, scene.view.predictions.position);
    return contributions_board(scene, *shown, style, {area.width, area.height, fill}, pen.tr);
  });
}

}  // namespace headscope
