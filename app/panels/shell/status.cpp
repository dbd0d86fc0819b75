#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/inputs/source_bar.h"
#include "app/panels/shell/frame_parts.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/ablated_heads.h"
#include "app/state/actions/long_work.h"
#include "app/state/app.h"
#include "app/state/document/kept_works.h"

namespace headscope {
namespace {

void spinner(const Palette& colors) {
  const float r = ImGui::GetTextLineHeight() * 0.36F;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 c{at.x + r, at.y + ImGui::GetTextLineHeight() / 2};
  const auto turn = static_cast<float>(ImGui::GetTime() * 5);
  ImGui::GetWindowDrawList()->PathArcTo(c, r, turn, turn + 4.2F, 20);
  ImGui::GetWindowDrawList()->PathStroke(colors.accent, 0, std::max(1.5F, r * 0.25F));
  ImGui::Dummy({2 * r, ImGui::GetTextLineHeight()});
}

/// The problem follows the path: if both do not fit, the file name replaces the path.
std::string without_folders(const std::string& text, float room) {
  if (ImGui::CalcTextSize(text.c_str()).x <= room) return text;
  const std::size_t end = text.find(": ");
  if (end == std::string::npos || end == 0 || text.front() != '/') return text;
  const std::size_t slash = text.rfind('/', end - 1);
  return slash == 0 || slash == std::string::npos ? text : "…" + text.substr(slash);
}

std::string facts(const Workspace& work, const Ui& ui) {
  // Of the side that is edited, once it has been run.
  const Side side = work.edited_side() == Side::b && work.trace(Side::b) ? Side::b : Side::a;
  const auto of_b = side == Side::b ? work.block(side) : nullptr;
  const BlockTrace& whole = of_b ? *of_b : *ui.block;
  const BlockTrace& block = whole.single ? *whole.single : whole;
  const Translator& tr = ui.tr;
  if (block.n_q() == 0) return ui.stale ? "" : tr("No tokens yet");
  std::string text = block.cross() ? tr("{} × {} tokens", block.n_q(), block.n_k())
                     : block.words ? tr.plural("{} word", "{} words", block.n_q())
                                   : tr.plural("{} token", "{} tokens", block.n_q());
  const BlockShape& shape = block.shape;
  const int layer = std::clamp(ui.view().layer, 0, shape.layers - 1);
  const bool one_size = ui.view().row().one_layer || (shape.mixers.empty() && shape.sizes.empty());
  if (const int d_k = one_size ? shape.key_length_of(layer) : 0; d_k > 0)
    text += "  ·  " + tr("d_k = {}", d_k);
  const Trace& trace = *work.trace(of_b ? side : Side::a);
  text += "  ·  " + fmt::format("{:.{}f} ms", trace.milliseconds, trace.milliseconds < 10 ? 2 : 0);
  if (work.settings.text_size != TextSize::regular)
    text += "  ·  " + tr("text {} px", std::lround(ui.style.font_size));
  return text;
}

/// A stop button for a long computation, then its description, remaining time and memory.
void draw_work(App& app, const Ui& ui, const LongWork& work) {
  constexpr double gigabyte = 1e9, worth_saying = 1e8;
  // First, so that it does not move when the text changes.
  if (small_button(ui.tr("Stop"), "stop work", ui.tr("Stops this; what is shown stays as it is")))
    stop_work(app);
  ImGui::SameLine();
  std::string text = ui.tr(work.what);
  if (work.now.seconds_left > 0)
    text += "  ·  " + ui.tr("about {} s left", std::max(1L, std::lround(work.now.seconds_left)));
  if (work.now.bytes > worth_saying)
    text += "  ·  " + ui.tr("{} GB of memory", fmt::format("{:.1f}", work.now.bytes / gigabyte));
  const float em = ui.style.font_size, bar = work.now.share >= 0 ? 5 * em : 0;
  ImGui::TextUnformatted(fit_text(text, ImGui::GetContentRegionAvail().x * 0.5F - bar).c_str());
  anchor("long work");
  tooltip(text);
  ImGui::SameLine();
  if (bar > 0) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high = ImGui::GetTextLineHeight(), top = at.y + high * 0.25F, bottom = at.y + high * 0.75F;
    const Palette& colors = palette(ui.style.theme);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({at.x, top}, {at.x + bar, bottom}, colors.accent_soft, high / 4);
    list.AddRectFilled({at.x, top}, {at.x + bar * static_cast<float>(work.now.share), bottom}, colors.accent,
                       high / 4);
    ImGui::Dummy({bar, high});
    anchor("work progress");
    ImGui::SameLine();
  }
}

/// Says that something is out of view and brings it back: in every view, and here, where it moves nothing
/// when it appears and disappears.
class BackButton {
 public:
  BackButton(bool hidden, const std::string& text, const char* mark, const char* help)
      : text_(hidden ? text + "  ×" : ""), mark_(mark), help_(help) {}
  float width() const {
    const ImGuiStyle& style = ImGui::GetStyle();
    return text_.empty()
               ? 0
               : ImGui::CalcTextSize(text_.c_str()).x + 2 * style.FramePadding.x + 2 * style.ItemSpacing.x;
  }
  bool draw() const { return !text_.empty() && small_button(text_, mark_, help_); }
  /// True if it was pressed. It ends at `right`, which then is set to where it begins.
  bool draw(float& right) const {
    if (text_.empty()) return false;
    right -= width();
    ImGui::SameLine(right);
    return small_button(text_, mark_, help_);
  }

