#include "core/figure/boards/draw_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/analysis/comparison.h"
#include "core/base/error.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/model_board.h"
#include "core/figure/boards/prediction_boards.h"
#include "core/figure/boards/sign_legend.h"
#include "core/figure/boards/steps_board.h"
#include "core/figure/boards/steps_page.h"
#include "core/figure/boards/vertical_text.h"
#include "core/figure/canvas/patch_picture.h"
#include "core/figure/canvas/pool.h"
#include "core/picture/picture.h"
#include "core/scene/labels.h"
#include "core/scene/locked_text.h"
#include "core/scene/range.h"
#include "core/scene/scene.h"
#include "core/scene/source_title.h"
#include "core/scene/view_kinds.h"
#include "core/scene/view_needs.h"
#include "core/source/capture/capture.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/source.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

/// Below the maps, taking room from them, if there is any text.
void draw_notes(const FigurePen& pen, const Scene& scene, const FilteredLayer& shown, Rect& area) {
  std::string note;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) note += (note.empty() ? "" : " · ") + text;
  };
  // Without a title the texts are next to the figure, as in a handout.
  if (scene.marks_locked && scene.view.show_title) add(locked_text(pen.tr, scene));
  add(filter_note(pen.tr, scene.view.filter, shown.renormalized));
  if (pen.canvas.scales() && static_cast<double>(std::max(shown.n_q(), shown.n_k())) > max_whole_cells)
    add(pen.tr("Each pixel shows the largest of several cells"));
  if (shown.part) add(zoom_note(pen.tr, scene));
  const Index queries = shown.part ? shown.part->query_pool : scene.block->query_pool,
              keys = shown.part ? shown.part->key_pool : scene.block->key_pool;
  if (queries > 1 || keys > 1)
    add(pen.tr(
        scene.view.means ? TR("Each cell is the mean of {} × {}") : TR("Each cell is the largest of {} × {}"),
        queries, keys));
  for (const std::optional<Error>& finding : {scene.block->maps->warning(), scene.block->maps->error()})
    if (finding) add(pen.tr(*finding));
  if (note.empty()) return;
  const double line = 1.5 * pen.style.font_size;
  pen.heading(note, {area.x, area.bottom() - line, area.width, line}, pen.style.font_size, pen.style.muted);
  area.height -= line + 0.3 * pen.style.font_size;
}

/// Next to the maps, taking room from them: if keys are patches of a picture, the weights of the locked
/// cell's query over it.
void draw_patches(const FigurePen& pen, const Scene& scene, Rect& area) {
  if (!scene.locked) return;
  const auto row = patch_row(*scene.block, scene.view.layer, scene.locked->cell);
  if (!row) return;
  const double line = 1.5 * pen.style.font_size, width = 0.34 * area.width;
  const Patches& patches = row->patches;
  const double patch = std::min(width / patches.columns, (area.height - 3 * line) / patches.rows);
  if (patch <= 0) return;
  const Rect beside{area.right() - width, area.y, width, area.height};
  area.width -= width + line;
  Rect place{beside.x, beside.y + line, patch * patches.columns, patch * patches.rows};
  place.x += (beside.width - place.width) / 2;
  place.y += std::max(0.0, (beside.height - 3 * line - place.height) / 2);
  const auto below = picture_below(patches);
  constexpr int pixels = 512;
  const ColorRange range = own_range(*row);
  pen.heading(patch_title(pen.tr, *scene.block, *row, scene.labels),
              {beside.x, place.y - line, beside.width, line}, pen.style.font_size, pen.style.text);
  pen.canvas.picture(std::make_shared<const Picture>(
                         patch_picture(*row, colors(scene.view.colormap), range, below.get(), pixels)),
                     place);
  if (const int own = scene.block->patches ? scene.block->patches->of_token(row->query) : -1; own >= 0) {
    const int row_of_own = own / patches.columns;
    const double left = place.x + own % patches.columns * patch, top = place.y + row_of_own * patch;
    const Rgb white{255, 255, 255}, black{0, 0, 0};
    for (const auto& [color, thick] : {std::pair{black, 2.0}, {white, 1.0}}) {
      pen.canvas.line(left, top, left + patch, top, thick, color, 1);
      pen.canvas.line(left, top + patch, left + patch, top + patch, thick, color, 1);
      pen.canvas.line(left, top, left, top + patch, thick, color, 1);
      pen.canvas.line(left + patch, top, left + patch, top + patch, thick, color, 1);
    }
  }
  pen.heading(pen.tr("colours from {} to {}", bound_text(range.low), bound_text(range.high)),
              {beside.x, place.bottom() + 0.3 * line, beside.width, line}, pen.style.font_size,
              pen.style.muted);
}

