#include "app/panels/dialogs/figure_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/panels/dialogs/dialogs.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/figure_export.h"
#include "core/base/enum_table.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

using What = ExportDialog::What;

const char* page_title(What what) {
  constexpr std::array<const char*, 3> titles{TR("Figure"), TR("Arrays"), TR("Table of heads")};
  return of_kind(titles, what);
}

const char* explanation(const Ui& ui, What what) {
  const ViewKind kind = ui.view().kind;
  if (what == What::arrays && has_own_arrays(kind, ui.inputs))
    return view_kind(kind).changes_runs ? TR("The numbers of this view, with the question.")
                                        : TR("The numbers of this view.");
  return what == What::arrays  ? TR("All tokens and heads, whatever the view hides.")
         : what == What::heads ? TR("The numbers of all heads, in the order of the view.")
                               : TR("Titles and marks can be dragged.");
}

std::string progress_text(const Translator& tr, const ExportDialog& dialog) {
  const WorkProgress* progress = dialog.running.progress();
  const WorkProgress::Now now = progress == nullptr ? WorkProgress::Now{} : progress->now();
  return tr("Writing…") + (now.seconds_left > 1
                               ? "  ·  " + tr("about {} s left", std::lround(now.seconds_left))
                               : std::string());
}

/// What was just done, what a reader of the figure may miss, or what the page does.
void usual_message(const App& app, const Ui& ui, const ExportDialog& dialog, float width) {
  const Notice* const notice = app.notices.current();
  const std::string found = dialog.what == What::figure ? findings_text(ui.tr, dialog.findings) : "";
  if (notice != nullptr && notice->kind == Notice::Kind::info)
    return muted_text(ui.style, fit_text(drawn_text(notice->text), width));
  if (found.empty()) return muted_text(ui.style, fit_text(ui.tr(explanation(ui, dialog.what)), width));
  warning_text(ui.style, fit_text(found, width));
  tooltip(found);
}

/// Always takes one line, so that nothing moves.
void message(const App& app, const Ui& ui, const ExportDialog& dialog) {
  const Translator& tr = ui.tr;
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string problem =
      dialog.path.empty() ? tr("the output file name is empty; expected a path") : dialog.problem;
  if (!problem.empty()) {
    error_text(ui.style, fit_text(problem, width));
    tooltip(problem);
  } else if (dialog.ask_overwrite) {
    warning_text(ui.style, tr("This file already exists."));
  } else if (dialog.running.started()) {
    hint(ui.style, progress_text(tr, dialog));
  } else {
    usual_message(app, ui, dialog, width);
  }
}

float width_of_button(const std::string& text) {
  return ImGui::CalcTextSize(text.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
}

/// What a click on most people's choice does.
bool primary_button(const Ui& ui, const std::string& text, const char* mark) {
  const Palette& colors = palette(ui.style.theme);
  ImGui::PushStyleColor(ImGuiCol_Button, colors.accent);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, with_alpha(colors.accent, 0.85F));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, with_alpha(colors.accent, 0.7F));
  ImGui::PushStyleColor(ImGuiCol_Text, colors.on_accent);
  const bool pressed = dialog_button(text.c_str(), mark);
  ImGui::PopStyleColor(4);
  return pressed;
}

std::string export_text(const Translator& tr, const ExportDialog& dialog) {
  if (dialog.running.started()) return tr("Stop");
  if (dialog.ask_overwrite) return tr("Overwrite");
  const std::string end = ending(dialog.path);
  return end.size() < 2 ? tr("Export") : tr("Export {}", format_name(end));
}

void export_button(App& app, Ui& ui, ExportDialog& dialog, const std::string& text) {
  if (dialog.running.started()) {
    if (dialog_button(text.c_str(), "export stop")) dialog.running.stop();
    return;
  }
  const bool possible = !dialog.path.empty() && !ui.stale;
  ImGui::BeginDisabled(!possible);
  bool start = primary_button(ui, text, "export start");
  ImGui::EndDisabled();
  // Enter presses the button wherever the focus is, except for the Enter that opened the page.
  const bool enter = key_pressed(Key::enter) || key_pressed(Key::keypad_enter);
  start = start || (enter && possible && !ImGui::IsItemFocused() && !ImGui::IsWindowAppearing());
  if (start && dialog.open) start_export(app, dialog);
}

