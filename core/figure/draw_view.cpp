#include "core/figure/draw_view.h"

#include <algorithm>

#include "core/analysis/comparison.h"
#include "core/figure/draw_parts.h"
#include "core/scene/labels.h"

namespace headscope {
namespace {

std::shared_ptr<const Trace> borrowed(const Trace& trace) {
  return {std::shared_ptr<void>(), &trace};
}

int shown_layer(const Trace& trace, const View& view) {
  return std::clamp(view.layer, 0, std::max(0, static_cast<int>(trace.layers.size()) - 1));
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

/// The views of one layer.
void draw_layer(const FigurePen& pen, const Trace& trace, const Trace* b, const Session& session, Rect area) {
  const Filter& filter = session.view.filter;
  const int layer = shown_layer(trace, session.view);
  const auto shown = filter_layer(borrowed(trace), layer, filter);
  if (shown->weights.empty()) return draw_message(pen, pen.tr("The maps of this layer are not kept"), area);
  const std::string note = filter_note(pen.tr, filter, shown->renormalized);
  if (!note.empty()) {
    const double line = 1.5 * pen.style.font_size;
    pen.heading(note, {area.x, area.bottom() - line, area.width, line}, pen.style.font_size, pen.style.quiet);
    area.height -= line + 0.3 * pen.style.font_size;
  }
  if (session.view.kind == ViewKind::lines) return draw_lines(pen, *shown, session, area);
  if (session.view.kind != ViewKind::compare || b == nullptr) return draw_grid(pen, *shown, session, area);
  const auto other =
      filter_layer(borrowed(*b), shown_layer(*b, session.view), partner_filter(filter, trace, *b));
  draw_compare(pen, shown, other, session, area);
}

}  // namespace

std::optional<int> single_head(const Trace& trace, const View& view) {
  if (view.kind != ViewKind::head && !(view.kind == ViewKind::grid && view.head)) return {};
  return std::clamp(view.head.value_or(0), 0, trace.inputs.heads - 1);
}

std::string head_title(const Translator& tr, const Session& session, int layer, int head) {
  std::string title = tr.format("Head {}", head + 1);
  const HeadLabel* label = find_label(session.labels, layer, head);
  if (label != nullptr && !label->name.empty()) title += " · " + label->name;
  return title;
}

std::vector<std::string> texts(const std::vector<Token>& tokens, const std::vector<int>& which) {
  std::vector<std::string> result;
  for (const int i : which) result.push_back(tokens[static_cast<std::size_t>(i)].text);
  return result;
}

MapPicture map_picture(const float* values, const std::uint8_t* state, Index n_q, Index n_k,
                       const std::array<Rgb, 256>& colors, const ColorRange& range,
                       const MaskedStyle& masked) {
  MapPicture p;
  p.part.values = values;
  p.part.blocked = state;
  p.part.n_q = n_q;
  p.part.n_k = n_k;
  p.part.query_end = static_cast<double>(n_q);
  p.part.key_end = static_cast<double>(n_k);
  p.colors = &colors;
  p.range = range;
  p.masked = masked;
  return p;
}

std::string figure_title(const Trace& trace, const Session& session, const Translator& tr) {
  if (!session.view.show_title) return "";
  if (!session.view.title.empty()) return session.view.title;
  if (trace.n_q() == 0 || trace.n_k() == 0) return "";
  if (session.view.kind == ViewKind::layers ||
      (session.view.kind == ViewKind::head_table && trace.inputs.layers > 1))
    return tr.format("Attention of {} layers of {} heads", trace.inputs.layers, trace.inputs.heads);
  const bool several = trace.inputs.layers > 1;
  const int layer = shown_layer(trace, session.view) + 1;
  if (session.view.kind == ViewKind::compare) {
    const std::string head = head_title(tr, session, layer - 1,
                                        std::clamp(session.view.head.value_or(0), 0, trace.inputs.heads - 1));
    return several ? tr.format("Layer {}", layer) + " · " + head : head;
  }
  if (single_head(trace, session.view)) return several ? tr.format("Layer {}", layer) : "";
  if (several) return tr.format("Layer {}: attention of {} heads", layer, trace.inputs.heads);
  return trace.inputs.heads == 1 ? tr("Attention of one head")
                                 : tr.format("Attention of {} heads", trace.inputs.heads);
}

void draw_view(const FigurePen& pen, const Trace& trace, const Trace* b, const Session& session, double width,
               double height) {
  const double margin = std::min(pen.style.margin, 0.05 * std::min(width, height));
  pen.canvas.fill({0, 0, width, height}, pen.style.background);
  Rect area{margin, margin, width - 2 * margin, height - 2 * margin};
  const std::string title = figure_title(trace, session, pen.tr);
  if (!title.empty()) {
    const double size = std::min(pen.style.title_size, height / 12);
    pen.heading(title, {area.x, area.y, area.width, 1.3 * size}, size, pen.style.text);
    area = {area.x, area.y + 1.7 * size, area.width, area.height - 1.7 * size};
  }
  if (trace.n_q() == 0 || trace.n_k() == 0)
    return draw_message(pen, pen.tr("No tokens yet: the sentence is empty"), area);
  if (session.view.kind == ViewKind::layers) return draw_layers(pen, trace, session, area);
  if (session.view.kind == ViewKind::head_table) return draw_head_table(pen, trace, session, area);
  draw_layer(pen, trace, b, session, area);
}

}  // namespace headscope
