#pragma once
#include <string>

#include "core/attention/trace.h"
#include "core/session/session.h"
#include "core/text/translate.h"

namespace headscope {

/// What a figure adds to the View it shows.
struct FigureOptions {
  double width = 16;  ///< inches; the notebook's 16 x 8
  double height = 8;
  double dpi = 100;
  Language language = Language::en;
};

/// Draws the view of the trace into `path`, whose ending says how: .png .svg .pdf. No display is needed. The
/// session travels in the file's metadata, so that a figure can be opened again. Throws Error: input for
/// another ending or a size out of range, unable as write_file.
void export_figure(const std::string& path, const Trace& trace, const Session& session,
                   const FigureOptions& options);

/// The picture alone, as the PNG that export_figure would write: for the clipboard.
std::string figure_png(const Trace& trace, const Session& session, const FigureOptions& options);

/// The session in a figure's metadata. Throws Error (input) if there is none.
Session session_from_figure(const std::string& path);

}  // namespace headscope