 private:
  std::string text_;
  const char *mark_, *help_;
};

/// From what was shown unasked to what was there before, beside the notice that says so.
struct WayBackRow {
  const char* note;
  const char* action;
  const char* text;
  const char* help;
};
constexpr const char* back_help = TR("Show what was in view before; the heads stay off in B");
constexpr WayBackRow ways_back[] = {
    {link_note, latest_work, TR("Back to it"), TR("Show it; this stays in File > Earlier work")},
    {effect_note, leave_effect_action, TR("Back"), back_help},
    {later_layer_effect_note, leave_effect_action, TR("Back"), back_help},
    {last_layer_effect_note, leave_effect_action, TR("Back"), back_help},
};

class WayBack {
 public:
  WayBack(const App& app, const Translator& tr) : tr_(tr) {
    const Notice* notice = app.notices.current();
    if (notice == nullptr) return;
    for (const WayBackRow& row : ways_back)
      if (const Action* const action = find_action(app, row.action);
          notice->key == row.note && action != nullptr && is_enabled(app, *action))
        row_ = &row, action_ = action;
  }
  bool offered() const { return action_ != nullptr; }
  float width() const {
    const ImGuiStyle& style = ImGui::GetStyle();
    return offered() ? ImGui::CalcTextSize(tr_(row_->text)).x + 2 * style.FramePadding.x + style.ItemSpacing.x
                     : 0;
  }
  /// True if it was pressed.
  bool draw(App& app) const {
    if (!offered()) return false;
    const bool pressed = small_button(tr_(row_->text), "way back", tr_(row_->help));
    ImGui::SameLine();
    if (pressed) action_->run(app);
    return pressed;
  }

