#include "app/panels/sentence/token_chips.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/map/map_pointer.h"
#include "app/panels/sentence/token_menu.h"
#include "app/panels/ui/panel_focus.h"
#include "app/panels/views/model_view.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/text/text_edit.h"
#include "app/state/view/compared_cell.h"
#include "app/state/view/navigation.h"
#include "app/state/view/panels.h"
#include "core/base/utf8.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

/// The positions of the tokens, relative to the upper left corner of all of them.
struct ChipPlaces {
  std::vector<ImVec2> corners;
  std::vector<float> widths;
  float height = 0, line = 0, bottom = 0;

  std::size_t count() const { return corners.size(); }
  /// The token at a point or, between tokens, the preceding one.
  int nearest(ImVec2 point) const {
    const float row = std::floor(point.y / line) * line;
    int found = 0;
    for (int i = 0; i < static_cast<int>(count()); ++i) {
      const ImVec2 corner = corners[i];
      if (corner.y < row - line / 2 || (corner.y < row + line / 2 && corner.x <= point.x)) found = i;
    }
    return found;
  }
};

/// Height of the bar above a token that shows how unexpected it was.
float surprise_height(const TokenChips& chips) {
  return std::max(3.0F, std::round(chips.ui.style.font_size * 0.22F));
}

ChipPlaces places_of(const TokenChips& chips, float room) {
  const float em = chips.ui.style.font_size, gap = std::round(em * 0.25F), finger = chips.ui.style.finger;
  ChipPlaces places;
  places.height = std::max(finger, std::round(ImGui::GetTextLineHeight() + em * 0.3F) +
                                       (chips.predicted ? surprise_height(chips) : 0));
  places.line = places.height + gap;
  float x = 0;
  for (const Token& token : chips.tokens) {
    const float text = ImGui::CalcTextSize(drawn_text(token.text).c_str()).x;
    const float width = std::min(room, std::max(finger, text + em * 0.7F));
    if (x > 0 && x + width > room) x = 0, places.bottom += places.line;
    places.corners.emplace_back(x, places.bottom);
    places.widths.push_back(width);
    x += width + gap;
  }
  places.bottom += places.line;
  return places;
}

/// Cached for a long text, since the layout takes longer than a frame.
std::shared_ptr<const ChipPlaces> place_chips(const TokenChips& chips, float room) {
  constexpr std::size_t many = 2048;
  if (chips.tokens.size() < many) return std::make_shared<const ChipPlaces>(places_of(chips, room));
  const ChipsPlaced of{chips.ui.block,       chips.tokens.data(),  room,
                       ImGui::GetFontSize(), chips.ui.style.fonts, chips.predicted};
  return std::static_pointer_cast<const ChipPlaces>(
      chips.ui.memory.placed_chips[chips.axis == Axis::keys ? 1 : 0].get(
          of, [&] { return std::make_shared<const ChipPlaces>(places_of(chips, room)); }));
}

std::string code_points(const std::string& text) {
  std::string list;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = at;
    list += fmt::format("{}U+{:04X}", list.empty() ? "" : " ",
                        static_cast<unsigned>(decode_utf8(text, at, next)));
    at = next;
  }
  return list;
}

bool is_shown(const TokenChips& chips, int i) {
  // The filter counts A's tokens: those of B follow their counterparts.
  if (const FilteredLayer& shown = *chips.ui.shown; chips.side == Side::b)
    return shown.block != chips.ui.block || (chips.axis == Axis::keys ? shown.column(i) : shown.row(i)) >= 0;
  const Filter& filter = chips.ui.view().filter;
  const bool keys = chips.axis == Axis::keys;
  const std::optional<TokenRange>& range = keys ? filter.keys : filter.queries;
  return !(keys ? filter.hidden_keys : filter.hidden_queries).contains(i) &&
         (!range || (i >= range->begin && i < range->end));
}

