#include "app/state/document/figure_export.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/state/app.h"
#include "app/state/document/document.h"
#include "app/state/document/file_commands.h"
#include "core/analysis/cause_file.h"
#include "core/analysis/circuit_file.h"
#include "core/analysis/shown_causes.h"
#include "core/analysis/shown_circuits.h"
#include "core/base/enum_table.h"
#include "core/base/failure.h"
#include "core/base/stopped.h"
#include "core/figure/boards/causes_board.h"
#include "core/figure/boards/circuits_board.h"
#include "core/figure/boards/draw_view.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/caption.h"
#include "core/figure/figure_size.h"
#include "core/figure/page.h"
#include "core/figure/text/figure_font.h"
#include "core/io/formats.h"
#include "core/model/run/model_run.h"
#include "core/scene/head_table.h"
#include "core/scene/source_title.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/write/write_arrays.h"
#include "core/system/process.h"

namespace headscope {
namespace {

// Pixels per inch of a screen.
constexpr double screen_dpi = 96;

/// A page of the view's size, with its text as large as there; a title takes room above it.
FigureOptions screen_options(const Workspace& work) {
  constexpr double points = points_per_inch / screen_dpi;  // a pixel
  const ViewState& state = work.state;
  FigureOptions options;
  // In hundredths of an inch, which a command line can say.
  const auto inches = [](double pixels) {
    return std::max(2.0, std::round(pixels / screen_dpi * 100) / 100);
  };
  options.width = inches(state.shown_width);
  double height = inches(state.shown_height);
  if (state.shown_text > 0) options.font_size = points * state.shown_text;
  if (state.view.show_title)
    height += title_height(figure_style(work.settings.theme, options.font_size),
                           points_per_inch * options.width, points_per_inch * height) /
              points_per_inch;
  options.height = std::round(height * 100) / 100;
  options.dpi = 144;
  options.language = work.tr.language();
  options.extras.as_on_screen = true;
  return options;
}

void finish_picture(App& app) {
  if (!app.dialogs.picture.done()) return;
  try {
    if (app.desktop.put_picture(app.dialogs.picture.take())) {
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

void finish_export(Workspace& work, ExportDialog& dialog) {
  if (!dialog.running.done()) return;
  try {
    const std::string path = dialog.running.take();
    work.notices.settle(Notice::About::exporting);
    const bool prints = is_page() && path.ends_with(".pdf");
    work.notices.info(prints ? TR("{}: choose Save as PDF where the browser prints it")
                             : written_text(TR("Exported to {}")),
                      path);
    dialog.open = false;
  } catch (const Stopped&) {
    dialog.problem = work.tr("Stopped; {} was not written", dialog.running_path);
    work.notices.info(TR("Stopped; {} was not written"), dialog.running_path);
  } catch (...) {
    const Error failed = handled_error(TR("{}: cannot be written: "), dialog.running_path);
    dialog.problem = work.tr(failed);
    work.notices.error(Notice::About::exporting, failed);
  }
}

}  // namespace

std::string usual_figure_ending() {
  for (const FigureFormatRow& row : figure_formats())
    if (row.format == FigureFormat::pdf && row.is_built_in() && !is_page()) return row.ending;
  return figure_formats().front().ending;
}

namespace {

/// What the window has chosen where the view leaves it open.
Arrangement shown_arrangement(const Workspace& work) {
  const View& view = work.state.view;
  Arrangement shown;
  if (work.state.shown_rows > 0 && view.rows == 0 && view.columns == 0) {
    shown.rows = work.state.shown_rows;
    shown.columns = work.state.shown_columns;
  }
  if (!view.row().wide) return shown;
  if (view.table.half == TableHalf::both && work.state.shown_table != TableHalf::both)
    shown.half = work.state.shown_table;
  shown.beside = work.state.shown_beside;
  return shown;
}

Scene scene_for_figure(Workspace& work) {
  Scene scene = work.scene(work.block());
  scene.view.theme = work.settings.theme;
  scene.marks_locked = scene.locked.has_value();
  return scene;
}

}  // namespace

Scene shown_scene(Workspace& work) {
  Scene scene = scene_for_figure(work);
  arrange(scene, shown_arrangement(work));
  return scene;
}

namespace {

/// At least one head stays.
void leave_out(Scene& scene, const std::set<int>& hidden) {
  const auto is_hidden = [&](int head) { return hidden.contains(head); };
  if (hidden.empty() || !scene.view.row().arranges || std::ranges::all_of(scene.heads, is_hidden)) return;
  std::erase_if(scene.heads, is_hidden);
  scene.view.hidden_heads.insert(hidden.begin(), hidden.end());
}

}  // namespace

Scene figure_scene(Workspace& work, const ExportDialog& dialog) {
  Scene scene = scene_for_figure(work);
  View& view = scene.view;
  if (dialog.size != nullptr) {
    if (dialog.size->as_on_screen) arrange(scene, shown_arrangement(work));
    use_size(*dialog.size, view);
  }
  view.show_title = dialog.look.titled.value_or(view.show_title);
  view.range.kind = dialog.look.range.value_or(view.range.kind);
  view.theme = dialog.look.theme.value_or(view.theme);
  view.colormap = dialog.look.colormap.value_or(view.colormap);
  leave_out(scene, dialog.look.hidden);
  return scene;
}

void open_export(App& app, ExportDialog::What what) {
  ExportDialog& dialog = app.dialogs.figure;
  if (dialog.running.started()) return;
  if (dialog.path.empty()) {
    const std::string home = is_page() ? "" : home_folder();  // a page writes its downloads where it is
    dialog.path = (home.empty() ? "" : home + "/") + "attention" + usual_figure_ending();
  }
  dialog.language = app.language();
  if (dialog.fonts.empty()) dialog.fonts = paper_fonts();
  dialog.open = true;
  choose_what_to_export(dialog, what);
}

std::vector<std::string> export_endings(ExportDialog::What what, const std::string& before) {
  using What = ExportDialog::What;
  return what == What::arrays  ? endings(array_writers(), before)
         : what == What::heads ? endings(head_table_formats(), before)
                               : endings(figure_formats(), before);
}

void choose_what_to_export(ExportDialog& dialog, ExportDialog::What what) {
  dialog.ask_overwrite = false;
  dialog.problem.clear();
  if (std::exchange(dialog.what, what) == what) return;
  std::filesystem::path path(dialog.path);
  path.replace_extension(of_kind(dialog.endings, what));
  dialog.path = path.string();
}

void choose_export_size(ExportDialog& dialog, const FigureSize* size) {
  if (std::exchange(dialog.size, size) == size || size == nullptr) return;
  dialog.dpi = size->dpi;
  dialog.font_size = size->font_size;
  if (dialog.extras.letters != Letters::none) dialog.extras.letters = size->letters;
  // What does not follow from a size stays.
  dialog.look = {{}, {}, {}, dialog.look.colormap, dialog.look.hidden};
}

void fit_export_size(Workspace& work, ExportDialog& dialog) {
  if (dialog.size != nullptr && dialog.size->as_on_screen && work.state.shown_height > 0) {
    const FigureOptions options = screen_options(work);
    dialog.width = options.width;
    dialog.height = *options.height;
    dialog.font_size = options.font_size;
    return;
  }
  if (dialog.size != nullptr) dialog.width = dialog.size->width;
  if (dialog.as_high_as_needed())
    dialog.height = figure_height(figure_scene(work, dialog), export_options(work, dialog));
  else
    dialog.height = dialog.size == nullptr ? dialog.typed_height : *dialog.size->height;
}

std::shared_ptr<const FigurePreview> export_preview(Workspace& work, ExportDialog& dialog, double dpi) {
  const Scene scene = figure_scene(work, dialog);
  FigureOptions options = export_options(work, dialog);
  options.dpi = dpi;
  if (!(options.dpi > 0)) return nullptr;
  const PreviewKey key{scene.block, scene.other,  scene.view,         scene.labels, scene.marks, scene.heads,
                       scene.head,  scene.locked, scene.table_beside, scene.steps,  options};
  auto preview = dialog.preview.get(
      key, false,
      [scene, options,
       height = dialog.height](const std::stop_token& stop) -> std::shared_ptr<const FigurePreview> {
        Scene drawn = scene;
        drawn.stop = stop;
        FigurePreview made;
        auto picture = std::make_shared<const Picture>(figure_picture(drawn, options, &made.findings));
        made.width = options.tight ? picture->width / options.dpi : options.width;
        made.height = options.tight ? picture->height / options.dpi : height;
        made.picture = std::move(picture);
        made.caption = figure_caption(drawn, Translator(options.language));
        return std::make_shared<const FigurePreview>(std::move(made));
      });
  dialog.findings = preview ? preview->findings : FigureFindings{};
  dialog.caption = preview ? preview->caption : "";
  return preview;
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
  request.filters = {{app.tr(of_kind(names, dialog.what)), export_endings(dialog.what, "*")}};
  dialog.open = false;
  ask_for_file(app, request, [](App& a, const std::string& chosen) {
    a.dialogs.figure.path = chosen;
    a.dialogs.figure.open = true;
    a.dialogs.figure.ask_overwrite = std::filesystem::exists(chosen);
  });
}

void write_beside(ExportDialog& dialog, const std::function<void()>& wake, const std::string& path,
                  ExportWork job) {
  dialog.running_path = path;
  dialog.running.start(
      [job = std::move(job), path](const std::stop_token& stop, WorkProgress& progress) {
        job(stop, progress);
        return path;
      },
      wake);
}

void start_export(App& app, ExportDialog& dialog) {
  std::error_code error;
  const bool overwrites = !app.desktop.page_address && std::filesystem::is_regular_file(dialog.path, error);
  if (overwrites && !dialog.ask_overwrite) {
    dialog.ask_overwrite = true;
    return;
  }
  dialog.ask_overwrite = false;
  dialog.problem.clear();
  const std::string end = ending(dialog.path);
  if (const auto known = export_endings(dialog.what); std::ranges::find(known, end) != known.end())
    of_kind(dialog.endings, dialog.what) = end;
  const ExportWork job = export_job(app, dialog);
  write_beside(dialog, app.wake, dialog.path, job);
}

namespace {

void copy_scene(App& app, const Scene& scene, const FigureOptions& options) {
  app.dialogs.picture.start(
      [scene, session = to_json(session_of(app, scene), false), options](const std::stop_token& stop) {
        Scene drawn = scene;
        drawn.stop = stop;
        return figure_png(drawn, session, options);
      },
      app.wake);
}

}  // namespace

void copy_picture(App& app) {
  copy_scene(app, shown_scene(app), screen_options(app));
}

void copy_figure(App& app) {
  const ExportDialog& dialog = app.dialogs.figure;
  copy_scene(app, figure_scene(app, dialog), export_options(app, dialog));
}

ExportCommand command_of(Workspace& work, const ExportDialog& dialog) {
  const Scene scene = figure_scene(work, dialog);
  ExportedFigure figure;
  figure.session = session_of(work, scene);
  if (scene.marks_locked) figure.locked = scene.locked;
  figure.size = dialog.size;
  figure.options = export_options(work, dialog);
  figure.keep_session = dialog.keep_session;
  figure.path = dialog.path;
  return export_command(figure);
}

void copy_command(App& app) try {
  const ExportDialog& dialog = app.dialogs.figure;
  const ExportCommand command = command_of(app, dialog);
  if (!command.session_path.empty())
    save_session(command.session_path, session_of(app, figure_scene(app, dialog)));
  if (app.desktop.put_text) app.desktop.put_text(command.line);
  app.notices.settle(Notice::About::copying);
  if (command.session_path.empty())
    app.notices.info(TR("Command copied"));
  else
    app.notices.info(TR("Command copied; it reads {}"), command.session_path);
} catch (const Error& error) {
  app.dialogs.figure.problem = app.tr(error);
  app.notices.error(Notice::About::copying, error);
}

void poll_figures(App& app) {
  finish_picture(app);
  finish_export(app, app.dialogs.figure);
  app.dialogs.figure.preview.settle();
}

namespace {

ExportWork figure_job(Workspace& work, const ExportDialog& dialog) {
  const Scene scene = figure_scene(work, dialog);
  return [path = dialog.path, scene,
          session = dialog.keep_session
                        ? to_json(with_relative_paths(session_of(work, scene), dialog.path), false)
                        : "",
          options = export_options(work, dialog)](const std::stop_token& stop, WorkProgress& progress) {
    Scene drawn = scene;
    drawn.stop = stop;
    progress.report(forecast_of_figure(drawn));
    export_figure(path, drawn, session, options);
  };
}

/// The array file needs arrays that the window has not computed.
ExportWork arrays_job(Workspace& work, const ExportDialog& dialog) {
  return [path = dialog.path, layer = dialog.one_layer ? work.state.view.layer : -1,
          keep = dialog.keep_session, inputs = session_for_others(work).inputs, sources = work.sources,
          labels = work.labels](const std::stop_token& stop, WorkProgress& progress) {
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

/// The numbers of the view of causes.
ExportWork causes_job(Workspace& work, const ExportDialog& dialog) {
  const Scene scene = shown_scene(work);
  return [path = dialog.path, keep = dialog.keep_session, a = scene.trace, b = scene.other_trace,
          choice = cause_choice(scene.view, scene.block->shape.kind)](const std::stop_token& stop,
                                                                      WorkProgress& progress) {
    expect_format(array_writers(), path);
    const bool other = needs_other(choice.change);
    const auto shown = shown_causes(*a, other ? b.get() : nullptr, choice, stop,
                                    [&](double share) { progress.show(share); });
    check_stop(stop);
    if (shown->refusal) throw Error(*shown->refusal);
    cause_file(shown->request, *shown->causes, shown->paths.get(), *a, other ? b.get() : nullptr, keep)
        .write(path);
  };
}

/// Those of the view of circuits.
ExportWork circuits_job(Workspace& work, const ExportDialog& dialog) {
  const Scene scene = shown_scene(work);
  return [path = dialog.path, trace = scene.trace, part = scene.view.circuits.part,
          choice = circuit_choice(scene.view)](const std::stop_token& /*stop*/, WorkProgress& /*progress*/) {
    expect_format(array_writers(), path);
    const Circuits circuits(trace->run->model(), choice.center_logits);
    const CircuitOrigin origin{trace->inputs.model, choice.center_logits};
    if (part == CircuitPart::composition)
      return composition_file(circuits, choice.composition, origin).write(path);
    circuit_file(circuits, head_circuit(circuits, *trace, choice), *trace->predictions, origin).write(path);
  };
}

ExportWork heads_job(Workspace& work, const ExportDialog& dialog) {
  return [path = dialog.path, layer = dialog.one_layer ? std::optional(work.state.view.layer) : std::nullopt,
          block = work.block(), view = work.state.view, labels = work.labels, trace = work.trace(),
          keep = dialog.keep_session, relations = relations_of(*work.trace(), work.block()->shape.kind)](
             const std::stop_token& stop, WorkProgress& progress) {
    const HeadTableFormat& format = expect_format(head_table_formats(), path);
    const bool grouped = view.table.groups > 1;
    progress.report(forecast_of_statistics(*block, block->heads() * (layer ? 1 : block->layer_count())));
    const auto statistics =
        block_statistics(*block, layer, stop, [&](double share) { progress.show(share); });
    const auto similarity = grouped || view.sort.by == "similarity" ? head_similarity(*block, stop) : nullptr;
    const auto circuits = circuit_numbers(*block, view.circuits.center_logits, stop);
    check_stop(stop);
    std::vector<HeadRow> rows =
        sorted_rows(*block, statistics.get(), view.sort, labels, similarity.get(), circuits.get());
    std::erase_if(rows, [](const HeadRow& row) { return row.statistics == nullptr; });
    HeadTree tree;
    if (grouped) tree = head_tree(*similarity, view.table.groups);
    const std::string table = format.text(rows, {labels, grouped ? &tree : nullptr, {}, relations});
    write_file(path, keep ? with_origin(path, table, *trace) : table);
  };
}

}  // namespace

Session session_of(const OpenSession& open, const Scene& scene) {
  Session session = session_for_others(open);
  session.view = scene.view;
  // Sizes chosen automatically stay automatic: the figure may be reopened in a window of another size.
  session.view.rows = open.state.view.rows;
  session.view.columns = open.state.view.columns;
  session.view.table.half = open.state.view.table.half;
  if (scene.view.row().zooms) session.view.head = scene.head;
  // The framed cell is one of this head.
  if (scene.marks_locked && !scene.head) session.view.head = scene.locked->cell.head;
  return session;
}

FigureOptions export_options(const Workspace& work, const ExportDialog& dialog) {
  FigureOptions options;
  options.width = dialog.width;
  options.height = dialog.height;
  if (dialog.as_high_as_needed()) options.height.reset();
  options.dpi = dialog.dpi;
  options.language = dialog.language;
  options.tight = dialog.tight;
  options.font_size = dialog.font_size;
  options.font = dialog.font;
  options.extras = dialog.extras;
  options.extras.as_on_screen = dialog.size != nullptr && dialog.size->as_on_screen;
  if (options.extras.as_on_screen) options.arrangement = shown_arrangement(work);
  return options;
}

bool has_own_arrays(ViewKind kind, const Inputs& inputs) {
  return view_kind(kind).own_numbers && inputs.about().predicts;
}

ExportWork export_job(Workspace& work, const ExportDialog& dialog) {
  using What = ExportDialog::What;
  const What what = dialog.what;
  const ViewKind kind = work.state.view.kind;
  if (what == What::arrays && has_own_arrays(kind, work.inputs))
    return view_kind(kind).changes_runs ? causes_job(work, dialog) : circuits_job(work, dialog);
  return what == What::arrays  ? arrays_job(work, dialog)
         : what == What::heads ? heads_job(work, dialog)
                               : figure_job(work, dialog);
}

}  // namespace headscope
