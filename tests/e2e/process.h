#pragma once
#include <signal.h>

#include "tests/support/testing.h"

namespace headscope::tests {

/// A program that ends with this object, and with the test in any case.
class Process {
 public:
  using Environment = std::map<std::string, std::string>;
  /// Standard output and error go to the file `log`; `extra_fd` is inherited under the same number if not -1.
  /// Variables are added to the test's; an empty value removes one.
  Process(const std::vector<std::string>& command, const Environment& environment, const std::string& log,
          int extra_fd = -1);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const {
    if (!status_) kill(pid_, number);
  }
  /// The exit status (128 + signal if it was killed), or empty if it still runs after `seconds`.
  std::optional<int> wait(double seconds);
  bool running() { return !wait(0); }
  /// Seconds of processor time used so far, user and system.
  double cpu_seconds() const;

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
};

/// Runs to the end; gives its standard output and error. Status -1 if it had to be stopped after `seconds`.
struct Finished {
  int status = -1;
  std::string output;
};
Finished run_process(const std::vector<std::string>& command, const Process::Environment& environment,
                     double seconds = 30);

}  // namespace headscope::tests