/// How a click marks padding and global tokens, if their masks are on.
std::string mark_help(const TokenChips& chips, int i) {
  const Translator& tr = chips.ui.tr;
  std::string help;
  if (chips.padding != nullptr)
    help +=
        std::string("\n") + (is_marked(chips.padding, i)
                                 ? tr("Padding: blocked as a key for every query. Shift+click to unmark.")
                                 : tr("Shift+click to mark as padding: blocked as a key for every query."));
  if (chips.global == nullptr) return help;
  help += "\n";
  if (chips.padding != nullptr)
    return help + (is_marked(chips.global, i)
                       ? tr("Global: sees every token and is seen by every token. Ctrl+click to unmark.")
                       : tr("Ctrl+click to make it global: it sees every token and is seen by every token."));
  return help + (is_marked(chips.global, i)
                     ? tr("Global: sees every token and is seen by every token. Shift+click to unmark.")
                     : tr("Shift+click to make it global: it sees every token and is seen by every token."));
}

/// Arrays have pieces, not words.
std::string place_help(const TokenChips& chips, int i) {
  const Translator& tr = chips.ui.tr;
  const std::string text = drawn_text(chips.tokens[i].text);
  const BlockTrace& block = *chips.ui.block;
  if (block.pooled()) return tr("Tokens {}", text);
  const auto& pieces = chips.axis == Axis::keys ? block.first_key_pieces : block.first_pieces;
  const auto at = static_cast<std::size_t>(i), count = chips.tokens.size();
  if (pieces.size() != count + 1)
    return tr("Token {} of {} (number {} in arrays): {}", i + 1, count, i, text);
  const Index first = pieces[at], last = pieces[at + 1] - 1;
  if (first == last) return tr("Word {} of {} (number {} in arrays): {}", i + 1, count, first, text);
  return tr("Word {} of {} (numbers {} to {} in arrays): {}", i + 1, count, first, last, text);
}

/// The word of the whole-model view that a token belongs to; empty in another view, and for the start token,
/// which has no source.
std::optional<PointedWord> word_in_model(const TokenChips& chips, BlockKind block, int i) {
  const Ui& ui = chips.ui;
  const bool whole = ui.view().row().whole && ui.trace && no_model_picture(ui.trace.get()) == nullptr;
  if (!whole) return {};
  const bool source = block == BlockKind::encoder || (block == BlockKind::cross && chips.axis == Axis::keys);
  if (source) return PointedWord{true, i};
  return i > 0 ? std::optional(PointedWord{false, i - 1}) : std::nullopt;
}

/// Whether the whole-model view shows the side whose tokens these are.
bool is_seen_in_model(const TokenChips& chips) {
  return chips.side == Side::b ? chips.ui.view().of_b : !shows_model_of_b(chips.ui);
}

std::string word_help(const Translator& tr, const PointedWord& word) {
  return word.of_source ? tr("Lights what is written from it in the picture.")
                        : tr("Click to lock the row that it was written from.");
}

std::string chip_help(const TokenChips& chips, int i) {
  const Translator& tr = chips.ui.tr;
  const std::string& text = chips.tokens[i].text;
  std::string help = place_help(chips, i);
  const bool group = chips.ui.block->pooled();
  if (!group && text.size() <= 64 && !chips.tokens[i].unknown && !is_plain_word(text) && !is_ascii(text))
    help += "\n" + code_points(text);
  if (chips.tokens[i].unknown)
    help +=
        std::string("\n") +
        (chips.tokens[i].placeholder
             ? tr("The model does not know this word: it reads a placeholder token instead.")
         : text.starts_with("⟨")
             ? tr("The model does not know this word, and has no placeholder token left for it.")
             : tr("The model does not know this word: it reads {} in place of every word that is not in its "
                  "vocabulary.",
                  std::string(text_in_vocabulary(chips.tokens[i]))));
  help += "\n";
  if (!is_shown(chips, i))
    help += tr("Hidden by the filter. Click to show all tokens.");
  else if (const auto word = word_in_model(chips, chips.ui.block->shape.kind, i))
    help += word_help(tr, *word);
  else
    help += shows_long_text(chips.ui)
                ? (chips.axis == Axis::keys ? tr("Click to lock its column.") : tr("Click to lock its row."))
            : chips.axis == Axis::keys
                ? tr("Click to lock its column. Drag across tokens to show only those.")
                : tr("Click to lock its row. Drag across tokens to show only those.");
  if (chips.edits && chips.ui.style.finger <= 0) help += std::string(" ") + tr("Then type to edit it.");
  if (group) return help;
  return help + mark_help(chips, i) + "\n" +
         (chips.ui.inputs.about().word_tokens ? tr("Right-click to split, join or mark it.")
                                              : tr("Right-click to mark it."));
}

