#include "app/state/jobs/background.h"

#include <algorithm>

namespace headscope {

std::optional<Error> BackgroundGroup::take_error() {
  std::optional<Error> first;
  for (BackgroundWork* work : works())
    if (auto error = work->take_error(); error && !first) first = std::move(error);
  return first;
}

void BackgroundGroup::halt() {
  for (BackgroundWork* work : works()) work->halt();
}

void BackgroundGroup::again() {
  for (BackgroundWork* work : works()) work->again();
}

Idle BackgroundGroup::idle() const {
  Idle worst = Idle::none;
  for (const BackgroundWork* work : works()) worst = std::max(worst, work->idle());
  return worst;
}

const WorkProgress* BackgroundGroup::progress() const {
  for (const BackgroundWork* work : works())
    if (const WorkProgress* progress = work->progress()) return progress;
  return nullptr;
}

bool BackgroundGroup::busy() const {
  return std::ranges::any_of(works(), [](const BackgroundWork* work) { return work->busy(); });
}

void BackgroundGroup::wait() const {
  for (const BackgroundWork* work : works()) work->wait();
}

}  // namespace headscope
