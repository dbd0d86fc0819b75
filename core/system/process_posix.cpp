#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/system/error_stream.h"
#include "core/system/process.h"

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__EMSCRIPTEN__)
#include <emscripten/emscripten.h>
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
#if defined(__EMSCRIPTEN__)
  // For getpid() all pages are one process.
  static const int id = static_cast<int>(emscripten_random() * 1e9F);
  return id;
#else
  return getpid();
#endif
}
std::string program_path() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}
double process_age_ms() {
#if defined(__linux__)
  constexpr int start_time = 22;  // its field in proc_pid_stat(5)
  std::ifstream file("/proc/self/stat");
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  std::size_t at = stat.rfind(')');
  for (int field = 2; field < start_time && at != std::string::npos; ++field) at = stat.find(' ', at + 1);
  if (at == std::string::npos) return 0;
  const double started = std::strtod(stat.c_str() + at, nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - started) * 1e3;
#else
  return 0;
#endif
}

std::string local_time(std::time_t moment, const char* format) {
  std::tm parts{};
  if (localtime_r(&moment, &parts) == nullptr) return "";
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}
std::string home_folder() {
  return environment("HOME");
}

bool is_page() {
#if defined(__EMSCRIPTEN__)
  return true;
#else
  return false;
#endif
}
bool has_display() {
  return !environment("DISPLAY").empty() || !environment("WAYLAND_DISPLAY").empty();
}
bool is_terminal(StandardStream stream) {
  return isatty(stream == StandardStream::output ? STDOUT_FILENO : fileno(error_stream())) == 1;
}
int terminal_columns() {
  constexpr int usual = 80;
  winsize size{};
  return ioctl(fileno(error_stream()), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

}  // namespace headscope
