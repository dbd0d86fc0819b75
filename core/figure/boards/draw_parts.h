#pragma once
#include <memory>

#include "core/analysis/filtered_layer.h"
#include "core/analysis/similarity.h"
#include "core/figure/boards/draw_panel.h"
#include "core/figure/boards/draw_view.h"
#include "core/scene/scene.h"

namespace headscope {

// The views of a figure, each drawn into `area`, and what they share.

/// The heads that the scene draws, or the visible part of the single one.
void draw_grid(const FigurePen& pen, const FilteredLayer& shown, const Scene& scene, const Rect& area);
/// Two columns of tokens joined by lines.
void draw_lines(const FigurePen& pen, const FilteredLayer& shown, const Scene& scene, const Rect& area);
/// Small maps of all layers and heads.
void draw_layers(const FigurePen& pen, const Scene& scene, const Rect& area);
/// The numbers of all heads as a table with bars, and their similarity.
void draw_head_table(const FigurePen& pen, const Scene& scene, const Rect& area);
/// The matrix of distances with its tree and groups.
void draw_similarity_matrix(const FigurePen& pen, const HeadTree& tree, const Scene& scene, const Rect& area);
/// One head of A, of B, and their signed difference.
void draw_compare(const FigurePen& pen, std::shared_ptr<const FilteredLayer> a,
                  std::shared_ptr<const FilteredLayer> b, const Scene& scene, const Rect& area);

/// Each view's figure, defined in draw_view.cpp or next to what draws it.
extern const ViewFigure grid_figure, head_figure, lines_figure, layers_figure, compare_figure,
    head_table_figure, steps_figure, lens_figure, contributions_figure, model_figure;
inline constexpr const ViewFigure* view_figures[] = {
    &grid_figure,       &head_figure,  &lines_figure, &layers_figure,        &compare_figure,
    &head_table_figure, &steps_figure, &lens_figure,  &contributions_figure, &model_figure};

}  // namespace headscope
