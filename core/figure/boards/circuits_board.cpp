#include "core/figure/boards/circuits_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/expectations.h"
#include "core/figure/boards/board_column.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/word_boxes.h"
#include "core/scene/colormap.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

class CircuitsPage {
 public:
  CircuitsPage(const Scene& scene, const ShownCircuits& shown, const BoardStyle& style, double width,
               const Translator& tr)
      : scene_(scene), shown_(shown), style_(style), tr_(tr), column_(style, width, tr) {}

  Board draw() {
    const std::string token = text_of(shown_.token);
    if (!is_brief()) {
      column_.heading(tr_("Head {}, from the weights alone", head_number(shown_.layer, shown_.head)));
      column_.note(
          tr_("Without a text and without positions: the weights of norms are folded into the matrices; "
              "their normalization and all biases are left out."));
      if (shown_.global_tokens)
        column_.note(tr_("Global tokens have projections of their own, which are left out."));
      if (shown_.center_logits)
        column_.note(tr_("Logits are minus their mean over the vocabulary, which changes no probability."));
      column_.gap(0.6);
    }
    if (has(CircuitPart::tokens))
      column_.parts_in_rows(3, 13 * style_.font_size, [&](int i, double width) {
        return i == 0   ? list(tr_("Attending to “{}” raises the logits of", token), shown_.raises, width)
               : i == 1 ? list(tr_("Attending to “{}” lowers the logits of", token), shown_.lowers, width)
                        : list(matches_title(token), shown_.matches, width);
      });
    if (has(CircuitPart::composition)) draw_composition();
    if (has(CircuitPart::directions)) {
      draw_directions(true);
      draw_directions(false);
    }
    return column_.take();
  }

 private:
  bool has(CircuitPart part) const {
    const CircuitPart chosen = scene_.view.circuits.part;
    return chosen == CircuitPart::all || chosen == part;
  }
  /// Presented, one part is alone, without what explains it: nothing scrolls.
  bool is_brief() const { return style_.minimum > 0 && scene_.view.circuits.part != CircuitPart::all; }
  std::string text_of(Index id) const { return word_label(expected_text(*scene_.trace, id)); }

  std::string matches_title(const std::string& token) const {
    if (!shown_.rotary) return tr_("Keys matched by the query “{}”", token);
    return tr_.plural("Keys matched by the query “{}”, {} token before it",
                      "Keys matched by the query “{}”, {} tokens before it",
                      static_cast<int>(shown_.distance), token, shown_.distance);
  }

  /// Tokens with their scores as bars.
  Board list(const std::string& title, const std::vector<TokenScore>& tokens, double width) const {
    Board board;
    board.width = width;
    const CellPen pen{board, style_};
    const double em = style_.font_size, line = 1.4 * style_.sized(1);
    double y = pen.paragraph(title, 0, 0, 1, width);
    double largest = 1e-9;
    for (const TokenScore& each : tokens) largest = std::max(largest, std::abs(each.score));
    const int decimals = column_decimals(largest);
    for (const TokenScore& each : tokens) {
      board.fills.push_back({{0, y + 0.1 * line, std::abs(each.score) / largest * width, 0.8 * line},
                             blend(style_.background, style_.accent, each.score < 0 ? 0.1 : 0.25)});
      const std::string number = signed_in_column(each.score, decimals);
      const double room = width - style_.measure(number, style_.sized(0.9)) - 1.2 * em;
      pen.label(text_of(each.id), 0.3 * em, y + line / 2, 1, style_.text, Anchor::start, room);
      pen.label(number, width - 0.3 * em, y + line / 2, 0.9, style_.text, Anchor::end, width);
      y += line;
    }
    board.height = y;
    return board;
  }

  std::string composition_of(Index layer, Index head, Index later, Index other, double value) const {
    return tr_("Head {} into head {}: {}", head_number(layer, head), head_number(later, other),
               with_minus(fmt::format("{:+.4f}", value)));
  }
  /// Of a cell of the map of one head with those of other layers.
  std::string help_with_head(Index layer, Index head, double value) const {
    return layer < shown_.layer ? composition_of(layer, head, shown_.layer, shown_.head, value)
                                : composition_of(shown_.layer, shown_.head, layer, head, value);
  }

  /// The value of the strongest colour, at least that of a pair that is worth a look: then colours of small
  /// values stay pale.
  double full_color() const {
    return std::max({0.1, shown_.between.cwiseAbs().maxCoeff(), shown_.with_head.cwiseAbs().maxCoeff()});
  }

