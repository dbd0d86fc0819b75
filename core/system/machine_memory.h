#pragma once
#include <cstddef>

namespace headscope {

/// Bytes of memory still available on this machine; the maximum value if unknown.
std::size_t available_memory();
/// How many bytes of files can be opened in a page, which holds them in its memory, with room to work on
/// them.
inline double room_for_files() {
  return static_cast<double>(available_memory()) / 2;
}

/// Returns unused memory kept by the allocator to the system; takes some milliseconds.
void release_free_memory();

/// To be called before other threads start: they then share one allocator arena instead of each keeping its
/// own for the life of the program. Freed memory is kept until release_free_memory(), except blocks of
/// megabytes.
void share_free_memory();

/// Peak resident memory of this process in bytes; 0 if unknown.
std::size_t max_resident_memory();

}  // namespace headscope
