#pragma once
#include <memory>

#include "core/analysis/filtered_layer.h"
#include "core/analysis/similarity.h"
#include "core/figure/boards/board.h"
#include "core/figure/boards/draw_panel.h"
#include "core/figure/boards/draw_view.h"
#include "core/scene/line_heads.h"
#include "core/scene/scene.h"

namespace headscope {

// The views of a figure, each drawn into `area`, and what they share.

/// The heads that the scene draws, or the visible part of the single one.
void draw_grid(const FigurePen& pen, const FilteredLayer& shown, const Scene& scene, const Rect& area);
/// The two columns of tokens of the lines view, queries left and keys right.
struct LineColumns {
  const std::vector<std::string>& queries;
  const std::vector<std::string>& keys;
  LineHeads heads;
  double top = 0, row_height = 0, size = 0;  ///< size: of the text
  double left = 0, right = 0;                ///< where the lines begin and end
  double blocks = 0;                         ///< width of the heads' blocks before each token
  double room = 0;                           ///< for a token's text
  double first = 0, last = 0;                ///< where the columns begin and end
  double seen_top = 0, seen_bottom = 0;      ///< tokens elsewhere are not drawn

  const std::vector<std::string>& tokens(bool of_keys) const { return of_keys ? keys : queries; }
  double middle(int row) const { return top + (row + 0.5) * row_height; }
  /// Where a line of this head ends.
  double end(int row, int head) const { return middle(row) + heads.offset(head) * row_height; }
  /// Where rows are too close for their tokens, some are left out, but not `always`; -1: none.
  std::vector<int> shown_tokens(bool of_keys, int always) const;
  std::string text(const FigurePen& pen, bool of_keys, int token) const;
  double text_x(bool of_keys) const;  ///< where a query's text ends or a key's begins
};
/// A few tokens keep a readable distance, many get smaller, down to `smallest`.
LineColumns place_line_columns(const FigurePen& pen, const std::vector<std::string>& queries,
                               const std::vector<std::string>& keys, LineHeads heads, const Rect& area,
                               double smallest, double seen_top = -1e9, double seen_bottom = 1e9);
struct DrawnLines {
  const LineSet& set;
  float largest = 0;              ///< weight of the strongest
  const Line* pointed = nullptr;  ///< emphasized
  int query = -1, key = -1;       ///< whose tokens are always shown
};
void draw_line_columns(const FigurePen& pen, const LineColumns& columns, const DrawnLines& drawn,
                       const Scene& scene);
/// "Query" and "Key" above the columns.
void draw_line_headings(const FigurePen& pen, const LineColumns& columns, double y);
/// Two columns of tokens joined by lines.
void draw_lines(const FigurePen& pen, const FilteredLayer& shown, const Scene& scene, const Rect& area);
/// The colours of the maps of all layers in one line, after their name: with numbers if `range` is that of
/// all maps, otherwise in words. As wide as it needs, up to `width`.
Board layers_colors(const View& view, const BlockTrace& block, const std::optional<ColorRange>& range,
                    const BoardStyle& style, double width, const Translator& tr);
/// Small maps of all layers and heads.
void draw_layers(const FigurePen& pen, const Scene& scene, const Rect& area);
/// The numbers of all heads as a table with bars, and their similarity.
void draw_head_table(const FigurePen& pen, const Scene& scene, const Rect& area);
/// The matrix of distances with its tree and groups; returns where the "matrix", "group 1" …, "matrix
/// columns" and "matrix bar" are.
std::vector<BoardRegion> draw_similarity_matrix(const FigurePen& pen,
                                                const std::shared_ptr<const HeadTree>& tree,
                                                const Scene& scene, const Rect& area, bool titled = true);
MapPicture similarity_picture(const std::shared_ptr<const HeadTree>& tree, Colormap colormap);
/// One head of A, of B, and their signed difference.
void draw_compare(const FigurePen& pen, std::shared_ptr<const FilteredLayer> a,
                  std::shared_ptr<const FilteredLayer> b, const Scene& scene, const Rect& area);

/// Whether both sides of the scene's comparison predict tokens of one vocabulary.
bool has_effect(const Scene& scene);
/// How high draw_effect() is, in points.
double effect_height(double font_size);
/// The tokens whose probability changes most from A to B, each with a bar of either: at the locked cell's
/// query if figures mark it, otherwise at the last token.
void draw_effect(const FigurePen& pen, const Scene& scene, const Rect& area);

/// "Attention of 6 layers of 8 heads", the title of views of all layers.
std::string title_of_layers(const Scene& scene, const Translator& tr);

/// Each view's figure, defined in draw_view.cpp or next to what draws it.
extern const ViewFigure grid_figure, head_figure, lines_figure, layers_figure, compare_figure,
    head_table_figure, steps_figure, lens_figure, contributions_figure, model_figure, picture_figure,
    causes_figure, circuits_figure;
/// In the order of ViewKind.
inline constexpr const ViewFigure* view_figures[] = {
    &grid_figure,       &head_figure,   &lines_figure,   &layers_figure,        &compare_figure,
    &head_table_figure, &steps_figure,  &lens_figure,    &contributions_figure, &model_figure,
    &picture_figure,    &causes_figure, &circuits_figure};
static_assert(std::size(view_figures) == view_count);

}  // namespace headscope
