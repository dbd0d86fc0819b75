#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace headscope {

/// A plain file mapped into memory, read-only; pages are read on first access.
///
/// If another program truncates the file meanwhile, or the disk fails, access raises SIGBUS, and weights are
/// accessed in the middle of a multiplication, on any thread, where nothing can be thrown. A handler
/// therefore substitutes zeros, and code that computed with the bytes must call check_whole() before using
/// the result.
class MappedFile {
 public:
  /// Throws Error as readable_size does, and unable if the system cannot map it.
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) noexcept;
  ~MappedFile();

  const std::string& path() const { return path_; }
  std::span<const std::byte> bytes() const;
  /// Asks the system to prefetch the whole file.
  void will_need() const;
  /// Throws Error (input) if the file was truncated or written to since it was mapped, or a part could not be
  /// read.
  void check_whole() const;

 private:
  class Mapping;
  std::string path_;
  std::unique_ptr<Mapping> mapping_;
};

}  // namespace headscope
