#include "tests/e2e/process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace headscope::tests {
namespace {

[[noreturn]] void become(const std::vector<std::string>& command, const Process::Environment& environment,
                         const std::string& log, int extra_fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  for (const auto& [name, value] : environment) {
    if (value.empty())
      unsetenv(name.c_str());
    else
      setenv(name.c_str(), value.c_str(), 1);
  }
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const int in = open("/dev/null", O_RDONLY);
  dup2(in, 0);
  dup2(out, 1);
  dup2(out, 2);
  if (extra_fd >= 0) fcntl(extra_fd, F_SETFD, 0);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& command, const Environment& environment,
                 const std::string& log, int extra_fd) {
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) become(command, environment, log, extra_fd);
}

Process::~Process() {
  if (!running()) return;
  signal(SIGTERM);
  if (wait(2)) return;
  signal(SIGKILL);
  wait(10);
}

std::optional<int> Process::wait(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!status_) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    } else {
      if (std::chrono::steady_clock::now() >= end) return {};
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  return status_;
}

double Process::cpu_seconds() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
  std::string text;
  std::getline(file, text);
  // The name, in parentheses, may contain spaces; utime and stime are the 12th and 13th field after it.
  std::istringstream rest(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) rest >> skipped;
  double user = 0, system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

Finished run_process(const std::vector<std::string>& command, const Process::Environment& environment,
                     double seconds) {
  const TempFolder folder;
  Finished result;
  {
    Process process(command, environment, folder.at("log"));
    result.status = process.wait(seconds).value_or(-1);
  }
  result.output = read_file(folder.at("log"));
  return result;
}

}  // namespace headscope::tests
