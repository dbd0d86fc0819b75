#pragma once
#include <imgui.h>

#include <cfloat>
#include <iterator>
#include <string>
#include <vector>

#include "app/panels/widgets/heard.h"
#include "app/panels/widgets/style.h"
#include "core/text/token_label.h"

namespace headscope {

// Widgets that several panels share. Texts are already translated.

/// On a phone, how high what a finger hits is; 0: there are a mouse and a keyboard.
float finger_height();
/// The names of keys behind an entry: none on a phone, which has no keyboard. nullptr: none.
const char* shown_keys(const std::string& keys);
/// An explanation without its parts that name keys, which a phone has not.
std::string without_keys(const std::string& text);

/// Records where the visible part of the last item is, for tests (WidgetMemory::ui_anchors). A name is not a
/// text: it stays when a label is reworded or translated.
void anchor(const std::string& name);
void note_place(const std::string& name, ImVec2 min, ImVec2 max);

/// Whether the lesson step points to a field or a place.
bool is_outlined(const char* name);
/// An outline around what the step points to.
void outline(ImVec2 min, ImVec2 max);
/// Also scrolls it into view when its panel or the step appears.
void outline_field(ImVec2 min, ImVec2 max);

/// A token as it is drawn, with its position counted from 1 if its text occurs more than once: "the (4)".
std::string numbered_token(const std::vector<Token>& tokens, int i);
/// The text, cut so that its suffix fits after it.
std::string fit_with(const std::string& text, const std::string& behind, float width);
/// A text wrapped at the width (0: to the right edge), also between Chinese characters.
void wrapped_text(const std::string& text, float width = 0);
float wrapped_height(const std::string& text, float width);
/// The same text with its line breaks.
std::string broken_text(const std::string& text, float width);
enum class TooltipSide { below, above, right, left };
/// The first side of an item, of below, above, right and left (`sideways`: right and left first), on which a
/// tooltip of this size is inside the window; the roomiest if there is none.
TooltipSide tooltip_side(ImVec2 min, ImVec2 max, ImVec2 size, ImVec2 window, bool sideways);
/// Begins a tooltip below or above its item, never over it; returns false, and begins none, while text is
/// typed.
bool begin_tooltip(ImVec2 min, ImVec2 max);
/// The same at the right or left, for items with others above and below.
bool begin_side_tooltip(ImVec2 min, ImVec2 max);
/// The same with its upper left corner at `place`.
bool begin_tooltip_at(ImVec2 place);
/// A wrapped tooltip for the previous item, disabled or not.
void tooltip(const std::string& text);
/// A text on one line; and one that wraps at the width (0: to the right edge).
void colored_line(ImU32 color, const std::string& text);
void colored_text(ImU32 color, const std::string& text, float width = 0);
/// A text on the line of items with a frame.
void framed_text(const std::string& text);
/// A text in the muted colour, wrapped.
void hint(const Style& style, const std::string& text);
/// A hint on one line, for tooltips, which are as wide as their texts.
void muted_text(const Style& style, const std::string& text);
void warning_text(const Style& style, const std::string& text);
void error_text(const Style& style, const std::string& text);

/// A collapsible heading; true while it is open. A lesson step that points to one of its `fields`, by their
/// names, opens it.
bool section(const char* text, const char* id, bool open = true, const std::vector<const char*>& fields = {});
/// ⓘ: a small button that shows an explanation while it is pointed at or has the keyboard focus.
void info(const char* mark, const std::string& text);
/// The same, right behind the last item.
void info_after(const char* mark, const std::string& text);

/// Puts a label to the left of the next item, which takes the rest of the line; above it if the label is too
/// wide.
void label_field(const char* text, const std::string& help = {});

/// The next item continues on the same line if its `width` fits.
void next_in_line(float width);

/// The colours of the button that most will press while it lives; those of any other if it is not.
struct AccentColors {
  explicit AccentColors(bool accented = true);
  ~AccentColors();
  AccentColors(const AccentColors&) = delete;
  AccentColors& operator=(const AccentColors&) = delete;
  const bool pushed;
};
/// The same of a chosen button, which is heard as such.
struct ChosenColors {
  explicit ChosenColors(bool chosen);
  ~ChosenColors();
  ChosenColors(const ChosenColors&) = delete;
  ChosenColors& operator=(const ChosenColors&) = delete;
  const AccentColors colors;
};
/// A framed word.
void draw_badge(const char* text, ImU32 color);

struct Choice {
  const char* text;
  std::string help = {};
  bool enabled = true;
  std::string mark = {};  ///< of a line of a list, for tests; empty: the list's with its number
};
/// One of them, as a button or as a line of a list; true when it was clicked and is not `on` already.
bool choice_button(const Choice& choice, bool on, const std::string& mark);
bool choice_line(const Choice& choice, bool on, const std::string& mark);
/// A row of buttons of which one is chosen; wraps at the width. True when `chosen` changed.
bool choose(const char* id, const std::vector<Choice>& choices, int& chosen);
/// The width that choose() needs for one line.
float width_of(const std::vector<Choice>& choices);
/// The width of a drop-down list showing `preview`.
float width_of_list(const char* preview);
/// The same as a drop-down list showing `preview`, on one line with what precedes it.
bool choose_in_list(const char* id, const std::vector<Choice>& choices, int& chosen, const char* preview);
bool choose_in_list(const char* id, const std::vector<Choice>& choices, int& chosen);
/// ImGui::BeginCombo(), Selectable() and BeginMenu() with lines as high as a finger needs on a phone, where a
/// submenu unfolds in its menu. To be ended by EndCombo() and end_menu().
bool begin_list(const char* id, const char* preview, int flags = 0);
bool list_line(const char* text, bool on, int flags = 0, ImVec2 size = {0, 0});
/// From one line to the next, and from the cursor to the top of its text.
float list_line_height();
float list_line_lead();
bool begin_menu(const char* text, bool enabled = true);
void end_menu();
/// The same as a field, whose width has been set; without lines that have no text.
bool choose_in_field(const char* id, const std::vector<Choice>& choices, int& chosen, const char* preview);
/// The same of the rows of a table: the row that was chosen, nullptr if none was. `is_on`: the present one;
/// `line_of`: its Choice.
template <typename Rows, typename IsOn, typename LineOf>
auto choose_row(const char* id, const char* preview, const Rows& rows, const IsOn& is_on,
                const LineOf& line_of) {
  std::vector<Choice> lines;
  int chosen = -1, count = 0;
  for (const auto& row : rows) {
    if (is_on(row)) chosen = count;
    lines.push_back(line_of(row));
    ++count;
  }
  return choose_in_field(id, lines, chosen, preview) ? &*(std::begin(rows) + chosen) : nullptr;
}
/// The same at the beginning of a line.
bool choose_in_own_list(const char* id, const std::vector<Choice>& choices, int& chosen, const char* preview);
/// Whether the window is so low that every line the panels take is missing from the maps.
bool is_low_window();

/// ImGui's items with a name for tests, as anchor() records it, which is also their id, and a tooltip.
bool button(const std::string& text, const std::string& mark, const std::string& help = {}, float width = 0);
bool small_button(const std::string& text, const std::string& mark, const std::string& help = {});
bool menu_item(const std::string& text, const std::string& mark, const char* keys = nullptr,
               bool checked = false, bool enabled = true);

/// A small button with a drawing. `draw` gets the list, the centre and half the size.
enum class Icon {
  die,
  close,
  plus,
  minus,
  left,
  right,
  star,
  up,
  down,
  more,
  funnel,
  info,
  sort,
  swap,
  undo,
  redo,
  reset,
  present,
  share,
  pencil,
  menu
};
bool icon_button(const char* id, Icon icon, const std::string& help);
/// The same with a text behind the drawing, if it is not empty.
bool icon_button(const char* id, Icon icon, const std::string& text, const std::string& help);
float width_of_icon(const std::string& text = {});
/// The same, no higher than a line of text.
bool small_icon_button(const char* id, Icon icon, const std::string& text, const std::string& help);

/// The popup that is begun next is below the last item, inside the window, and scrolls if it is too high.
/// Returns the height that it can take.
float place_popup_below(float width);
/// Calls draw() for controls, in a low window in a popup that a button with `text` opens.
template <typename Draw>
void folded_in_low_window(const char* id, const char* text, const Draw& draw) {
  if (!is_low_window()) return draw();
  if (ImGui::Button(text)) ImGui::OpenPopup(id);
  anchor(id);
  if (!ImGui::IsPopupOpen(id)) return;
  place_popup_below(20 * ImGui::GetFontSize());
  if (!ImGui::BeginPopup(id)) return;
  draw();
  ImGui::EndPopup();
}
/// ImGui::BeginPopup() for lines of a menu: on a phone as wide whatever they are, and all in the window.
bool begin_popup_menu(const char* id);
/// The drawing of an icon alone, around `centre`.
void draw_icon(ImDrawList* list, Icon icon, ImVec2 centre, float half_size, ImU32 color);

/// The mark of a choice, of which several may be on, or one: a box or a circle. True when it was clicked.
bool choice_mark(const char* id, bool on, bool several);
/// A checkbox whose text wraps instead of being cut. `mark` is its name in the state dump, independent of the
/// text.
bool check(const char* mark, const char* text, bool& value, const std::string& help = {});

// The ids of these begin with "###".
/// A typed number: applied on Enter or when the field loses focus. True when `value` changed.
bool typed_int(const char* id, int& value, int low, int high);
/// The same for 0 to `high`; 0 is written, and typed, as an empty field that shows `zero`.
bool typed_int_or(const char* zero, const char* id, int& value, int high);
bool typed_double(const char* id, double& value, double low, double high, const char* format);
bool typed_seed(const char* id, std::uint64_t& value);

/// The range of a slider.
struct SliderRange {
  ImGuiDataType type;  ///< S32, Float or Double
  const void *low, *high;
  const char* format;
  ImGuiSliderFlags flags = 0;
  const char* mark = nullptr;  ///< for tests; otherwise its id
  const char* help = nullptr;  ///< its tooltip
  /// How a number is written if not by the format; nullptr: by that.
  std::string (*written)(double) = nullptr;
};
/// A slider alone; on a phone between buttons for the next smaller and larger number. A finger that scrolls
/// does not move it. `width` of all, 0: to the right edge.
bool slider(const char* id, const SliderRange& range, void* value, float width = 0);
/// A slider and a field for its number: behind it, on a phone above its end.
template <typename Field>
bool slider_with_field(const char* id, const SliderRange& range, void* value, const Field& field) {
  const float width = 3.6F * ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const bool above = finger_height() > 0;
  if (above) {
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - width);
    ImGui::SetNextItemWidth(width);
    field();
  }
  const bool changed = slider(id, range, value, above ? 0 : ImGui::GetContentRegionAvail().x - width - gap);
  if (!above) {
    ImGui::SameLine(0, gap);
    ImGui::SetNextItemWidth(-FLT_MIN);
    field();
  }
  return changed;
}
/// A slider with its number next to it, where the knob never covers it; `width` of both, 0: to the right
/// edge.
bool value_slider(const char* id, const SliderRange& range, void* value, float width = 0);

/// A line of text, limited on paste to what ImGui can draw; returns what ImGui::InputText does.
bool typed_text(const char* id, std::string& value, const char* empty_hint = "", int flags = 0);
/// The text cut at the end with "…" so that it is no wider than `width`.
std::string fit_text(const std::string& text, float width);
/// For text that is shrunk rather than cut: the largest font, up to the regular one, in which it fits given
/// its width in the regular one, otherwise the smallest.
float size_for(const Style& style, const std::string& text, float room);
/// A tint behind a line of text that begins at `line`, over `share` (0 to 1) of `width`: too pale for its end
/// to look like part of a digit.
void tint_line(ImVec2 line, float width, double share, ImU32 color);

/// In a table, after its header: suppresses ImGui's own column menu, which is in English.
void leave_out_table_menu();

/// How a token is written on its own: white space and control characters are made visible.
std::string shown_token(const std::string& text);

}  // namespace headscope
