
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "app/panels/compat.h"
#include "app/panels/dialogs.h"
#include "app/panels/widgets.h"
#include "app/state/app.h"
#include "core/session/session_figure.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

enum Size { as_on_screen, notebook, by_hand };

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

void size_fields(Ui& ui, ExportDialog& dialog) {
  const Translator& tr = ui.tr;
  label_field(tr("Size"));
  choose("size",
         {{tr("as on the screen"), tr("The same proportions as the view in this window")},
          {tr("the notebook's"), tr("16 × 8 inches at 100 dots an inch")},
          {tr("by hand")}},
         dialog.size);
  if (dialog.size == as_on_screen && ui.state.shown_height > 0) {
    dialog.width = static_cast<double>(ui.state.shown_width) / 96;
    dialog.height = static_cast<double>(ui.state.shown_height) / 96;
  } else if (dialog.size == notebook) {
    dialog.width = 16;
    dialog.height = 8;
    dialog.dpi = 100;
  }
  ImGui::BeginDisabled(dialog.size != by_hand);
  label_field(tr("Inches"));
  const float half = ImGui::GetContentRegionAvail().x / 2 - ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(half);
  typed_double("###width", dialog.width, 1, 100, "%.2f");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(half);
  typed_double("###height", dialog.height, 1, 100, "%.2f");
  ImGui::EndDisabled();
  label_field(tr("Dots an inch"), tr("For PNG, and for the pictures of large maps in SVG and PDF"));
  typed_double("###dpi", dialog.dpi, 10, 1200, "%.0f");
}

void title_field(Ui& ui) {
  View& view = ui.state.view;
  label_field(ui.tr("Title"));
  ImGui::Checkbox("###show title", &view.show_title);
  anchor_item(ui.ui_anchors, "show title");
  tooltip(ui.tr("Whether the figure has a title"));
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::BeginDisabled(!view.show_title);
  ImGui::InputTextWithHint("###title", ui.tr("one that says what the figure shows"), &view.title);
  ImGui::EndDisabled();
}

FigureOptions screen_options(const App& app) {
  FigureOptions options;
  options.width = std::max(2.0, static_cast<double>(app.state.shown_width) / 96);
  options.height = std::max(2.0, static_cast<double>(app.state.shown_height) / 96);
  options.dpi = 144;
  options.language = app.language();
  return options;
}

void finish_picture(App& app) {
  std::future<std::string>& picture = app.dialogs->picture;
  if (!picture.valid() || picture.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    if (app.put_picture(picture.get())) {
      app.notices.info(app.tr("The figure is on the clipboard as a picture"));
    } else {
      app.notices.error(app.tr("This display has no clipboard for pictures; export a file instead"));
    }
  } catch (const Error& failure) {
    app.notices.error(app.tr(failure));
  }
}

/// The session as the screen shows it: rows and columns that were chosen to fit are kept.
Session shown_session(const App& app) {
  Session session = session_for_others(app);
  if (app.state.shown_rows > 0 && session.view.rows == 0 && session.view.columns == 0) {
    session.view.rows = app.state.shown_rows;
    session.view.columns = app.state.shown_columns;
  }
  session.view.theme = app.style.theme;
  return session;
}

Scene shown_scene(const App& app) {
  return scene_of(shown_session(app), app.runner.trace(), app.compare ? app.other_runner.trace() : nullptr);
}

void start(App& app, ExportDialog& dialog) {
  FigureOptions options;
  options.width = dialog.width;
  options.height = dialog.height;
  options.dpi = dialog.dpi;
  options.language = dialog.language;
  dialog.problem.clear();
  dialog.running_path = dialog.path;
  dialog.running =
      std::async(std::launch::async,
                 [path = dialog.path, scene = shown_scene(app), session = to_json(shown_session(app), false),
                  options, wake = app.wake]() -> std::optional<Error> {
                   std::optional<Error> failed;
                   try {
                     export_figure(path, scene, session, options);
                   } catch (const Error& error) {
                     failed = error;
                   } catch (const std::exception& error) {
                     failed = unable_error("cannot write {}: {}", path, error.what());
                   }
                   wake();
                   return failed;
                 });
}

