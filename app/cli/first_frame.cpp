#include "app/cli/first_frame.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>

extern char** environ;

namespace headscope {
namespace {

bool has_display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return true;
  return false;
}

// Starts the program with its output redirected to `output`; -1 on failure.
pid_t start_window(int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string program = "/proc/self/exe", flag = "--time-first-frame";
  char* const arguments[] = {program.data(), flag.data(), nullptr};
  pid_t child = -1;
  if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) != 0) child = -1;
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

std::string read_line(int input) {
  constexpr int patience_ms = 10'000;
  std::string text;
  std::array<char, 64> buffer;
  pollfd waiting{input, POLLIN, 0};
  while (text.find('\n') == std::string::npos && poll(&waiting, 1, patience_ms) > 0) {
    const ssize_t count = ::read(input, buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

std::optional<double> measure_first_frame() {
  int ends[2];
  if (!has_display() || pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const pid_t child = start_window(ends[1]);
  close(ends[1]);
  const std::string text = child > 0 ? read_line(ends[0]) : "";
  close(ends[0]);
  if (child > 0) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  char* end = nullptr;
  const double milliseconds = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || milliseconds <= 0) return std::nullopt;
  return milliseconds;
}

}  // namespace headscope
