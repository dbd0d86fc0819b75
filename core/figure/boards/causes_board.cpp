#include "core/figure/boards/causes_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/expectations.h"
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
  const auto written = [&](Index id) { return word_label(expected_text(*scene.trace, id)); };
  const std::string at = word_label(tokens[static_cast<std::size_t>(question.position)].text);
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

/// With noise what is lost of the answer, which is none with no effect.
double shown_value(const CauseRequest& request, double value) {
  return is_patch(request.change) && request.noise ? 1 - value : value;
}

/// What the numbers are, for the colour bar.
const char* measure_name(const CauseRequest& request) {
  if (is_patch(request.change)) return request.noise ? TR("Share lost") : TR("Share recovered");
  return request.question.against ? TR("Change of the logit difference") : TR("Change of the logit");
}

/// A map with its axes.
struct CausePanel {
  const CauseMap* map = nullptr;
  const BlockTrace* block = nullptr;
  std::string title;  // if there are several
  std::size_t rows = 1, columns = 1;
  std::vector<std::string> row_names, column_names;
};

std::vector<std::string> token_names(const std::vector<Token>& tokens) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    names.push_back(word_label(tokens[i].text) + number_of_repeated(tokens, static_cast<int>(i)));
  return names;
}

CausePanel panel_of(const Scene& scene, const CauseRequest& request, const CauseMap& map) {
  CausePanel panel;
  panel.map = &map;
  panel.block = block_of(scene.trace, map.kind).get();
  panel.columns = static_cast<std::size_t>(map.shape.back());
  panel.rows = map.values.size() / panel.columns;
  const bool keys = request.places == CausePlaces::edge || request.places == CausePlaces::key ||
                    request.change == CauseChange::value;
  const auto queries = [&] { return token_names(panel.block->tokens); };
  const auto columns = [&] { return keys ? token_names(panel.block->key_tokens) : queries(); };
  const bool heads = is_of_heads(request.change);
  if (request.places == CausePlaces::edge) {
    panel.row_names = queries();
    panel.column_names = columns();
  } else if (request.places == CausePlaces::key) {
    panel.row_names = {head_number(request.head->layer, request.head->head)};
    panel.column_names = columns();
  } else if (request.places == CausePlaces::position) {
    const Index of_layer = heads ? map.shape[1] : 1;
    for (std::size_t row = 0; row < panel.rows; ++row)
      panel.row_names.push_back(
          heads ? head_number(static_cast<Index>(row) / of_layer, static_cast<Index>(row) % of_layer)
                : std::to_string(row + 1));
    panel.column_names = columns();
  } else {
    if (!heads) {
      panel.rows = panel.columns;
      panel.columns = 1;
    }
    for (std::size_t row = 0; row < panel.rows; ++row) panel.row_names.push_back(std::to_string(row + 1));
    for (std::size_t column = 0; column < panel.columns; ++column)
      panel.column_names.push_back(!heads ? "" : std::to_string(column + 1));
  }
  return panel;
}

/// Where its parts are: labels on the left, names above, then cells.
struct PanelPlace {
  double x = 0, y = 0;           // of the title
  double left = 0, top = 0;      // of the cells
  double width = 0, height = 0;  // of a cell
  bool turned = false;           // the names above
};

double names_width(const std::vector<std::string>& names, const BoardStyle& style, double share) {
  double widest = 0;
  for (const std::string& name : names) widest = std::max(widest, style.measure(name, style.sized(share)));
  return widest;
}

constexpr double name_share = 0.85;

CauseTarget target_of(const CauseRequest& request, const CauseMap& map, std::size_t row, std::size_t column) {
  CauseTarget target;
  target.block = map.kind;
  const auto i = static_cast<int>(row), j = static_cast<int>(column);
  if (request.head) {
    target.layer = request.head->layer;
    target.head = request.head->head;
    target.query = request.places == CausePlaces::edge ? i : -1;
    target.key = j;
  } else if (is_of_heads(request.change)) {
    const bool at_positions = request.places == CausePlaces::position;
    const int heads = static_cast<int>(map.shape[1]);
    target.layer = at_positions ? i / heads : i;
    target.head = at_positions ? i % heads : j;
    if (at_positions) (request.change == CauseChange::value ? target.key : target.query) = j;
  } else {
    target.layer = i;
    if (request.places == CausePlaces::position) target.query = j;
  }
  return target;
}

