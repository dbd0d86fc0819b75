#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/state/jobs/background.h"
#include "app/state/jobs/figure_export.h"
#include "app/state/jobs/job.h"
#include "core/base/error.h"
#include "core/figure/figure.h"
#include "core/scene/scene.h"

namespace headscope {

struct App;
struct OpenSession;
struct Workspace;

/// A preview of a figure before it is written.
struct FigurePreview {
  std::shared_ptr<const Picture> picture;
  double width = 0, height = 0;  ///< of the page, in inches
  FigureFindings findings;
};

/// Everything that a preview depends on.
struct PreviewKey {
  std::shared_ptr<const BlockTrace> block, other;
  View view;
  std::vector<HeadLabel> labels;
  std::vector<Mark> marks;
  std::vector<int> heads;
  std::optional<int> head;
  std::optional<Locked> locked;
  StepsLook steps;
  FigureOptions options;
  bool operator==(const PreviewKey&) const = default;
};

/// The export dialog.
struct ExportDialog {
  enum class What { figure, arrays, heads };
  /// The sizes of figure_sizes() in their order, between the window's size and a custom one.
  enum class Size { as_on_screen, notebook, one_column, two_columns, slide, poster, by_hand };

  bool open = false;
  What what = What::figure;
  std::string path;
  std::array<std::string, 3> endings = {".png", ".npz", ".csv"};  ///< last chosen for each What
  Size size = Size::as_on_screen;
  double width = 16, height = 8, dpi = 300;    ///< inches, and dots per inch
  double font_size = FigureStyle{}.font_size;  ///< of tick labels, in points; the size's own
  std::string font;                            ///< a family; empty: the usual one
  std::vector<std::string> fonts;              ///< paper_fonts(), when the dialog was opened
  FigureExtras extras;
  FigureFindings findings;  ///< of the last preview
  Language language = Language::en;
  bool tight = false;
  bool keep_session = true;
  bool one_layer = false;  ///< arrays and heads only of the layer in view
  bool ask_overwrite = false;
  std::string problem;  ///< why the last attempt failed, translated
  Background<PreviewKey, FigurePreview> preview;
  Job<std::string> running;  ///< writes a file, and returns its path
  std::string running_path;

  bool busy() const { return running.started() || preview.busy(); }
};

/// What the window shows, for a figure: automatically chosen rows, columns and parts of the table stay as
/// shown.
Scene shown_scene(Workspace& work);
/// Opens the dialog, unless a file is being written.
void open_export(App& app, ExportDialog::What what);
/// Chooses another kind of file; the path gets its ending.
void choose_what_to_export(ExportDialog& dialog, ExportDialog::What what);
/// The file endings of a kind of files, each prefixed with `before`.
std::vector<std::string> export_endings(ExportDialog::What what, const std::string& before = "");
/// Chooses another size, with the matching resolution.
void choose_export_size(ExportDialog& dialog, ExportDialog::Size size);
/// Sets width and height from the dialog's size.
void fit_export_size(Workspace& work, ExportDialog& dialog);
/// A preview of the figure, at most `width` x `height` pixels. It is drawn in the background; until it is
/// ready, the previous one or nullptr.
std::shared_ptr<const FigurePreview> export_preview(Workspace& work, ExportDialog& dialog, int width,
                                                    int height);
/// Opens a file chooser; the dialog closes meanwhile and reopens with the answer.
void browse_for_export(App& app);
/// Writes the file in the background; asks first if it already exists.
void start_export(Workspace& work, ExportDialog& dialog);
/// Writes a file; throws Stopped if stopped before the file is written.
using ExportWork = std::function<void(const std::stop_token& stop, WorkProgress& progress)>;
/// Runs a job that writes this file in the background, if nothing else is being written; the result is
/// reported as a notice. The job is stopped when the window closes.
void write_beside(ExportDialog& dialog, const std::function<void()>& wake, const std::string& path,
                  ExportWork job);
/// Draws the figure in the background and puts it on the clipboard as a picture.
void copy_picture(App& app);
/// Takes over what was drawn or written in the background; call at the start of a frame.
void poll_figures(App& app);

/// The session that reproduces this scene, as text.
std::string session_of(const OpenSession& open, const Scene& scene);
/// Page and language of the figure in the dialog.
FigureOptions export_options(const ExportDialog& dialog);

/// Whether arrays are the numbers of the view, and not the whole run's: of causes and circuits.
bool has_own_arrays(ViewKind kind, const Inputs& inputs);

/// The job that writes the file requested in the dialog, on any thread: it copies everything it needs from
/// the window now. It throws Error as the functions of core that write the file.
ExportWork export_job(Workspace& work, const ExportDialog& dialog);

}  // namespace headscope
