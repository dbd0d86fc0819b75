#pragma once
#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include "core/base/tensor.h"

namespace headscope {

/// The first exception thrown by work split over several threads, for the thread that waits for all of them.
/// Work not yet begun is then skipped.
class FirstFailure {
 public:
  template <typename Work>
  void guard(const Work& work) noexcept {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      work();
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
  }
  /// Call after all threads have finished.
  void rethrow() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
};

/// Threads that claim numbered pieces of work one by one. The caller works too and never waits for a thread
/// that has not begun: if other programs keep the processor busy, it does all pieces alone. Between calls in
/// quick succession the threads spin, since waking them costs more than a small forward pass; after that they
/// sleep. Copies share the same threads.
class ThreadPool {
 public:
  /// `threads` in total, including the caller; 0: one per core available to this process. Fewer if the system
  /// cannot start more.
  explicit ThreadPool(int threads = 0);

  int size() const;

  enum class Schedule {
    dynamic,   ///< in order; any free thread takes the next piece
    affinity,  ///< a thread begins with the same pieces at every call, whose data is in its core's
               ///< cache, then takes pieces of threads that are behind
  };

  /// Calls body(piece, thread) for every piece in [0, pieces), thread in [0, size()), and returns when all
  /// are done. If `body` throws, the first exception is rethrown here. Callable from any thread; during
  /// another thread's call, or from a body, the caller does all pieces.
  template <typename Body>
  void run(Index pieces, Schedule schedule, const Body& body) const {
    FirstFailure failure;
    const auto guarded = [&](Index piece, int thread) noexcept {
      failure.guard([&] { body(piece, thread); });
    };
    using Guarded = decltype(guarded);
    run_job({pieces, schedule, &guarded, [](const void* context, Index piece, int thread) {
               (*static_cast<Guarded*>(context))(piece, thread);
             }});
    failure.rethrow();
  }

  /// The number of cores available to this process.
  static int cores();

 private:
  struct Job {
    Index pieces = 0;
    Schedule schedule = Schedule::dynamic;
    const void* body = nullptr;
    void (*call)(const void* body, Index piece, int thread) = nullptr;
  };
  class Workers;

  void run_job(const Job& job) const;

  std::shared_ptr<Workers> workers_;
};

}  // namespace headscope
