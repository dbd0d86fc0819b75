#pragma once
#include <algorithm>

#include "core/base/thread_pool.h"

namespace headscope {

/// Calls body(i) for every i of [0, pieces) on its own ThreadPool, with as many threads as `cost` justifies
/// (cells read, each about a nanosecond). For occasional work, from any thread.
template <typename Body>
void parallel_for(Index pieces, Index cost, const Body& body) {
  constexpr Index worth_a_thread = Index{1} << 19;
  const Index threads =
      std::clamp<Index>(cost / worth_a_thread, 1, std::clamp<Index>(pieces, 1, ThreadPool::cores()));
  ThreadPool(static_cast<int>(threads)).run(pieces, ThreadPool::Schedule::dynamic, [&](Index i, int) {
    body(i);
  });
}

}  // namespace headscope
