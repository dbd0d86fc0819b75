#pragma once
#include <imgui.h>
#include <imgui_stdlib.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct ImGuiWindow;

namespace headscope {

// What is drawn, for those who hear it: items report themselves while they are drawn, if somebody listens.

/// As WAI-ARIA has them; their names there are heard_role_name().
enum class HeardRole {
  none,  ///< nothing to hear or to do
  text,
  heading,
  status,
  image,
  progress,
  link,
  button,
  check,
  radio,
  slider,
  field,
  list,  ///< a button that opens one
  option,
  menu_item,
  group,
  region,
  main,
  navigation,
  dialog,
  menu_bar,
  menu,
  options,
  choices,  ///< of which one is on
};
const char* heard_role_name(HeardRole role);

struct HeardItem {
  HeardRole role = HeardRole::none;
  unsigned id = 0;  ///< no other item has it; of a control it is ImGui's
  int parent = -1;  ///< its place in the list of all; -1: the window
  std::string name;
  std::string help;                   ///< what a tooltip says
  std::string value;                  ///< of a slider as it is written, of a field and a list
  double low = 0, high = 0, now = 0;  ///< of a slider; a whole number if `whole`
  bool whole = false;
  std::optional<bool> on;    ///< checked, selected or pressed
  std::optional<bool> open;  ///< what it opens is
  bool disabled = false;
  bool focused = false;         ///< the keyboard is on it
  bool quiet = false;           ///< it is there without being shown, as after a click
  bool lines = false;           ///< of a field: it takes several
  bool by_pointer = false;      ///< no key presses it
  bool explains = false;        ///< its help is what it is for: it is named by what is beside it
  bool step = false;            ///< of a row of steps the present one
  int level = 0;                ///< of a heading, or of what unfolds below one; 0: neither
  int place = 0, count = 0;     ///< in a list, of which only a part is drawn; from 1
  unsigned keyboard = 0;        ///< of a part: the item that has the keyboard for it
  bool present = false;         ///< of the parts: the one that keys are for
  std::array<float, 4> rect{};  ///< left, top, right, bottom
  std::string mark;             ///< the name in UiAnchors, if these are recorded, too
  bool operator==(const HeardItem&) const = default;
};

/// Collects a frame's items, and does what is asked of them in the next.
class Heard {
 public:
  // Before ImGui::NewFrame().
  void press(unsigned id);
  void set(unsigned id, double value);
  /// In place of the text of a field.
  void type(unsigned id, std::string text);
  void focus(unsigned id);
  struct Input {
    std::optional<std::string> typed;  ///< replaces the text of the field that has the keyboard
    std::optional<ImVec2> click;       ///< of what only a pointer presses
  };
  /// Begins a frame. What is returned is to come from keyboard and pointer.
  Input begin();
  /// Ends it: the items in the order in which they were drawn, named, each after what it belongs to.
  const std::vector<HeardItem>& end();
  /// Those of the last frame that was ended.
  const std::vector<HeardItem>& items() const { return items_; }
  /// Asks for the keyboard for the item after the one that has it, in the order in which they are drawn;
  /// -1: for the one before.
  void step(int by);
  /// What was asked for is not done yet.
  bool waits() const { return typing_ || press_ != 0 || value_ || focus_ != 0; }

