#include "core/figure/draw_view.h"

#include <algorithm>

#include "core/analysis/population.h"
#include "core/figure/range.h"
#include "core/session/labels.h"

namespace headscope {
namespace {

std::shared_ptr<const Trace> borrowed(const Trace& trace) {
  return {std::shared_ptr<void>(), &trace};
}

int shown_layer(const Trace& trace, const View& view) {
  return std::clamp(view.layer, 0, std::max(0, static_cast<int>(trace.layers.size()) - 1));
}

/// The head that is shown alone, if one is.
std::optional<int> single_head(const Trace& trace, const View& view) {
  if (view.kind != ViewKind::head && !(view.kind == ViewKind::grid && view.head)) return {};
  return std::clamp(view.head.value_or(0), 0, trace.inputs.heads - 1);
}

std::vector<int> heads_in_order(const Trace& trace, const View& view, int layer) {
  if (const auto head = single_head(trace, view)) return {*head};
  const auto l = static_cast<std::size_t>(layer);
  if (!view.sort.empty() && l < trace.statistics.size())
    return sorted_heads(trace.statistics[l], view.sort, view.sort_descending);
  std::vector<int> heads;
  for (int h = 0; h < trace.inputs.heads; ++h) heads.push_back(h);
  return heads;
}

std::string head_title(const Translator& tr, const Session& session, int layer, int head) {
  std::string title = tr.format("Head {}", head + 1);
  const HeadLabel* label = find_label(session.labels, layer, head);
  if (label != nullptr && !label->name.empty()) title += " · " + label->name;
  return title;
}

/// Rows of the shown layer that no key is left for.
std::vector<int> empty_rows(const ShownLayer& shown, int head) {
  std::vector<int> rows;
  for (const Index query : shown.trace->mask.empty_queries(head)) {
    const int row = shown.row(static_cast<int>(query));
    if (row >= 0) rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> texts(const std::vector<Token>& tokens, const std::vector<int>& which) {
  std::vector<std::string> result;
  for (const int i : which) result.push_back(tokens[static_cast<std::size_t>(i)].text);
  return result;
}

MapPicture picture(const ShownLayer& shown, const View& view, int head, const ColorRange& range,
                   const FigureStyle& style) {
  MapPicture p;
  p.part.values = shown.weights.at(head);
  p.part.blocked = shown.state(head);
  p.part.n_q = shown.n_q();
  p.part.n_k = shown.n_k();
  p.part.query_end = static_cast<double>(shown.n_q());
  p.part.key_end = static_cast<double>(shown.n_k());
  p.colors = &colors(view.colormap);
  p.range = range;
  p.masked = style.masked;
  return p;
}

LayoutRequest grid_request(const FigurePen& pen, const ShownLayer& shown, const View& view,
                           std::vector<int> heads, const std::vector<ColorRange>& ranges, const Rect& area) {
  LayoutRequest request;
  request.area = area;
  request.x_tokens = texts(shown.trace->key_tokens, shown.keys);
  request.y_tokens = texts(shown.trace->tokens, shown.queries);
  request.rows = view.rows;
  request.columns = view.columns;
  request.font_size = pen.style.font_size;
  request.numbers = view.numbers == Numbers::automatic;
  request.shared_bar = one_bar_for_all(view.range, heads.size());
  for (const int h : heads) {
    const ColorRange& range = ranges[static_cast<std::size_t>(h)];
    request.bar_values.push_back(bound_text(range.low));
    request.bar_values.push_back(bound_text(range.high));
  }
  if (!heads.empty() && ranges[static_cast<std::size_t>(heads[0])].logarithm)
    request.bar_values.push_back(pen.tr("log"));
  request.heads = std::move(heads);
  request.measure = pen.measure();
  return request;
}

void draw_grid(const FigurePen& pen, const ShownLayer& shown, const Session& session, const Rect& area) {
  const View& view = session.view;
  const std::vector<ColorRange> ranges = color_ranges(shown, view.range);
  const GridLayout grid = grid_layout(
      grid_request(pen, shown, view, heads_in_order(*shown.trace, view, shown.layer), ranges, area));
  FigurePanel panel;
  panel.x_label = pen.tr("Key");
  panel.y_label = pen.tr("Query");
  panel.empty_text = shown.trace->inputs.mask_fill == MaskFill::minus_infinity
                         ? pen.tr("no key to attend to")
                         : pen.tr("every key masked: uniform");
  for (const PanelLayout& place : grid.panels) {
    panel.title = head_title(pen.tr, session, shown.layer, place.head);
    panel.picture = picture(shown, view, place.head, ranges[static_cast<std::size_t>(place.head)], pen.style);
    panel.empty_rows = empty_rows(shown, place.head);
    draw_panel(pen, grid, place, panel);
  }
  if (!grid.panels.empty())
    draw_color_bar(pen, grid.color_bar, grid.bar_high, grid.bar_low, grid.tick_size, colors(view.colormap),
                   ranges[static_cast<std::size_t>(grid.panels[0].head)]);
}

/// What the reader must know of a filter: the numbers are not all there, or not those of the softmax.
std::string filter_note(const Translator& tr, const Filter& filter, bool renormalized) {
  std::string note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : " · ") + text; };
  if (renormalized) add(tr("rows renormalized over the keys shown"));
  if (filter.top_percent < 100) add(tr.format("top {} % of each row", filter.top_percent));
  if (filter.threshold > 0) add(tr.format("weights of at least {}", filter.threshold));
  return note;
}

void draw_message(const FigurePen& pen, const std::string& text, const Rect& area) {
  pen.centered(text, area, 1.3 * pen.style.font_size, pen.style.quiet);
}

}  // namespace

std::string figure_title(const Trace& trace, const Session& session, const Translator& tr) {
  if (!session.view.title.empty()) return session.view.title;
  if (trace.n_q() == 0 || trace.n_k() == 0) return "";
  const bool several = trace.inputs.layers > 1;
  const int layer = shown_layer(trace, session.view) + 1;
  if (single_head(trace, session.view)) return several ? tr.format("Layer {}", layer) : "";
  if (several) return tr.format("Layer {}: attention of {} heads", layer, trace.inputs.heads);
  return trace.inputs.heads == 1 ? tr("Attention of one head")
                                 : tr.format("Attention of {} heads", trace.inputs.heads);
}

void draw_view(const FigurePen& pen, const Trace& trace, const Session& session, double width,
               double height) {
  const double margin = std::min(pen.style.margin, 0.05 * std::min(width, height));
  pen.canvas.fill({0, 0, width, height}, pen.style.background);
  Rect area{margin, margin, width - 2 * margin, height - 2 * margin};
  const std::string title = figure_title(trace, session, pen.tr);
  if (!title.empty()) {
    const double size = std::min(pen.style.title_size, height / 12);
    pen.centered(title, {area.x, area.y, area.width, 1.3 * size}, size, pen.style.text);
    area = {area.x, area.y + 1.7 * size, area.width, area.height - 1.7 * size};
  }
  if (trace.n_q() == 0 || trace.n_k() == 0)
    return draw_message(pen, pen.tr("No tokens yet: the sentence is empty"), area);
  const auto shown = show_layer(borrowed(trace), shown_layer(trace, session.view), session.view.filter);
  if (shown->weights.empty()) return draw_message(pen, pen.tr("The maps of this layer are not kept"), area);
  const std::string note = filter_note(pen.tr, session.view.filter, shown->renormalized);
  if (!note.empty()) {
    const double line = 1.5 * pen.style.font_size;
    pen.centered(note, {area.x, area.bottom() - line, area.width, line}, pen.style.font_size,
                 pen.style.quiet);
    area.height -= line + 0.3 * pen.style.font_size;
  }
  draw_grid(pen, *shown, session, area);
}

}  // namespace headscope
