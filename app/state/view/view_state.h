#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/state/document/brush.h"
#include "app/state/text/token_search.h"
#include "core/analysis/comparison.h"
#include "core/inputs/inputs.h"
#include "core/scene/scene.h"
#include "core/source/trace.h"

namespace headscope {

/// A drag across tokens that keeps only those, in rows or columns of the shown layer.
struct TokenDrag {
  bool keys = false;
  int begin = -1, last = -1;  ///< where it began and where it is; -1: none
};

/// What the keyboard goes through with F6, in this order; the key sentence only where there is one, and those
/// of B in the comparison.
enum class Panel {
  none,
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

/// Where the two sides of a comparison are not partners of each other: the tokens of both that meet there.
struct ComparedCell {
  int head = 0;
  AlignedToken query, key;
  bool operator==(const ComparedCell&) const = default;
};

/// What a page of the steps of the arithmetic has beyond the room that it scrolls in, and how it is scrolled.
struct StepsRoom {
  bool above = false, below = false;  ///< in the last frame: of what the present step shows
  int wanted = 0;                     ///< 1, -1: a key has asked for what is there
  bool from_top = true;               ///< the step was gone to by hand: it is read from its beginning
  bool anew = false;                  ///< a lesson has shown it (again)
  bool moved = false;                 ///< the frame after this one has it where it was brought
};

/// What the window shows and where the user points. Never changes a number; all panels share its one hover
/// and one selection, which links them.
struct ViewState {
  View view;
  std::optional<Cell> hover;       ///< under the pointer in this frame, in any panel
  std::optional<Cell> steps_lock;  ///< what the steps locked themselves: unless chosen, it goes with them
  std::optional<Cell> last_hover;  ///< in the frame before: what panels draw first read
  std::optional<Cell> lock;        ///< clicked; hover previews over it
  CellUnit unit;                   ///< that cells of the block in view are counted in
  std::optional<Cell> token_lock;  ///< while that is groups: the cell of tokens that was locked before
  /// In the comparison, a place where A has no cell; see compared_cell.h.
  std::optional<ComparedCell> other_hover, last_other_hover, other_lock;
  std::optional<int>
      decoder_step;  ///< gone to where no cell of the decoder's is in view; else the cell's query
  TokenSearch search;
  bool from_model = false;          ///< the grid was entered from the whole model, which Esc leads back to
  bool edit_b = false;              ///< in the compare view: the controls change OtherSide::inputs
  bool differences_of_all = false;  ///< in the compare view: the list is of all heads
  bool lines_of_key = false;  ///< in the lines view: the locked cell's key is shown alone, not its query
  Range range_before = Range::head;           ///< the kind before Range::fixed
  std::optional<ColorLimits> refused_limits;  ///< typed, but low is not below high
  bool map_menu_wanted = false;               ///< of the map that the keys go to
  StepsLook steps;                            ///< of the steps of the arithmetic
  StepsRoom steps_room;
  std::optional<double> next_step;  ///< while they play: when the next one comes, as FrameInput::now
  /// Keys have gone on: a cell under the pointer gives way to the locked one until the pointer moves.
  bool pointer_rests = false;
  Brush brush;
  Stroke stroke;
  TokenDrag token_drag;
  Panel panel = Panel::maps;         ///< that has the keyboard
  Panel panel_before = Panel::maps;  ///< in the frame before: Esc may have led out of it since
  Panel panel_wanted = Panel::none;  ///< that gets it in the next frame
  bool panel_shown = true;           ///< else its item is yet to be marked
  Panel panel_kept = Panel::none;    ///< asked for last: others give way to it
  bool controls_give_way = false, inspector_gives_way = false;  ///< in the last frame, for want of room
  /// Asked for where there is no room beside the view: it lies over the view as long as it has the keyboard.
  Panel panel_over = Panel::none;
  bool panel_quiet = false;                 ///< it gets the keyboard without marking an item
  int shown_rows = 0, shown_columns = 0;    ///< what the grid chose in its last frame, for the figure
  TableHalf shown_table = TableHalf::both;  ///< what the table of heads had room for in its last frame
  float shown_width = 0, shown_height = 0;  ///< the view's place in the window, in the window's pixels
  /// The cell to mark and describe: the hovered one, else the locked one.
  std::optional<Cell> focus() const {
    if (last_hover) return last_hover;
    return last_other_hover ? std::nullopt : lock;
  }
  std::optional<Locked> locked() const {
    return lock ? std::optional(Locked{*lock, lines_of_key}) : std::nullopt;
  }
};

/// The compare view's B. The window runs `inputs` as it runs A's, while they are there and the view is
/// `compare`.
struct OtherSide {
  std::optional<Inputs>& inputs;            ///< Session::compare
  std::shared_ptr<const BlockTrace> block;  ///< the last good one; nullptr as long as there is none
  bool stale = false;
  std::string error;
  std::shared_ptr<const Trace> trace = {};  ///< that the block is of
};

}  // namespace headscope
