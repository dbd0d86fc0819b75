#pragma once
#include <functional>
#include <thread>

namespace headscope {

/// SIGTERM, SIGINT and SIGHUP, as long as this lives, do not end the program at once: it is woken, to keep
/// what it shows first. A second one does. At most one object at a time.
class EndSignals {
 public:
  /// `wake` is called on a thread of its own.
  explicit EndSignals(std::function<void()> wake);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  /// The signal that came, or 0.
  int received() const;

 private:
  int pipe_[2] = {-1, -1};
  std::thread watch_;
};

}  // namespace headscope
