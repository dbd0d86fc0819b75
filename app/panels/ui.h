#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/panels/heatmap_painter.h"
#include "app/panels/map_memory.h"
#include "app/panels/ui_anchors.h"
#include "core/analysis/filtered_layer.h"
#include "core/base/translate.h"
#include "core/session/session.h"
#include "core/source/trace.h"

namespace headscope {

/// One cell of one head, all from 0.
struct Cell {
  int head = 0, query = 0, key = 0;
  bool operator==(const Cell&) const = default;
};

/// Painting of the mask on the maps: while it is on, click and drag on cells paint instead of locking them.
struct Brush {
  enum class Shape { cell, row, column, diagonal };
  bool on = false;
  Shape shape = Shape::cell;
  bool free = false;      ///< frees what is painted instead of blocking
  bool one_head = false;  ///< only the head that is painted on
  int radius = 0;         ///< of `cell`: squares of 2 radius + 1 cells
};

/// A drag across tokens that keeps only those, in rows or columns of the shown layer.
struct TokenDrag {
  bool keys = false;
  int begin = -1, last = -1;  ///< where it began and where it is; -1: none
};

/// What the keyboard goes through with F6, in this order; the key sentence only where there is one.
enum class Panel { none, controls, sentence, tokens, key_sentence, key_tokens, bar, maps, inspector };

/// What the window shows and where the user points. Never changes a number; all panels share its one hover
/// and one selection, which links them.
struct ViewState {
  View view;
  std::optional<Cell> hover;        ///< under the pointer in this frame, in any panel
  std::optional<Cell> last_hover;   ///< in the frame before: what panels draw first read
  std::optional<Cell> lock;         ///< clicked; hover previews over it
  bool edit_b = false;              ///< in the compare view: the controls change OtherSide::inputs
  bool differences_of_all = false;  ///< in the compare view: the list is of all heads
  int head_table_half = 0;          ///< in the table of heads: 0 both, 1 the numbers, 2 the similarity
  bool lines_of_key = false;  ///< in the lines view: the locked cell's key is shown alone, not its query
  Brush brush;
  TokenDrag token_drag;
  Panel panel = Panel::maps;                ///< that has the keyboard
  Panel panel_before = Panel::maps;         ///< in the frame before: Esc has already led out of it in ImGui
  Panel panel_wanted = Panel::none;         ///< that gets it in the next frame
  bool panel_shown = true;                  ///< else its item is yet to be marked
  bool panel_quiet = false;                 ///< it gets the keyboard without marking an item
  int shown_rows = 0, shown_columns = 0;    ///< what the grid chose in its last frame, for the figure
  float shown_width = 0, shown_height = 0;  ///< the view's place in the window, in pixels of ImGui's
  MapMemory maps;                           ///< what the views that draw maps keep between frames
  /// The cell to mark and describe: the hovered one, else the locked one.
  std::optional<Cell> focus() const { return last_hover ? last_hover : lock; }
};

/// Sizes and colours that depend on theme, text size and screen; in pixels of ImGui's coordinates.
struct Style {
  Theme theme = Theme::light;
  float font_size = 16;
  float framebuffer_scale = 1;  ///< framebuffer pixels to one of ImGui's
  ImFont* tiny = nullptr;       ///< crowded ticks; the four differ in size only
  ImFont* small = nullptr;      ///< ticks
  ImFont* regular = nullptr;
  ImFont* large = nullptr;
};

/// The compare view's B. The window runs `inputs` as it runs A's, while they are there and the view is
/// `compare`.
struct OtherSide {
  std::optional<Inputs>& inputs;            ///< Session::compare
  std::shared_ptr<const BlockTrace> block;  ///< the last good one; nullptr as long as there is none
  bool stale = false;
  std::string error;
};

class ViewCache;  // app/panels/view_cache.h

/// What every panel gets: draw_x(Ui&). Panels never compute; what they change in `inputs` is run by the
/// window.
struct Ui {
  const Translator& tr;
  const Style& style;
  HeatmapPainter& painter;
  std::shared_ptr<const BlockTrace> block;     ///< in view, of the last good run; never null
  std::shared_ptr<const FilteredLayer> shown;  ///< the layer of the view through its filter; never null
  bool stale = false;                          ///< a newer one is being computed
  std::string error;       ///< why the inputs cannot be run, translated; empty if they can
  std::vector<int> heads;  ///< the heads of the layer in the order of View::sort, for the grid
  Inputs& inputs;
  ViewState& state;
  std::vector<HeadLabel>& labels;   ///< of the session
  OtherSide& other;                 ///< B of the compare view
  ViewCache& view_cache;            ///< what panels keep between frames
  UiAnchors* ui_anchors = nullptr;  ///< where tests look for things; nullptr: nobody asks
};

}  // namespace headscope
