#include "core/figure/boards/causes_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/expectations.h"
#include "core/figure/boards/cause_graph.h"
#include "core/figure/boards/cause_maps.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/prediction_boards.h"
#include "core/figure/boards/word_boxes.h"
#include "core/inputs/names.h"
#include "core/scene/colormap.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

std::string two_decimals(double value) {
  return with_minus(fmt::format("{:.2f}", value));
}

/// "Logit of “Mary” after “to” (token 9): 3.21 (97.0%); with B −1.02"
std::string question_text(const Scene& scene, const ShownCauses& shown, const Translator& tr) {
  const CauseQuestion& question = shown.request.question;
  const auto& tokens = predicting_block(*scene.trace).tokens;
  const auto written = [&](Index id) { return predicted_label(tr, *scene.trace, id); };
  const std::string at = word_label(tokens[question.position].text);
  const std::string clean = two_decimals(shown.causes->clean);
  std::string text = question.against ? tr("Logit of “{}” minus that of “{}”, at “{}” (token {}): {}",
                                           written(question.answer), written(*question.against), at,
                                           question.position + 1, clean)
                                      : tr("Logit of “{}” at “{}” (token {}): {}", written(question.answer),
                                           at, question.position + 1, clean);
  text += " · " + tr("probability {}", printed_percent(shown.causes->probability));
  if (shown.causes->corrupted) text += " · " + tr("with B {}", two_decimals(*shown.causes->corrupted));
  return text;
}

/// What the numbers are, for the colour bar.
const char* measure_name(const CauseRequest& request) {
  if (is_patch(request.change)) return request.noise ? TR("Share lost") : TR("Share recovered");
  return request.question.against ? TR("Change of the logit difference") : TR("Change of the logit");
}

}  // namespace

CauseChoice cause_choice(const View& view, BlockKind block) {
  CauseChoice choice;
  choice.answer = view.predictions.token;
  choice.against = view.predictions.against;
  choice.position = view.predictions.position;
  choice.change = view.causes.change;
  choice.places = view.causes.places;
  choice.noise = view.causes.noise;
  if (choice.places == CausePlaces::edge || choice.places == CausePlaces::key)
    choice.head = {block, view.layer, view.head.value_or(0)};
  return choice;
}

std::string change_title(const Translator& tr, CauseChange change, bool noise) {
  const char *const from = noise ? "B" : "A", *const into = noise ? "A" : "B";
  switch (change) {
    case CauseChange::zero:
      return tr("Each head in turn is replaced by zero");
    case CauseChange::mean:
      return tr("Each head in turn is replaced by its mean over this text");
    case CauseChange::other:
      return tr("Each head in turn is replaced by its output on B");
    case CauseChange::output:
      return tr("Each head's output is patched from {} into {}", from, into);
    case CauseChange::pattern:
      return tr("Each head's attention weights are patched from {} into {}", from, into);
    case CauseChange::value:
      return tr("Each head's values are patched from {} into {}", from, into);
    case CauseChange::stream:
      return tr("The residual stream before each layer is patched from {} into {}", from, into);
    case CauseChange::attention:
      return tr("Each layer's attention output is patched from {} into {}", from, into);
    case CauseChange::feed_forward:
      return tr("Each layer's feed-forward output is patched from {} into {}", from, into);
  }
  return "";
}

std::string cause_text(const Scene& scene, const ShownCauses& shown, const CauseTarget& target,
                       const Translator& tr) {
  const std::vector<CauseMap>& maps = shown.causes->maps;
  const CauseMap& map = *std::ranges::find(maps, target.block, &CauseMap::kind);
  const auto block = block_of(scene.trace, target.block);
  const auto token = [&](const std::vector<Token>& tokens, int i) {
    return tr("“{}” (token {})", word_label(tokens[i].text), i + 1);
  };
  std::string where = target.head >= 0 ? tr("Layer {}, head {}", target.layer + 1, target.head + 1)
                                       : tr("Layer {}", target.layer + 1);
  if (maps.size() > 1) where = block_title(tr, map.kind) + " · " + where;
  if (target.query >= 0 && target.key >= 0)
    where += tr(", from {} to {}", token(block->tokens, target.query), token(block->key_tokens, target.key));
  else if (target.query >= 0)
    where += tr(", at {}", token(block->tokens, target.query));
  else if (target.key >= 0)
    where += tr(", at the key {}", token(block->key_tokens, target.key));
  if (target.value >= map.values.size()) return tr("{}: {}", where, tr("not computed yet"));
  const double value = shown_value(shown.request, map.values[target.value]);
  return tr("{}: {}", where, with_minus(fmt::format("{:+.4f}", value))) + " · " +
         tr("probability {}", printed_percent(map.probabilities[target.value]));
}

