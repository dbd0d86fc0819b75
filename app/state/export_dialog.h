#pragma once
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/state/jobs/background.h"
#include "app/state/jobs/job.h"
#include "core/figure/figure.h"
#include "core/figure/figure_size.h"
#include "core/scene/scene.h"

namespace headscope {

/// A preview of a figure before it is written.
struct FigurePreview {
  std::shared_ptr<const Picture> picture;
  double width = 0, height = 0;  ///< of the page, in inches
  FigureFindings findings;
  std::string caption;  ///< a draft
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
  std::optional<bool> table_beside;
  StepsLook steps;
  FigureOptions options;
  bool operator==(const PreviewKey&) const = default;
};

/// ".pdf", where this build writes them: a page can only print.
std::string usual_figure_ending();

/// What a figure has otherwise than the view on the screen; none: as its size says.
struct FigureLook {
  std::optional<bool> titled;
  std::optional<Range> range;
  std::optional<Theme> theme;
  std::optional<Colormap> colormap = {};
  std::set<int> hidden = {};  ///< heads that only the figure leaves out
};

/// The page that exports figures, arrays and tables.
struct ExportDialog {
  enum class What { figure, arrays, heads };

  bool open = false;
  bool list_open = false;  ///< one of its lists, in the frame before
  What what = What::figure;
  std::string path;
  std::array<std::string, 3> endings = {usual_figure_ending(), ".npz",
                                        ".csv"};   ///< last chosen for each What
  const FigureSize* size = figure_sizes().data();  ///< nullptr: a custom one
  double width = 16, height = 8, dpi = 300;        ///< inches, and dots per inch
  double typed_height = 0;                         ///< of a custom size; 0: as high as the figure needs
  double font_size = FigureStyle{}.font_size;      ///< of labels, in points
  FigureLook look;
  std::string font;                ///< a family; empty: the usual one
  std::vector<std::string> fonts;  ///< paper_fonts(), when the page was opened
  FigureExtras extras;
  FigureFindings findings;  ///< of the last preview
  std::string caption;      ///< same
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
  /// Whether the height follows from the width.
  bool as_high_as_needed() const { return size == nullptr ? typed_height <= 0 : !size->height; }
};

}  // namespace headscope
