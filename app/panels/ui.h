#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "app/panels/heatmap_painter.h"
#include "core/attention/trace.h"
#include "core/session/session.h"
#include "core/text/translate.h"

namespace headscope {

/// One cell of one head, all from 0.
struct Cell {
  int head = 0, query = 0, key = 0;
  bool operator==(const Cell&) const = default;
};

/// What the window shows and where the user points. Never changes a number; all panels share its one hover and one
/// selection, which links them.
struct ViewState {
  View view;
  std::optional<Cell> hover;       ///< under the pointer in this frame, in any panel
  std::optional<Cell> last_hover;  ///< in the frame before: what panels draw first read
  std::optional<Cell> lock;        ///< clicked; hover previews over it
  /// The cell to mark and describe: the hovered one, else the locked one.
  std::optional<Cell> focus() const { return last_hover ? last_hover : lock; }
  std::set<int> hidden_heads;  ///< toggled off, from 0
};

/// Sizes and colours that depend on theme, text size and screen; in pixels of ImGui's coordinates.
struct Style {
  Theme theme = Theme::light;
  float font_size = 16;
  float framebuffer_scale = 1;  ///< framebuffer pixels to one of ImGui's
  ImFont* small = nullptr;      ///< ticks; the three differ in size only
  ImFont* regular = nullptr;
  ImFont* large = nullptr;
};

/// What every panel gets: draw_x(Ui&). Panels never compute; what they change in `inputs` is run by the window.
struct Ui {
  const Translator& tr;
  const Style& style;
  HeatmapPainter& painter;
  std::shared_ptr<const Trace> trace;  ///< the last good one; never null
  bool stale = false;                  ///< a newer one is being computed
  std::string error;                   ///< why the inputs cannot be run, translated; empty if they can
  Inputs& inputs;
  ViewState& state;
};

}  // namespace headscope
