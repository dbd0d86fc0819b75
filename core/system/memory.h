#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace headscope {

/// Memory at a multiple of `alignment`, a power of two, at least that of a pointer; nullptr: there is none.
/// Freed by free_aligned().
void* allocate_aligned(std::size_t alignment, std::size_t bytes);
void free_aligned(void* memory);

constexpr std::size_t huge_page = std::size_t{2} << 20;
/// Zeros at a multiple of huge_page, in huge pages if the system has them; nullptr: there is no memory.
/// `bytes` are freed at once by unmap_memory(), and do not fragment the allocator's.
void* map_memory(std::size_t bytes);
void unmap_memory(void* memory, std::size_t bytes);

/// Pages of a mapped file that need not stay in memory until they are read again.
void drop_pages(std::span<const std::byte> bytes);

/// A plain file mapped into memory, read-only, for as long as this lives; its pages are read on first access.
/// Pages that cannot be read, because the file was truncated or the disk failed, are zeros.
class MappedMemory {
 public:
  /// `bytes`: more than 0, at most the size of the file. `error()` says whether it failed.
  MappedMemory(int descriptor, std::size_t bytes);
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;
  ~MappedMemory();

  /// 0, or errno.
  int error() const;
  std::span<const std::byte> bytes() const;
  /// Whether any of its pages was replaced by zeros.
  bool damaged() const;
  /// Asks the system to read all of it ahead.
  void will_need() const;

 private:
  struct Mapping;
  std::unique_ptr<Mapping> mapping_;
};

}  // namespace headscope