 private:
  const Translator& tr_;
  const WayBackRow* row_ = nullptr;
  const Action* action_ = nullptr;
};

bool is_narrow_window(const Style& style) {
  return ImGui::GetMainViewport()->WorkSize.x < 50 * style.font_size;
}

/// On a phone no pointer rests on a notice to read all of it: above the bar it has as many lines as it needs.
/// "": it fits in the bar.
std::string notice_above(const App& app, const Style& style, float width) {
  constexpr float most_lines = 4;
  const Notice* notice = app.notices.current();
  if (notice == nullptr || !is_narrow_window(style) ||
      ImGui::CalcTextSize(notice->text.c_str()).x < width / 2)
    return "";
  return fit_text(without_folders(notice->text, most_lines * width), most_lines * width);
}

/// Over what is there, so that nothing moves: on a line that begins at `at`, or hanging from it.
template <typename Draw>
void draw_above(ImVec2 at, float width, ImGuiWindowFlags more_flags, const Draw& draw, bool hangs = false) {
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, {0, hangs ? 0.0F : 1.0F});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyle().Colors[ImGuiCol_PopupBg]);
  const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                 ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                 more_flags;
  if (ImGui::Begin("notice above", nullptr, flags)) draw();
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

void draw_whole_notice(const App& app, const Ui& ui, const std::string& text, float width = 0) {
  colored_text(notice_color(palette(ui.style.theme), app.notices.current()->kind), text, width);
  hear_as(HeardRole::status, app.notices.current()->text);
  anchor("notice above");
}

/// Beside the rail of views. Returns whether there is one.
bool draw_notice_above(const App& app, const Ui& ui) {
  const float rail = ui.style.presented ? 0 : ui.memory.rail;
  const float width = ImGui::GetContentRegionAvail().x - rail;
  const std::string text = notice_above(app, ui.style, width);
  if (text.empty()) return false;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_above({at.x + rail, at.y}, width, ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav,
             [&] { draw_whole_notice(app, ui, text); });
  return true;
}

void draw_notice(const Ui& ui, const Notice& notice, float room) {
  const ImU32 color = notice_color(palette(ui.style.theme), notice.kind);
  colored_line(color, fit_text(without_folders(notice.text, room), room));
  hear_as(HeardRole::status, notice.text);
  tooltip(notice.text);
  ImGui::SameLine();
}

BackButton back_to_heads(const App& app, const Ui& ui) {
  const std::set<int>& hidden = app.state.view.hidden_heads;
  return {!hidden.empty(), ui.tr("Heads hidden: {}", hidden.size()), "hidden heads", ui.tr("Show all")};
}

BackButton back_to_panels(const App& app, const Ui& ui) {
  return {app.settings.maps_alone, ui.tr("Maps only"), "hidden panels", ui.tr("Show the panels again (F9)")};
}

void draw_answers(App& app, const Ui& ui, const WayBack& back) {
  bool dismissed = back.draw(app);
  dismissed |= small_button("×", "dismiss", ui.tr("Dismiss message"));
  ImGui::SameLine();
  if (dismissed) app.notices.dismiss();
}

/// With the button that dismisses it at its right. True if that was pressed.
bool draw_notice_of_phone(const App& app, const Ui& ui, const std::string& text) {
  constexpr float most_lines = 6;
  const ImVec2 at = ImGui::GetCursorPos();
  const float left = ImGui::GetContentRegionMax().x - width_of_icon();
  const float room = left - at.x - ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetCursorPosX(left);
  const bool dismissed = icon_button("dismiss", Icon::close, ui.tr("Dismiss message"));
  ImGui::SetCursorPos(at);
  draw_whole_notice(app, ui, fit_text(without_folders(text, most_lines * room), most_lines * room), room);
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), at.y + ImGui::GetFrameHeight()));
  ImGui::Dummy({0, 0});
  return dismissed;
}

/// Over the lower edge of the view, which scrolls: beside and below it is what is to be pressed. Where a
/// sheet has all of its room, below the handle of that.
template <typename Draw>
void draw_over_view(const Ui& ui, const Draw& draw) {
  const auto [left, top, right, bottom] = ui.memory.stage;
  if (right > left) return draw_above({left, bottom}, right - left, 0, draw);
  const ImVec2 window = ImGui::GetWindowPos(), start = ImGui::GetCursorStartPos();
  const float handle = ui.style.finger + ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().ItemSpacing.y;
  draw_above({window.x + start.x, window.y + start.y + handle}, ImGui::GetContentRegionAvail().x, 0, draw,
             true);
}

