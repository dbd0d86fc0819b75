#pragma once
#include <string>

#include "app/panels/ui/ui.h"
#include "app/state/export_dialog.h"

namespace headscope {

struct App;
struct Workspace;

// The parts of the page that exports.

/// "PDF" for ".pdf".
std::string format_name(const std::string& ending);
/// What can be chosen, in a column of its own.
void draw_figure_settings(App& app, Ui& ui, ExportDialog& dialog);
/// The figure with a ruler, as large as it is printed if there is room; marks and titles can be dragged.
void draw_figure_preview(Workspace& work, Ui& ui, ExportDialog& dialog);

}  // namespace headscope
