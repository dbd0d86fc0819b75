#include "core/system/windows_headers.h"
// After <windows.h>.
#include <io.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "core/system/process.h"

namespace headscope {

int usable_cores() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}
int process_id() {
  return static_cast<int>(GetCurrentProcessId());
}

std::string program_path() {
  std::string path(std::size_t{1} << 15, '\0');
  path.resize(GetModuleFileNameA(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
}
double process_age_ms() {
  FILETIME started{}, ended{}, kernel{}, user{}, now{};
  if (GetProcessTimes(GetCurrentProcess(), &started, &ended, &kernel, &user) == 0) return 0;
  GetSystemTimeAsFileTime(&now);
  const auto ticks = [](const FILETIME& time) {
    return static_cast<double>(time.dwHighDateTime) * 4294967296.0 + static_cast<double>(time.dwLowDateTime);
  };
  constexpr double ticks_per_ms = 1e4;
  return (ticks(now) - ticks(started)) / ticks_per_ms;
}

std::string local_time(std::time_t moment, const char* format) {
  std::tm parts{};
  if (localtime_s(&parts, &moment) != 0) return "";
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}
std::string home_folder() {
  return environment("USERPROFILE");
}

bool is_page() {
  return false;
}
bool has_display() {
  return true;
}
bool is_terminal(StandardStream stream) {
  return _isatty(_fileno(stream == StandardStream::output ? stdout : stderr)) != 0;
}
int terminal_columns() {
  constexpr int usual = 80;
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &info) == 0) return usual;
  return info.srWindow.Right - info.srWindow.Left + 1;
}

}  // namespace headscope
