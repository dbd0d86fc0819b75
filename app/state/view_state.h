#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/state/brush.h"
#include "app/state/text/token_search.h"
#include "core/analysis/comparison.h"
#include "core/inputs/inputs.h"
#include "core/inputs/side.h"
#include "core/scene/scene.h"
#include "core/source/trace.h"

namespace headscope {

/// A drag across tokens that keeps only those, in rows or columns of the shown layer.
struct TokenDrag {
  bool keys = false;
  int begin = -1, last = -1;  ///< where it began and where it is now; -1: none
};

/// The panels that F6 cycles through, in this order; the key sentence only if there is one, and those of B in
/// the comparison.
enum class Panel {
  none,
  rail,
  controls,
  sentence,
  tokens,
  key_sentence,
  key_tokens,
  sentence_b,
  tokens_b,
  key_sentence_b,
  key_tokens_b,
  bar,
  maps,
  inspector,
  lesson
};

/// A place where the two sides of a comparison are not partners of each other: the tokens of both sides
/// there.
struct ComparedCell {
  int head = 0;
  AlignedToken query, key;
  bool operator==(const ComparedCell&) const = default;
};

/// Content of a page of the steps outside the visible area, and scroll requests.
struct StepsRoom {
  bool above = false, below = false;  ///< in the last frame: hidden parts of the present step
  int wanted = 0;                     ///< 1, -1: a key has requested to scroll there
  bool from_top = true;               ///< the step was reached by hand: start at its top
  bool anew = false;                  ///< a lesson has shown it (again)
};

/// Where the user points. All panels share one hover and one selection, which links them.
struct Selection {
  std::optional<Cell> hover;       ///< under the pointer in this frame, in any panel
  std::optional<Cell> last_hover;  ///< in the previous frame: read by panels that are drawn first
  std::optional<Cell> lock;        ///< clicked, of tokens; hover previews over it
  std::optional<Cell> steps_lock;  ///< the lock set by the steps: removed with them unless the user chose it
  CellUnit hover_unit;             ///< the unit of the cells pointed at: that of the block in view
  /// In the comparison, a place where A has no cell; see compared_cell.h.
  std::optional<ComparedCell> other_hover, last_other_hover, other_lock;
  /// The last move was by keys: the locked cell takes precedence over the hovered one until the pointer
  /// moves.
  bool pointer_rests = false;
  bool lines_of_key = false;  ///< in the lines view: only the locked cell's key is shown, not its query
  /// The cell of the block in view to mark and describe: the hovered one, otherwise the locked one.
  std::optional<Cell> focus(const BlockTrace& in_view) const {
    if (last_hover) return last_hover;
    return last_other_hover ? std::nullopt : lock_in(in_view);
  }
  /// The locked cell as a cell of the block in view, which may pool tokens.
  std::optional<Cell> lock_in(const BlockTrace& in_view) const {
    return lock ? std::optional(unit_of(in_view).of(*lock)) : std::nullopt;
  }
  std::optional<Locked> locked(const BlockTrace& in_view) const {
    return lock ? std::optional(Locked{*lock_in(in_view), lines_of_key}) : std::nullopt;
  }
};

/// Which panel has the keyboard focus, and which are out of the way.
struct PanelFocus {
  Panel panel = Panel::maps;         ///< has the keyboard focus
  Panel panel_before = Panel::maps;  ///< in the previous frame: Esc may have left it since
  Panel panel_wanted = Panel::none;  ///< gets the focus in the next frame
  bool panel_shown = true;           ///< otherwise its item is yet to be marked
  bool panel_muted = false;          ///< it gets the focus without marking an item
  Panel panel_kept = Panel::none;    ///< opened last: others are hidden before it
  bool controls_give_way = false, inspector_gives_way = false;  ///< in the last frame, for lack of room
  /// Opened although there is no room next to the view: it covers the view as long as it has the focus.
  Panel panel_over = Panel::none;
};

/// What dragging on maps and tokens does, and the drag there is.
struct Drag {
  Brush brush;
  Stroke stroke;
  TokenDrag token_drag;
};

/// What the last frame had room for, for figures of what is shown.
struct LastLayout {
  int shown_rows = 0, shown_columns = 0;    ///< of the maps; 0: no grid
  TableHalf shown_table = TableHalf::both;  ///< the part of the table of heads that fitted in its last frame
  bool shown_beside = false;                ///< its two halves were next to each other
  float shown_width = 0, shown_height = 0;  ///< size of the view in the window's pixels
  float shown_text = 0;                     ///< and of its tick labels
};

/// What the window shows and where the user points. Never changes a number.
struct ViewState : Selection, PanelFocus, Drag, LastLayout {
  View view;
  std::optional<int>
      decoder_step;  ///< chosen where no cell of the decoder is in view; otherwise the cell's query
  TokenSearch search;
  bool from_model = false;           ///< the grid was entered from the whole model, to which Esc returns
  Side edits = Side::a;              ///< in the comparison: whose inputs the controls change
  bool differences_of_all = false;   ///< in the compare view: the list covers all heads
  bool changed_head_wanted = false;  ///< the comparison was begun: see look_at_changed_head()
  std::optional<int> compared_head;  ///< the last that was, while there is a comparison
  std::optional<View> left_view;     ///< for what ablated heads change: see leave_effect()
  bool hold_wanted = false;          ///< ranges are to be held at the end of this frame
  std::optional<ColorLimits> refused_limits;  ///< typed, but low is not below high
  bool map_menu_wanted = false;               ///< open the menu of the map with the keyboard focus
  StepsLook steps;                            ///< of the steps of the arithmetic
  StepsRoom steps_room;
  bool layout_moved = false;        ///< the next frame shows something at its new place
  std::optional<double> next_step;  ///< while they play: when the next one is due, as FrameInput::now
};

}  // namespace headscope
