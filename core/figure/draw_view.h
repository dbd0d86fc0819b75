#pragma once
#include "core/analysis/filter.h"
#include "core/figure/draw_panel.h"
#include "core/session/session.h"

namespace headscope {

/// The heading of a figure: View::title, or what it shows.
std::string figure_title(const Trace& trace, const Session& session, const Translator& tr);

/// Draws what `session.view` shows of the trace on a page of width x height points.
void draw_view(const FigurePen& pen, const Trace& trace, const Session& session, double width, double height);

}  // namespace headscope