  // While it is drawn.
  /// In the present window; empty: none, as in a tooltip.
  HeardItem* add(HeardRole role, unsigned id, std::string_view label, ImVec2 min, ImVec2 max);
  /// The window is a group of its own from here on.
  void name_window(HeardRole role, std::string_view name);
  /// Nothing if texts are heard otherwise.
  HeardItem* add_text(HeardRole role, std::string_view text, ImVec2 min, ImVec2 max);
  /// A part of a text that is drawn as a whole: it is not joined with others on its line.
  void add_block(HeardRole role, std::string_view text, ImVec2 min, ImVec2 max, int level = 0);
  /// The last item in that rectangle, a control before a text; nullptr: there is none.
  HeardItem* last(ImVec2 min, ImVec2 max);
  void name_inside(std::string_view text, ImVec2 min, ImVec2 max);
  /// Of the item added last, for opened().
  std::size_t place() const { return drawn_.size() - 1; }
  void opened(std::size_t place) { drawn_[place].item.open = true; }
  /// What is drawn in this window from here on belongs to it, until the one that it returns goes on. Without
  /// a name it has that of the label before it.
  int begin_group(HeardRole role, std::string_view name);
  void end_group(int before) { inside_ = before; }
  enum class Asked { nothing, press, focus };
  /// A part of the item `keyboard`, as one map of several; the keyboard is on the part that is `present`.
  Asked add_part(unsigned keyboard, HeardItem part, bool present);
  std::optional<double> take_value(unsigned id);
  bool take_press(unsigned id);

  std::optional<bool> chosen;     ///< of the buttons that follow
  std::string label, label_help;  ///< of the next item without a name
  bool deaf = false;              ///< texts that are drawn are heard otherwise
  int row = 0, rows = 0;          ///< of the next control: HeardItem::place

 private:
  struct Drawn {
    HeardItem item;
    ImGuiWindow* window;
    bool named_inside = false, block = false;
  };
  struct Group {
    ImGuiWindow* window;
    int item;
  };
  struct Typing {
    std::string text;
    int frames;  ///< until the field has the keyboard
  };
  static constexpr int max_scrolls = 3;

  unsigned next_text_id(ImGuiWindow* window);
  int group_of(ImGuiWindow* window);
  void take_keyboard(unsigned id);
  bool is_stop(std::size_t at) const;
  bool is_beside(std::size_t at, std::size_t stop) const;
  bool holds_keyboard(std::size_t at) const;
  int add_group(ImGuiWindow* window, int parent, HeardRole role, std::string_view name);
  void keep_modal();
  void join_texts();
  void name_items();
  void name_groups();

