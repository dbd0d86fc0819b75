#pragma once
#include <string>

#include "core/base/translate.h"
#include "core/figure/formats.h"
#include "core/session/session.h"
#include "core/source/trace.h"

namespace headscope {

/// What a figure adds to the View it shows.
struct FigureOptions {
  double width = 16;  ///< inches; the notebook's 16 x 8
  double height = 8;
  double dpi = 100;
  Language language = Language::en;
};

struct FigureLimits {
  static constexpr double least_inches = 0.5, most_inches = 100;
  static constexpr double least_dpi = 10, most_dpi = 1200;
  static constexpr double most_pixels = 30000, most_megapixels = 100;  ///< of a PNG: of a side and in all
};

/// Throws Error (input) that names the first option out of its range; a PNG's size in `pixels` too where that
/// matters.
void validate(const FigureOptions& options, bool pixels);

/// Draws the view of the trace into `path`, whose ending says how, as in figure_formats(). No display is
/// needed. The session travels in the file's metadata, so that a figure can be opened again. `b` is the other
/// side of the compare view; without it that view is drawn as the grid. Throws Error: input for another
/// ending or a size out of range, unable as write_file.
void export_figure(const std::string& path, const Trace& trace, const Session& session,
                   const FigureOptions& options, const Trace* b = nullptr);

/// The picture alone, as the PNG that export_figure would write: for the clipboard.
std::string figure_png(const Trace& trace, const Session& session, const FigureOptions& options,
                       const Trace* b = nullptr);

/// The session in a figure's metadata. Throws Error (input) if there is none.
Session session_from_figure(const std::string& path);

}  // namespace headscope
