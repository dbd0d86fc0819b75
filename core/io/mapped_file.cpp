#include "core/io/mapped_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/round_up.h"
#include "core/io/descriptor.h"
#include "core/io/file.h"

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

class MappedFile::Mapping {
 public:
  explicit Mapping(const std::string& path) {
    readable_size(path);  // reports best why it cannot be read
    descriptor_ = Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0)
      throw unable_error("{}: cannot be read: {}", path, std::strerror(errno));
    if (!S_ISREG(status.st_mode)) throw input_error("{}: not a regular file", path);
    written_ = status.st_mtim;
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0) return;
    void* memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (memory == MAP_FAILED) throw unable_error("{}: cannot be mapped: {}", path, std::strerror(errno));
    memory_ = {memory, Unmap{size_}};
    madvise(memory, size_, MADV_HUGEPAGE);  // if the file system supports them, matrices are read faster
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    guard_.emplace(memory, round_up(size_, page));
    if (!guard_->guarded()) throw unable_error("{}: cannot be mapped: {}", path, std::strerror(EMFILE));
  }

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(memory_.get()), size_}; }
  bool whole() const {
    struct stat now {};
    const bool as_long = fstat(descriptor_, &now) == 0 && static_cast<std::size_t>(now.st_size) >= size_;
    return as_long && !(guard_ && guard_->damaged());
  }
  /// By its modification time: a write need not change its size.
  bool unchanged() const {
    struct stat now {};
    return fstat(descriptor_, &now) == 0 && now.st_mtim.tv_sec == written_.tv_sec &&
           now.st_mtim.tv_nsec == written_.tv_nsec;
  }
  void will_need() const {
    if (memory_) madvise(memory_.get(), size_, MADV_WILLNEED);
  }

 private:
  struct Unmap {
    std::size_t size;
    void operator()(void* memory) const { munmap(memory, size); }
  };

  Descriptor descriptor_;
  std::unique_ptr<void, Unmap> memory_;
  std::size_t size_ = 0;
  timespec written_{};
  std::optional<GuardedRange> guard_;
};

MappedFile::MappedFile(const std::string& path) : path_(path), mapping_(std::make_unique<Mapping>(path)) {}
MappedFile::MappedFile(MappedFile&&) noexcept = default;
MappedFile& MappedFile::operator=(MappedFile&&) noexcept = default;
MappedFile::~MappedFile() = default;

std::span<const std::byte> MappedFile::bytes() const {
  return mapping_->bytes();
}

void MappedFile::will_need() const {
  mapping_->will_need();
}

void MappedFile::check_whole() const {
  if (!mapping_->whole())
    throw input_error("{}: was cut short or became unreadable while in use; open it again", path_);
  if (!mapping_->unchanged())
    throw input_error("{}: was written to while in use, so numbers may be of both versions; open it again",
                      path_);
}

}  // namespace headscope