/// What the views of attention maps draw, of a long text in pooled cells, and where: above their notes.
struct ShownMaps {
  Scene scene;
  std::shared_ptr<const FilteredLayer> shown;
  Rect area;
};

ShownMaps maps_with_notes(const FigurePen& pen, const Scene& whole, const Rect& page) {
  ShownMaps maps{pooled_scene(whole), nullptr, page};
  const Scene& scene = maps.scene;
  if (scene.block->pooled()) read_ahead(*scene.block, scene.view.layer, heads_in_view(scene), {}, scene.stop);
  maps.shown = needs_pooling(*scene.block) ? scene.part ? scene.part : shown_of_long(scene)
                                           : filter_layer(scene.block, scene.view.layer, scene.view.filter,
                                                          heads_in_view(scene), scene.stop);
  draw_notes(pen, scene, *maps.shown, maps.area);
  return maps;
}

void draw_grid_view(const FigurePen& pen, const Scene& whole, const Rect& page) {
  auto [scene, shown, area] = maps_with_notes(pen, whole, page);
  draw_patches(pen, scene, area);
  draw_grid(pen, *shown, scene, area);
}

void draw_lines_view(const FigurePen& pen, const Scene& whole, const Rect& page) {
  const auto [scene, shown, area] = maps_with_notes(pen, whole, page);
  draw_lines(pen, *shown, scene, area);
}

void draw_layers_view(const FigurePen& pen, const Scene& whole, const Rect& page) {
  const auto [scene, shown, area] = maps_with_notes(pen, whole, page);
  draw_layers(pen, scene, area);
}

void draw_comparison(const FigurePen& pen, const Scene& whole, const Rect& page) {
  auto [scene, shown, area] = maps_with_notes(pen, whole, page);
  if (scene.other == nullptr) return draw_grid(pen, *shown, scene, area);
  if (pen.extras.effect && has_effect(scene)) {
    const double height = std::min(effect_height(pen.style.font_size), 0.5 * area.height);
    area.height -= height;
    draw_effect(pen, scene, {area.x, area.bottom() + pen.style.font_size, area.width, height});
  }
  const int last = std::max(0, scene.other->layer_count() - 1);
  const auto other = filter_layer(scene.other, std::min(scene.view.layer, last),
                                  partner_filter(scene.view.filter, *scene.block, *scene.other), scene.stop);
  draw_compare(pen, shown, other, scene, area);
}

/// The source of the maps if it is not a seeded layer: "gpt2", "marian · Cross-attention".
std::string source_of(const Scene& scene, const Translator& tr) {
  if (scene.trace == nullptr || scene.trace->inputs.about().from_seed) return "";
  const Capture* const capture = scene.trace->about().capture;
  std::string source =
      capture != nullptr && capture->names_model() ? capture->model() : source_name(scene.trace->inputs);
  if (!scene.view.row().of_model() && scene.trace->blocks.size() > 1)
    source += (source.empty() ? "" : " · ") + block_title(tr, *scene.trace, scene.block->shape.kind);
  return source;
}

// The titles of views that name what they show.

