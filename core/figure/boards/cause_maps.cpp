#include "core/figure/boards/cause_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/figure/boards/word_boxes.h"
#include "core/inputs/names.h"
#include "core/scene/colormap.h"
#include "core/scene/labels.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

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
  panel.columns = map.shape.back();
  panel.rows = map.count() / panel.columns;
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
  bool vertical = false;         // the names above
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

/// Of the widest number of a map that ends at ± `largest`.
double number_width(double largest, const BoardStyle& style, double size) {
  const int decimals = column_decimals(largest);
  return std::max(style.measure(signed_in_column(-largest, decimals), size),
                  style.measure(signed_in_column(largest, decimals), size));
}

void draw_cells(Board& board, const CellPen& pen, const Scene& scene, const CausePanel& panel,
                const PanelPlace& place, const CauseRequest& request, double largest, const Translator& tr) {
  const BoardStyle& style = pen.style;
  const double em = style.font_size, gap = std::min(place.width, place.height) > 0.5 * em ? 1 : 0;
  const double label = style.sized(name_share);
  for (std::size_t column = 0; column < panel.columns; ++column) {
    const double x = place.left + static_cast<double>(column) * place.width;
    const std::string& name = panel.column_names[column];
    if (place.vertical) {
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
  const int decimals = column_decimals(largest);
  // In the size of text where cells have room for it, otherwise in that of labels.
  const bool roomy = place.height > 2 * em && number_width(largest, style, em) + em < place.width - gap;
  const double type = roomy ? 1 : 0.75, size = style.sized(type),
               longest = number_width(largest, style, size);
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
      if (request.places == CausePlaces::edge &&
          panel.block->weightless(request.head->layer, request.head->head, row, column))
        continue;  // an edge that the mask does not allow
      CauseTarget target = target_of(request, *panel.map, row, column);
      target.value = at;
      if (target.head >= 0 && target.head >= panel.block->heads_of(target.layer)) continue;
      const bool known = at < panel.map->values.size();
      board.regions.push_back(
          {rect, fmt::format("{} {} {}", known ? "cause" : "pending", to_name(panel.map->kind), at), "",
           target});
      if (!known) {
        if (gap > 0) frame(board, {rect.x, rect.y, rect.width - gap, rect.height - gap}, 1, style.border);
        continue;
      }
      const double value = shown_value(request, panel.map->values[at]);
      const Rgb color = diverging_color(value, largest, scene.view.theme);
      pen.cell(rect, color, gap);
      const bool off = value == 0 && target.head >= 0 && is_ablated(*panel.block, target.layer, target.head);
      if (numbers)
        pen.text(off ? tr("off") : signed_in_column(value, decimals),
                 {rect.x, rect.y, rect.width - gap, rect.height - gap}, type, ink_on(color));
    }
  }
}

constexpr double lowest_row = 1.15;  // em

/// How the panels are laid out: the same cells in all.
struct PanelsLayout {
  bool beside = false;           // next to each other; otherwise below each other
  double width = 0, height = 0;  // of a cell
  double gutter = 0;             // left of the cells
  double title = 0, header = 0;  // above them
  bool vertical = false;         // names of columns
};

PanelsLayout layout_of(const std::vector<CausePanel>& panels, const CauseRequest& request, double largest,
                       const BoardStyle& style, BoardRoom room, const Translator& tr) {
  const double em = style.font_size;
  const bool heads_alone = request.places == CausePlaces::all;
  double gutter = style.measure(tr("Layer · head"), style.sized(0.75)), names = 0;
  for (const CausePanel& panel : panels) {
    gutter = std::max(gutter, std::min(names_width(panel.row_names, style, name_share), 9 * em));
    names = std::max(names, names_width(panel.column_names, style, name_share));
  }
  // Where not all are known, those to come have three digits, so that nothing moves.
  const bool whole = std::ranges::all_of(panels, [](const CausePanel& each) { return each.map->whole(); });
  const double number = number_width(whole ? largest : std::max(largest, 1.0), style, style.sized(0.75));
  gutter += 0.8 * em;
  const double title = panels.front().title.empty() ? 0 : 1.5 * em;
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
    return (room.height - below * (header + title + 0.5 * em)) / static_cast<double>(rows);
  };
  // Panels with few columns are next to each other, unless numbers fit only below each other; others are
  // below each other.
  bool beside = heads_alone;
  if (heads_alone && width_of(true) < number + 0.6 * em)
    beside = width_of(false) < number + 0.6 * em || height_of(false, 1.5 * em) < lowest_row * em;
  const double width = width_of(beside);
  const bool vertical = !heads_alone && names > width - 0.3 * em;
  const double header = vertical ? std::min(names, 8 * em) + 0.6 * em : 1.5 * em;
  const double all = height_of(beside, header);
  const double height = room.fill
                            ? std::max(all, 0.1)
                            : std::clamp(all, lowest_row * em, std::max(2.4 * em, std::min(width, 3 * em)));
  return {beside, width, height, gutter, title, header, vertical};
}

}  // namespace

double shown_value(const CauseRequest& request, double value) {
  return is_patch(request.change) && request.noise ? 1 - value : value;
}

Board cause_maps(const Scene& scene, const ShownCauses& shown, double largest, const BoardStyle& style,
                 BoardRoom room, const Translator& tr) {
  Board board;
  board.width = room.width;
  const CellPen pen{board, style};
  const double em = style.font_size;
  const CauseRequest& request = shown.request;
  std::vector<CausePanel> panels;
  for (const CauseMap& map : shown.causes->maps) {
    if (map.count() == 0) continue;
    panels.push_back(panel_of(scene, request, map));
    if (shown.causes->maps.size() > 1) panels.back().title = block_title(tr, map.kind);
  }
  if (panels.empty()) return board;
  // Presented, nothing scrolls: where rows of all blocks are too low to be read, the block in view is alone.
  const auto in_view = std::ranges::find(panels, scene.block->shape.kind,
                                         [](const CausePanel& panel) { return panel.map->kind; });
  if (style.minimum > 0 && panels.size() > 1 &&
      layout_of(panels, request, largest, style, room, tr).height < lowest_row * em)
    panels = {in_view != panels.end() ? *in_view : panels.front()};
  const auto [beside, width, height, gutter, title, header, vertical] =
      layout_of(panels, request, largest, style, room, tr);
  const bool heads_alone = request.places == CausePlaces::all;
  double x = 0, y = 0;
  for (const CausePanel& panel : panels) {
    const PanelPlace place{x, y, x + gutter, y + title + header, width, height, vertical};
    const double across = width * static_cast<double>(panel.columns);
    const double down = height * static_cast<double>(panel.rows);
    if (title > 0) pen.label(panel.title, place.left, y + title / 2, 0.9, style.text, Anchor::start, across);
    if (heads_alone) {
      const bool both = is_of_heads(request.change);
      pen.label(both ? tr("Layer · head") : tr("Layer"), place.left - 0.4 * em, place.top - 0.75 * em, 0.75,
                style.muted, Anchor::end, gutter);
    } else if (request.places == CausePlaces::edge) {
      pen.label(tr("query → key"), place.left - 0.4 * em, place.top - 0.75 * em, 0.75, style.muted,
                Anchor::end, gutter);
    }
    draw_cells(board, pen, scene, panel, place, request, largest, tr);
    if (!panel.map->whole()) frame(board, {place.left, place.top, across, down}, 1, style.border);
    const double bottom = place.top + down;
    board.height = std::max(board.height, bottom);
    if (beside)
      x += gutter + across + 0.5 * em;
    else
      y = bottom + 0.5 * em;
  }
  return board;
}

}  // namespace headscope