/// The cell that represents the token: the strongest of its row, or of its column if it is only a key; empty
/// while the other sentence is empty.
std::optional<Cell> cell_of(const TokenChips& chips, int i) {
  const Ui& ui = chips.ui;
  const bool keys = chips.axis == Axis::keys;
  if (ui.block->n_q() == 0 || ui.block->n_k() == 0) return {};
  if (ui.shown->part && !keys && ui.scene->head)
    return strongest_cell(*ui.block, ui.shown->layer, *ui.scene->head, i);
  const int row = keys ? -1 : ui.shown->row(i), column = keys ? ui.shown->column(i) : -1;
  const bool any = ui.shown->n_q() > 0 && ui.shown->n_k() > 0;  // the filter may leave no tokens on one side
  if (ui.shown->block == ui.block && any && (row >= 0 || column >= 0)) return strongest_cell(ui, row, column);
  const int head = ui.scene->head.value_or(ui.scene->heads.front());
  return Cell{head, keys ? 0 : i, keys ? i : 0};
}

bool is_locked(const TokenChips& chips, int i) {
  const std::optional<Cell> lock =
      lock_of(chips.ui.state, *chips.ui.block, chips.comparison.get(), chips.side);
  const bool keys = chips.axis == Axis::keys;
  return lock && chips.ui.state.lines_of_key == keys && (keys ? lock->key : lock->query) == i;
}

/// Calls use(state, shown, comparison, side, cell) for the token's cell. B's has no place before the
/// comparison is known.
void with_cell_of(const TokenChips& chips, int i, decltype(hover_cell)& use) {
  if (chips.side == Side::b && !chips.comparison) return;
  if (const auto cell = cell_of(chips, i))
    use(chips.ui.state, *chips.ui.shown, chips.comparison.get(), chips.side, *cell);
}

void lock_token_of(const TokenChips& chips, int i) {
  with_cell_of(chips, i, lock_cell);
  chips.ui.state.lines_of_key = chips.axis == Axis::keys;
}

void show_all_tokens(Filter& filter) {
  filter.queries.reset();
  filter.keys.reset();
  filter.hidden_queries.clear();
  filter.hidden_keys.clear();
}

/// Same as a click on the word in the whole-model view: a generated word locks or releases its row.
void click_word(const TokenChips& chips, const PointedWord& word) {
  ViewState& state = chips.ui.state;
  if (word.of_source) return;
  if (state.view.of_b != (chips.side == Side::b)) show_side(state, chips.side);
  const std::optional<Cell> lock = chips.ui.lock();
  if (chips.ui.block->cross() && lock && lock->query == word.at)
    unlock(state);
  else
    lock_step(chips.ui, word.at);
}

/// Whether a click that ends in this frame edits the text that it is on. A finger has the pencil for that:
/// with the field come the keys on the screen.
bool edits_at_pointer(const Ui& ui, bool editable) {
  return editable && ui.style.finger <= 0 && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
}

/// Where a click of the mouse on a token, whose item was the last one, edits the text.
EditPlace edit_at_pointer(int i) {
  const float middle = (ImGui::GetItemRectMin().x + ImGui::GetItemRectMax().x) / 2;
  return {i, true, ImGui::GetIO().MousePos.x < middle};
}

/// A click locks the token and edits the text there, where that can be edited; otherwise, and by the
/// keyboard, it locks or releases it. With Shift or Ctrl it marks it for masks that have such marks.
void click_chip(TokenChips& chips, int i) {
  ViewState& state = chips.ui.state;
  const ImGuiIO& io = ImGui::GetIO();
  MaskPart* const first = chips.padding != nullptr ? chips.padding : chips.global;
  if (io.KeyShift && first != nullptr) return toggle_token(*first, i);
  if (io.KeyCtrl && chips.global != nullptr) return toggle_token(*chips.global, i);
  if (!is_shown(chips, i)) return show_all_tokens(state.view.filter);
  const bool edits = edits_at_pointer(chips.ui, chips.edits);
  if (edits) chips.edit = edit_at_pointer(i);
  if (const auto word = word_in_model(chips, chips.ui.block->shape.kind, i)) return click_word(chips, *word);
  is_locked(chips, i) && !edits ? unlock(state) : lock_token_of(chips, i);
}

