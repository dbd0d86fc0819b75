#include "core/io/guarded_range.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace headscope {
namespace {

struct Guarded {
  std::atomic<bool> taken{false}, damaged{false};
  std::atomic<std::uintptr_t> begin{0}, end{0};  // begin is 0 if nothing is guarded
};

// All that the signal handler uses; lock-free, or set before the handler is installed.
constexpr int max_guarded = 1024;
Guarded guarded_ranges[max_guarded];
std::atomic<int> bus_handlers_at_work{0};
std::uintptr_t guarded_page = 4096;
struct sigaction before_guarding {};

/// Maps zeros from the page of `address` to the end of its range: data after a hole is useless too, and one
/// mapping replaces a fault per page.
bool fill_with_zeros(std::uintptr_t address) {
  for (Guarded& range : guarded_ranges) {
    const std::uintptr_t begin = range.begin, end = range.end;
    if (begin == 0 || address < begin || address >= end) continue;
    const std::uintptr_t page = address & ~(guarded_page - 1);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the system gives the address as a number
    void* place = reinterpret_cast<void*>(page);
    if (mmap(place, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
      return false;
    range.damaged = true;
    return true;
  }
  return false;
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  ++bus_handlers_at_work;
  const bool sent_by_somebody = info->si_code <= 0;
  const bool filled = !sent_by_somebody && fill_with_zeros(reinterpret_cast<std::uintptr_t>(info->si_addr));
  --bus_handlers_at_work;
  errno = saved;
  if (filled) return;  // and retry the access
  if ((before_guarding.sa_flags & SA_SIGINFO) != 0)
    before_guarding.sa_sigaction(signal, info, context);
  else if (before_guarding.sa_handler != SIG_DFL && before_guarding.sa_handler != SIG_IGN)
    before_guarding.sa_handler(signal);
  else if (sigaction(SIGBUS, &before_guarding, nullptr) == 0)
    raise(signal);  // ends the program when this returns, as without the handler
}

bool set_bus_handler() {
  guarded_page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  if (sigaction(SIGBUS, nullptr, &before_guarding) != 0) return false;
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, nullptr) == 0;
}

bool bus_errors_are_handled() {
  static const bool handled = set_bus_handler();
  return handled;
}

}  // namespace

GuardedRange::GuardedRange(const void* begin, std::size_t bytes) {
  if (!bus_errors_are_handled()) return;
  for (int i = 0; i < max_guarded; ++i) {
    Guarded& range = guarded_ranges[i];
    if (range.taken.exchange(true)) continue;
    range.damaged = false;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    range.end = address + bytes;
    range.begin = address;
    place_ = i;
    return;
  }
}

GuardedRange::~GuardedRange() {
  if (place_ < 0) return;
  Guarded& range = guarded_ranges[place_];
  range.begin = 0;
  // A handler on another thread may have read the old begin, and must not combine it with a new end.
  while (bus_handlers_at_work > 0) {
  }
  range.taken = false;
}

bool GuardedRange::damaged() const {
  return place_ >= 0 && guarded_ranges[place_].damaged;
}

}  // namespace headscope