void draw_cells(Board& board, const CellPen& pen, const CausePanel& panel, const PanelPlace& place,
                const CauseRequest& request, double largest) {
  const BoardStyle& style = pen.style;
  const double em = style.font_size, gap = std::min(place.width, place.height) > 0.5 * em ? 1 : 0;
  const double label = style.sized(name_share);
  for (std::size_t column = 0; column < panel.columns; ++column) {
    const double x = place.left + static_cast<double>(column) * place.width;
    const std::string& name = panel.column_names[column];
    if (place.turned) {
      const auto step =
          static_cast<std::size_t>(std::max(1.0, std::ceil(1.05 * label / std::max(0.1, place.width))));
      if (column % step == 0)
        board.texts.push_back(
            {name, x + place.width / 2, place.top - 0.35 * em, {label, style.muted, Anchor::start, true}});
    } else {
      pen.text(name, {x, place.top - 1.5 * em, place.width, 1.5 * em}, name_share, style.muted);
    }
  }
  const std::size_t every =
      static_cast<std::size_t>(std::max(1.0, std::ceil(0.9 * label / std::max(0.1, place.height))));
  const double type = place.width > 5 * em && place.height > 2 * em ? 1 : 0.75, size = style.sized(type);
  const auto shown = [&](std::size_t i) { return shown_value(request, panel.map->values[i]); };
  double longest = 0;
  for (std::size_t i = 0; i < panel.map->values.size(); ++i)
    longest = std::max(longest, style.measure(signed_in_column(shown(i), 2), size));
  const bool numbers = longest + 0.3 * size < place.width - gap && place.height > 0.95 * em;
  for (std::size_t row = 0; row < panel.rows; ++row) {
    const double y = place.top + static_cast<double>(row) * place.height;
    if (row % every == 0)
      board.texts.push_back({panel.row_names[row],
                             place.left - 0.4 * em,
                             y + place.height / 2,
                             {label, style.muted, Anchor::end, false}});
    for (std::size_t column = 0; column < panel.columns; ++column) {
      const std::size_t at = row * panel.columns + column;
      const Rect rect{place.left + static_cast<double>(column) * place.width, y, place.width, place.height};
      const double value = shown(at);
      if (request.places == CausePlaces::edge &&
          panel.block->weightless(request.head->layer, request.head->head, static_cast<Index>(row),
                                  static_cast<Index>(column)))
        continue;  // an edge that the mask does not allow
      const Rgb color = diverging_color(value, largest);
      pen.cell(rect, color, gap);
      if (numbers)
        pen.text(signed_in_column(value, 2), {rect.x, rect.y, rect.width - gap, rect.height - gap}, type,
                 ink_on(color));
      CauseTarget target = target_of(request, *panel.map, row, column);
      target.value = at;
      board.regions.push_back({rect, fmt::format("cause {} {}", to_name(panel.map->kind), at), "", target});
    }
  }
}