std::string title_of_heads(const Translator& tr, int heads) {
  return tr.plural("Attention of one head", "Attention of {} heads", heads);
}

/// "Layer 2 · ", if there are several.
std::string layer_before(const Scene& scene, const Translator& tr) {
  return scene.block->shape.layers > 1 ? tr("Layer {}", scene.view.layer + 1) + " · " : "";
}

std::string title_of_maps(const Scene& scene, const Translator& tr) {
  const int layer = scene.view.layer + 1, heads = static_cast<int>(scene.heads.size());
  const bool several = scene.block->shape.layers > 1;
  if (scene.head) return several ? layer_name(tr, scene.block->shape, scene.view.layer) : "";
  if (const Mixer mixer = scene.block->shape.mixer_of(scene.view.layer); mixer != Mixer::softmax)
    return tr.plural("Layer {1}: {2}, {0} head", "Layer {1}: {2}, {0} heads", heads, heads, layer,
                     tr(to_label(mixer)));
  if (!several) return title_of_heads(tr, heads);
  return tr.plural("Layer {}: attention of one head", "Layer {}: attention of {} heads", heads, layer, heads);
}

std::string title_of_comparison(const Scene& scene, const Translator& tr) {
  if (!scene.head) return title_of_maps(scene, tr);
  return layer_before(scene, tr) + head_title(tr, scene.labels, scene.view.layer, *scene.head);
}

std::string title_of_table(const Scene& scene, const Translator& tr) {
  return title_of_layers(scene, tr);
}

std::string title_of_steps(const Scene& scene, const Translator& tr) {
  if (scene.view.steps.page == StepsPage::cost) return tr("What attention costs");
  if (scene.view.steps.page == StepsPage::streaming) return tr("Streamed softmax");
  const BlockTrace& block = *scene.block;
  const CellPlace at = steps_cell(scene);
  return layer_before(scene, tr) + head_title(tr, scene.labels, scene.view.layer, at.head) +
         fmt::format(" · {} → {}", token_label(block.tokens[at.query].text),
                     token_label(block.key_tokens[at.key].text));
}

/// How far key labels extend below a map, in sizes of their text.
double key_length(const Scene& scene) {
  constexpr double letter = 0.55, maximum = 6;
  double longest = 0;
  for (const Token& token : scene.block->key_tokens) {
    const auto characters = static_cast<double>(character_starts(token.text).size());
    longest = std::max(longest, characters * (is_vertical(token.text) ? 1 : letter));
  }
  return std::min(longest, maximum);
}

/// For maps side by side with this ratio of height to width: the rest is text, smaller next to small maps,
/// and colour bars.
double height_of_maps(const Scene& scene, GridShape shape, double aspect, double width, double font,
                      bool own_bars) {
  constexpr double roomy = 110;  // points for a map with text of the full size
  const double column = width / shape.columns, text = font * std::clamp(column / roomy, 0.7, 1.0);
  const double map = (own_bars ? 0.62 : 0.74) * column;
  return shape.rows * (map * aspect + 2.4 * text) + (2 + key_length(scene)) * text;
}

/// For a grid with one frame of axes: words left of it and below, over each map its title, with a strip where
/// maps have ranges of their own. The bar of all is beside the maps or, where it would take much of their
/// width, above them.
double height_of_frame(const Scene& scene, GridShape shape, double aspect, double width, double font) {
  constexpr double roomy = 110, with_strip = 2.95, title = 2.35, bar_beside = 6, bar_above = 4, much = 0.15;
  const double text = font * std::clamp(width / shape.columns / roomy, 0.7, 1.0);
  const double words = (2 + key_length(scene)) * text;
  const bool own = is_per_head(scene.view.range.kind), above = !own && bar_beside * text > much * width;
  const double bar = own || above ? 0 : bar_beside * text;
  const double map = (width - words - bar - (shape.columns - 1) * text) / shape.columns;
  return shape.rows * (std::max(map, 0.0) * aspect + (own ? with_strip : title) * text) + words +
         (above ? bar_above * text : 0);
}

