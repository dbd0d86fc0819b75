#include "core/io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/round_up.h"
#include "core/io/file.h"
#include "core/io/guarded_range.h"

namespace headscope {

class MappedFile::Mapping {
 public:
  explicit Mapping(const std::string& path) {
    readable_size(path);  // reports best why it cannot be read
    descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    try {
      map(path);
    } catch (...) {
      release();
      throw;
    }
  }
  ~Mapping() { release(); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(memory_), size_}; }
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
    if (memory_ != nullptr) madvise(memory_, size_, MADV_WILLNEED);
  }

 private:
  void map(const std::string& path) {
    struct stat status {};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0)
      throw unable_error("{}: cannot be read: {}", path, std::strerror(errno));
    if (!S_ISREG(status.st_mode)) throw input_error("{}: not a regular file", path);
    written_ = status.st_mtim;
    if (status.st_size == 0) return;
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (memory == MAP_FAILED) throw unable_error("{}: cannot be mapped: {}", path, std::strerror(errno));
    memory_ = memory;
    size_ = size;
    madvise(memory, size, MADV_HUGEPAGE);  // if the file system supports them, matrices are read faster
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    guard_.emplace(memory, round_up(size, page));
    if (!guard_->guarded()) throw unable_error("{}: cannot be mapped: {}", path, std::strerror(EMFILE));
  }
  void release() {
    guard_.reset();
    if (memory_ != nullptr) munmap(memory_, size_);
    if (descriptor_ >= 0) close(descriptor_);
  }

  int descriptor_ = -1;
  void* memory_ = nullptr;
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
