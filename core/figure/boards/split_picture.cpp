#include "core/figure/boards/split_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/matrix.h"
#include "core/figure/boards/board_column.h"
#include "core/figure/boards/stage_parts.h"
#include "core/scene/colormap.h"
#include "core/scene/readable_numbers.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

/// Which of `count` items are drawn: all, or the first ones, -1 for a gap and the last; `chosen` is one of
/// them.
std::vector<Index> drawn_items(Index count, Index maximum, Index chosen = 0) {
  std::vector<Index> places;
  const Index shown = std::min(count, std::max<Index>(maximum, 3));
  for (Index i = 0; i < shown; ++i) places.push_back(i);
  if (count == shown) return places;
  places[places.size() - 2] = -1;
  places.back() = count - 1;
  if (std::ranges::count(places, chosen) == 0) places[places.size() - 3] = chosen;
  return places;
}

class SplitPicture {
 public:
  SplitPicture(const BlockTrace& block, int layer, int token, int items, const BoardStyle& style,
               double width, const Translator& tr)
      : block_(block), layer_(layer), token_(token), items_(items), style_(style), tr_(tr) {
    board_.width = width;
    if (block.computed_layers) return;  // its Q is not kept
    const Tensor& q = block.layers[layer].q;
    if (q.dim(1) != block.n_q()) return;  // the tokens are merged or pooled
    q_ = &q;
    for (Index head = 0; head < heads(); ++head)
      for (Index i = 0; i < d_k(); ++i) largest_ = std::max(largest_, std::abs(number(token, head, i)));
  }

  Board view() {
    const double width = board_.width, piece = width / static_cast<double>(heads());
    const double below_title = paragraph(
        tr_("One row of Q, that of “{}”, of length {}", name_of(token_), heads() * d_k()), 0, 0, style_.text);
    const double bar = below_title + 1.1 * em(), foot = bar + 1.1 * em(), digits = foot + 0.95 * em();
    const bool indices = style_.measure(std::to_string(heads() * d_k()), small()) <= piece - 0.4 * em();
    const int decimals = decimals_that_fit(piece - 0.5 * em());
    for (Index head = 0; head < heads(); ++head) {
      const double x = piece * static_cast<double>(head);
      values({x, bar, piece, 1.1 * em()}, head);
      board_.fills.push_back({{x, foot + 0.08 * em(), piece - 0.12 * em(), 0.22 * em()}, color(head)});
      if (indices) write(std::to_string(head * d_k() + 1), x, bar - 0.5 * em(), style_.muted);
      if (decimals > 0) write(printed(number(token_, head, 0), decimals), x, digits, style_.text);
    }
    frame(board_, {0, bar, width, 1.1 * em()}, 0.06 * em(), style_.border);
    double y = digits + (decimals > 0 ? 0.8 : -0.3) * em();
    arrow(board_, 0.7 * em(), y, 0.7 * em(), y + 1.2 * em(), 0.3 * em(), 0.09 * em(), style_.text);
    y = std::max(y + 1.4 * em(),
                 paragraph(tr_.plural("view: the same numbers in the same order, read as {} row of {}",
                                      "view: the same numbers in the same order, read as {} rows of {}",
                                      heads(), heads(), d_k()),
                           1.7 * em(), y, style_.text)) +
        0.2 * em();
    for (const Index head : drawn_items(heads(), items_)) y = row(head, y);
    board_.height = y;
    return std::move(board_);
  }

  Board transpose() {
    const double cell = style_.measure("−0.00", small()) + 0.5 * em(), crossing = crossing_width();
    double label = 0;
    for (Index i = 0; i < block_.n_q(); ++i) label = std::max(label, style_.measure(name_of(i), small()));
    label = std::max(std::min(label, 5 * em()), style_.measure(head_name(heads() - 1), small())) + 0.5 * em();
    const auto fitting = [&](double room) {
      return std::min<Index>(items_, static_cast<Index>(std::max(0.0, room / cell)));
    };
    const auto wide = [&](const std::vector<Index>& columns) {
      return std::max(label + cell * static_cast<double>(columns.size()), shape_width());
    };
    Index items = fitting((board_.width - crossing - 2 * label) / 2);
    std::vector<Index> all_heads = drawn_items(heads(), items),
                       tokens = drawn_items(block_.n_q(), items, token_);
    const double left = label + cell * static_cast<double>(all_heads.size());
    const double second = std::max(left + crossing, shape_width() + em());
    double bottom = 0;
    if (second + wide(tokens) <= board_.width) {
      bottom = std::max({table(0, 0, label, cell, tokens, all_heads, true),
                         table(second, 0, label, cell, all_heads, tokens, false), 7.9 * em()});
      draw_crossing(left, second - left);
    } else {
      items = fitting(board_.width - label);
      all_heads = drawn_items(heads(), items), tokens = drawn_items(block_.n_q(), items, token_);
      bottom = table(0, 0, label, cell, tokens, all_heads, true) + 0.5 * em();
      write(operation, 0, bottom + 0.6 * em(), style_.text);
      bottom = table(0, bottom + 1.3 * em(), label, cell, all_heads, tokens, false);
    }
    const std::string caption =
        q_ == nullptr ? tr_("Framed: “{}”, a row before, a column after. No number changes.", name_of(token_))
                      : tr_("Framed: “{}”, a row before, a column after. Each cell shows its first number of "
                            "{}; none changes.",
                            name_of(token_), d_k());
    board_.height = paragraph(caption, 0, bottom + 0.3 * em(), style_.muted);
    return std::move(board_);
  }

