#pragma once
#include <algorithm>
#include <atomic>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/base/thread_pool.h"

namespace headscope {

/// Calls body(i) for every i of [0, pieces), shared out over as many threads as `cost` is worth (cells that
/// are read, each about a nanosecond), at most the cores that this process may use; the caller is one of
/// them. For what is done now and then, from any thread; a ThreadPool is for what is done again and again.
/// `body` must not throw.
template <typename Body>
void parallel_for(Index pieces, Index cost, const Body& body) {
  static_assert(std::is_nothrow_invocable_v<Body, Index>);
  constexpr Index worth_a_thread = Index{1} << 19;
  const Index threads =
      std::clamp<Index>(cost / worth_a_thread, 1, std::clamp<Index>(pieces, 1, ThreadPool::cores()));
  std::atomic<Index> next = 0;
  const auto work = [&]() noexcept {
    for (Index i = next++; i < pieces; i = next++) body(i);
  };
  std::vector<std::jthread> others;
  for (Index t = 1; t < threads; ++t) others.emplace_back(work);
  work();
}

}  // namespace headscope
