#pragma once
#include "core/figure/boards/draw_panel.h"
#include "core/scene/scene.h"

namespace headscope {

/// The heading of a figure: View::title, or a default that says what it shows.
std::string figure_title(const Scene& scene, const Translator& tr);

/// A view as a figure.
struct ViewFigure {
  ViewKind kind;
  void (*draw)(const FigurePen& pen, const Scene& scene, const Rect& area);
  /// In points, without title and margins: where there is little empty space.
  double (*height)(const Scene& scene, double width, double font);
};
const ViewFigure& view_figure(ViewKind kind);

/// Draws the scene on a page of width x height points whose background has been drawn.
void draw_view(const FigurePen& pen, const Scene& scene, double width, double height);

}  // namespace headscope
