#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/jobs/background.h"
#include "app/state/jobs/job.h"
#include "core/figure/figure.h"
#include "core/scene/scene.h"

namespace headscope {

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

}  // namespace headscope
