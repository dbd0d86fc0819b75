#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "core/system/memory.h"

namespace headscope {

void* allocate_aligned(std::size_t alignment, std::size_t bytes) {
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}
void free_aligned(void* memory) {
  std::free(memory);
}

namespace {

std::size_t in_pages(std::size_t bytes) {
  static const std::size_t page = sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

}  // namespace

#if defined(__EMSCRIPTEN__)
// A page's memory is one piece that never shrinks, and what is mapped in it cannot be given back in parts.
void* map_memory(std::size_t bytes) {
  constexpr std::size_t page = 64 * 1024;
  void* const memory = allocate_aligned(page, bytes);
  return memory != nullptr ? std::memset(memory, 0, bytes) : nullptr;
}
void unmap_memory(void* memory, std::size_t) {
  free_aligned(memory);
}
#else
void* map_memory(std::size_t bytes) {
  const std::size_t length = in_pages(bytes);
  void* const mapped =
      mmap(nullptr, length + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* const first = static_cast<char*>(mapped);
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(first) % huge_page) % huge_page;
  char* const memory = first + before;
  if (before > 0) munmap(first, before);
  if (before < huge_page) munmap(memory + length, huge_page - before);
#if defined(MADV_HUGEPAGE)
  madvise(memory, length, MADV_HUGEPAGE);
#endif
  return memory;
}
void unmap_memory(void* memory, std::size_t bytes) {
  munmap(memory, in_pages(bytes));
}
#endif

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
  guarded_page = sysconf(_SC_PAGESIZE);
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

/// Memory mapped from a file in which SIGBUS yields zeros instead of ending the program.
class GuardedRange {
 public:
  /// The range must be whole pages. If there are too many ranges already, or the handler cannot be installed,
  /// guarded() is false.
  GuardedRange(const void* begin, std::size_t bytes) {
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
  ~GuardedRange() {
    if (place_ < 0) return;
    Guarded& range = guarded_ranges[place_];
    range.begin = 0;
    // A handler on another thread may have read the old begin, and must not combine it with a new end.
    while (bus_handlers_at_work > 0) {
    }
    range.taken = false;
  }
  GuardedRange(const GuardedRange&) = delete;
  GuardedRange& operator=(const GuardedRange&) = delete;

  bool guarded() const { return place_ >= 0; }
  /// Whether any data was replaced by zeros.
  bool damaged() const { return place_ >= 0 && guarded_ranges[place_].damaged; }

 private:
  int place_ = -1;
};

}  // namespace

void drop_pages(std::span<const std::byte> bytes) {
  madvise(const_cast<std::byte*>(bytes.data()), bytes.size(), MADV_DONTNEED);
}

struct MappedMemory::Mapping {
  void* memory = MAP_FAILED;
  std::size_t bytes = 0;
  int error = 0;
  std::optional<GuardedRange> guard;
};

MappedMemory::MappedMemory(int descriptor, std::size_t bytes) : mapping_(std::make_unique<Mapping>()) {
  Mapping& m = *mapping_;
  m.bytes = bytes;
  m.memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (m.memory == MAP_FAILED) {
    m.error = errno;
    return;
  }
#if defined(MADV_HUGEPAGE)
  madvise(m.memory, bytes, MADV_HUGEPAGE);  // if the file system supports them, matrices are read faster
#endif
  m.guard.emplace(m.memory, in_pages(bytes));
  if (!m.guard->guarded()) m.error = EMFILE;
}
MappedMemory::~MappedMemory() {
  mapping_->guard.reset();
  if (mapping_->memory != MAP_FAILED) munmap(mapping_->memory, mapping_->bytes);
}
int MappedMemory::error() const {
  return mapping_->error;
}
std::span<const std::byte> MappedMemory::bytes() const {
  return {static_cast<const std::byte*>(mapping_->memory), mapping_->bytes};
}
bool MappedMemory::damaged() const {
  return mapping_->guard->damaged();
}
void MappedMemory::will_need() const {
  madvise(mapping_->memory, mapping_->bytes, MADV_WILLNEED);
}

}  // namespace headscope