/// On a phone: what can be answered is above the line, whose buttons would be too low for a finger.
void draw_status_of_phone(App& app, const Ui& ui) {
  const Notice* const notice = app.notices.current();
  const auto work = long_work(app);
  const BackButton heads = back_to_heads(app, ui), panels = back_to_panels(app, ui);
  const bool idle = ui.idle != Idle::none, opens = app.opening.busy();
  if (notice != nullptr || opens || work || idle || heads.width() > 0 || panels.width() > 0) {
    const auto draw = [&] {
      const bool dismissed = notice != nullptr && draw_notice_of_phone(app, ui, without_keys(notice->text));
      draw_opening(app);
      if (work) {
        draw_work(app, ui, *work);
        ImGui::NewLine();
      }
      if (idle && small_button(ui.tr("Run again"), "run again", ui.tr(idle_text(ui.idle)))) run_again(app);
      if (heads.draw()) app.state.view.hidden_heads.clear();
      if (panels.draw()) app.settings.maps_alone = false;
      if (WayBack(app, ui.tr).draw(app) || dismissed) app.notices.dismiss();
    };
    draw_over_view(ui, draw);
  }
  ImGui::Dummy({0, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, 0);
  if ((ui.stale && !idle) || is_busy(app)) {
    spinner(palette(ui.style.theme));
    ImGui::SameLine();
  }
  const std::string text = fit_text(facts(app, ui), ImGui::GetContentRegionAvail().x);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(text.c_str()).x);
  muted_text(ui.style, text);
}

}  // namespace

float status_height() {
  return ImGui::GetTextLineHeightWithSpacing();
}

void draw_status_bar(App& app, const Ui& ui) {
  if (ui.style.finger > 0) return draw_status_of_phone(app, ui);
  const bool above = draw_notice_above(app, ui);
  const Palette& colors = palette(ui.style.theme);
  ImGui::Dummy({0, ImGui::GetTextLineHeight()});  // begins the line, so that the rest can be placed on it
  ImGui::SameLine(0, 0);
  const WayBack back(app, ui.tr);
  // On a phone there is no room for both.
  const bool noticed = app.notices.current() != nullptr && is_narrow_window(ui.style);
  const std::string right = noticed ? "" : facts(app, ui);
  const float right_width = ImGui::CalcTextSize(right.c_str()).x;
  const bool idle = ui.idle != Idle::none;
  if ((ui.stale && !idle) || is_busy(app)) {
    spinner(colors);
    tooltip(ui.tr("Computing; the maps show the last valid inputs"));
    ImGui::SameLine();
  }
  if (const auto work = long_work(app)) draw_work(app, ui, *work);
  if (idle) {
    if (small_button(ui.tr("Run again"), "run again", ui.tr(idle_text(ui.idle)))) run_again(app);
    ImGui::SameLine();
  }
  const BackButton heads = back_to_heads(app, ui), panels = back_to_panels(app, ui);
  const float room = ImGui::GetContentRegionAvail().x - right_width - heads.width() - panels.width() -
                     4 * ui.style.font_size;
  if (const Notice* notice = app.notices.current()) {
    if (!above) draw_notice(ui, *notice, room - back.width());
    draw_answers(app, ui, back);
  }
  const float right_edge = ImGui::GetWindowWidth() - right_width - ImGui::GetStyle().WindowPadding.x;
  float right_of_buttons = right_edge;
  if (heads.draw(right_of_buttons)) app.state.view.hidden_heads.clear();
  if (panels.draw(right_of_buttons)) app.settings.maps_alone = false;
  ImGui::SameLine(right_edge);
  ImGui::TextDisabled("%s", right.c_str());
  tooltip(ui.tr("Tokens, size of each head, and time of the last run"));
}

}  // namespace headscope
