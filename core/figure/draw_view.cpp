#include "core/figure/draw_view.h"

#include <algorithm>

#include "core/analysis/comparison.h"
#include "core/figure/draw_parts.h"
#include "core/scene/labels.h"

namespace headscope {
namespace {

int shown_layer(const BlockTrace& block, const View& view) {
  return std::clamp(view.layer, 0, std::max(0, block.layer_count() - 1));
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
void draw_layer(const FigurePen& pen, const Scene& scene, Rect area) {
  const Filter& filter = scene.view.filter;
  const int layer = shown_layer(*scene.block, scene.view);
  const auto shown = filter_layer(scene.block, layer, filter);
  const std::string note = filter_note(pen.tr, filter, shown->renormalized);
  if (!note.empty()) {
    const double line = 1.5 * pen.style.font_size;
    pen.heading(note, {area.x, area.bottom() - line, area.width, line}, pen.style.font_size, pen.style.quiet);
    area.height -= line + 0.3 * pen.style.font_size;
  }
  if (scene.view.kind == ViewKind::lines) return draw_lines(pen, *shown, scene, area);
  if (scene.view.kind != ViewKind::compare || scene.other == nullptr)
    return draw_grid(pen, *shown, scene, area);
  const auto other = filter_layer(scene.other, shown_layer(*scene.other, scene.view),
                                  partner_filter(filter, *scene.block, *scene.other));
  draw_compare(pen, shown, other, scene, area);
}

}  // namespace

std::optional<int> single_head(const BlockTrace& block, const View& view) {
  if (view.kind != ViewKind::head && !(view.kind == ViewKind::grid && view.head)) return {};
  return std::clamp(view.head.value_or(0), 0, block.heads() - 1);
}

std::string head_title(const Translator& tr, const Scene& scene, int layer, int head) {
  std::string title = tr.format("Head {}", head + 1);
  const HeadLabel* label = find_label(scene.labels, layer, head);
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

std::string figure_title(const Scene& scene, const Translator& tr) {
  const BlockTrace& block = *scene.block;
  if (!scene.view.show_title) return "";
  if (!scene.view.title.empty()) return scene.view.title;
  if (block.n_q() == 0 || block.n_k() == 0) return "";
  if (scene.view.kind == ViewKind::layers ||
      (scene.view.kind == ViewKind::head_table && block.shape.layers > 1))
    return tr.format("Attention of {} layers of {} heads", block.shape.layers, block.heads());
  const bool several = block.shape.layers > 1;
  const int layer = shown_layer(*scene.block, scene.view) + 1;
  if (scene.view.kind == ViewKind::compare) {
    const std::string head =
        head_title(tr, scene, layer - 1, std::clamp(scene.view.head.value_or(0), 0, block.heads() - 1));
    return several ? tr.format("Layer {}", layer) + " · " + head : head;
  }
  if (single_head(block, scene.view)) return several ? tr.format("Layer {}", layer) : "";
  if (several) return tr.format("Layer {}: attention of {} heads", layer, block.heads());
  return block.heads() == 1 ? tr("Attention of one head") : tr.format("Attention of {} heads", block.heads());
}

void draw_view(const FigurePen& pen, const Scene& scene, double width, double height) {
  const double margin = std::min(pen.style.margin, 0.05 * std::min(width, height));
  pen.canvas.fill({0, 0, width, height}, pen.style.background);
  Rect area{margin, margin, width - 2 * margin, height - 2 * margin};
  const std::string title = figure_title(scene, pen.tr);
  if (!title.empty()) {
    const double size = std::min(pen.style.title_size, height / 12);
    pen.heading(title, {area.x, area.y, area.width, 1.3 * size}, size, pen.style.text);
    area = {area.x, area.y + 1.7 * size, area.width, area.height - 1.7 * size};
  }
  if (scene.block->n_q() == 0 || scene.block->n_k() == 0)
    return draw_message(pen, pen.tr("No tokens yet: the sentence is empty"), area);
  if (scene.view.kind == ViewKind::layers) return draw_layers(pen, scene, area);
  if (scene.view.kind == ViewKind::head_table) return draw_head_table(pen, scene, area);
  draw_layer(pen, scene, area);
}

}  // namespace headscope
