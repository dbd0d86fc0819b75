#include "app/state/figure_export.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "app/state/app.h"
#include "app/state/document.h"
#include "core/figure/figure.h"
#include "core/figure/formats.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

// Pixels of a screen to an inch.
constexpr double screen_dpi = 96;

/// The session that shows this scene.
std::string session_of(const App& app, const Scene& scene) {
  Session session = session_for_others(app);
  session.view = scene.view;
  // What was left to the window stays so: the figure is opened again where there may be other room.
  session.view.rows = app.state.view.rows;
  session.view.columns = app.state.view.columns;
  session.view.table = app.state.view.table;
  if (scene.view.kind == ViewKind::head) session.view.head = scene.head;
  return to_json(session, false);
}

FigureOptions screen_options(const App& app) {
  FigureOptions options;
  options.width = std::max(2.0, static_cast<double>(app.state.shown_width) / screen_dpi);
  options.height = std::max(2.0, static_cast<double>(app.state.shown_height) / screen_dpi);
  options.dpi = 144;
  options.language = app.language();
  return options;
}

void finish_picture(App& app) {
  std::future<std::string>& picture = app.dialogs.picture;
  if (!picture.valid() || picture.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    if (app.put_picture(picture.get())) {
      app.notices.settle(Notice::About::picture);
      app.notices.info(TR("Figure copied to the clipboard as an image"));
    } else {
      app.notices.error(Notice::About::picture,
                        unable_error("The clipboard here does not support images; export to a file instead"));
    }
  } catch (const Error& failure) {
    app.notices.error(Notice::About::picture, failure);
  }
}

void finish_export(App& app) {
  ExportDialog& dialog = app.dialogs.figure;
  if (!dialog.running.valid() ||
      dialog.running.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return;
  if (const std::optional<Error> failed = dialog.running.get()) {
    dialog.problem = app.tr(*failed);
    app.notices.error(Notice::About::exporting, *failed);
  } else {
    app.notices.settle(Notice::About::exporting);
    app.notices.info(TR("Exported to {}"), dialog.running_path);
    dialog.open = false;
  }
}

}  // namespace

Scene shown_scene(App& app) {
  Scene scene = app.scene(app.block());
  View& view = scene.view;
  if (app.state.shown_rows > 0 && view.rows == 0 && view.columns == 0) {
    view.rows = app.state.shown_rows;
    view.columns = app.state.shown_columns;
  }
  if (view.table == TableHalf::both) view.table = app.state.shown_table;
  view.theme = app.settings.theme;
  return scene;
}

void open_export(App& app) {
  ExportDialog& dialog = app.dialogs.figure;
  if (dialog.running.valid()) return;
  if (dialog.path.empty()) {
    const char* home = std::getenv("HOME");
    dialog.path = std::string(home != nullptr ? home : ".") + "/attention.png";
  }
  dialog.language = app.language();
  dialog.ask_overwrite = false;
  dialog.problem.clear();
  dialog.open = true;
}

void fit_export_size(App& app) {
  ExportDialog& dialog = app.dialogs.figure;
  if (dialog.size == ExportDialog::Size::as_on_screen && app.state.shown_height > 0) {
    dialog.width = static_cast<double>(app.state.shown_width) / screen_dpi;
    dialog.height = static_cast<double>(app.state.shown_height) / screen_dpi;
  } else if (dialog.size == ExportDialog::Size::notebook) {
    dialog.width = 16;
    dialog.height = 8;
    dialog.dpi = 100;
  }
}

void browse_for_export(App& app) {
  ExportDialog& dialog = app.dialogs.figure;
  FileRequest request;
  request.save = true;
  request.title = app.tr("Export figure");
  const std::filesystem::path path(dialog.path);
  request.folder = path.parent_path().string();
  request.name = path.filename().string();
  request.filters = {{app.tr("Figures"), endings(figure_formats(), "*")}};
  dialog.open = false;
  ask_for_file(app, request, [](App& a, const std::string& chosen) {
    a.dialogs.figure.path = chosen;
    a.dialogs.figure.open = true;
    a.dialogs.figure.ask_overwrite = std::filesystem::exists(chosen);
  });
}

void start_export(App& app) {
  ExportDialog& dialog = app.dialogs.figure;
  std::error_code error;
  if (!dialog.ask_overwrite && std::filesystem::is_regular_file(dialog.path, error)) {
    dialog.ask_overwrite = true;
    return;
  }
  dialog.ask_overwrite = false;
  FigureOptions options;
  options.width = dialog.width;
  options.height = dialog.height;
  options.dpi = dialog.dpi;
  options.language = dialog.language;
  dialog.problem.clear();
  dialog.running_path = dialog.path;
  const Scene scene = shown_scene(app);
  dialog.running = std::async(std::launch::async,
                              [path = dialog.path, scene, session = session_of(app, scene), options,
                               wake = app.wake]() -> std::optional<Error> {
                                std::optional<Error> failed;
                                try {
                                  export_figure(path, scene, session, options);
                                } catch (const Error& why) {
                                  failed = why;
                                } catch (const std::exception& why) {
                                  failed = unable_error("{}: cannot be written: {}", path, why.what());
                                }
                                wake();
                                return failed;
                              });
}

void copy_picture(App& app) {
  const Scene scene = shown_scene(app);
  app.dialogs.picture = std::async(std::launch::async, [scene, session = session_of(app, scene),
                                                        options = screen_options(app), wake = app.wake] {
    std::string png = figure_png(scene, session, options);
    wake();
    return png;
  });
}

void poll_figures(App& app) {
  finish_picture(app);
  finish_export(app);
}

}  // namespace headscope
