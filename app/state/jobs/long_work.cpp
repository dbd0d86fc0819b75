#include "app/state/jobs/long_work.h"

#include <algorithm>

#include "app/state/app.h"

namespace headscope {

std::optional<LongWork> long_work(const App& app) {
  const std::pair<const WorkProgress*, const char*> all[] = {
      {app.dialogs.figure.running.progress(), TR("Writing the file")},
      {app.dialogs.picture.progress(), TR("Drawing the figure")},
      {app.runner.progress(), TR("Computing attention")},
      {app.other_runner.progress(), TR("Computing attention")},
      {app.long_blocks.progress(), TR("Reading the maps")},
      {app.long_maps.progress(), TR("Reading the maps")},
      {app.view_cache.progress(), TR("Computing what is shown")}};
  for (const auto& [progress, what] : all)
    if (progress != nullptr && progress->is_long()) return LongWork{what, progress->now()};
  return {};
}

void stop_work(App& app) {
  app.dialogs.figure.running.stop();
  app.dialogs.picture.stop();
  app.runner.stop();
  app.other_runner.stop();
  app.long_blocks.halt();
  app.long_maps.halt();
  app.view_cache.halt();
  if (idle_work(app) == Idle::stopped)
    app.notices.warn(Notice::About::computing, TR("Stopped; what is shown is not up to date"));
}

Idle idle_work(const App& app) {
  const bool compares = app.compares();
  return std::max({app.runner.idle(), compares ? app.other_runner.idle() : Idle::none, app.long_blocks.idle(),
                   app.long_maps.idle(), app.view_cache.idle()});
}

void run_again(App& app) {
  app.notices.settle(Notice::About::computing);
  app.runner.again();
  app.other_runner.again();
  app.long_blocks.again();
  app.long_maps.again();
  app.view_cache.again();
}

const char* idle_text(Idle idle) {
  switch (idle) {
    case Idle::stopped:
      return TR("Stopped: this is not up to date");
    case Idle::failed:
      return TR("Could not be computed: this is not up to date");
    case Idle::none:
      break;
  }
  return nullptr;
}

}  // namespace headscope
