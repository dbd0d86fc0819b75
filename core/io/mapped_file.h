#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace headscope {

/// A plain file in memory as it lies on the disk, read-only; nothing is read before it is looked at.
///
/// What another program cuts off in the meantime, or the disk cannot give, is SIGBUS to whoever looks at it,
/// and weights are looked at in the middle of a multiplication, on any thread, where nothing can be thrown.
/// So a handler puts zeros in the place of what is gone, and whoever has computed with the bytes asks
/// check_whole() before the result is believed.
class MappedFile {
 public:
  /// Throws Error as readable_size does, and unable where the system cannot map it.
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) noexcept;
  ~MappedFile();

  const std::string& path() const { return path_; }
  std::span<const std::byte> bytes() const;
  /// Asks the system to read all of it ahead, soon.
  void will_need() const;
  /// Throws Error (input) where the file has become shorter or was written to since it was mapped, or a part
  /// of it could not be read.
  void check_whole() const;

 private:
  class Mapping;
  std::string path_;
  std::unique_ptr<Mapping> mapping_;
};

}  // namespace headscope
