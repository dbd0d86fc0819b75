#include "core/figure/canvas/split_picture.h"

#include <algorithm>

#include "core/base/matrix.h"
#include "core/figure/boards/role_colors.h"
#include "core/scene/colormap.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// As many heads and tokens as fit in a picture; the last of them stands for the others.
constexpr Index max_heads = 8, max_tokens = 6;

/// Which of `count` items are shown: all, or the first ones, "…" and the last.
std::vector<Index> shown_places(Index count, Index maximum) {
  std::vector<Index> places;
  for (Index i = 0; i < std::min(count, maximum); ++i) places.push_back(i);
  if (count > maximum) {
    places[places.size() - 2] = -1;
    places.back() = count - 1;
  }
  return places;
}

}  // namespace

Board view_picture(const BlockTrace& block, int layer, int token, const BoardStyle& style, double width,
                   const Translator& tr) {
  const Index heads = block.shape.heads, d_k = block.shape.d_k;
  const double size = style.font_size, small = style.sized(0.8), bar = 1.1 * size;
  const std::vector<Index> places = shown_places(heads, max_heads);
  const auto count = static_cast<double>(places.size());
  const double gap = 0.5 * size, piece = (width - (count - 1) * gap) / count;
  const double whole = width - (count - 1) * gap;
  Board board;
  board.width = width;
  double y = 0.7 * size;
  board.texts.push_back({tr("Token {}: one row of length {}", token + 1, heads * d_k),
                         0,
                         y,
                         {small, style.muted, Anchor::start}});
  y += 0.7 * size;
  const double below = y + bar + 2.1 * size;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto at = static_cast<double>(i);
    const Index head = places[i];
    const double from = at * whole / count, to = at * (piece + gap);
    if (head < 0) {
      board.texts.push_back({"…", to + piece / 2, below + bar / 2, {size, style.muted, Anchor::middle}});
      continue;
    }
    const Rgb color = head_color(static_cast<int>(head), static_cast<int>(heads));
    board.fills.push_back({{from, y, whole / count, bar}, color});
    board.fills.push_back({{to, below, piece, bar}, color});
    board.lines.push_back({from, y + bar, to, below, 0.05 * size, color});
    board.lines.push_back({from + whole / count, y + bar, to + piece, below, 0.05 * size, color});
    const auto text = [&](const std::string& line, double lines) {
      if (style.measure(line, small) <= piece + gap)
        board.texts.push_back(
            {line, to + piece / 2, below + bar + lines * small, {small, style.text, Anchor::middle}});
    };
    text(tr("head {}", head + 1), 0.8);
    text(fmt::format("{}–{}", head * d_k + 1, (head + 1) * d_k), 2);
    if (!block.computed_layers) {
      const Tensor& q = block.layers[static_cast<std::size_t>(layer)].q;
      text(printed(static_cast<double>(as_matrix(q, head)(token, 0))) + ", …", 3.2);
    }
  }
  board.height = below + bar + (block.computed_layers ? 2.9 : 4.1) * small;
  return board;
}

Board transpose_picture(const BlockTrace& block, int token, const BoardStyle& style, double width,
                        const Translator& tr) {
  const double size = style.font_size, small = style.sized(0.8);
  const std::vector<Index> heads = shown_places(block.shape.heads, max_heads),
                           tokens = shown_places(block.n_q(), max_tokens);
  const double label = 4.5 * size, arrow = 2.5 * size;
  const double room = width - 2 * label - arrow;
  const double cell = std::min(2.2 * size, room / static_cast<double>(heads.size() + tokens.size()));
  const double high = 0.95 * size;
  Board board;
  board.width = width;
  /// Rows of tokens and columns of heads, or the other way round.
  const auto table = [&](double x, bool by_token) {
    const std::vector<Index>&rows = by_token ? tokens : heads, &columns = by_token ? heads : tokens;
    board.texts.push_back(
        {by_token ? tr("[tokens {}, heads {}, {}]", block.n_q(), block.shape.heads, block.shape.d_k)
                  : tr("[heads {}, tokens {}, {}]", block.shape.heads, block.n_q(), block.shape.d_k),
         x,
         0.6 * size,
         {small, style.muted, Anchor::start}});
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double y = 1.4 * size + static_cast<double>(r) * (high + 0.12 * size);
      const std::string name = rows[r] < 0 ? "…"
                               : by_token  ? tr("token {}", rows[r] + 1)
                                           : tr("head {}", rows[r] + 1);
      board.texts.push_back({name, x + label - 0.4 * size, y + high / 2, {small, style.text, Anchor::end}});
      for (std::size_t c = 0; c < columns.size() && rows[r] >= 0; ++c) {
        const Index head = by_token ? columns[c] : rows[r], of_token = by_token ? rows[r] : columns[c];
        const Rect rect{x + label + static_cast<double>(c) * cell, y, cell - 0.12 * size, high};
        if (columns[c] < 0) {
          board.texts.push_back(
              {"…", rect.x + rect.width / 2, y + high / 2, {small, style.muted, Anchor::middle}});
          continue;
        }
        board.fills.push_back(
            {rect, head_color(static_cast<int>(head), static_cast<int>(block.shape.heads))});
        if (of_token != token) continue;
        // The same token on both sides: a row of it here is a column of it there.
        for (const double line_y : {rect.y, rect.bottom()})
          board.lines.push_back({rect.x, line_y, rect.right(), line_y, 0.14 * size, style.text});
        for (const double line_x : {rect.x, rect.right()})
          board.lines.push_back({line_x, rect.y, line_x, rect.bottom(), 0.14 * size, style.text});
      }
    }
    return 1.4 * size + static_cast<double>(rows.size()) * (high + 0.12 * size);
  };
  const double left = label + static_cast<double>(heads.size()) * cell;
  const double height = std::max(table(0, true), table(left + arrow, false));
  const double middle = height / 2, head = 0.35 * size;
  board.lines.push_back(
      {left + 0.5 * size, middle, left + arrow - 0.5 * size, middle, 0.09 * size, style.text});
  for (const double side : {-head, head})
    board.lines.push_back({left + arrow - 0.5 * size - head, middle + side, left + arrow - 0.5 * size, middle,
                           0.09 * size, style.text});
  board.texts.push_back({tr("Framed: token {}. No number changes.", token + 1),
                         0,
                         height + 0.7 * size,
                         {small, style.muted, Anchor::start}});
  board.height = height + 1.3 * size;
  return board;
}

}  // namespace headscope