Board causes_board(const Scene& scene, const ShownCauses& shown, const BoardStyle& style, BoardRoom room,
                   const Translator& tr) {
  Board board;
  board.width = room.width;
  const CellPen pen{board, style};
  const double em = style.font_size;
  const CauseRequest& request = shown.request;
  double largest = is_patch(request.change) ? 1 : 1e-3;  // less is rounding
  if (shown.paths) {
    for (const HeadPath& path : shown.paths->paths) largest = std::max(largest, std::abs(path.change));
  } else {
    for (const CauseMap& map : shown.causes->maps)
      for (const double value : map.values)
        largest = std::max(largest, std::abs(shown_value(request, value)));
  }
  const auto end = static_cast<float>(largest);
  Board bar = color_bar(diverging_colors(scene.view.theme), {-end, end}, tr(measure_name(request)), style,
                        std::min(1.4 * bar_width * em, std::max(8 * em, 0.4 * room.width)));
  const double beside_bar = room.width - bar.width - em;
  const bool in_title = beside_bar > 9 * em;
  const double bar_height = bar.height, text_room = in_title ? beside_bar : room.width;
  double top = pen.paragraph(question_text(scene, shown, tr), 0, 0, 1, text_room);
  std::string changed = change_title(tr, request.change, request.noise);
  if (request.places == CausePlaces::position)
    changed = tr(
        request.change == CauseChange::value ? TR("{}, one key at a time") : TR("{}, one position at a time"),
        changed);
  const bool presented = style.minimum > 0;
  if (shown.paths)
    changed = tr(
        "The heads that matter most: each path from one head to another, or to the answer, is knocked out");
  if (request.head)
    changed = request.places == CausePlaces::edge
                  ? tr("Head {}: one edge from a query to a key is knocked out at a time",
                       head_number(request.head->layer, request.head->head))
                  : tr("Head {}: one key is knocked out at a time",
                       head_number(request.head->layer, request.head->head));
  // Presented, the graph of paths needs the room, and the lesson's line says what is taken out.
  if (!(presented && shown.paths)) top = pen.paragraph(changed, 0, top, 0.9, text_room);
  const double bar_x = in_title ? room.width - bar.width : 0;
  const bool any = shown.paths || std::ranges::any_of(shown.causes->maps, [](const CauseMap& map) {
                     return !map.values.empty();
                   });
  if (any) add(board, std::move(bar), bar_x, in_title ? 0 : top);
  top = (in_title ? std::max(top, bar_height) : top + bar_height) + 0.5 * em;
  if (shown.paths) {
    if (!presented)
      top = pen.paragraph(
          tr("Boxes: the change without the whole head. Arrows: the change without this path alone. "
             "They need not add up: effects through feed-forward networks, or through several "
             "heads, belong to no single arrow."),
          0, top, 0.75, room.width);
    Board graph = cause_graph(scene, *shown.paths, request.question, largest, style,
                              {room.width, room.height - top - 0.5 * em, room.fill}, tr);
    board.height = top + graph.height;
    add(board, std::move(graph), 0, top);
    return board;
  }
  Board maps = cause_maps(scene, shown, largest, style, {room.width, room.height - top, room.fill}, tr);
  board.height = top + maps.height;
  add(board, std::move(maps), 0, top);
  return board;
}

void draw_causes(const FigurePen& pen, const Scene& scene, const Rect& area) {
  const auto shown = shown_causes(*scene.trace, scene.other_trace.get(),
                                  cause_choice(scene.view, scene.block->shape.kind), scene.stop);
  if (!shown) return;
  if (shown->refusal) throw Error(*shown->refusal);
  draw_filled(pen, area, [&](const BoardStyle& style, bool fill) {
    return causes_board(scene, *shown, style, {area.width, area.height, fill}, pen.tr);
  });
}

const ViewFigure causes_figure{draw_causes, [](const Scene& scene, double width, double font) {
                                 const double rows = scene.view.causes.places == CausePlaces::position &&
                                                             is_of_heads(scene.view.causes.change)
                                                         ? scene.block->layer_count() * scene.block->heads()
                                                     : scene.view.causes.places == CausePlaces::edge
                                                         ? static_cast<double>(scene.block->n_q())
                                                         : scene.block->layer_count();
                                 return std::max(width * 7 / 16, (rows * 1.3 + 8) * font);
                               }};

}  // namespace headscope