/// Keeps the tokens from where the drag began to `now`, as a drag across a view does.
void keep_tokens(const TokenChips& chips, const ChipDrag& drag, int now) {
  Filter& filter = chips.ui.state.view.filter;
  filter = drag.before;
  if (now == drag.begin) return;
  const auto [first, last] = std::minmax(now, drag.begin);
  const std::optional<TokenRange> range{{first, last + 1}};
  const bool both = !ImGui::GetIO().KeyShift && !chips.ui.block->cross();
  if (chips.axis == Axis::keys || both) filter.keys = range;
  if (chips.axis == Axis::queries || both) filter.queries = range;
}

/// True at the end of a drag that filtered: the release of its button is not a click.
bool drag_chips(const TokenChips& chips, const ChipPlaces& places, ImVec2 origin) {
  ChipDrag& drag = chips.ui.memory.chip_drag;
  if (shows_long_text(chips.ui)) drag = ChipDrag{};
  if (chips.ui.memory.finger.way == Finger::Way::along) drag = ChipDrag{};  // it scrolls them
  if (drag.begin < 0 || chips.side == Side::b || drag.axis != chips.axis) return false;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int now = places.nearest({mouse.x - origin.x, mouse.y - origin.y});
  drag.moved = drag.moved || now != drag.begin;
  if (drag.moved && ImGui::IsMouseDown(ImGuiMouseButton_Left)) keep_tokens(chips, drag, now);
  const bool filtered = drag.moved;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) drag = ChipDrag{};
  return filtered;
}

/// Whether predictions are made at these tokens.
bool are_predicted(const TokenChips& chips) {
  const auto& trace = chips.ui.trace;
  return trace && trace->predictions && block_of(trace, trace->predictions->block())->tokens == chips.tokens;
}

std::optional<double> predicted_surprise(const TokenChips& chips, int i) {
  return chips.predicted ? surprise_of(chips.ui, i) : std::nullopt;
}

/// The help, and what the model predicts there.
void chip_tooltip(const TokenChips& chips, int i) {
  if (!chips.predicted) return tooltip(chip_help(chips, i));
  if (!begin_tooltip(ImGui::GetItemRectMin(), ImGui::GetItemRectMax())) return;
  wrapped_text(chip_help(chips, i), ImGui::GetFontSize() * 24);
  if (!chips.ui.hides_numbers) draw_expected_tokens(chips.ui, i);
  ImGui::EndTooltip();
}

void draw_chip(const TokenChips& chips, int i, const std::string& text, bool hovered) {
  const Palette& colors = palette(chips.ui.style.theme);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool padding = is_marked(chips.padding, i), shown = is_shown(chips, i);
  const std::optional<Cell>& focus = chips.focus;
  const bool marked = focus && chips.axis == Axis::queries && focus->query == i;
  const bool key_marked = focus && focus->key == i && (chips.axis == Axis::keys || !chips.ui.block->cross());
  const float rounding = chips.ui.style.font_size * 0.25F;
  const float line = is_locked(chips, i) ? std::max(2.0F, std::round(chips.ui.style.font_size / 8)) : 1;
  list->AddRectFilled(low, high, hovered || marked || key_marked ? colors.accent_soft : colors.panel,
                      rounding);
  const bool found = chips.side == Side::a && chips.ui.state.search.marks(chips.axis == Axis::keys, i);
  list->AddRect(low, high,
                marked || key_marked ? colors.accent
                : found              ? colors.warning
                                     : colors.border,
                rounding, 0, found ? std::max(2.0F, line) : line);
  const float above = chips.predicted ? surprise_height(chips) : 0;
  const ImVec2 pad{std::max(chips.ui.style.font_size * 0.35F,
                            std::floor((high.x - low.x - ImGui::CalcTextSize(text.c_str()).x) / 2)),
                   (high.y - low.y - above - ImGui::GetTextLineHeight()) / 2};
  const ImU32 color = !shown ? with_alpha(colors.muted, 0.55F) : padding ? colors.muted : colors.text;
  list->AddText({low.x + pad.x, low.y + above + pad.y}, color, text.c_str());
  if (const auto bits = predicted_surprise(chips, i))
    list->AddRectFilled({low.x + 1, low.y + 1}, {high.x - 1, low.y + 1 + above},
                        surprise_color(chips.ui, *bits), rounding, ImDrawFlags_RoundCornersTop);
  if (is_marked(chips.global, i))
    list->AddRectFilled({low.x + pad.x, high.y - pad.y}, {high.x - pad.x, high.y - pad.y / 3}, colors.accent);
  if (chips.tokens[i].unknown)
    list->AddLine({low.x + pad.x, high.y - pad.y}, {high.x - pad.x, high.y - pad.y}, colors.warning, line);
  if (padding) {
    const float y = (low.y + high.y) / 2;
    list->AddLine({low.x + pad.x, y}, {high.x - pad.x, y}, colors.muted, 1);
  }
}

