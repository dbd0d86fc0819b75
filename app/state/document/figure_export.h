#pragma once
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/state/export_dialog.h"
#include "core/session/export_command.h"

namespace headscope {

struct App;
struct OpenSession;
struct Workspace;

/// What the window shows, for a figure as on screen: automatically chosen rows, columns and parts of the
/// table stay as shown.
Scene shown_scene(Workspace& work);
/// The same as the page has it.
Scene figure_scene(Workspace& work, const ExportDialog& dialog);
/// Opens the page, unless a file is being written.
void open_export(App& app, ExportDialog::What what);
/// Chooses another kind of file; the path gets its ending.
void choose_what_to_export(ExportDialog& dialog, ExportDialog::What what);
/// The file endings of a kind of files, each prefixed with `before`.
std::vector<std::string> export_endings(ExportDialog::What what, const std::string& before = "");
/// Chooses another size (nullptr: a custom one), with its resolution, text and look.
void choose_export_size(ExportDialog& dialog, const FigureSize* size);
/// Sets width and height from the dialog's size.
void fit_export_size(Workspace& work, ExportDialog& dialog);
/// A preview of the figure with that many pixels to an inch. It is drawn in the background; until it is
/// ready, the previous one or nullptr.
std::shared_ptr<const FigurePreview> export_preview(Workspace& work, ExportDialog& dialog, double dpi);
/// Opens a file chooser; the dialog closes meanwhile and reopens with the answer.
void browse_for_export(App& app);
/// Writes the file in the background; asks first if it already exists, but in a page, whose browser gives
/// every download a name of its own.
void start_export(App& app, ExportDialog& dialog);
/// Writes a file; throws Stopped if stopped before the file is written.
using ExportWork = std::function<void(const std::stop_token& stop, WorkProgress& progress)>;
/// Runs a job that writes this file in the background, if nothing else is being written; the result is
/// reported as a notice. The job is stopped when the window closes.
void write_beside(ExportDialog& dialog, const std::function<void()>& wake, const std::string& path,
                  ExportWork job);
/// Draws the view as on screen in the background and puts it on the clipboard as a picture.
void copy_picture(App& app);
/// The same with the figure of the page.
void copy_figure(App& app);
/// The command line that makes the file of the page.
ExportCommand command_of(Workspace& work, const ExportDialog& dialog);
/// Copies it, and saves the session that it names, if it does.
void copy_command(App& app);
/// Takes over what was drawn or written in the background; call at the start of a frame.
void poll_figures(App& app);

/// The session that reproduces this scene.
Session session_of(const OpenSession& open, const Scene& scene);
/// Page and language of the figure on the page.
FigureOptions export_options(const Workspace& work, const ExportDialog& dialog);

/// Whether arrays are the numbers of the view, and not the whole run's: of causes and circuits.
bool has_own_arrays(ViewKind kind, const Inputs& inputs);

/// The job that writes the file requested in the dialog, on any thread: it copies everything it needs from
/// the window now. It throws Error as the functions of core that write the file.
ExportWork export_job(Workspace& work, const ExportDialog& dialog);

}  // namespace headscope
