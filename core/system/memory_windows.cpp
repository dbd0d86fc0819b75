#include "core/system/windows_headers.h"
// After <windows.h>.
#include <io.h>
#include <malloc.h>

#include <cerrno>

#include "core/system/memory.h"

namespace headscope {

void* allocate_aligned(std::size_t alignment, std::size_t bytes) {
  return _aligned_malloc(bytes, alignment);
}
void free_aligned(void* memory) {
  _aligned_free(memory);
}

// Reserved memory cannot be returned in part, so its alignment is the system's 64 KiB; large pages need a
// privilege.
void* map_memory(std::size_t bytes) {
  return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}
void unmap_memory(void* memory, std::size_t) {
  VirtualFree(memory, 0, MEM_RELEASE);
}

void drop_pages(std::span<const std::byte>) {}

struct MappedMemory::Mapping {
  void* memory = nullptr;
  std::size_t bytes = 0;
};

// A mapped file cannot be truncated here.
MappedMemory::MappedMemory(int descriptor, std::size_t bytes) : mapping_(std::make_unique<Mapping>()) {
  const auto file = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
  const HANDLE section = CreateFileMappingA(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (section == nullptr) return;
  mapping_->memory = MapViewOfFile(section, FILE_MAP_READ, 0, 0, bytes);
  mapping_->bytes = bytes;
  CloseHandle(section);
}
MappedMemory::~MappedMemory() {
  if (mapping_->memory != nullptr) UnmapViewOfFile(mapping_->memory);
}
int MappedMemory::error() const {
  return mapping_->memory == nullptr ? ENOMEM : 0;
}
std::span<const std::byte> MappedMemory::bytes() const {
  return {static_cast<const std::byte*>(mapping_->memory), mapping_->bytes};
}
bool MappedMemory::damaged() const {
  return false;
}
void MappedMemory::will_need() const {}

}  // namespace headscope