double aspect_of(const Scene& scene) {
  return std::clamp(static_cast<double>(scene.block->n_q()) / static_cast<double>(scene.block->n_k()), 0.2,
                    4.0);
}

GridShape shape_of(const Scene& scene, double aspect) {
  const auto heads = static_cast<int>(scene.heads.size());
  return largest_shape(grid_shapes(heads, scene.view.rows, scene.view.columns), heads, [&](GridShape shape) {
    return std::min(2.0 / shape.columns, 1.0 / shape.rows / aspect);
  });
}

/// The height, from `usual` to that of a sheet of paper, at which every token of the maps has a label;
/// `usual` if none is enough. Of a grid, where that takes another shape than usual, the height at which maps
/// of that shape have the whole width, which `full` knows. Text is estimated.
double labelled_height(const Scene& scene, int maps, double width, double font, double usual,
                       const std::function<double(GridShape)>& full = nullptr) {
  constexpr Index most = 200;
  constexpr double letter = 0.55, taller = 1.06;
  const BlockTrace& block = *scene.block;
  if (block.n_q() > most || block.n_k() > most) return usual;
  LayoutRequest request;
  request.heads = all_heads(maps);
  request.one_frame = full != nullptr;
  if (request.one_frame) request.rows = scene.view.rows, request.columns = scene.view.columns;
  for (const Token& token : block.tokens) request.y_tokens.push_back(token_label(token.text));
  for (const Token& token : block.key_tokens) request.x_tokens.push_back(token_label(token.text));
  request.font_size = font;
  request.smallest = figure_style(scene.view.theme, font).smallest;
  request.named_bars = true;
  request.shared_bar = one_bar_for_all(scene.view.range.kind, maps);
  request.measure = [&](std::string_view text) {
    return font * letter * static_cast<double>(character_starts(text).size() - 1);
  };
  for (double height = usual; height < sheet_height; height *= taller) {
    request.area = {0, 0, width, height};
    const GridLayout grid = grid_layout(request);
    if (grid.labelled_every != 1) continue;
    return full == nullptr ? height : std::max(height, std::min(full(grid.shape), sheet_height));
  }
  return usual;
}

double wide_height(const Scene& /*scene*/, double width, double /*font*/) {
  return width * 9 / 16;
}

/// For maps above each other, each high enough that every row has its word.
double height_of_model(const Scene& scene, double width, double font) {
  double maps = 0;
  if (scene.trace == nullptr) return wide_height(scene, width, font);
  for (const BlockTrace& block : scene.trace->blocks)
    maps = std::max(maps, block.layer_count() * (static_cast<double>(block.n_q()) + 2.5));
  return std::max(wide_height(scene, width, font), (maps + 8) * 0.95 * font);
}

double height_of_table(const Scene& scene, double width, double font) {
  const double rows = scene.block->layer_count() * scene.block->heads();
  const double table = std::min(rows, 40.0) * 1.8 * font + 5 * font;
  if (scene.view.table.half == TableHalf::numbers || rows < 2) return table;
  if (scene.view.table.half == TableHalf::similarity) return width;
  return 0.85 * width + table;
}