/// One token: its button, its actions, its appearance.
void use_chip(TokenChips& chips, int i, ImVec2 size, bool dragged) {
  ChipDrag& drag = chips.ui.memory.chip_drag;
  const bool clicked = invisible_button("chip", size);
  if (listener() != nullptr) hear_on(HeardRole::button, is_locked(chips, i), numbered_token(chips.tokens, i));
  anchor(side_prefix(chips.side) + (chips.axis == Axis::queries ? "token " : "key token ") +
         std::to_string(i));
  const bool hovered = ImGui::IsItemHovered();
  if (chips.side == Side::a && ImGui::IsItemActivated() && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    drag = {chips.axis, i, false, chips.ui.view().filter};
  if (clicked && !dragged) click_chip(chips, i);
  mark_navigated_item();
  const std::string& text = chips.tokens[i].text;
  draw_chip(chips, i, fit_text(drawn_text(shown_token(text)), size.x - chips.ui.style.font_size * 0.6F),
            hovered);
  const bool menu = token_menu(chips, i);
  if (!hovered || menu) return;
  const auto word = word_in_model(chips, chips.ui.block->shape.kind, i);
  if (word && drag.begin < 0 && is_seen_in_model(chips))
    chips.ui.memory.model_pointed = {word, {}};
  else if (is_shown(chips, i) && drag.begin < 0)
    with_cell_of(chips, i, hover_cell);
  if (drag.begin < 0) chip_tooltip(chips, i);
}

/// Scrolls to the locked token when the lock or the line layout changes.
void show_locked_chip(const TokenChips& chips, const ChipPlaces& places) {
  const ViewState& state = chips.ui.state;
  if (!state.lock || state.last_hover || state.last_other_hover || !chips.focus) return;
  const bool keys = chips.axis == Axis::keys;
  const int token = keys ? chips.focus->key : chips.focus->query;
  if (token < 0 || token >= static_cast<int>(places.count())) return;
  const float top = places.corners[token].y;
  float& shown = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("locked"), -1);
  if (std::exchange(shown, top) == top) return;
  const float room = ImGui::GetWindowHeight();
  if (top < ImGui::GetScrollY() || top + places.height > ImGui::GetScrollY() + room)
    ImGui::SetScrollY(std::max(0.0F, top - std::max(0.0F, room - places.height) / 2));
}

/// At most that many lines; one more if that shows all of them.
float chips_height(const ChipPlaces& places, float line_limit) {
  if (line_limit < 2 && line_limit > 1) return places.bottom <= 2 * places.line ? places.bottom : places.line;
  return std::min(places.bottom, std::max(places.line, std::round(places.line * line_limit)));
}

/// The frame of a field in which tokens stand.
struct StripFrame {
  explicit StripFrame(const TokenStrip& strip)
      : edits(strip.edits),
        has_pencil(edits &&
                   (finger_height() > 0 || ImGui::GetContentRegionAvail().x > 12 * ImGui::GetFontSize())),
        pad(strip.edits ? std::round(0.15F * ImGui::GetFontSize()) : 0) {}

