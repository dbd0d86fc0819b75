#pragma once
#include "core/figure/boards/draw_panel.h"

namespace headscope {

struct Workspace;

/// Moves a part of a figure by as many points: the text of a mark and the title of a head to any place, the
/// mark itself by whole cells.
void move_part(Workspace& work, const FigureHandle& part, double x, double y);
/// Puts a text back where it is by itself.
void put_back(Workspace& work, const FigureHandle& part);

}  // namespace headscope
