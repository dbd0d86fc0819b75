#include "app/state/jobs/long_work.h"

#include <algorithm>
#include <array>

#include "app/state/app.h"

namespace headscope {
namespace {

std::array<BackgroundWork*, 3> background_of(App& app) {
  return {&app.long_blocks, &app.long_maps, &app.view_cache};
}

}  // namespace

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
  for (BackgroundWork* work : background_of(app)) work->halt();
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
  for (BackgroundWork* work : background_of(app)) work->again();
}

const char* idle_text(Idle idle) {
  return idle == Idle::stopped  ? TR("Stopped: this is not up to date")
         : idle == Idle::failed ? TR("Could not be computed: this is not up to date")
                                : nullptr;
}

}  // namespace headscope
