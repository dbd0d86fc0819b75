#include "core/system/windows_headers.h"
// After <windows.h>.
#include <io.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "core/system/process.h"

namespace headscope {

int usable_cores() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}
int process_id() {
  return static_cast<int>(GetCurrentProcessId());
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
