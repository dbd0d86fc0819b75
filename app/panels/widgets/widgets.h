#pragma once
#include <imgui.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "app/panels/shell/ui.h"
#include "core/inputs/fields.h"
#include "core/text/repeated_token.h"

namespace headscope {

// Widgets that several panels share. Texts are translated already.

/// Notes where the last item stands, for tests; ImGuiIO::UserData holds their UiAnchors or nothing. A name is
/// no text: it stays when a label is worded anew or translated.
void anchor(const std::string& name);
void note_place(const std::string& name, ImVec2 min, ImVec2 max);

/// Whether the step of a lesson points to a field or a place.
bool is_outlined(const char* name);
/// A line around what it points to.
void outline(ImVec2 min, ImVec2 max);
/// And brings it into view where its panel or the step comes.
void outline_field(ImVec2 min, ImVec2 max);

/// A token as it is drawn, and its place counted from 1 where its text stands in others, too: "the (4)".
std::string numbered_token(const std::vector<Token>& tokens, int i);
/// The text cut off so that what belongs to it has room behind it.
std::string fit_with(const std::string& text, const std::string& behind, float width);
/// A text over as many lines as the width asks for (0: to the right edge), broken between Chinese characters
/// too.
void wrapped_text(const std::string& text, float width = 0);
float wrapped_height(const std::string& text, float width);
/// Begins a tooltip below or above what it explains, never over it; false, and none, while a text is typed.
bool begin_tooltip(ImVec2 min, ImVec2 max);
/// The same at its right or left, for what has others above and below it.
bool begin_side_tooltip(ImVec2 min, ImVec2 max);
/// The same with its upper left corner there.
bool begin_tooltip_at(ImVec2 place);
/// A tooltip, wrapped, for the item before it, disabled or not.
void tooltip(const std::string& text);
/// A text in the muted colour, wrapped.
void hint(const Style& style, const std::string& text);
/// The same, as high as the highest of all the texts that may stand there: nothing below it moves.
void steady_hint(const Style& style, const std::string& text, std::initializer_list<const char*> others);
/// A hint on one line, for tooltips, which are as wide as their texts.
void muted_text(const Style& style, const std::string& text);
void warning_text(const Style& style, const std::string& text);
void error_text(const Style& style, const std::string& text);

/// A heading that opens and closes; what follows belongs to it while it is true.
bool section(const char* text, const char* id, bool open = true);

/// Puts a label left of the next item, which takes the rest of the line; above it where the label is too
/// wide.
void label_field(const char* text, const std::string& help = {});
/// The same with the texts of a field of the inputs.
void label_field(const Ui& ui, InputField::Member member);

/// The next item goes on in the same line while its `width` fits into it.
void next_in_line(float width);

struct Choice {
  const char* text;
  std::string help = {};
  bool enabled = true;
};
/// A row of buttons of which one is chosen; goes on in the next line where the width ends. True when `chosen`
/// changed.
bool choose(const char* id, const std::vector<Choice>& choices, int& chosen);
/// The width that this needs for one line.
float width_of(const std::vector<Choice>& choices);
/// The same as a list that opens, which shows `preview` until then, in one line with what stands before it.
bool choose_in_list(const char* id, const std::vector<Choice>& choices, int& chosen, const char* preview);
bool choose_in_list(const char* id, const std::vector<Choice>& choices, int& chosen);
/// At the beginning of a line.
bool choose_in_own_list(const char* id, const std::vector<Choice>& choices, int& chosen, const char* preview);
/// Whether every line that the panels take is one that the maps lack.
bool is_low_window();

/// A small button with a drawing. `draw` gets the list, the middle and half the size.
enum class Icon { die, close, plus, minus, left, right, star, up, down, more, funnel };
bool icon_button(const char* id, Icon icon, const std::string& help);

/// A checkbox whose text wraps instead of being cut. `mark` is its name in the state dump, whatever the text.
bool check(const char* mark, const char* text, bool& value, const std::string& help = {});
/// One for a field of the inputs.
bool check(Ui& ui, const char* mark, bool Inputs::*member);

// The ids of these begin with "###".
/// A number that is typed: taken over on Enter or when the field is left. True when `value` changed.
bool typed_int(const char* id, int& value, int low, int high);
bool typed_double(const char* id, double& value, double low, double high, const char* format);
bool typed_seed(const char* id, std::uint64_t& value);

/// What a slider goes through.
struct SliderRange {
  ImGuiDataType type;  ///< S32, Float or Double
  const void *low, *high;
  const char* format;
  ImGuiSliderFlags flags = 0;
  const char* mark = nullptr;  ///< for tests; else its id
};
/// A slider with its number beside it, where the knob never covers it; `width` of both, 0: to the right edge.
bool value_slider(const char* id, const SliderRange& range, void* value, float width = 0);

/// A line of text, which the clipboard cannot make longer than ImGui draws; true as ImGui::InputText.
bool typed_text(const char* id, std::string& value, const char* empty_hint = "", int flags = 0);
/// The text cut at the end with "…" so that it is no wider than `width`.
std::string fit_text(const std::string& text, float width);
/// For what is rather small than cut: the largest of the fonts, up to the regular one, in which a text that
/// takes so much room in that one fits, else the smallest.
ImFont* font_for(const Style& style, const std::string& text, float room);
/// A horizontal bar, `share` 0 to 1 of `width`.
void bar(ImVec2 position, float width, float height, double share, ImU32 color);
/// One below a line of text that begins there: behind the digits its end would seem to be part of one.
void bar_below_line(ImVec2 line, float width, double share, ImU32 color);

/// How a token is written where it stands alone: white space and control characters are made visible.
std::string shown_token(const std::string& text);

}  // namespace headscope
