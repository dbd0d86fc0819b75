#pragma once
#include <functional>
#include <memory>

namespace headscope {

/// While this lives, SIGTERM, SIGINT and SIGHUP do not end the program at once: it is woken to save its state
/// first. A second signal ends it. At most one object at a time.
class TerminationSignals {
 public:
  /// `wake` is called on its own thread.
  explicit TerminationSignals(std::function<void()> wake);
  ~TerminationSignals();
  TerminationSignals(const TerminationSignals&) = delete;
  TerminationSignals& operator=(const TerminationSignals&) = delete;

  /// The signal received, or 0.
  int received() const;

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace headscope
