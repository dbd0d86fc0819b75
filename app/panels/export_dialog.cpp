#include <filesystem>

#include "app/panels/compat.h"
#include "app/panels/dialogs.h"
#include "app/panels/widgets.h"
#include "app/state/app.h"
#include "core/figure/formats.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

void set_format(std::string& path, const char* wanted) {
  std::filesystem::path changed(path);
  changed.replace_extension(wanted);
  path = changed.string();
}

void format_field(Ui& ui, ExportDialog& dialog) {
  const FigureFormatRow* now = find_format(figure_formats(), dialog.path);
  int format = now == nullptr ? -1 : static_cast<int>(now->format);
  std::vector<Choice> choices;
  for (const FigureFormatRow& row : figure_formats()) choices.push_back({row.name, ui.tr(row.help)});
  label_field(ui.tr("Format"));
  if (choose("format", choices, format))
    set_format(dialog.path, figure_formats()[static_cast<std::size_t>(format)].ending);
}

void size_fields(App& app) {
  const Translator& tr = app.tr;
  ExportDialog& dialog = app.dialogs.figure;
  label_field(tr("Size"));
  auto chosen = static_cast<int>(dialog.size);
  choose("size",
         {{tr("As on screen"), tr("Same proportions as the view in this window")},
          {tr("Notebook"), tr("16 × 8 inches at 100 dpi")},
          {tr("Custom")}},
         chosen);
  dialog.size = static_cast<ExportDialog::Size>(chosen);
  fit_export_size(app);
  ImGui::BeginDisabled(dialog.size != ExportDialog::Size::by_hand);
  label_field(tr("Width × height (inches)"));
  const float half = ImGui::GetContentRegionAvail().x / 2 - ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(half);
  typed_double("###width", dialog.width, 1, 100, "%.2f");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(half);
  typed_double("###height", dialog.height, 1, 100, "%.2f");
  ImGui::EndDisabled();
  label_field(tr("Resolution (dpi)"), tr("For PNG, and for large maps embedded as images in SVG and PDF"));
  typed_double("###dpi", dialog.dpi, 10, 1200, "%.0f");
}

void title_field(Ui& ui) {
  View& view = ui.state.view;
  label_field(ui.tr("Title"));
  ImGui::Checkbox("###show title", &view.show_title);
  anchor_item(ui.ui_anchors, "show title");
  tooltip(ui.tr("Show a title in the figure"));
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::BeginDisabled(!view.show_title);
  typed_text("###title", view.title, ui.tr("automatic title"));
  anchor_item(ui.ui_anchors, "title");
  ImGui::EndDisabled();
}

void buttons(App& app, Ui& ui, ExportDialog& dialog) {
  const Translator& tr = ui.tr;
  if (dialog.ask_overwrite) warning_text(ui.style, tr("This file already exists."));
  if (dialog.path.empty())
    error_text(ui.style, tr("the output file name is empty; expected a path"));
  else if (!dialog.problem.empty())
    error_text(ui.style, dialog.problem);
  ImGui::BeginDisabled(dialog.running.valid() || dialog.path.empty() || ui.stale);
  if (dialog_button(dialog.ask_overwrite ? tr("Overwrite") : tr("Export"))) start_export(app);
  anchor_item(ui.ui_anchors, "export start");
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (dialog_button(tr("Cancel"))) dialog.open = false;
  if (dialog.running.valid()) {
    ImGui::SameLine();
    hint(ui.style, tr("Writing…"));
  }
}

}  // namespace

void draw_export_dialog(App& app, Ui& ui) {
  ExportDialog& dialog = app.dialogs.figure;
  if (!begin_dialog("export", ui.tr("Export figure"), dialog.open, 32)) return;
  label_field(ui.tr("File"), ui.tr("Where to write the figure; the extension sets the format."));
  const float browse = ImGui::CalcTextSize("…").x + 4 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - browse - ImGui::GetStyle().ItemInnerSpacing.x);
  if (typed_text("###path", dialog.path)) dialog.ask_overwrite = false;
  anchor_item(ui.ui_anchors, "export path");
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (ImGui::Button("…###browse", {browse, 0})) browse_for_export(app);
  tooltip(ui.tr("Choose a file"));
  format_field(ui, dialog);
  size_fields(app);
  int language = static_cast<int>(dialog.language);
  label_field(ui.tr("Language"));
  if (choose("language", {{"English"}, {"简体中文"}}, language))
    dialog.language = static_cast<Language>(language);
  title_field(ui);
  hint(ui.style, ui.tr("Heads, colours, ranges, layout and theme are as on screen."));
  buttons(app, ui, dialog);
  if (!dialog.open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace headscope
