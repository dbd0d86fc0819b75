#include "app/state/actions/long_work.h"

#include <algorithm>
#include <array>

#include "app/state/app.h"
#include "app/state/jobs/freezing.h"

namespace headscope {
namespace {

std::array<BackgroundWork*, 3> background_of(Workspace& work) {
  return {&work.long_blocks, &work.long_maps, &work.view_cache};
}

}  // namespace

std::optional<LongWork> long_work(const App& app) {
  const std::pair<const WorkProgress*, const char*> all[] = {
      {app.dialogs.figure.running.progress(), TR("Writing the file")},
      {app.dialogs.picture.progress(), TR("Drawing the figure")},
      {app.runners.a.progress(), TR("Computing attention")},
      {app.runners.b.progress(), TR("Computing attention")},
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
  for (const Side side : both_sides) app.runners[side].stop();
  for (BackgroundWork* work : background_of(app)) work->halt();
  if (idle_work(app) == Idle::stopped)
    app.notices.warn(Notice::About::computing, TR("Stopped; what is shown is not up to date"));
}

Idle idle_work(const Workspace& work) {
  const bool compares = work.compares();
  return std::max({work.runners.a.idle(), compares ? work.runners.b.idle() : Idle::none,
                   work.long_blocks.idle(), work.long_maps.idle(), work.view_cache.idle()});
}

void run_again(Workspace& work) {
  work.notices.settle(Notice::About::computing);
  accept_freezing(true);
  for (const Side side : both_sides) work.runners[side].again();
  for (BackgroundWork* each : background_of(work)) each->again();
}

const char* idle_text(Idle idle) {
  return idle == Idle::stopped  ? TR("Stopped: this is not up to date")
         : idle == Idle::failed ? TR("Could not be computed: this is not up to date")
                                : nullptr;
}

}  // namespace headscope
