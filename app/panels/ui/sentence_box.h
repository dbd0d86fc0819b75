#pragma once
#include <optional>
#include <string>

#include "app/state/text/text_edit.h"
#include "core/base/translate.h"
#include "core/inputs/side.h"

namespace headscope {

/// Which tokens of a text.
enum class Axis { queries, keys };
/// What the names of a side's items begin with.
inline std::string side_prefix(Side side) {
  return side == Side::b ? "B " : "";
}

/// A text edit box: it wraps, scrolls, selects with mouse and keys, and accepts every character, including
/// those above U+FFFF, which ImGui's own box with 16-bit ImWchar turns into U+FFFD.
struct SentenceBox {
  TextCursor cursor;
  WrappedText wrapped;
  std::string wrapped_text;  ///< the text that `wrapped` was computed from
  float wrapped_width = 0;
  int wrapped_fonts = 0;
  float wrapped_size = 0;
  bool focused = false;
  bool take_focus = false;  ///< in the next frame, with all selected
  static constexpr int to_maps = 2, to_unlocked_maps = 3;
  int leave = 0;  ///< Tab: 1, to the next panel, or -1, to the previous one; Enter and Esc: to the maps
  /// The token whose click began the edit, while nothing is typed: Esc lets go of its row, too, and the
  /// second click of a double click selects it.
  std::optional<TextCursor> began_at;
  bool dragging = false;
  bool show_caret = false;  ///< scroll the caret into view
  float wanted_x = -1;      ///< of the caret, kept while it moves up and down
};

/// Draws the box `lines` high; true when `text` changed. `characters` are those typed in this frame; `fonts`
/// as in Style.
bool edit_text(SentenceBox& box, const char* id, std::string& text, float lines,
               const std::u32string& characters, const char* empty_hint, int fonts, const Translator& tr);

}  // namespace headscope