  /// For tokens, beside the pencil and a scrollbar.
  float room() const {
    const float pencil = has_pencil ? width_of_icon() + pad : 0;
    return ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize - 4 * pad - pencil;
  }
  float height(const ChipPlaces& places, float line_limit) const {
    const float gap = edits ? places.line - places.height : 0;
    return chips_height(places, line_limit) - gap + 2 * pad;
  }
  void begin(const char* id, const char* title, float height, ImGuiWindowFlags flags) const {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetStyle().Colors[ImGuiCol_FrameBg]);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {2 * pad, pad});
    ImGui::BeginChild(id, {0, height}, edits, flags | (edits ? 0 : ImGuiWindowFlags_NoBackground));
    hear_window(HeardRole::group, title);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
  }
  /// At the right end of the first line, whatever is scrolled.
  bool pencil(const Translator& tr, ImVec2 origin, const std::string& field) const {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (edits) note_place(field, at, {at.x + size.x, at.y + size.y});
    if (!has_pencil) return false;
    ImGui::SetCursorPos(origin);
    const float right = origin.x + ImGui::GetContentRegionAvail().x - width_of_icon();
    ImGui::SetCursorPos({right, origin.y + ImGui::GetScrollY() + pad});
    // It is no content: where there are fewer tokens than before, they would stay scrolled out of sight.
    const ImVec2 end = ImGui::GetCurrentWindow()->DC.CursorMaxPos;
    const bool pressed = small_icon_button(("edit " + field).c_str(), Icon::pencil, "",
                                           tr("Edit the sentence (Ctrl+L, or click beside its tokens)"));
    ImGui::GetCurrentWindow()->DC.CursorMaxPos = end;
    return pressed;
  }

  const bool edits, has_pencil;
  const float pad;
};

/// A click on what is no token edits the text there.
std::optional<EditPlace> edit_beside(const Ui& ui, const ChipPlaces& places, ImVec2 origin) {
  if (ui.style.finger > 0 || !ImGui::IsWindowHovered() || ImGui::IsAnyItemHovered()) return {};
  ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  // The menu that the right button opens at its release is that of the field, too.
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsMouseClicked(ImGuiMouseButton_Right))
    return {};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return EditPlace{places.nearest({mouse.x - origin.x, mouse.y - origin.y})};
}

EditPlace behind_all(const ChipPlaces& places) {
  return {std::ssize(places.corners) - 1};
}

/// Lays the tokens out in lines and draws the visible ones.
void draw_chips(TokenChips& chips, const TokenStrip& strip) {
  const StripFrame frame(strip);
  const auto placed = place_chips(chips, frame.room());
  const ChipPlaces& places = *placed;
  const SentencePanels panels = panels_of_side(chips.side);
  const Panel panel = chips.axis == Axis::queries ? panels.tokens : panels.key_tokens;
  begin_panel_focus(chips.ui.state, panel);
  frame.begin(chips.axis == Axis::queries ? "query tokens" : "key tokens", chips.ui.tr("Tokens"),
              frame.height(places, strip.line_limit), 0);
  note_panel(chips.ui.state, panel);
  show_locked_chip(chips, places);
  const ImVec2 origin = ImGui::GetCursorPos(), on_screen = ImGui::GetCursorScreenPos();
  const float top = ImGui::GetScrollY() - places.line;
  const float bottom = ImGui::GetScrollY() + ImGui::GetWindowHeight();
  const bool dragged = drag_chips(chips, places, on_screen);
  for (int i = 0; i < static_cast<int>(places.count()); ++i) {
    const ImVec2 corner = places.corners[i];
    if (corner.y < top || corner.y > bottom) continue;
    ImGui::SetCursorPos({origin.x + corner.x, origin.y + corner.y});
    ImGui::PushID(i);
    use_chip(chips, i, {places.widths[i], places.height}, dragged);
    ImGui::PopID();
  }
  ImGui::SetCursorPos({origin.x, origin.y + places.bottom - places.line + places.height - 1});
  ImGui::Dummy({1, 1});
  if (frame.pencil(chips.ui.tr, origin, strip.field)) chips.edit = behind_all(places);
  if (strip.edits && !chips.edit) chips.edit = edit_beside(chips.ui, places, on_screen);
  ImGui::EndChild();
}

TokenChips chips_of(Ui& ui, const TokenSide& which, const std::vector<Token>& tokens) {
  TokenChips chips{which, ui, tokens, nullptr, nullptr};
  chips.predicted = are_predicted(chips);
  return chips;
}

}  // namespace

