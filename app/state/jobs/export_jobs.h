#pragma once
#include <functional>
#include <string>

#include "app/state/jobs/figure_export.h"
#include "core/figure/figure.h"

namespace headscope {

struct App;

/// The session that reproduces this scene, as text.
std::string session_of(const App& app, const Scene& scene);
/// Page and language of the figure in the dialog.
FigureOptions export_options(const App& app);

/// The job that writes the file requested in the dialog, on any thread: it copies everything it needs from
/// the window now. It throws Error as the functions of core that write the file.
ExportWork export_job(App& app);

}  // namespace headscope
