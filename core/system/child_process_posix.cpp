#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "core/system/child_process.h"
#include "core/system/process.h"

extern char** environ;

namespace headscope {
namespace {

// With its output redirected to `output`; -1 on failure.
pid_t start_program(const std::string& argument, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string program = program_path(), copy = argument;
  char* const arguments[] = {program.data(), copy.data(), nullptr};
  pid_t child = -1;
  if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) != 0) child = -1;
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

std::string read_line(int input, int milliseconds) {
  std::string text;
  std::array<char, 64> buffer;
  pollfd waiting{input, POLLIN, 0};
  while (text.find('\n') == std::string::npos && poll(&waiting, 1, milliseconds) > 0) {
    const ssize_t count = ::read(input, buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), count);
  }
  return text;
}

void end_process(pid_t process) {
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

}  // namespace

std::string first_line_of_program(const std::string& argument, int milliseconds) {
  int ends[2];
  if (pipe(ends) != 0) return "";
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  const pid_t child = start_program(argument, ends[1]);
  close(ends[1]);
  const std::string text = child > 0 ? read_line(ends[0], milliseconds) : "";
  close(ends[0]);
  if (child > 0) end_process(child);
  return text;
}

}  // namespace headscope
