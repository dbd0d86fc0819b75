#include "app/panels/ui/ui.h"

#include <algorithm>
#include <cmath>

#include "app/panels/widgets/glyphs.h"
#include "app/state/actions/long_work.h"
#include "core/scene/source_title.h"

namespace headscope {

const char* computing_text(const Ui& ui) {
  const char* const idle = idle_text(ui.idle);
  return ui.tr(idle == nullptr ? "Computing…" : idle);
}

std::string time_left(const Ui& ui) {
  const double seconds = ui.progress->seconds_left;
  if (!(seconds > 0)) return computing_text(ui);
  return ui.tr("about {} s left", std::max(1, static_cast<int>(std::lround(seconds))));
}

bool waits_for_model(const Ui& ui) {
  return !ui.inputs.model.empty() && ui.trace && ui.trace->inputs.model != ui.inputs.model;
}

std::string waiting_text(const Ui& ui) {
  const std::string name = drawn_text(model_name(ui.inputs.model));
  if (!ui.error.empty()) return ui.tr("{} is not open.", name);
  return ui.model ? ui.tr("Running {} on the text…", name) : ui.tr("Opening {}…", name);
}

bool shows_long_text(const Ui& ui) {
  return ui.block->pooled() || ui.shown->part;
}

}  // namespace headscope
