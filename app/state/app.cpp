#include "app/state/app.h"

namespace headscope {

App::App(std::function<void()> wake_window) : Workspace(std::move(wake_window)), actions(all_actions()) {}

bool is_busy(const App& app) {
  return app.opening.busy() || app.runners.a.busy() || app.runners.b.busy() || app.view_cache.busy() ||
         app.long_blocks.busy() || app.long_maps.busy() || app.dialogs.busy() || app.motion.moving() ||
         app.generation.running();
}

}  // namespace headscope
