#include "core/figure/boards/word_boxes.h"

#include <algorithm>
#include <cmath>

#include "core/base/utf8.h"
#include "core/figure/boards/vertical_text.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

constexpr double wholly = 0.99;  // lit

/// Relative to the size of a text.
struct WordRoom {
  double pad = 0.3, gap = 0.25, height = 1.5;
};

WordPlaces lay_words(const std::vector<std::string>& words, const MeasureSized& measure, double size,
                     double width, int lines, const WordRoom& room = {}) {
  WordPlaces places{{}, size, room.height * size, true};
  const double pad = room.pad * size, gap = room.gap * size, line = (room.height + 0.25) * size;
  double x = 0, y = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double own = std::min(width, measure(words[i], size) + 2 * pad);
    if (x > 0 && x + own > width) {
      x = 0;
      y += line;
    }
    if (y > line * (lines - 0.5)) {
      places.all = false;
      break;
    }
    places.boxes.push_back({x, y, own, room.height * size});
    places.height = y + room.height * size;
    x += own + gap;
  }
  return places;
}

/// One label of an axis.
struct AxisLabel {
  std::size_t word = 0;
  std::string text;
  double lit = 0;
};

std::string label_of(const std::string& word, const WordAxis& axis, const TickPlan& plan,
                     const BoardStyle& style) {
  if (plan.rotated && is_vertical(word)) return shortened_vertical(word, plan.extent, axis.line);
  if (axis.horizontal && !plan.rotated) return word;
  return shortened(word, plan.extent, axis.size, style);
}

/// Those of the plan; a fully lit one that is not among them replaces its neighbours.
std::vector<AxisLabel> labels_of(std::span<const std::string> words, const WordAxis& axis,
                                 const TickPlan& plan, const std::vector<double>& lit,
                                 const BoardStyle& style) {
  std::vector<AxisLabel> labels;
  const auto share = [&](std::size_t i) { return i < lit.size() ? lit[i] : 0; };
  for (std::size_t i = 0; i < plan.tokens.size(); ++i) {
    const std::size_t word = plan.tokens[i];
    labels.push_back({word, plan.labels[i], share(word)});
  }
  if (labels.empty()) return labels;
  for (std::size_t word = 0; word < words.size(); ++word) {
    if (share(word) < wholly || std::ranges::find(labels, word, &AxisLabel::word) != labels.end()) continue;
    AxisLabel own{word, label_of(words[word], axis, plan, style), share(word)};
    const auto room = [&](const AxisLabel& label) {
      return axis.horizontal && !plan.rotated ? style.measure(label.text, axis.size) + axis.line / 3
                                              : axis.line;
    };
    std::erase_if(labels, [&](const AxisLabel& label) {
      const double apart = std::abs(static_cast<double>(label.word) - static_cast<double>(word)) * axis.cell;
      return apart < (room(label) + room(own)) / 2 - 1e-9;
    });
    labels.push_back(std::move(own));
  }
  return labels;
}

void add_label(Board& board, const AxisLabel& label, const WordAxis& axis, const TickPlan& plan,
               const BoardStyle& style) {
  const double at = axis.start + (static_cast<double>(label.word) + 0.5) * axis.cell;
  const Rgb ink = label.lit < 0.05 ? style.muted : ink_on_lit(style, label.lit);
  if (!axis.horizontal) {
    board.texts.push_back({label.text, axis.edge - axis.gap, at, {axis.size, ink, Anchor::end, false}});
    return;
  }
  const double top = axis.edge + axis.gap;
  if (!plan.rotated) {
    board.texts.push_back({label.text, at, top + axis.line / 2, {axis.size, ink, Anchor::middle, false}});
  } else if (!is_vertical(label.text)) {
    board.texts.push_back({label.text, at, top, {axis.size, ink, Anchor::end, true}});
  } else {
    double y = top + axis.line / 2;
    for (const std::string& character : vertical_characters(label.text)) {
      board.texts.push_back({character, at, y, {axis.size, ink, Anchor::middle, false}});
      y += axis.line;
    }
  }
}

