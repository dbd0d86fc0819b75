#pragma once
#include <functional>
#include <string>

#include "app/state/jobs/figure_export.h"
#include "core/figure/figure.h"

namespace headscope {

struct App;

/// The session that shows this scene again.
std::string session_of(const App& app, const Scene& scene);
/// Page and language of the dialog's figure.
FigureOptions export_options(const App& app);

/// Writes the file that the dialog asks for, on any thread: all that it needs of the window is taken along
/// now. Throws Error as the functions of core that write it.
ExportWork export_job(App& app);

}  // namespace headscope