double height_of_grid(const Scene& scene, double width, double font) {
  const double aspect = aspect_of(scene);
  const bool one = scene.heads.size() == 1;
  const auto full = [&](GridShape shape) {
    return one ? height_of_maps(scene, shape, aspect, width, font, is_per_head(scene.view.range.kind))
               : height_of_frame(scene, shape, aspect, width, font);
  };
  const double usual = full(shape_of(scene, aspect));
  return labelled_height(scene, static_cast<int>(scene.heads.size()), width, font, usual, full);
}
double height_of_head(const Scene& scene, double width, double font) {
  const double usual = height_of_maps(scene, {1, 1}, aspect_of(scene), width - 8 * font, font, false);
  return labelled_height(scene, 1, width, font, usual);
}
double height_of_comparison(const Scene& scene, double width, double font) {
  if (scene.other == nullptr) return height_of_grid(scene, width, font);
  const double aspect = aspect_of(scene);
  const double beside =
      labelled_height(scene, 3, width, font, height_of_maps(scene, {1, 3}, aspect, width, font, true));
  // In a column the three are above each other, as large as its width has room for.
  constexpr double narrow = 40, highest = 2;  // in sizes of the text; of the width
  if (width > narrow * font) return beside;
  const double stacked = height_of_maps(scene, {3, 1}, aspect, width, font, true);
  return std::max(beside, std::min({stacked, highest * width, sheet_height}));
}
double height_of_lines(const Scene& scene, double /*width*/, double font) {
  return static_cast<double>(std::max(scene.block->n_q(), scene.block->n_k())) * 1.9 * font + 5 * font;
}
double height_of_layers(const Scene& scene, double width, double font) {
  return scene.block->layer_count() * ((width - 12 * font) / scene.block->heads()) + 2 * font;
}
double height_of_lens(const Scene& scene, double /*width*/, double font) {
  return (scene.block->layer_count() + 5) * 2.4 * font;
}

/// Of the maps of the heads in view that are not read yet.
Forecast forecast_of_heads(const Scene& scene) {
  const BlockTrace& block = *scene.block;
  std::vector<int> heads = heads_in_view(scene);
  std::erase_if(heads, [&](int head) {
    return scene.part || (block.pooled() && !block.shown_maps().resident(scene.view.layer, head).empty());
  });
  return forecast_of_maps(block, static_cast<double>(heads.size()));
}

/// Of the maps of one layer at a time, and the thumbnails of all.
Forecast forecast_of_layers(const Scene& scene) {
  constexpr double cells = 512;
  const BlockTrace& block = *scene.block;
  const int layers = block.layer_count();
  const double heads = static_cast<double>(block.heads()) * layers;
  const auto side = [&](Index n) { return std::min(static_cast<double>(n), cells); };
  Forecast forecast = forecast_of_maps(block, heads);
  forecast.bytes = forecast.bytes / layers + sizeof(float) * heads * side(block.n_q()) * side(block.n_k());
  return forecast;
}

Forecast forecast_of_table(const Scene& scene) {
  const BlockTrace& block = *scene.block;
  Forecast forecast = forecast_of_statistics(block, block.heads() * block.layer_count());
  forecast.seconds += forecast_of_similarity(block).seconds;
  return forecast;
}

void draw_steps_view(const FigurePen& pen, const Scene& scene, const Rect& area) {
  scene.view.steps.page == StepsPage::cell ? draw_steps(pen, scene, area) : draw_steps_page(pen, scene, area);
}

}  // namespace

const ViewFigure grid_figure{draw_grid_view, height_of_grid, title_of_maps, forecast_of_heads};
const ViewFigure head_figure{draw_grid_view, height_of_head, title_of_maps, forecast_of_heads};
const ViewFigure lines_figure{draw_lines_view, height_of_lines, title_of_maps, forecast_of_heads};
const ViewFigure layers_figure{draw_layers_view, height_of_layers, title_of_layers, forecast_of_layers};
const ViewFigure compare_figure{draw_comparison, height_of_comparison, title_of_comparison,
                                forecast_of_heads};
const ViewFigure head_table_figure{draw_head_table, height_of_table, title_of_table, forecast_of_table};
const ViewFigure steps_figure{draw_steps_view, wide_height, title_of_steps};
const ViewFigure lens_figure{draw_lens, height_of_lens};
const ViewFigure contributions_figure{draw_contributions, wide_height};
const ViewFigure model_figure{draw_whole_model, height_of_model};

const ViewFigure& view_figure(ViewKind kind) {
  return *view_figures[place_of(kind)];
}

