#pragma once
#include <atomic>
#include <exception>
#include <utility>

namespace headscope {

/// The first exception of work that several threads share out, for the one that waits for all of them. Work
/// that was not begun by then is left out.
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
  /// After all threads have ended their work.
  void rethrow() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
};

}  // namespace headscope