float height_of_tokens(Ui& ui, const TokenSide& which, const std::vector<Token>& tokens,
                       const TokenStrip& strip) {
  const StripFrame frame(strip);
  return frame.height(*place_chips(chips_of(ui, which, tokens), frame.room()), strip.line_limit);
}

std::optional<EditPlace> draw_tokens(Ui& ui, const TokenSide& which, const TokenStrip& strip) {
  const bool keys = which.axis == Axis::keys;
  TokenChips chips = chips_of(ui, which, keys ? ui.block->key_tokens : ui.block->tokens);
  if (ui.block->of_tokens()) {
    if (keys || !ui.block->cross()) chips.padding = part_with_tokens(ui, true);
    chips.global = part_with_tokens(ui, false);
  }
  chips.edits = strip.edits;
  draw_chips(chips, strip);
  return chips.edit;
}

void lock_token(Ui& ui, const TokenSide& which, const std::vector<Token>& tokens, int i) {
  lock_token_of(chips_of(ui, which, tokens), i);
}

std::optional<EditPlace> draw_still_tokens(Ui& ui, const TokenSide& which, const std::vector<Token>& tokens,
                                           const TokenStrip& strip, const std::string& help, bool& pressed) {
  const TokenChips chips = chips_of(ui, which, tokens);
  const StripFrame frame(strip);
  const auto placed = place_chips(chips, frame.room());
  const ChipPlaces& places = *placed;
  frame.begin(which.axis == Axis::queries ? "still query tokens" : "still key tokens", ui.tr("Tokens"),
              frame.height(places, strip.line_limit), ImGuiWindowFlags_NoNavInputs);
  const ImVec2 at = ImGui::GetCursorPos(), origin = ImGui::GetCursorScreenPos();
  const Palette& colors = palette(ui.style.theme);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = ui.style.font_size * 0.25F, line = ImGui::GetTextLineHeight();
  float right = 1;
  for (std::size_t i = 0; i < places.count(); ++i) {
    const ImVec2 low{origin.x + places.corners[i].x, origin.y + places.corners[i].y},
        high{low.x + places.widths[i], low.y + places.height};
    right = std::max(right, places.corners[i].x + places.widths[i]);
    if (!ImGui::IsRectVisible(low, high)) continue;
    list.AddRect(low, high, colors.border, rounding);
    const std::string text =
        fit_text(drawn_text(shown_token(tokens[i].text)), places.widths[i] - ui.style.font_size * 0.6F);
    const float pad = std::max(ui.style.font_size * 0.35F,
                               std::floor((high.x - low.x - ImGui::CalcTextSize(text.c_str()).x) / 2));
    const float below = ui.style.finger > 0 ? std::floor((high.y - low.y - line) / 2)
                                            : std::round(ui.style.font_size * 0.15F);
    list.AddText({low.x + pad, high.y - line - below}, colors.muted, text.c_str());
  }
  // In a field, what is behind the tokens edits their text.
  const float width = strip.edits ? right : std::max(1.0F, ImGui::GetContentRegionAvail().x);
  pressed =
      invisible_button("still", {width, places.bottom - (strip.edits ? places.line - places.height : 0)});
  if (listener() != nullptr) {
    std::string text;
    for (const Token& token : tokens) text += (text.empty() ? "" : " ") + drawn_text(shown_token(token.text));
    hear_name(text);
  }
  anchor(side_prefix(which.side) + "still tokens");
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int nearest = places.nearest({mouse.x - origin.x, mouse.y - origin.y});
  const BlockKind block = which.axis == Axis::queries ? BlockKind::encoder : BlockKind::decoder;
  const auto word =
      places.count() > 0 && ImGui::IsItemHovered() ? word_in_model(chips, block, nearest) : std::nullopt;
  tooltip(word ? word_help(ui.tr, *word) : help);
  if (word && is_seen_in_model(chips)) ui.memory.model_pointed = {word, {}};
  std::optional<EditPlace> edit;
  if (pressed && places.count() > 0 && edits_at_pointer(ui, strip.edits)) edit = EditPlace{nearest, true};
  if (word && pressed) click_word(chips, *word);
  pressed = pressed && !word;
  if (frame.pencil(ui.tr, at, strip.field)) edit = behind_all(places);
  if (strip.edits && !edit) edit = edit_beside(ui, places, origin);
  ImGui::EndChild();
  return edit;
}

}  // namespace headscope
