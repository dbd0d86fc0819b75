#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/dialogs/dialogs.h"
#include "app/panels/dialogs/figure_page.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/work_link.h"

namespace headscope {
namespace {

/// Black on white whatever the theme is, as readers expect it, in whole pixels of the screen.
void draw_code(const QrCode& code, float room, bool at_left) {
  const float scale = ImGui::GetIO().DisplayFramebufferScale.x;
  const int side = code.size + 2 * QrCode::quiet;
  const float module = std::max(1.0F, std::floor(room * scale / static_cast<float>(side))) / scale;
  const float width = module * static_cast<float>(side);
  const float indent = at_left ? 0.0F : std::max(0.0F, (ImGui::GetContentRegionAvail().x - width) / 2);
  ImVec2 from = ImGui::GetCursorScreenPos();
  from = {std::floor(from.x + indent), std::floor(from.y)};
  ImGui::Dummy({indent + width, width});
  note_place("link code", from, {from.x + width, from.y + width});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, {from.x + width, from.y + width}, IM_COL32_WHITE);
  const auto at = [&](int place) { return module * static_cast<float>(place + QrCode::quiet); };
  for (int y = 0; y < code.size; ++y)
    for (int x = 0, end = 0; x < code.size; x = end) {
      for (end = x; end < code.size && code.is_dark(end, y);) ++end;
      if (end > x)
        list.AddRectFilled({from.x + at(x), from.y + at(y)}, {from.x + at(end), from.y + at(y + 1)},
                           IM_COL32_BLACK);
      else
        ++end;
    }
}

/// Where the page is: only a page knows it by itself.
void edit_address(App& app, const Style& style) {
  LinkDialog& dialog = app.dialogs.link;
  if (app.desktop.page_address) {
    if (dialog.address.starts_with("file:"))
      hint(style,
           app.tr("This page was opened from a file: its link opens only where the same file is in the "
                  "same place. The part from #s= on works behind the address of any other copy."));
    return;
  }
  label_field(app.tr("Address of the page"));
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool first = dialog.address.empty() && ImGui::IsWindowAppearing();
  if (std::exchange(dialog.again, false) || first) focus_next_item();
  // Esc would take back what was typed since the field has the keyboard.
  const std::string typed = dialog.address;
  if (typed_text("###link address", dialog.address, "https://…/headscope.html")) {
    if (key_pressed(Key::escape)) dialog.address = typed;
    use_page_address(app);
  }
  anchor("link address");
  if (ImGui::IsItemDeactivated() && key_pressed(Key::enter)) dialog.again = dialog.link.empty();
  if (dialog.address.empty())
    hint(
        style,
        app.tr("Where students open headscope.html; it is remembered. Help › Documents › Handing it out says "
               "how to put it on a server."));
}

void draw_buttons(App& app) {
  LinkDialog& dialog = app.dialogs.link;
  ImGui::BeginDisabled(dialog.link.empty());
  if (button(app.tr("Copy link"), "link copy")) copy_link(app);
  ImGui::EndDisabled();
  next_in_line(ImGui::CalcTextSize(app.tr("Copy “#s=…”")).x + ImGui::GetFontSize());
  ImGui::BeginDisabled(dialog.part.empty());
  if (button(app.tr("Copy “#s=…”"), "link copy part", app.tr("The part behind the address of the page")))
    copy_part_of_link(app);
  ImGui::EndDisabled();
  ImGui::BeginDisabled(!dialog.code);
  for (const std::string& ending : qr_endings()) {
    const std::string text = app.tr("Save as {}", format_name(ending));
    next_in_line(ImGui::CalcTextSize(text.c_str()).x + ImGui::GetFontSize());
    if (!button(text, "link save " + ending.substr(1), app.tr("The QR code, to print or to put on a slide")))
      continue;
    ImGui::CloseCurrentPopup();
    save_code(app, ending);
    break;
  }
  ImGui::EndDisabled();
}

/// Takes its line always, so that nothing moves.
void say_what_was_done(const App& app, const Style& style) {
  const Notice* const notice = app.notices.current();
  const bool here =
      notice != nullptr && (notice->kind == Notice::Kind::info || notice->about == Notice::About::exporting);
  const std::string text = here ? fit_text(drawn_text(notice->text), ImGui::GetContentRegionAvail().x) : " ";
  colored_text(notice_color(palette(style.theme), here ? notice->kind : Notice::Kind::info), text);
}

}  // namespace

void draw_link(App& app, const Style& style) {
  LinkDialog& dialog = app.dialogs.link;
  // The code is as high as the window, what is said of it beside it if that is wider.
  constexpr float narrowest = 30, texts = 16, share = 0.9F;  // font sizes, of the window's height
  const ImVec2 screen = ImGui::GetMainViewport()->Size;
  const float font = ImGui::GetFontSize(), em = std::max(narrowest, share * screen.y / font + texts);
  if (!begin_dialog("link", app.tr("Link and QR code"), dialog.open, em)) return;
  const bool beside = style.finger <= 0 && screen.x > screen.y;
  const ImGuiStyle& spaces = ImGui::GetStyle();
  const auto draw_image = [&](float width) {
    if (!dialog.code) return;
    const float height = 0.92F * screen.y - ImGui::GetCursorPosY() - spaces.WindowPadding.y;
    draw_code(*dialog.code, std::min(width, height), beside);
  };
  if (beside) draw_image(ImGui::GetContentRegionAvail().x - texts * font);
  if (beside && dialog.code) ImGui::SameLine(0, font);
  ImGui::BeginGroup();
  edit_address(app, style);
  const std::string& shown = dialog.link.empty() ? dialog.part : dialog.link;
  if (!shown.empty()) muted_text(style, fit_text(shown, ImGui::GetContentRegionAvail().x));
  if (dialog.problem) error_text(style, app.tr(*dialog.problem));
  draw_buttons(app);
  say_what_was_done(app, style);
  ImGui::EndGroup();
  if (!beside) draw_image(ImGui::GetContentRegionAvail().x);
  end_dialog();
}

void draw_open_link(App& app, const Style& style) {
  LinkDialog& dialog = app.dialogs.link;
  if (!begin_dialog("open link", app.tr("Open link"), dialog.asks, 44)) return;
  if (ImGui::IsWindowAppearing() || std::exchange(dialog.again, false)) focus_next_item();
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (typed_text("###open link text", dialog.typed, "https://…/headscope.html#s=…")) dialog.refused.reset();
  anchor("open link text");
  hint(style, app.tr("Your own work stays: the way back to it is offered."));
  if (dialog.refused) error_text(style, app.tr(*dialog.refused));
  ImGui::BeginDisabled(dialog.typed.empty());
  // Not the Enter that chose this in the list of actions.
  const bool enter = key_pressed(Key::enter) && !ImGui::IsWindowAppearing();
  const bool opens = button(app.tr("Open"), "open link") || enter;
  ImGui::EndDisabled();
  if (opens && !dialog.typed.empty()) answer_link(app);
  dialog.again = enter && dialog.refused;
  if (!dialog.asks) ImGui::CloseCurrentPopup();
  end_dialog();
}

}  // namespace headscope
