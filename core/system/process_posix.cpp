#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "core/system/process.h"

#if defined(__linux__)
#include <sched.h>
#endif

namespace headscope {

int usable_cores() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}
int process_id() {
  return getpid();
}

bool is_terminal(StandardStream stream) {
  return isatty(stream == StandardStream::output ? STDOUT_FILENO : STDERR_FILENO) == 1;
}
int terminal_columns() {
  constexpr int usual = 80;
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

}  // namespace headscope
