#include "core/io/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/system/descriptor.h"
#include "core/system/files.h"
#include "core/system/memory.h"

namespace headscope {

class MappedFile::Mapping {
 public:
  explicit Mapping(const std::string& path) {
    readable_size(path);  // reports best why it cannot be read
    descriptor_ = Descriptor(open_to_read(path));
    const auto status = descriptor_ < 0 ? std::nullopt : file_status(descriptor_);
    if (!status) throw unable_error("{}: cannot be read: {}", path, std::strerror(errno));
    if (status->kind != FileKind::plain) throw input_error("{}: not a regular file", path);
    opened_ = *status;
    if (opened_.size == 0) return;
    memory_.emplace(descriptor_, opened_.size);
    if (const int code = memory_->error())
      throw unable_error("{}: cannot be mapped: {}", path, std::strerror(code));
  }

  std::span<const std::byte> bytes() const {
    return memory_ ? memory_->bytes() : std::span<const std::byte>();
  }
  bool whole() const {
    const auto now = file_status(descriptor_);
    return now && now->size >= opened_.size && !(memory_ && memory_->damaged());
  }
  /// By its modification time: a write need not change its size.
  bool unchanged() const {
    const auto now = file_status(descriptor_);
    return now && now->modified_ns == opened_.modified_ns;
  }
  void will_need() const {
    if (memory_) memory_->will_need();
  }

 private:
  Descriptor descriptor_;
  FileStatus opened_;
  std::optional<MappedMemory> memory_;
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
