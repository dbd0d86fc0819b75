#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "core/base/first_failure.h"
#include "core/base/thread_pool.h"

namespace headscope {

/// Calls body(i) for every i of [0, pieces), shared out over as many threads as `cost` is worth (cells that
/// are read, each about a nanosecond), at most the cores that this process may use; the caller is one of
/// them. For what is done now and then, from any thread; a ThreadPool is for what is done again and again.
/// Where `body` throws, the first exception is thrown again here.
template <typename Body>
void parallel_for(Index pieces, Index cost, const Body& body) {
  constexpr Index worth_a_thread = Index{1} << 19;
  const Index threads =
      std::clamp<Index>(cost / worth_a_thread, 1, std::clamp<Index>(pieces, 1, ThreadPool::cores()));
  std::atomic<Index> next = 0;
  FirstFailure failure;
  const auto work = [&]() noexcept {
    for (Index i = next++; i < pieces; i = next++) failure.guard([&] { body(i); });
  };
  {
    std::vector<std::jthread> others;
    try {
      for (Index t = 1; t < threads; ++t) others.emplace_back(work);
    } catch (const std::exception&) {
      // Those that have been started, and the caller, do the work.
    }
    work();
  }
  failure.rethrow();
}

}  // namespace headscope