  std::vector<Drawn> drawn_;
  std::vector<Group> groups_;
  std::vector<HeardItem> items_;
  std::map<unsigned, ImGuiWindow*> windows_;  // of the last frame
  std::map<ImGuiWindow*, int> texts_;         // in each
  unsigned press_ = 0, focus_ = 0, pressed_ = 0;
  int inside_ = -1;  // the group that was begun
  int scrolls_ = 0;  // frames in which what is to be pressed was scrolled into view
  std::optional<std::pair<unsigned, double>> value_, set_;
  std::optional<Typing> typing_;
};

/// Whether the keyboard is on what has that id, and is seen to be there.
bool has_keyboard(unsigned id);
/// nullptr: nobody listens, or nothing is heard where this is drawn.
Heard* listener();

// After the item that they are about.
/// Otherwise than its call has it; "": keeps the name.
void hear_as(HeardRole role, std::string_view name = {});
/// What it opens is open; also of a button that shows that as chosen.
void hear_open(bool open);
void hear_step(bool present);
void hear_on(HeardRole role, bool on, std::string_view name = {});
void hear_value(HeardRole role, std::string_view value, std::string_view name = {});
/// A field of several lines that ImGui does not know; `edited`: it takes what is typed.
void hear_box(std::string_view text, std::string_view name, bool edited);
inline void hear_name(std::string_view name) {
  hear_as(HeardRole::none, name);
}
void hear_help(std::string_view help);
/// Why it is there, in place of a text of its own: it is named by what is beside it.
void hear_explanation(std::string_view help);
/// A text, or what unfolds below it.
void hear_heading(int level);
/// What is drawn inside the last control, which names it if nothing else does.
void hear_inside(std::string_view text, ImVec2 min, ImVec2 max);
void hear_nothing();
/// A text that is drawn there; the last item's place.
void hear_text(std::string_view text, HeardRole role = HeardRole::text);
/// The present window is a part of the program, or of a dialog.
void hear_window(HeardRole role, std::string_view name);
/// A text that nobody sees, at the beginning of the present window.
void hear_title(std::string_view title, int level);
/// The controls drawn while it lives belong together, and are named by the label before them.
struct HeardGroup {
  explicit HeardGroup(HeardRole role = HeardRole::group, std::string_view name = {});
  ~HeardGroup();
  HeardGroup(const HeardGroup&) = delete;
  HeardGroup& operator=(const HeardGroup&) = delete;
  Heard* const heard;
  int before = -1;
};
/// Draws those rows of a list that are seen; of each is heard which of how many it is.
template <typename Draw>
void draw_seen_rows(int count, const Draw& draw, float height = -1) {
  ImGuiListClipper clipper;
  clipper.Begin(count, height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      if (Heard* const heard = listener()) heard->row = i + 1, heard->rows = count;
      draw(i);
    }
  if (Heard* const heard = listener()) heard->row = heard->rows = 0;
}
/// Its text is heard otherwise while it lives.
struct Unheard {
  Unheard();
  ~Unheard();
  Unheard(const Unheard&) = delete;
  Unheard& operator=(const Unheard&) = delete;
  Heard* const heard;
  const bool before;
};

// Dear ImGui's items, which report themselves: in this namespace `ImGui::` finds them before its own.
namespace ImGui {
using namespace ::ImGui;

bool Button(const char* label, const ImVec2& size = {0, 0});
bool SmallButton(const char* label);
bool ArrowButton(const char* id, ImGuiDir direction);
bool InvisibleButton(const char* id, const ImVec2& size, ImGuiButtonFlags flags = 0);
bool Checkbox(const char* label, bool* on);
bool RadioButton(const char* label, bool on);
bool Selectable(const char* label, bool on = false, ImGuiSelectableFlags flags = 0,
                const ImVec2& size = {0, 0});
bool BeginCombo(const char* label, const char* preview, ImGuiComboFlags flags = 0);
bool MenuItem(const char* label, const char* keys = nullptr, bool on = false, bool enabled = true);
bool BeginMenu(const char* label, bool enabled = true);
bool CollapsingHeader(const char* label, ImGuiTreeNodeFlags flags = 0);
bool TreeNodeEx(const char* label, ImGuiTreeNodeFlags flags = 0);
bool SliderInt(const char* label, int* value, int low, int high, const char* format = "%d",
               ImGuiSliderFlags flags = 0);
bool SliderScalar(const char* label, ImGuiDataType type, void* value, const void* low, const void* high,
                  const char* format = nullptr, ImGuiSliderFlags flags = 0);
bool InputInt(const char* label, int* value, int step = 1, int fast = 100, ImGuiInputTextFlags flags = 0);
bool InputDouble(const char* label, double* value, double step = 0, double fast = 0,
                 const char* format = "%.6f", ImGuiInputTextFlags flags = 0);
bool InputScalar(const char* label, ImGuiDataType type, void* value, const void* step = nullptr,
                 const void* fast = nullptr, const char* format = nullptr, ImGuiInputTextFlags flags = 0);
bool InputText(const char* label, std::string* text, ImGuiInputTextFlags flags = 0,
               ImGuiInputTextCallback callback = nullptr, void* data = nullptr);
bool InputTextWithHint(const char* label, const char* hint, std::string* text, ImGuiInputTextFlags flags = 0,
                       ImGuiInputTextCallback callback = nullptr, void* data = nullptr);
bool InputTextMultiline(const char* label, std::string* text, const ImVec2& size = {0, 0},
                        ImGuiInputTextFlags flags = 0);
void ProgressBar(float share, const ImVec2& size, const char* overlay = nullptr);
void TextUnformatted(const char* text, const char* end = nullptr);
void TextWrapped(const char* format, const char* text);
void TextDisabled(const char* format, const char* text);
void TableHeader(const char* label);
void TableHeadersRow();
bool ButtonEx(const char* label, const ImVec2& size, ImGuiButtonFlags flags);
}  // namespace ImGui

/// ImGui::InvisibleButton() that keyboard navigation reaches.
bool invisible_button(const char* id, ImVec2 size, ImGuiButtonFlags flags = 0);

}  // namespace headscope
