#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/state/jobs/background.h"
#include "app/state/jobs/job.h"
#include "core/base/error.h"
#include "core/figure/figure.h"
#include "core/scene/scene.h"

namespace headscope {

struct App;

/// A look at a figure before it is written.
struct FigurePreview {
  std::shared_ptr<const FigurePicture> picture;
  double width = 0, height = 0;  ///< inches of the page
};

/// All that a preview shows.
struct PreviewKey {
  std::shared_ptr<const BlockTrace> block, other;
  View view;
  std::vector<HeadLabel> labels;
  std::vector<int> heads;
  std::optional<int> head;
  std::optional<Locked> locked;
  StepsLook steps;
  FigureOptions options;
  bool operator==(const PreviewKey&) const = default;
};

/// What is asked before a file is written.
struct ExportDialog {
  enum class What { figure, arrays, heads };
  /// Those of figure_sizes() in their order, between the window's and one's own.
  enum class Size { as_on_screen, notebook, one_column, two_columns, slide, by_hand };

  bool open = false;
  What what = What::figure;
  std::string path;
  std::array<std::string, 3> endings = {".png", ".npz", ".csv"};  ///< chosen last, for each What
  Size size = Size::as_on_screen;
  double width = 16, height = 8, dpi = 300;  ///< inches, and dots an inch
  Language language = Language::en;
  bool tight = false;
  bool keep_session = true;
  bool one_layer = false;  ///< of the arrays and the heads: the layer in view alone
  bool ask_overwrite = false;
  std::string problem;  ///< why the last try failed, translated
  Background<PreviewKey, FigurePreview> preview;
  Job<std::string> running;  ///< writes a file, and gives its path
  std::string running_path;

  bool busy() const { return running.started() || preview.busy(); }
};

/// What the window shows, for a figure: rows and columns that were chosen to fit are kept, and what there was
/// room for.
Scene shown_scene(App& app);
/// Opens the dialog, unless a file is being written.
void open_export(App& app, ExportDialog::What what);
/// Another kind of file, whose ending the path takes.
void choose_what_to_export(App& app, ExportDialog::What what);
/// The endings of a kind of files, each after `before`.
std::vector<std::string> export_endings(ExportDialog::What what, const std::string& before = "");
/// Another size, with the resolution that goes with it.
void choose_export_size(ExportDialog& dialog, ExportDialog::Size size);
/// Width and height of the dialog's size.
void fit_export_size(App& app);
/// The figure as it is going to be, at most so many pixels large. It is made beside the frames; until then
/// the one before, or nullptr.
std::shared_ptr<const FigurePreview> export_preview(App& app, int width, int height);
/// Asks for the file; the dialog closes for it, and comes back with the answer.
void browse_for_export(App& app);
/// Writes the file beside the frames; asks first where it is there already.
void start_export(App& app);
/// Writes a file; throws Stopped where it is asked to stop before it is written.
using ExportWork = std::function<void(const std::stop_token& stop, WorkProgress& progress)>;
/// Runs what writes that file beside the frames, where nothing else is being written; what comes of it is
/// told as a notice. The job is told to stop when the window closes.
void write_beside(App& app, const std::string& path, ExportWork job);
/// Draws the figure beside the frames and puts it on the clipboard as a picture.
void copy_picture(App& app);
/// Takes over what was drawn or written beside the frames; call at the start of a frame.
void poll_figures(App& app);

}  // namespace headscope
