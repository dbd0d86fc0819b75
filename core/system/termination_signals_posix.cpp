#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "core/system/termination_signals.h"

namespace headscope {
namespace {

constexpr int watched[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};

// All that the signal handler uses; both are lock-free.
std::atomic<int> received_signal{0};
std::atomic<int> woken_through{-1};

void handle(int signal) {
  const int saved = errno;
  received_signal = signal;
  const char byte = 1;
  static_cast<void>(!::write(woken_through, &byte, 1));
  errno = saved;
}

void set_handlers(void (*handler)(int), void (*instead_of)(int)) {
  for (const int signal : watched) {
    struct sigaction before {};
    // Under nohup it is ignored; keep that.
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != instead_of) continue;
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | (handler == SIG_DFL ? 0U : SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

struct TerminationSignals::Watch {
  explicit Watch(std::function<void()> wake) {
    if (pipe(ends) != 0) return;
    for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
    received_signal = 0;
    woken_through = ends[1];
    try {
      thread = std::thread([this, wake = std::move(wake)] {
        char byte = 0;
        for (;;) {
          const ssize_t got = ::read(ends[0], &byte, 1);
          if (got < 0 && errno == EINTR) continue;
          if (got != 1 || byte == 0) return;
          wake();
        }
      });
    } catch (const std::system_error&) {
      // Without a thread waiting for them, signals end the program as usual.
      woken_through = -1;
      return;
    }
    set_handlers(handle, SIG_DFL);
  }
  ~Watch() {
    if (thread.joinable()) {
      set_handlers(SIG_DFL, handle);
      const char end = 0;
      static_cast<void>(!::write(ends[1], &end, 1));
      thread.join();
    }
    for (const int end : ends)
      if (end >= 0) close(end);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  int ends[2] = {-1, -1};
  std::thread thread;
};

TerminationSignals::TerminationSignals(std::function<void()> wake)
    : watch_(std::make_unique<Watch>(std::move(wake))) {}
TerminationSignals::~TerminationSignals() = default;

int TerminationSignals::received() const {
  return received_signal;
}

}  // namespace headscope
