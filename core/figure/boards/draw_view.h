#pragma once
#include "core/figure/boards/draw_panel.h"
#include "core/scene/scene.h"

namespace headscope {

/// The heading of a figure: View::title, or a default that says what it shows.
std::string figure_title(const Scene& scene, const Translator& tr);

/// Draws the scene on a page of width x height points whose background has been drawn.
void draw_view(const FigurePen& pen, const Scene& scene, double width, double height);

}  // namespace headscope
