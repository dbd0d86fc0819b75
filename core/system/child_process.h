#pragma once
#include <cstdint>
#include <string>

namespace headscope {

/// The first line that this program writes to its output when it is started once more with this argument,
/// with its end of line; what there is of it after `milliseconds`. The process is ended. "" if it could not
/// be started.
std::string first_line_of_program(const std::string& argument, int milliseconds);

/// Another process, in its own session and with the lowest priority, that keeps one core busy as long as this
/// object exists.
class BusyProcess {
 public:
  BusyProcess();
  ~BusyProcess();
  BusyProcess(const BusyProcess&) = delete;
  BusyProcess& operator=(const BusyProcess&) = delete;

  /// Whether it could be started.
  bool is_running() const { return process_ > 0; }

 private:
  std::int64_t process_ = -1;
};

}  // namespace headscope
