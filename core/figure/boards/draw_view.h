#pragma once
#include "core/base/forecast.h"
#include "core/figure/boards/draw_panel.h"
#include "core/scene/scene.h"

namespace headscope {

/// The heading of a figure: View::title, or a default that says what it shows.
std::string figure_title(const Scene& scene, const Translator& tr);

/// The text of a sheet of paper is this high, in points: a figure that is as high as it needs is no higher.
inline constexpr double sheet_height = 9 * 72;

/// A view as a figure.
struct ViewFigure {
  void (*draw)(const FigurePen& pen, const Scene& scene, const Rect& area);
  /// In points, without title and margins: where there is little empty space.
  double (*height)(const Scene& scene, double width, double font);
  /// What it shows; nullptr: its name says that.
  std::string (*title)(const Scene& scene, const Translator& tr) = nullptr;
  /// Of drawing it; nullptr: too little to warn of.
  Forecast (*forecast)(const Scene& scene) = nullptr;
};
const ViewFigure& view_figure(ViewKind kind);

/// How much of a page's height its title takes, in points.
double title_height(const FigureStyle& style, double width, double height);

/// Draws the scene on a page of width x height points whose background has been drawn.
void draw_view(const FigurePen& pen, const Scene& scene, double width, double height);

}  // namespace headscope