  /// The heads of two layers, or this head with those of all others.
  Board map(const std::string& title, const Eigen::MatrixXd& values, double width, bool of_pairs) const {
    Board board;
    board.width = width;
    const CellPen pen{board, style_};
    const double em = style_.font_size;
    const double most = full_color();
    const int decimals = column_decimals(values.cwiseAbs().maxCoeff());
    double y = pen.paragraph(title, 0, 0, 1, width);
    Board bar =
        color_bar(diverging_colors(scene_.view.theme), {static_cast<float>(-most), static_cast<float>(most)},
                  tr_("Composition above random"), style_, std::min(1.2 * bar_width * em, width));
    const double bar_height = bar.height;
    add(board, std::move(bar), 0, y);
    y += bar_height + 0.3 * em;
    const double left = 3 * em, header = 1.4 * style_.sized(0.85);
    const double cell = std::min((width - left) / static_cast<double>(values.cols()), 4.5 * em);
    const double height = std::clamp(cell, 1.3 * style_.sized(0.85), 2.2 * em);
    name_columns(pen, values.cols(), {left, y, cell, header}, of_pairs);
    y += header;
    for (Index row = 0; row < values.rows(); ++row, y += height) {
      pen.text(of_pairs ? head_number(shown_.earlier, row) : std::to_string(row + 1),
               {0, y, left - 0.3 * em, height}, 0.85, style_.muted);
      for (Index column = 0; column < values.cols(); ++column) {
        const double value = values(row, column);
        const Rect rect{left + static_cast<double>(column) * cell, y, cell, height};
        const Rgb color = diverging_color(value, most, scene_.view.theme);
        if (!of_pairs && row == shown_.layer) {  // a head reads nothing of its own layer
          if (column == shown_.head) frame(board, rect, 1, style_.text);
          continue;
        }
        pen.cell(rect, color, cell > 0.6 * em ? 1 : 0);
        const std::string number = signed_in_column(value, decimals);
        pen.number(number, rect, 0.8, ink_on(color));
        board.regions.push_back(
            {rect,
             of_pairs ? fmt::format("circuit pair {} {}", row, column)
                      : fmt::format("circuit {} {}", row, column),
             of_pairs ? composition_of(shown_.earlier, row, shown_.later, column, value)
                      : help_with_head(row, column, value),
             HeadPlace{scene_.block->shape.kind, of_pairs ? shown_.later : static_cast<int>(row),
                       static_cast<int>(column)}});
      }
    }
    board.height = y;
    return board;
  }

  /// "2.10", where that does not fit "10", the layer being in the title, and where that is too wide some of
  /// them; `first`: the place of the first.
  void name_columns(const CellPen& pen, Index heads, const Rect& first, bool of_pairs) const {
    const auto width = [&](const std::string& name) { return style_.measure(name, style_.sized(0.85)); };
    const bool with_layer = of_pairs && width(head_number(shown_.later, heads - 1)) <= first.width;
    const double widest = 1.1 * width(std::to_string(heads));
    double free = first.x;  // behind the last name
    for (Index head = 0; head < heads; ++head) {
      const double x = first.x + static_cast<double>(head) * first.width,
                   room = std::max(first.width, widest);
      const Rect place{x + (first.width - room) / 2, first.y, room, first.height};
      if (head > 0 && place.x < free - 1e-6) continue;
      pen.text(with_layer ? head_number(shown_.later, head) : std::to_string(head + 1), place, 0.85,
               style_.muted);
      free = place.right();
    }
  }

  /// The heads of all layers, from the bottom up; a line to those that this head reads, and from it to those
  /// that read it, is as wide as their composition above random.
  Board lines(const std::string& title, double width) const {
    Board board;
    board.width = width;
    const CellPen pen{board, style_};
    const double em = style_.font_size, left = 3 * em, high = 2.6 * em;
    const double top = pen.paragraph(title, 0, 0, 1, width) + 0.3 * em;
    const Eigen::MatrixXd& values = shown_.with_head;
    const double across = (width - left) / static_cast<double>(values.cols());
    const double most = full_color(), side = std::min(1.7 * em, 0.85 * across);
    const auto place = [&](Index layer, Index head) -> Rect {
      const double x = left + (static_cast<double>(head) + 0.5) * across;
      const double y = top + (static_cast<double>(values.rows() - 1 - layer) + 0.5) * high;
      return {x - side / 2, y - side / 2, side, side};
    };
    const Rect own = place(shown_.layer, shown_.head);
    for (Index layer = 0; layer < values.rows(); ++layer)
      for (Index head = 0; head < values.cols(); ++head) {
        const double share = values(layer, head) / most;
        if (layer == shown_.layer || share < 0.1) continue;
        const Rect other = place(layer, head);
        const bool above = layer > shown_.layer;
        board.lines.push_back({own.x + side / 2, above ? own.y : own.bottom(), other.x + side / 2,
                               above ? other.bottom() : other.y, 0.3 * em * share,
                               diverging_color(values(layer, head), most, scene_.view.theme),
                               0.25 + 0.75 * share});
      }
    for (Index layer = 0; layer < values.rows(); ++layer) {
      const double middle = place(layer, 0).y + side / 2;
      pen.label(tr_("Layer {}", layer + 1), 0, middle, 0.85, style_.muted, Anchor::start, left);
      for (Index head = 0; head < values.cols(); ++head) {
        const Rect rect = place(layer, head);
        const bool chosen = layer == shown_.layer && head == shown_.head;
        board.fills.push_back({rect, chosen ? style_.accent : style_.panel});
        frame(board, rect, 1, style_.border);
        if (side > 1.1 * em)
          pen.text(std::to_string(head + 1), rect, 0.8, chosen ? ink_on(style_.accent) : style_.text);
        if (layer != shown_.layer)
          board.regions.push_back(
              {rect, fmt::format("circuit line {} {}", layer, head),
               help_with_head(layer, head, values(layer, head)),
               HeadPlace{scene_.block->shape.kind, static_cast<int>(layer), static_cast<int>(head)}});
      }
    }
    board.height = top + static_cast<double>(values.rows()) * high;
    return board;
  }