 private:
  double em() const { return style_.font_size; }
  double small() const { return style_.sized(0.8); }
  Index heads() const { return block_.shape.heads; }
  Index d_k() const { return block_.shape.d_k_of(layer_); }
  double number(Index token, Index head, Index i) const { return as_matrix(*q_, head)(token, i); }
  std::string name_of(Index token) const { return token_label(block_.tokens[token].text); }
  std::string head_name(Index head) const { return tr_("head {}", head + 1); }
  Rgb color(Index head) const {
    return head_color(static_cast<int>(head), static_cast<int>(heads()), layer_);
  }

  void write(std::string text, double x, double y, Rgb ink, Anchor anchor = Anchor::start) {
    board_.texts.push_back({std::move(text), x, y, {small(), ink, anchor}});
  }

  /// In as many lines as needed; returns where it ends.
  double paragraph(const std::string& text, double x, double y, Rgb ink) {
    for (const std::string& line : wrapped(text, board_.width - x, small(), style_.measure)) {
      write(line, x, y + 0.65 * small(), ink);
      y += 1.35 * small();
    }
    return y;
  }

  /// Of the first numbers of the pieces; 0: none fit.
  int decimals_that_fit(double room) const {
    if (q_ == nullptr) return 0;
    for (const int decimals : {4, 2}) {
      double widest = 0;
      for (Index head = 0; head < heads(); ++head)
        widest = std::max(widest, style_.measure(printed(number(token_, head, 0), decimals), small()));
      if (widest <= room) return decimals;
    }
    return 0;
  }

  /// The token's numbers of a head as colours, or the head's colour where they are not kept.
  void values(const Rect& bar, Index head) {
    if (q_ == nullptr) return board_.fills.push_back({bar, blend(style_.background, color(head), 0.5)});
    const double width = bar.width / static_cast<double>(d_k());
    for (Index i = 0; i < d_k(); ++i)
      board_.fills.push_back(
          {{bar.x + width * static_cast<double>(i), bar.y, width, bar.height},
           diverging(number(token_, head, i) / std::max(largest_, 1e-30), style_.background)});
  }

  /// "head 2   65–128   0.1234 ▮▮▮▮▮▮ −0.4321"; returns where the next one begins.
  double row(Index head, double y) {
    const double line = 1.3 * em(), middle = y + line / 2;
    double x = 0.5 * em();
    if (head < 0) {
      write("…", x, middle, style_.muted);
      return y + line;
    }
    board_.fills.push_back({{0, y + 0.1 * em(), 0.25 * em(), line - 0.2 * em()}, color(head)});
    write(head_name(head), x, middle, style_.text);
    x += style_.measure(head_name(heads() - 1), small()) + 0.8 * em();
    const Index last = heads() * d_k();
    const double range = style_.measure(fmt::format("{}–{}", last, last), small());
    const double digits = q_ == nullptr ? 0 : style_.measure("−0.0000", small()) + 0.4 * em();
    if (board_.width - x - range - 2 * digits > 6 * em()) {
      write(fmt::format("{}–{}", head * d_k() + 1, (head + 1) * d_k()), x + range, middle, style_.muted,
            Anchor::end);
      x += range + 0.6 * em();
    }
    Rect bar{x, y + 0.15 * em(), board_.width - x, line - 0.3 * em()};
    if (q_ != nullptr && bar.width > 2 * digits + 2 * em()) {
      bar.x += digits, bar.width -= 2 * digits;
      write(printed(number(token_, head, 0)), bar.x - 0.4 * em(), middle, style_.text, Anchor::end);
      write(printed(number(token_, head, d_k() - 1)), board_.width, middle, style_.text, Anchor::end);
    }
    values(bar, head);
    frame(board_, bar, 0.06 * em(), style_.border);
    return y + line;
  }

