#pragma once
#include <atomic>
#include <exception>
#include <utility>

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

}  // namespace headscope
