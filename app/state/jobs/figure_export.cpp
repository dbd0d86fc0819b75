#include "app/state/jobs/figure_export.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "app/state/app.h"
#include "app/state/document/document.h"
#include "core/base/failure.h"
#include "core/base/stopped.h"
#include "core/figure/export/figure_size.h"
#include "core/figure/export/formats.h"
#include "core/io/formats.h"
#include "core/scene/head_table.h"
#include "core/scene/source_title.h"
#include "core/source/engine.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/write/write_arrays.h"

namespace headscope {
namespace {

// Pixels per inch of a screen.
constexpr double screen_dpi = 96;

FigureOptions screen_options(const App& app) {
  FigureOptions options;
  options.width = std::max(2.0, static_cast<double>(app.state.shown_width) / screen_dpi);
  options.height = std::max(2.0, static_cast<double>(app.state.shown_height) / screen_dpi);
  options.dpi = 144;
  options.language = app.language();
  return options;
}

void finish_picture(App& app) {
  if (!app.dialogs.picture.done()) return;
  try {
    if (app.put_picture(app.dialogs.picture.take())) {
      app.notices.settle(Notice::About::picture);
      app.notices.info(TR("Figure copied to the clipboard as an image"));
    } else {
      app.notices.error(Notice::About::picture,
                        unable_error("The clipboard here does not support images; export to a file instead"));
    }
  } catch (const Stopped&) {
    app.notices.info(TR("Stopped; nothing was copied"));
  } catch (...) {
    app.notices.error(Notice::About::picture, handled_error(TR("the image could not be copied: ")));
  }
}

void finish_export(App& app) {
  ExportDialog& dialog = app.dialogs.figure;
  if (!dialog.running.done()) return;
  try {
    const std::string path = dialog.running.take();
    app.notices.settle(Notice::About::exporting);
    app.notices.info(TR("Exported to {}"), path);
    dialog.open = false;
  } catch (const Stopped&) {
    dialog.problem = app.tr("Stopped; {} was not written", dialog.running_path);
    app.notices.info(TR("Stopped; {} was not written"), dialog.running_path);
  } catch (...) {
    const Error failed = handled_error(TR("{}: cannot be written: "), dialog.running_path);
    dialog.problem = app.tr(failed);
    app.notices.error(Notice::About::exporting, failed);
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

void open_export(App& app, ExportDialog::What what) {
  ExportDialog& dialog = app.dialogs.figure;
  if (dialog.running.started()) return;
  if (dialog.path.empty()) {
    const char* home = std::getenv("HOME");
    dialog.path = std::string(home != nullptr ? home : ".") + "/attention.png";
  }
  dialog.language = app.language();
  dialog.open = true;
  choose_what_to_export(app, what);
}

std::vector<std::string> export_endings(ExportDialog::What what, const std::string& before) {
  using What = ExportDialog::What;
  return what == What::arrays  ? endings(array_writers(), before)
         : what == What::heads ? endings(head_table_formats(), before)
                               : endings(figure_formats(), before);
}

void choose_what_to_export(App& app, ExportDialog::What what) {
  ExportDialog& dialog = app.dialogs.figure;
  dialog.ask_overwrite = false;
  dialog.problem.clear();
  if (std::exchange(dialog.what, what) == what) return;
  std::filesystem::path path(dialog.path);
  path.replace_extension(dialog.endings[static_cast<std::size_t>(what)]);
  dialog.path = path.string();
}

void choose_export_size(ExportDialog& dialog, ExportDialog::Size size) {
  if (std::exchange(dialog.size, size) == size || size == ExportDialog::Size::by_hand) return;
  dialog.dpi = size == ExportDialog::Size::as_on_screen
                   ? print_dpi
                   : figure_sizes()[static_cast<std::size_t>(size) - 1].dpi;
}

void fit_export_size(App& app) {
  ExportDialog& dialog = app.dialogs.figure;
  if (dialog.size == ExportDialog::Size::by_hand) return;
  if (dialog.size != ExportDialog::Size::as_on_screen) {
    const FigureSize& size = figure_sizes()[static_cast<std::size_t>(dialog.size) - 1];
    dialog.width = size.width;
    dialog.height = size.height ? *size.height : figure_height(shown_scene(app), size.width);
  } else if (app.state.shown_height > 0) {
    dialog.width = static_cast<double>(app.state.shown_width) / screen_dpi;
    dialog.height = static_cast<double>(app.state.shown_height) / screen_dpi;
  }
}

std::shared_ptr<const FigurePreview> export_preview(App& app, int width, int height) {
  const Scene scene = shown_scene(app);
  FigureOptions options = export_options(app);
  options.dpi = std::min(width / options.width, height / *options.height);
  if (!(options.dpi > 0)) return nullptr;
  const PreviewKey key{scene.block, scene.other,  scene.view,  scene.labels, scene.heads,
                       scene.head,  scene.locked, scene.steps, options};
  return app.dialogs.figure.preview.get(
      key, false, [scene, options](const std::stop_token& stop) -> std::shared_ptr<const FigurePreview> {
        Scene drawn = scene;
        drawn.stop = stop;
        auto picture = std::make_shared<const FigurePicture>(figure_picture(drawn, options));
        const double w = options.tight ? picture->width / options.dpi : options.width,
                     h = options.tight ? picture->height / options.dpi : *options.height;
        return std::make_shared<const FigurePreview>(FigurePreview{std::move(picture), w, h});
      });
}

void browse_for_export(App& app) {
  ExportDialog& dialog = app.dialogs.figure;
  FileRequest request;
  request.save = true;
  request.title = app.tr("Export");
  const std::filesystem::path path(dialog.path);
  request.folder = path.parent_path().string();
  request.name = path.filename().string();
  const char* names[] = {TR("Figures"), TR("Arrays"), TR("Table of heads")};
  request.filters = {
      {app.tr(names[static_cast<std::size_t>(dialog.what)]), export_endings(dialog.what, "*")}};
  dialog.open = false;
  ask_for_file(app, request, [](App& a, const std::string& chosen) {
    a.dialogs.figure.path = chosen;
    a.dialogs.figure.open = true;
    a.dialogs.figure.ask_overwrite = std::filesystem::exists(chosen);
  });
}

void write_beside(App& app, const std::string& path, ExportWork job) {
  app.dialogs.figure.running_path = path;
  app.dialogs.figure.running.start(
      [job = std::move(job), path](const std::stop_token& stop, WorkProgress& progress) {
        job(stop, progress);
        return path;
      },
      app.wake);
}

void start_export(App& app) {
  ExportDialog& dialog = app.dialogs.figure;
  std::error_code error;
  if (!dialog.ask_overwrite && std::filesystem::is_regular_file(dialog.path, error)) {
    dialog.ask_overwrite = true;
    return;
  }
  dialog.ask_overwrite = false;
  dialog.problem.clear();
  const std::string end = ending(dialog.path);
  if (const auto known = export_endings(dialog.what); std::ranges::find(known, end) != known.end())
    dialog.endings[static_cast<std::size_t>(dialog.what)] = end;
  write_beside(app, dialog.path, export_job(app));
}

void copy_picture(App& app) {
  const Scene scene = shown_scene(app);
  app.dialogs.picture.start(
      [scene, session = session_of(app, scene), options = screen_options(app)](const std::stop_token& stop) {
        Scene drawn = scene;
        drawn.stop = stop;
        return figure_png(drawn, session, options);
      },
      app.wake);
}

void poll_figures(App& app) {
  finish_picture(app);
  finish_export(app);
  app.dialogs.figure.preview.settle();
}

namespace {

ExportWork figure_job(App& app) {
  const ExportDialog& dialog = app.dialogs.figure;
  const Scene scene = shown_scene(app);
  return [path = dialog.path, scene, session = dialog.keep_session ? session_of(app, scene) : "",
          options = export_options(app)](const std::stop_token& stop, WorkProgress& progress) {
    Scene drawn = scene;
    drawn.stop = stop;
    progress.report(forecast_of_figure(drawn));
    export_figure(path, drawn, session, options);
  };
}

/// The array file needs arrays that the window has not computed.
ExportWork arrays_job(App& app) {
  const ExportDialog& dialog = app.dialogs.figure;
  return [path = dialog.path, layer = dialog.one_layer ? app.state.view.layer : -1,
          keep = dialog.keep_session, inputs = session_for_others(app).inputs, sources = app.sources,
          labels = app.labels](const std::stop_token& stop, WorkProgress& progress) {
    expect_format(array_writers(), path);
    RunOptions options;
    options.stack_output = true;
    options.max_tokens = Limits::max_window_tokens;
    options.forecast = [&](const Forecast& forecast) { progress.report(forecast); };
    options.progress = [&](double share) { progress.show(share); };
    const auto trace = Engine(0, BufferPool(), sources).run(inputs, options, stop);
    check_stop(stop);
    ArraySelection selection(layer);
    selection.stop = stop;
    for (const HeadLabel& label : labels) selection.head_names[{label.layer, label.head}] = label.name;
    selection.source = source_title(Translator(), *trace);
    if (keep) selection.sentence = sentence_of(*trace);
    write_arrays(path, *trace, selection, keep ? session_json(inputs) : "");
  };
}

ExportWork heads_job(App& app) {
  const ExportDialog& dialog = app.dialogs.figure;
  return [path = dialog.path, layer = dialog.one_layer ? std::optional(app.state.view.layer) : std::nullopt,
          block = app.block(), view = app.state.view, labels = app.labels, trace = app.trace(),
          keep = dialog.keep_session, relations = relations_of(*app.trace(), app.block()->shape.kind)](
             const std::stop_token& stop, WorkProgress& progress) {
    const HeadTableFormat& format = expect_format(head_table_formats(), path);
    const bool grouped = view.groups > 1;
    progress.report(forecast_of_statistics(*block, block->heads() * (layer ? 1 : block->layer_count())));
    const auto statistics =
        block_statistics(*block, layer, stop, [&](double share) { progress.show(share); });
    const auto similarity = grouped || view.sort == "similarity" ? head_similarity(*block, stop) : nullptr;
    check_stop(stop);
    std::vector<HeadRow> rows = sorted_rows(*block, statistics.get(), view, labels, similarity.get());
    std::erase_if(rows, [](const HeadRow& row) { return row.statistics == nullptr; });
    HeadTree tree;
    if (grouped) tree = head_tree(*similarity, view.groups);
    const std::string table = format.text(rows, {labels, grouped ? &tree : nullptr, {}, relations});
    write_file(path, keep ? with_origin(path, table, *trace) : table);
  };
}

}  // namespace

std::string session_of(const App& app, const Scene& scene) {
  Session session = session_for_others(app);
  session.view = scene.view;
  // Sizes chosen automatically stay automatic: the figure may be reopened in a window of another size.
  session.view.rows = app.state.view.rows;
  session.view.columns = app.state.view.columns;
  session.view.table = app.state.view.table;
  if (scene.view.kind == ViewKind::head) session.view.head = scene.head;
  return to_json(session, false);
}

FigureOptions export_options(const App& app) {
  const ExportDialog& dialog = app.dialogs.figure;
  FigureOptions options;
  options.width = dialog.width;
  options.height = dialog.height;
  options.dpi = dialog.dpi;
  options.language = dialog.language;
  options.tight = dialog.tight;
  // Keep the width exact, as for a column of a page.
  options.keep_width =
      dialog.size == ExportDialog::Size::one_column || dialog.size == ExportDialog::Size::two_columns;
  return options;
}

ExportWork export_job(App& app) {
  using What = ExportDialog::What;
  const What what = app.dialogs.figure.what;
  return what == What::arrays ? arrays_job(app) : what == What::heads ? heads_job(app) : figure_job(app);
}

}  // namespace headscope
