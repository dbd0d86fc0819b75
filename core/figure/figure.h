#pragma once
#include <optional>
#include <string>

#include "core/base/forecast.h"
#include "core/base/translate.h"
#include "core/figure/canvas/picture.h"
#include "core/figure/export/formats.h"
#include "core/scene/scene.h"

namespace headscope {

/// What a figure adds to the View it shows.
struct FigureOptions {
  double width = 16;                 ///< inches; the notebook's 16 x 8
  std::optional<double> height = 8;  ///< none: figure_height()
  double dpi = 100;
  Language language = Language::en;
  bool tight = false;       ///< the page is cut to what is drawn
  bool keep_width = false;  ///< of a tight page: only its height is cut, as where there is no height
  bool operator==(const FigureOptions&) const = default;
};

struct FigureLimits {
  static constexpr double least_inches = 0.5, most_inches = 100;
  static constexpr double least_dpi = 10, most_dpi = 1200;
  static constexpr double most_pixels = 30000, most_megapixels = 100;  ///< of a PNG: of a side and in all
};

/// Throws Error (input) that names the first option out of its range; a PNG's size in `pixels` too where that
/// matters.
void validate(const FigureOptions& options, bool pixels);

/// What drawing the scene takes, beyond what was read for it already.
Forecast forecast_of_figure(const Scene& scene);

/// Draws the scene into `path`, whose ending says how, as in figure_formats(). No display is needed.
/// `metadata`, the session's JSON, travels in the file, so that a figure can be opened again; where it is
/// empty, nothing does but what is drawn. Without another side the compare view is drawn as the grid. Throws
/// Error: input for another ending, a size out of range or maps that could not be read, unable as write_file;
/// then what stood at `path` stays. Throws Stopped as the scene says.
void export_figure(const std::string& path, const Scene& scene, const std::string& metadata,
                   const FigureOptions& options);

/// The picture alone, as the PNG that export_figure would write: for the clipboard.
std::string figure_png(const Scene& scene, const std::string& metadata, const FigureOptions& options);
/// Its pixels: for a look at it before it is written. At least one pixel, whatever `dpi` says.
FigurePicture figure_picture(const Scene& scene, const FigureOptions& options);

}  // namespace headscope
