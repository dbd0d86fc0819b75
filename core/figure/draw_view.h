#pragma once
#include "core/analysis/filtered_layer.h"
#include "core/figure/draw_panel.h"
#include "core/session/session.h"

namespace headscope {

/// The heading of a figure: View::title, or what it shows.
std::string figure_title(const Trace& trace, const Session& session, const Translator& tr);

/// Draws what `session.view` shows of the trace on a page of width x height points. `b` is the other side of
/// the compare view, or nullptr.
void draw_view(const FigurePen& pen, const Trace& trace, const Trace* b, const Session& session, double width,
               double height);

}  // namespace headscope
