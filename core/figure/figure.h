#pragma once
#include <optional>
#include <string>

#include "core/base/forecast.h"
#include "core/base/translate.h"
#include "core/figure/boards/draw_panel.h"
#include "core/figure/boards/figure_style.h"
#include "core/figure/canvas/formats.h"
#include "core/picture/picture.h"
#include "core/scene/arrangement.h"
#include "core/scene/scene.h"

namespace headscope {

/// The export options of a figure, in addition to its View.
struct FigureOptions {
  double width = 16;                 ///< inches; the notebook's 16 x 8
  std::optional<double> height = 8;  ///< none: figure_height()
  double dpi = 100;
  Language language = Language::en;
  bool tight = false;       ///< the page is cut to what is drawn
  bool keep_width = false;  ///< of a tight page: only its height is cut, as if there is no height
  double font_size = FigureStyle{}.font_size;  ///< of labels, in points; the rest scales with it
  std::string font = {};                       ///< a family that has_font(); empty: figure_families()
  /// Nothing is written where letters have no font, but for an SVG, whose reader may have it.
  bool expects_letters = false;
  FigureExtras extras = {};
  Arrangement arrangement = {};  ///< of the scene, by those who make it
  bool operator==(const FigureOptions&) const = default;
};

struct FigureLimits {
  static constexpr double min_inches = 0.5, max_inches = 100;
  static constexpr double min_dpi = 10, max_dpi = 1200;
  static constexpr double min_text = 3, max_text = 100;              ///< in points
  static constexpr double max_pixels = 30000, max_megapixels = 100;  ///< of a PNG: per side and in total
};

/// Throws Error (input) that names the first option out of its range; also for a PNG's size in `pixels` if
/// that matters.
void validate(const FigureOptions& options, bool pixels);

/// The cost of drawing the scene, beyond what was already read for it.
Forecast forecast_of_figure(const Scene& scene);

/// Draws the scene into `path` in the format of its extension, see figure_formats(). No display is needed.
/// `metadata`, the session's JSON, is stored in the file, so that the figure can be opened again; if it is
/// empty, only the drawing is stored. Without another side the compare view is drawn as the grid. Throws
/// Error: input for another extension, a size out of range or maps that could not be read, unable as
/// write_file; then the file at `path` is unchanged. Throws Stopped as the scene says.
FigureFindings export_figure(const std::string& path, const Scene& scene, const std::string& metadata,
                             const FigureOptions& options);
/// That a figure has text too small for print, with its size; empty: it has none.
std::string small_text(const Translator& tr, const FigureFindings& findings);
/// What to tell about a figure: the same, that not every character has a font, or not every token a label;
/// empty: nothing.
std::string findings_text(const Translator& tr, const FigureFindings& findings);

/// Only the picture, as the PNG that export_figure would write: for the clipboard.
std::string figure_png(const Scene& scene, const std::string& metadata, const FigureOptions& options);
/// Its pixels, for a preview. At least one pixel, whatever `dpi` says.
Picture figure_picture(const Scene& scene, const FigureOptions& options, FigureFindings* findings = nullptr);

}  // namespace headscope
