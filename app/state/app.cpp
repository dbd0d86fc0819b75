#include "app/state/app.h"

#include "core/scene/source_title.h"

namespace headscope {

App::App(std::function<void()> wake_window) : Workspace(std::move(wake_window)), actions(all_actions()) {}

std::string window_title(const OpenSession& open) {
  const std::string& path = open.document.path;
  if (!path.empty())
    return (is_modified(open) ? "• " : "") + path.substr(path.rfind('/') + 1) + " – Headscope";
  const std::string source = source_name(open.inputs);
  return source.empty() ? "Headscope" : source + " – Headscope";
}

bool is_busy(const App& app) {
  return app.opening.busy() || app.runners.a.busy() || app.runners.b.busy() || app.view_cache.busy() ||
         app.long_blocks.busy() || app.long_maps.busy() || app.dialogs.busy() || app.motion.moving() ||
         app.generation.running();
}

}  // namespace headscope
