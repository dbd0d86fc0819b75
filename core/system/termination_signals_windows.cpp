#include "core/system/windows_headers.h"
// After <windows.h>.
#include <atomic>
#include <csignal>
#include <utility>

#include "core/system/termination_signals.h"

namespace headscope {
namespace {

std::atomic<int> received_signal{0};
std::function<void()> wake_program;

// The system calls it on a thread of its own. The second time it lets the program be ended.
BOOL WINAPI handle(DWORD event) {
  const int signal = event == CTRL_C_EVENT ? SIGINT : SIGTERM;
  if (received_signal.exchange(signal) != 0) return FALSE;
  wake_program();
  return TRUE;
}

}  // namespace

struct TerminationSignals::Watch {
  Watch() { SetConsoleCtrlHandler(handle, TRUE); }
  ~Watch() { SetConsoleCtrlHandler(handle, FALSE); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
};

TerminationSignals::TerminationSignals(std::function<void()> wake) {
  received_signal = 0;
  wake_program = std::move(wake);
  watch_ = std::make_unique<Watch>();
}
TerminationSignals::~TerminationSignals() = default;

int TerminationSignals::received() const {
  return received_signal;
}

}  // namespace headscope