std::string title_of_layers(const Scene& scene, const Translator& tr) {
  const BlockTrace& block = *scene.block;
  if (block.shape.softmax_layers() < block.shape.layers) return layers_and_heads(tr, block.shape);
  if (block.shape.layers == 1) return title_of_heads(tr, block.heads());
  return tr.plural("Attention of {} layers of one head", "Attention of {} layers of {} heads", block.heads(),
                   block.shape.layers, block.heads());
}

std::string figure_title(const Scene& scene, const Translator& tr) {
  if (!scene.view.show_title) return "";
  if (!scene.view.title.empty()) return scene.view.title;
  if (scene.empty()) return "";
  const ViewKindRow& row = scene.view.row();
  const auto title = view_figure(scene.view.kind).title;
  std::string shown = title == nullptr ? tr(row.action) : title(scene, tr);
  const std::string source = source_of(scene, tr);
  if (const ShownCells& cells = scene.block->cells; row.cells != CellsAs::nothing) {
    const std::string name = cells_name(tr, *scene.block,
                                        row.one_layer ? std::optional(scene.view.layer) : std::nullopt),
                      layer = tr("Layer {}", scene.view.layer + 1);
    if (cells.rollout != Rollout::off)
      shown = row.one_layer ? layer + " · " + name : name;
    else if (cells.maps || (row.one_layer && !scene.block->shape.is_softmax(scene.view.layer)))
      shown += (shown.empty() ? "" : " · ") + name;
  }
  return shown.empty() || source.empty() ? shown + source : shown + " · " + source;
}

namespace {

/// Why the view has nothing to show; nullptr: it has.
const char* why_no_view(const Scene& scene) {
  const ViewKindRow& row = scene.view.row();
  const Trace* const trace =
      (row.whole ? pictured_trace(scene.trace, scene.other_trace, scene.view) : scene.trace).get();
  if (trace == nullptr) return row.none == nullptr ? nullptr : row.none(nullptr);
  return row.missing != nullptr ? row.missing({trace->inputs, trace, *scene.block, nullptr})
                                : headscope::why_no_view(trace->inputs, trace, row);
}

double size_of_title(const FigureStyle& style, double width, double height) {
  return std::min({style.title_size, height / 12, width / 24});
}

}  // namespace

double title_height(const FigureStyle& style, double width, double height) {
  return 1.7 * size_of_title(style, width, height);
}

void draw_view(const FigurePen& page_pen, const Scene& scene, double width, double height) {
  // On a page of an inch, text of the usual size would leave no room for anything else.
  constexpr double lines = 10;
  FigureStyle style = page_pen.style;
  style.font_size = std::min(style.font_size, std::min(width, height) / lines);
  style.smallest = std::min(style.smallest, style.font_size);
  const FigurePen pen{page_pen.canvas, page_pen.width,    style,          page_pen.tr,   page_pen.range,
                      page_pen.extras, page_pen.findings, page_pen.signs, page_pen.noted};
  // In the window there is nothing beyond the view.
  const double margin = pen.extras.as_on_screen ? 0.3 * pen.style.font_size
                                                : std::min(pen.style.margin, 0.05 * std::min(width, height));
  Rect area{margin, margin, width - 2 * margin, height - 2 * margin};
  const std::string title = figure_title(scene, pen.tr);
  if (!title.empty()) {
    const double size = size_of_title(pen.style, width, height);
    pen.heading(title, {area.x, area.y, area.width, 1.3 * size}, size, pen.style.text);
    area = {area.x, area.y + title_height(pen.style, width, height), area.width,
            area.height - title_height(pen.style, width, height)};
  }
  if (scene.empty())
    return pen.centered(pen.tr("No tokens yet: the sentence is empty"), area, 1.3 * pen.style.font_size,
                        pen.style.muted);
  if (const char* const none = why_no_view(scene)) throw input_error(none);
  draw_sign_legend(pen, area);
  view_figure(scene.view.kind).draw(pen, scene, area);
}

}  // namespace headscope