  void draw_composition() {
    if (shown_.with_head.rows() < 2) return;
    if (!is_brief())
      column_.heading(shown_.composition == Composition::q   ? tr_("What the queries of later heads read")
                      : shown_.composition == Composition::k ? tr_("What the keys of later heads read")
                                                             : tr_("What the values of later heads read"));
    if (!is_brief())
      column_.note(
          tr_("{}-composition: the Frobenius norm of the product over the product of both norms, minus {}, "
              "the expected value for random matrices",
              shown_.composition == Composition::q   ? "Q"
              : shown_.composition == Composition::k ? "K"
                                                     : "V",
              printed(shown_.random, 3)));
    column_.gap(0.3);
    column_.parts_in_rows(is_brief() ? 1 : 3, 18 * style_.font_size, [&](int i, double width) {
      const std::string own = head_number(shown_.layer, shown_.head);
      if (i == 2)
        return lines(tr_("The heads that head {} reads (below) and that read it (above)", own), width);
      if (i == 0)
        return map(
            tr_("Heads of layer {} (rows) into those of layer {}", shown_.earlier + 1, shown_.later + 1),
            shown_.between, width, true);
      return map(tr_("Head {} with other layers (rows)", own), shown_.with_head, width, false);
    });
  }

  std::string tokens_of(const std::vector<TokenScore>& tokens) const {
    std::string text;
    for (const TokenScore& each : tokens)
      text += (text.empty() ? "" : tr_(", ")) + std::string("“") + text_of(each.id) + "”";
    return text;
  }

  void draw_directions(bool of_ov) {
    const std::vector<double>& values = of_ov ? shown_.ov_values : shown_.qk_values;
    column_.heading(of_ov ? tr_("Directions of W_V W_O: what it reads → what it writes")
                          : tr_("Directions of W_Q W_Kᵀ: query → key"));
    column_.note(tr_("effective rank {} of {}", printed(effective_rank(values), 1), values.size()));
    for (const DirectionTokens& each : of_ov ? shown_.ov_directions : shown_.qk_directions) {
      const auto &from = of_ov ? each.right : each.left, &to = of_ov ? each.left : each.right;
      column_.paragraph(printed_percent(each.share) + "  " + tokens_of(from) + " → " + tokens_of(to));
    }
    column_.gap(0.6);
  }

  const Scene& scene_;
  const ShownCircuits& shown_;
  const BoardStyle& style_;
  const Translator& tr_;
  BoardColumn column_;
};

}  // namespace

std::span<const EnumName<CircuitPart>> enum_names(CircuitPart) {
  static constexpr EnumName<CircuitPart> names[] = {{CircuitPart::all, "all"},
                                                    {CircuitPart::tokens, "tokens"},
                                                    {CircuitPart::composition, "composition"},
                                                    {CircuitPart::directions, "directions"}};
  return names;
}

CircuitChoice circuit_choice(const View& view) {
  const std::string& token = view.circuits.token.empty() ? view.predictions.token : view.circuits.token;
  return {view.layer,
          view.head.value_or(0),
          token,
          view.circuits.composition,
          view.circuits.distance,
          view.circuits.center_logits};
}

Board circuits_board(const Scene& scene, const ShownCircuits& shown, const BoardStyle& style, double width,
                     const Translator& tr) {
  return CircuitsPage(scene, shown, style, width, tr).draw();
}

void draw_circuits(const FigurePen& pen, const Scene& scene, const Rect& area) {
  const auto shown = shown_circuits(*scene.trace, circuit_choice(scene.view), scene.stop);
  if (!shown) return;
  if (shown->refusal) throw Error(*shown->refusal);
  BoardStyle style = board_style(pen.style, pen.width);
  // Smaller where it would not fit.
  for (int tries = 0; tries < 4; ++tries) {
    const double height = circuits_board(scene, *shown, style, area.width, pen.tr).height;
    if (height <= area.height) break;
    style.font_size *= std::max(0.5, std::sqrt(area.height / height) * 0.97);
  }
  draw_board(pen.canvas, circuits_board(scene, *shown, style, area.width, pen.tr), area.x, area.y);
}

const ViewFigure circuits_figure{draw_circuits, [](const Scene& scene, double width, double font) {
                                   const int rows = scene.block->layer_count() + scene.block->heads();
                                   return std::max(width * 0.8, (48 + 2 * rows) * font);
                                 }};

}  // namespace headscope
