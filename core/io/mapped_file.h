#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace headscope {

/// A plain file in memory as it lies on the disk, read-only; nothing is read before it is looked at.
/// Looking at what another program has cut off in the meantime, or at what the disk cannot give, shows zeros
/// instead of ending the program with SIGBUS: whoever computed with the bytes calls check_whole() afterwards.
class MappedFile {
 public:
  /// Throws Error as readable_size does, and unable where the system cannot map it.
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) noexcept;
  ~MappedFile();

  const std::string& path() const { return path_; }
  std::span<const std::byte> bytes() const { return bytes_; }
  /// Asks the system to read all of it ahead, soon.
  void will_need() const;
  /// Throws Error (input) where the file has become shorter since it was mapped, or could not be read.
  void check_whole() const;

 private:
  class Mapping;
  std::string path_;
  std::unique_ptr<Mapping> mapping_;
  std::span<const std::byte> bytes_;
};

}  // namespace headscope
