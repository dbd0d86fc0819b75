#include "app/state/jobs/export_jobs.h"

#include "app/state/app.h"
#include "app/state/document/document.h"
#include "core/base/stopped.h"
#include "core/io/formats.h"
#include "core/scene/head_table.h"
#include "core/scene/source_title.h"
#include "core/source/engine.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/write/write_arrays.h"

namespace headscope {
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
  switch (app.dialogs.figure.what) {
    case ExportDialog::What::arrays:
      return arrays_job(app);
    case ExportDialog::What::heads:
      return heads_job(app);
    case ExportDialog::What::figure:
      break;
  }
  return figure_job(app);
}

}  // namespace headscope
