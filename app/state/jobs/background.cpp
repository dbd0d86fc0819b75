#include "app/state/jobs/background.h"

#include <algorithm>

namespace headscope {

std::optional<Error> BackgroundGroup::take_error() {
  std::optional<Error> first;
  for_each([&first](BackgroundWork& work) {
    if (auto error = work.take_error(); error && !first) first = std::move(error);
  });
  return first;
}

void BackgroundGroup::halt() {
  for_each([](BackgroundWork& work) { work.halt(); });
}

void BackgroundGroup::again() {
  for_each([](BackgroundWork& work) { work.again(); });
}

Idle BackgroundGroup::idle() const {
  Idle worst = Idle::none;
  for_each([&worst](const BackgroundWork& work) { worst = std::max(worst, work.idle()); });
  return worst;
}

const WorkProgress* BackgroundGroup::progress() const {
  const WorkProgress* first = nullptr;
  for_each([&first](const BackgroundWork& work) {
    if (first == nullptr) first = work.progress();
  });
  return first;
}

bool BackgroundGroup::busy() const {
  bool any = false;
  for_each([&any](const BackgroundWork& work) { any = any || work.busy(); });
  return any;
}

void BackgroundGroup::wait() const {
  for_each([](const BackgroundWork& work) { work.wait(); });
}

}  // namespace headscope