  std::string count_of(bool tokens) const {
    return tokens ? tr_.plural("{} token", "{} tokens", block_.n_q())
                  : tr_.plural("{} head", "{} heads", heads());
  }
  double shape_width() const {
    return style_.measure("[1, " + count_of(true) + ", " + count_of(false) + fmt::format(", {}]", d_k()),
                          small()) +
           0.5 * em();
  }
  /// "[1, 10 tokens, 8 heads, 64]" with the axis of the tokens in the accent.
  void write_shape(double x, double y, bool tokens_first) {
    const auto piece = [&](const std::string& text, Rgb ink) {
      write(text, x, y, ink);
      x += style_.measure(text, small());
    };
    piece("[1, ", style_.muted);
    piece(count_of(tokens_first), tokens_first ? style_.accent : style_.text);
    piece(", ", style_.muted);
    piece(count_of(!tokens_first), tokens_first ? style_.text : style_.accent);
    piece(fmt::format(", {}]", d_k()), style_.muted);
  }

  /// Rows of tokens and columns of heads, or the other way round; returns where it ends.
  double table(double x, double above, double label, double cell, const std::vector<Index>& rows,
               const std::vector<Index>& columns, bool by_token) {
    const double line = 1.25 * em(), top = above + 2.6 * em();
    write_shape(x, above + 0.6 * em(), by_token);
    const auto name = [&](Index i, bool of_tokens, double room) {
      const std::string text = i < 0 ? "…" : of_tokens ? name_of(i) : head_name(i);
      return shortened(text, room, small(), style_);
    };
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string text = !by_token || columns[c] < 0 ? name(columns[c], true, cell - 0.2 * em())
                                                           : std::to_string(columns[c] + 1);
      write(text, x + label + cell * (static_cast<double>(c) + 0.5), top - 0.6 * em(),
            by_token ? style_.text : style_.accent, Anchor::middle);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double y = top + line * static_cast<double>(r);
      write(name(rows[r], by_token, label - 0.4 * em()), x + label - 0.4 * em(), y + line / 2,
            by_token ? style_.accent : style_.text, Anchor::end);
      for (std::size_t c = 0; c < columns.size() && rows[r] >= 0; ++c) {
        const Rect rect{x + label + cell * static_cast<double>(c), y, cell, line};
        if (columns[c] < 0) {
          write("…", rect.x + cell / 2, y + line / 2, style_.muted, Anchor::middle);
          continue;
        }
        const Index head = by_token ? columns[c] : rows[r], token = by_token ? rows[r] : columns[c];
        const double gap = 0.05 * em();
        board_.fills.push_back({{rect.x + gap, rect.y + gap, rect.width - 2 * gap, rect.height - 2 * gap},
                                blend(style_.background, color(head), 0.3)});
        if (q_ != nullptr)
          write(printed(number(token, head, 0), 2), rect.x + cell / 2, y + line / 2, style_.text,
                Anchor::middle);
      }
    }
    const double width = cell * static_cast<double>(columns.size()),
                 height = line * static_cast<double>(rows.size());
    const auto at = [&](const std::vector<Index>& list) {
      return static_cast<double>(std::ranges::find(list, token_) - list.begin());
    };
    const Rect framed = by_token ? Rect{x + label, top + line * at(rows), width, line}
                                 : Rect{x + label + cell * at(columns), top, cell, height};
    frame(board_, framed, 0.14 * em(), style_.accent);
    return top + height;
  }

  static constexpr const char* operation = "transpose(1, 2)";
  double crossing_width() const { return style_.measure(operation, small()) + 2 * em(); }

  /// Between the two: where each axis goes.
  void draw_crossing(double x, double width) {
    const double middle = x + width / 2, side = 1.6 * em(), top = 4.4 * em(), bottom = 7.2 * em();
    write(operation, middle, 2.9 * em(), style_.text, Anchor::middle);
    const std::string tokens = std::to_string(block_.n_q()), all_heads = std::to_string(heads());
    const auto axis = [&](const std::string& size, double from, Rgb ink) {
      write(size, middle + from * side, top, ink, Anchor::middle);
      write(size, middle - from * side, bottom, ink, Anchor::middle);
      arrow(board_, middle + from * 0.85 * side, top + 0.6 * em(), middle - from * 0.85 * side,
            bottom - 0.65 * em(), 0.28 * em(), 0.08 * em(), ink);
    };
    axis(tokens, -1, style_.accent);
    axis(all_heads, 1, style_.text);
  }

  const BlockTrace& block_;
  int layer_, token_, items_;
  const BoardStyle& style_;
  const Translator& tr_;
  const Tensor* q_ = nullptr;
  double largest_ = 0;
  Board board_;
};

}  // namespace

Board view_picture(const BlockTrace& block, int layer, int token, int items, const BoardStyle& style,
                   double width, const Translator& tr) {
  return SplitPicture(block, layer, token, items, style, width, tr).view();
}

Board transpose_picture(const BlockTrace& block, int layer, int token, int items, const BoardStyle& style,
                        double width, const Translator& tr) {
  return SplitPicture(block, layer, token, items, style, width, tr).transpose();
}

}  // namespace headscope