void finish(App& app, ExportDialog& dialog) {
  if (!dialog.running.valid() ||
      dialog.running.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return;
  if (const std::optional<Error> failed = dialog.running.get()) {
    dialog.problem = app.tr(*failed);
    app.notices.error(dialog.problem);
  } else {
    app.notices.info(app.tr.format("Exported to {}", dialog.running_path));
    dialog.open = false;
  }
}

/// The chooser lies above this dialog's place: it closes, and comes back with the answer.
void browse_for(App& app, ExportDialog& dialog) {
  FileRequest request;
  request.save = true;
  request.title = app.tr("Export the figure");
  const std::filesystem::path path(dialog.path);
  request.folder = path.parent_path().string();
  request.name = path.filename().string();
  request.filters = {{app.tr("Figures"), endings(figure_formats(), "*")}};
  dialog.open = false;
  ask_for_file(app, request, [](App& a, const std::string& chosen) {
    a.dialogs->figure.path = chosen;
    a.dialogs->figure.open = true;
    a.dialogs->figure.ask_overwrite = std::filesystem::exists(chosen);
  });
}

void press_export(App& app, ExportDialog& dialog) {
  std::error_code error;
  if (!dialog.ask_overwrite && std::filesystem::is_regular_file(dialog.path, error)) {
    dialog.ask_overwrite = true;
    return;
  }
  dialog.ask_overwrite = false;
  start(app, dialog);
}

void buttons(App& app, Ui& ui, ExportDialog& dialog) {
  const Translator& tr = ui.tr;
  if (dialog.ask_overwrite) warning_text(ui.style, tr("This file is there already."));
  if (!dialog.problem.empty()) error_text(ui.style, dialog.problem);
  ImGui::BeginDisabled(dialog.running.valid() || dialog.path.empty() || ui.stale);
  if (dialog_button(dialog.ask_overwrite ? tr("Overwrite it") : tr("Export"))) press_export(app, dialog);
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

void Dialogs::open_export(const App& app) {
  if (figure.running.valid()) return;
  if (figure.path.empty()) {
    const char* home = std::getenv("HOME");
    figure.path = std::string(home != nullptr ? home : ".") + "/attention.png";
  }
  figure.language = app.language();
  figure.ask_overwrite = false;
  figure.problem.clear();
  figure.open = true;
}

void copy_picture(App& app) {
  app.dialogs->picture =
      std::async(std::launch::async, [scene = shown_scene(app), session = to_json(shown_session(app), false),
                                      options = screen_options(app), wake = app.wake] {
        std::string png = figure_png(scene, session, options);
        wake();
        return png;
      });
}

void draw_export_dialog(App& app, Ui& ui) {
  ExportDialog& dialog = app.dialogs->figure;
  finish_picture(app);
  finish(app, dialog);
  if (!begin_dialog("export", ui.tr("Export the figure"), dialog.open, 32)) return;
  label_field(ui.tr("File"), ui.tr("Where the figure is written; its ending says how."));
  const float browse = ImGui::CalcTextSize("…").x + 4 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - browse - ImGui::GetStyle().ItemInnerSpacing.x);
  if (ImGui::InputText("###path", &dialog.path)) dialog.ask_overwrite = false;
  anchor_item(ui.ui_anchors, "export path");
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (ImGui::Button("…###browse", {browse, 0})) browse_for(app, dialog);
  tooltip(ui.tr("Choose the file"));
  format_field(ui, dialog);
  size_fields(ui, dialog);
  int language = static_cast<int>(dialog.language);
  label_field(ui.tr("Language"));
  if (choose("language", {{"English"}, {"简体中文"}}, language))
    dialog.language = static_cast<Language>(language);
  title_field(ui);
  hint(ui.style, ui.tr("Heads, colours, ranges, rows and columns, and the theme are as on the screen."));
  buttons(app, ui, dialog);
  if (!dialog.open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace headscope