/// Of a lit label: as wide as its text if that is wider than its cell.
Rect lit_box(const AxisLabel& label, const WordAxis& axis, const TickPlan& plan, const BoardStyle& style) {
  Rect box = word_place(axis, plan, label.word);
  double minimum = axis.line;
  if (axis.horizontal && !plan.rotated) minimum = style.measure(label.text, axis.size) + 0.4 * axis.size;
  if (axis.horizontal && box.width < minimum) box.x -= (minimum - box.width) / 2, box.width = minimum;
  if (!axis.horizontal && box.height < minimum) box.y -= (minimum - box.height) / 2, box.height = minimum;
  return box;
}

}  // namespace

std::string word_label(const std::string& token) {
  const std::string label = printable(token_label(token));
  return label.empty() ? "∅" : label;
}

std::string predicted_label(const Translator& tr, const Trace& trace, Index id) {
  const std::string text = predicted_text(tr, trace, id);
  return trace.predictions->of_tokens() ? word_label(text) : printable(text);
}

std::vector<std::string> word_labels(const std::vector<std::string>& tokens) {
  std::vector<std::string> labels;
  for (const std::string& token : tokens) labels.push_back(word_label(token));
  return labels;
}

WordPlaces fit_words(const std::vector<std::string>& words, const BoardStyle& style, double width,
                     int lines) {
  for (const auto& [share, minimum] : {std::pair{1.0, 1}, {0.85, 1}, {0.85, 2}, {0.75, 2}, {0.75, 3}}) {
    if (minimum > lines) break;
    const WordPlaces places = lay_words(words, style.measure, style.sized(share), width, minimum);
    if (places.all) return places;
  }
  return lay_words(words, style.measure, style.sized(0.75), width, lines);
}

WordPlaces fit_close_words(const std::vector<std::string>& words, const BoardStyle& style, double width) {
  return lay_words(words, style.measure, style.sized(0.75), width, 1, {0.1, 0.12, 1.15});
}

Rgb lit_fill(const BoardStyle& style, double share) {
  return blend(style.panel, style.accent, 0.85 * std::clamp(share, 0.0, 1.0));
}

Rgb ink_on_lit(const BoardStyle& style, double share) {
  if (share < 0.05) return style.text;
  const Rgb fill = lit_fill(style, share);
  const int light = 299 * fill.r + 587 * fill.g + 114 * fill.b;
  return light > 140'000 ? Rgb{0x12, 0x14, 0x18} : Rgb{255, 255, 255};
}

TickPlan plan_words(std::span<const std::string> words, const WordAxis& axis, double limit,
                    const BoardStyle& style) {
  return plan_ticks(words, axis.horizontal, axis.cell, axis.line, limit,
                    [&](std::string_view text) { return style.measure(text, axis.size); });
}

Rect word_place(const WordAxis& axis, const TickPlan& plan, std::size_t word) {
  const double from = axis.start + static_cast<double>(word) * axis.cell, pad = 0.6 * axis.gap;
  const double extent = plan.extent + 2 * pad;
  if (axis.horizontal) return {from, axis.edge + axis.gap - pad, axis.cell, extent};
  return {axis.edge - axis.gap + pad - extent, from, extent, axis.cell};
}

void add_word_axis(Board& board, std::span<const std::string> words, const WordAxis& axis,
                   const TickPlan& plan, const std::vector<double>& lit, const BoardStyle& style) {
  const std::vector<AxisLabel> labels = labels_of(words, axis, plan, lit, style);
  constexpr double seen = 0.02;
  const auto is_labelled = [&](std::size_t word) {
    return std::ranges::find(labels, word, &AxisLabel::word) != labels.end();
  };
  for (std::size_t i = 0; i < lit.size() && i < words.size(); ++i)
    if (lit[i] > seen && !is_labelled(i))
      board.fills.push_back({word_place(axis, plan, i), lit_fill(style, lit[i])});
  for (const AxisLabel& label : labels) {
    if (label.lit > seen) {
      const Rect box = lit_box(label, axis, plan, style);
      board.fills.push_back({box, lit_fill(style, label.lit)});
      if (label.lit >= plainly_lit) board.regions.push_back({box, "note lit", "", LitWord{}});
    }
    add_label(board, label, axis, plan, style);
    const double at = axis.start + (static_cast<double>(label.word) + 0.5) * axis.cell,
                 thick = std::max(0.05 * axis.size, 0.4), mark = 0.6 * axis.gap;
    const Rect tick = axis.horizontal ? Rect{at - thick / 2, axis.edge, thick, mark}
                                      : Rect{axis.edge - mark, at - thick / 2, mark, thick};
    board.fills.push_back({tick, style.border});
  }
}

}  // namespace headscope