/// The heads that matter, a row per layer from the bottom up, and the answer on top; a path is as thick as
/// what it changes, in the colours of the map.
Board graph_of(const Scene& scene, const HeadPaths& paths, const CauseQuestion& question,
               const BoardStyle& style, BoardRoom room, const Translator& tr) {
  Board board;
  board.width = room.width;
  const CellPen pen{board, style};
  const double em = style.font_size;
  double largest = 1e-9;
  for (const HeadPath& path : paths.paths) largest = std::max(largest, std::abs(path.change));
  std::vector<int> layers;
  for (const HeadPlace& head : paths.heads)
    if (layers.empty() || layers.back() != head.layer) layers.push_back(head.layer);
  const double step =
      room.fill ? std::max(4 * em, room.height / static_cast<double>(layers.size() + 1))
                : std::clamp(room.height / static_cast<double>(layers.size() + 1), 4.5 * em, 9 * em);
  board.height = step * static_cast<double>(layers.size() + 1);
  const double left = 4 * em, node_width = 5.5 * em, node_height = 2.6 * em;
  const auto place = [&](const HeadPlace& head) -> Rect {
    const auto same = [&](const HeadPlace& one) { return one.layer == head.layer; };
    const auto of_layer = std::ranges::count_if(paths.heads, same);
    const auto before = std::ranges::count_if(
        paths.heads, [&](const HeadPlace& one) { return same(one) && one.head < head.head; });
    const auto row = std::ranges::find(layers, head.layer) - layers.begin();
    const double across = (room.width - left) / static_cast<double>(of_layer);
    // Single heads above each other are staggered, so that a path passes beside the heads that it skips.
    const double aside = of_layer > 1 ? 0 : (row % 2 == 0 ? -0.14 : 0.14) * (room.width - left);
    const double x = left + (static_cast<double>(before) + 0.5) * across + aside;
    const double y = board.height - (static_cast<double>(row) + 0.5) * step;
    const double width = std::min(node_width, 0.9 * across);
    return {x - width / 2, y - node_height / 2, width, node_height};
  };
  const double middle = left + (room.width - left) / 2;
  const Rect answer{middle - 1.2 * node_width, step / 2 - node_height / 2, 2.4 * node_width, node_height};
  std::vector<BoardText> beside;  // of the paths, above all of them
  for (const HeadPath& path : paths.paths) {
    const double share = std::abs(path.change) / largest;
    if (share < 0.02) continue;
    const Rect from = place(path.from), into = path.into ? place(*path.into) : answer;
    const Rgb color = blend(diverging_color(path.change, largest), style.muted, 0.25);
    const double x0 = from.x + from.width / 2, y0 = from.y, x1 = into.x + into.width / 2, y1 = into.bottom();
    const double wide = 0.08 * em + 0.35 * em * share;
    arrow(board, x0, y0, x1, y1 + wide + 0.2 * em, 0.7 * em, wide, color);
    const double at = 0.42;
    const std::string number = with_minus(fmt::format("{:+.2f}", path.change));
    // To the right, and away from the side to which the arrow leans.
    const double lean = std::clamp((x1 - x0) / (y0 - y1), -1.0, 1.0);
    const double x = x0 + at * (x1 - x0) + 0.4 * em + wide, y = y0 + at * (y1 - y0) + 0.7 * em * lean;
    beside.push_back({number, x, y, {style.sized(0.8), style.text, Anchor::start, false}});
  }
  board.texts.insert(board.texts.end(), beside.begin(), beside.end());
  const auto node = [&](const Rect& rect, const std::string& title, const std::string& below) {
    board.fills.push_back({rect, style.panel});
    frame(board, rect, 1, style.border);
    pen.text(title, {rect.x, rect.y, rect.width, below.empty() ? rect.height : 0.55 * rect.height}, 1,
             style.text);
    if (!below.empty())
      pen.text(below, {rect.x, rect.y + 0.48 * rect.height, rect.width, 0.5 * rect.height}, 0.8, style.muted);
  };
  const std::string token = word_label(expected_text(*scene.trace, question.answer));
  node(answer,
       question.against ? tr("“{}” − “{}”", token, word_label(expected_text(*scene.trace, *question.against)))
                        : tr("“{}”", token),
       "");
  for (std::size_t i = 0; i < paths.heads.size(); ++i) {
    const HeadPlace& head = paths.heads[i];
    const Rect rect = place(head);
    const std::string change = with_minus(fmt::format("{:+.2f}", paths.changes[i]));
    node(rect, head_number(head.layer, head.head), change);
    board.regions.push_back({rect, fmt::format("path {} {}", head.layer, head.head),
                             tr("{}: {}", tr("Layer {}, head {}", head.layer + 1, head.head + 1),
                                tr("{} with the whole head off", change)),
                             CauseTarget{head.block, head.layer, head.head, -1, -1, 0}});
  }
  for (std::size_t row = 0; row < layers.size(); ++row)
    pen.label(tr("Layer {}", layers[row] + 1), 0, board.height - (static_cast<double>(row) + 0.5) * step,
              0.85, style.muted, Anchor::start, left);
  return board;
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
    return tr("“{}” (token {})", word_label(tokens[static_cast<std::size_t>(i)].text), i + 1);
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
  std::vector<CausePanel> panels;
  double largest = is_patch(request.change) ? 1 : 1e-3;  // less is rounding
  for (const CauseMap& map : shown.causes->maps) {
    if (map.values.empty()) continue;
    panels.push_back(panel_of(scene, request, map));
    if (shown.causes->maps.size() > 1) panels.back().title = block_title(tr, map.kind);
    for (const double value : map.values) largest = std::max(largest, std::abs(shown_value(request, value)));
  }
  const auto end = static_cast<float>(largest);
  Board bar = color_bar(diverging_colors(), {-end, end}, tr(measure_name(request)), style,
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
  if (shown.paths)
    changed = tr(
        "The heads that matter most: each path from one head to another, or to the answer, is knocked out");
  if (request.head)
    changed = request.places == CausePlaces::edge
                  ? tr("Head {}: one edge from a query to a key is knocked out at a time",
                       head_number(request.head->layer, request.head->head))
                  : tr("Head {}: one key is knocked out at a time",
                       head_number(request.head->layer, request.head->head));
  top = pen.paragraph(changed, 0, top, 0.9, text_room);
  add(board, std::move(bar), in_title ? room.width - bar.width : 0, in_title ? 0 : top);
  top = (in_title ? std::max(top, bar_height) : top + bar_height) + 0.5 * em;
  if (shown.paths) {
    top = pen.paragraph(
        tr("Boxes: the change without the whole head. Arrows: the change without this path alone. "
           "They need not add up: effects through feed-forward networks, or through several "
           "heads, belong to no single arrow."),
        0, top, 0.75, room.width);
    Board graph = graph_of(scene, *shown.paths, request.question, style,
                           {room.width, room.height - top, room.fill}, tr);
    board.height = top + graph.height;
    add(board, std::move(graph), 0, top);
    return board;
  }
  if (panels.empty()) {
    board.height = top;
    return board;
  }
  const bool heads_alone = request.places == CausePlaces::all;
  double gutter = style.measure(tr("Layer · head"), style.sized(0.75)), names = 0, number = 0;
  for (const CausePanel& panel : panels) {
    gutter = std::max(gutter, std::min(names_width(panel.row_names, style, name_share), 9 * em));
    names = std::max(names, names_width(panel.column_names, style, name_share));
    if (heads_alone)
      for (const double value : panel.map->values)
        number = std::max(number,
                          style.measure(signed_in_column(shown_value(request, value), 2), style.sized(0.75)));
  }
  gutter += 0.8 * em;
  const double title = panels.size() > 1 ? 1.5 * em : 0;
  const auto width_of = [&](bool beside) {
    std::size_t columns = 0;
    for (const CausePanel& panel : panels)
      columns = beside ? columns + panel.columns : std::max(columns, panel.columns);
    const double across = beside ? static_cast<double>(panels.size()) : 1;
    return std::min((room.width - across * (gutter + 0.5 * em)) / static_cast<double>(columns),
                    room.fill ? room.width : 6 * em);
  };
  const auto height_of = [&](bool beside, double header) {
    std::size_t rows = 0;
    for (const CausePanel& panel : panels) rows = beside ? std::max(rows, panel.rows) : rows + panel.rows;
    const double below = beside ? 1 : static_cast<double>(panels.size());
    return (room.height - top - below * (header + title + 0.5 * em)) / static_cast<double>(rows);
  };
  // Panels with few columns are next to each other, unless numbers fit only below each other; others are
  // below each other.
  constexpr double lowest = 1.15;
  bool beside = heads_alone;
  if (heads_alone && width_of(true) < number + 0.6 * em)
    beside = width_of(false) < number + 0.6 * em || height_of(false, 1.5 * em) < lowest * em;
  const double width = width_of(beside);
  const bool turned = !heads_alone && names > width - 0.3 * em;
  const double header = turned ? std::min(names, 8 * em) + 0.6 * em : 1.5 * em;
  const double all = height_of(beside, header);
  const double height = room.fill ? std::max(all, 0.1)
                                  : std::clamp(all, lowest * em, std::max(2.4 * em, std::min(width, 3 * em)));
  double x = 0, y = top;
  for (const CausePanel& panel : panels) {
    const PanelPlace place{x, y, x + gutter, y + title + header, width, height, turned};
    if (title > 0)
      pen.label(panel.title, place.left, y + title / 2, 0.9, style.text, Anchor::start,
                width * static_cast<double>(panel.columns));
    if (heads_alone) {
      const bool both = is_of_heads(request.change);
      pen.label(both ? tr("Layer · head") : tr("Layer"), place.left - 0.4 * em, place.top - 0.75 * em, 0.75,
                style.muted, Anchor::end, gutter);
    } else if (request.places == CausePlaces::edge) {
      pen.label(tr("query → key"), place.left - 0.4 * em, place.top - 0.75 * em, 0.75, style.muted,
                Anchor::end, gutter);
    }
    draw_cells(board, pen, panel, place, request, largest);
    const double bottom = place.top + static_cast<double>(panel.rows) * height;
    board.height = std::max(board.height, bottom);
    if (beside)
      x += gutter + width * static_cast<double>(panel.columns) + 0.5 * em;
    else
      y = bottom + 0.5 * em;
  }
  return board;
}

const char* no_causes(const Trace* trace) {
  if (const char* none = no_lens(trace)) return none;
  return trace->predictions->of_tokens()
             ? nullptr
             : TR("This view is about the logits of tokens; the model gives labels.");
}

void draw_causes(const FigurePen& pen, const Scene& scene, const Rect& area) {
  if (const char* none = no_causes(scene.trace.get())) throw input_error(none);
  const auto shown = shown_causes(*scene.trace, scene.other_trace.get(),
                                  cause_choice(scene.view, scene.block->shape.kind), scene.stop);
  if (!shown) return;
  if (shown->refusal) throw Error(*shown->refusal);
  draw_filled(pen, area, nullptr, [&](const BoardStyle& style, bool fill) {
    return causes_board(scene, *shown, style, {area.width, area.height, fill}, pen.tr);
  });
}

const ViewFigure causes_figure{
    ViewKind::causes, draw_causes, [](const Scene& scene, double width, double font) {
      const double rows =
          scene.view.causes.places == CausePlaces::position && is_of_heads(scene.view.causes.change)
              ? scene.block->layer_count() * scene.block->heads()
          : scene.view.causes.places == CausePlaces::edge ? static_cast<double>(scene.block->n_q())
                                                          : scene.block->layer_count();
      return std::max(width * 7 / 16, (rows * 1.3 + 8) * font);
    }};

}  // namespace headscope