/// What is done with the figure, at the right end of the line.
void actions(App& app, Ui& ui, ExportDialog& dialog) {
  const Translator& tr = ui.tr;
  const bool of_figure = dialog.what == What::figure, has_shell = ui.style.finger <= 0;
  const std::string copies = tr("Copy command"), picture = tr("Copy"), writes = export_text(tr, dialog);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  float width = width_of_button(writes);
  if (of_figure) width += width_of_button(picture) + gap;
  if (of_figure && has_shell) width += width_of_button(copies) + gap;
  ImGui::SameLine(std::max(0.0F, ImGui::GetContentRegionMax().x - width));
  if (of_figure && has_shell) {
    if (button(copies, "copy command",
               tr("The line headscope export … that makes the very same file; what its options cannot say is "
                  "saved "
                  "beside the figure")))
      copy_command(app);
    ImGui::SameLine();
  }
  if (of_figure) {
    ImGui::BeginDisabled(!app.desktop.put_picture || app.dialogs.picture.started() || ui.stale);
    if (button(picture, "copy figure", tr("As an image, to the clipboard"))) copy_figure(app);
    ImGui::EndDisabled();
    ImGui::SameLine();
  }
  export_button(app, ui, dialog, writes);
}

/// Returns to the window at the left.
void header(const Ui& ui, ExportDialog& dialog) {
  const char *const title = ui.tr(page_title(dialog.what)), *const back = ui.tr("Back to the window (Esc)");
  hear_title(title, 2);
  if (icon_button("export cancel", Icon::left, title, back)) dialog.open = false;
  hear_name(back);
}

void settings(App& app, Ui& ui, ExportDialog& dialog, ImVec2 size) {
  ImGui::BeginChild("settings", size, false, ImGuiWindowFlags_NavFlattened);
  draw_figure_settings(app, ui, dialog);
  ImGui::EndChild();
}

void preview(App& app, Ui& ui, ExportDialog& dialog, ImVec2 size) {
  ImGui::BeginChild("figure", size, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  if (dialog.what == What::figure) draw_figure_preview(app, ui, dialog);
  ImGui::EndChild();
}

/// The figure above its settings or beside them, and what is done with it always in view, not where the tap
/// was that opened the page.
void pages_of_phone(App& app, Ui& ui, ExportDialog& dialog) {
  constexpr float of_figure = 0.42F;
  ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 gap = ImGui::GetStyle().ItemSpacing;
  room.y -= ImGui::GetFrameHeightWithSpacing() + ImGui::GetTextLineHeight() + gap.y;
  const bool across = room.x > room.y, shown = dialog.what == What::figure;
  const float part = std::floor(of_figure * (across ? room.x : room.y));
  if (shown) preview(app, ui, dialog, across ? ImVec2{part, room.y} : ImVec2{0, part});
  if (shown && across) ImGui::SameLine();
  settings(app, ui, dialog, {0, !shown || across ? room.y : std::max(1.0F, room.y - part - gap.y)});
  message(app, ui, dialog);
  ImGui::Dummy({0, 0});
  actions(app, ui, dialog);
}

/// The settings scroll; the figure is always in view.
void columns(App& app, Ui& ui, ExportDialog& dialog) {
  constexpr float usual = 19, share = 0.42F;  // font sizes, at most of the window
  const float width = std::min(usual * ImGui::GetFontSize(), share * ImGui::GetContentRegionAvail().x);
  const float height =
      std::max(1.0F, ImGui::GetContentRegionAvail().y - ImGui::GetTextLineHeightWithSpacing() -
                         ImGui::GetStyle().ItemSpacing.y);
  settings(app, ui, dialog, {width, height});
  ImGui::SameLine(0, ImGui::GetFontSize());
  preview(app, ui, dialog, {0, height});
}

}  // namespace

std::string format_name(const std::string& ending) {
  if (ending == ".safetensors") return "safetensors";
  std::string name;
  for (const char c : ending.substr(1)) name += static_cast<char>(c - ('a' <= c && c <= 'z' ? 'a' - 'A' : 0));
  return name;
}

void draw_figure_page(App& app, Ui& ui) {
  ExportDialog& dialog = app.dialogs.figure;
  if (!dialog.open) return;
  constexpr const char* name = "###figure page";
  if (!ImGui::IsPopupOpen(name)) ImGui::OpenPopup(name);
  if (!begin_whole_window(name)) return;
  hear_window(HeardRole::dialog, ui.tr("Export"));
  header(ui, dialog);
  if (ui.style.finger > 0) {
    pages_of_phone(app, ui, dialog);
  } else {
    actions(app, ui, dialog);
    columns(app, ui, dialog);
    message(app, ui, dialog);
  }
  // A list that Escape closes was open in the frame before.
  const bool list = std::exchange(dialog.list_open, ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId));
  if (key_pressed(Key::escape) && !list) dialog.open = false;
  if (!dialog.open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace headscope
