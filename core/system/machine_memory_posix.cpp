#include <cstdint>
#include <fstream>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __EMSCRIPTEN__
#include <emscripten/heap.h>
#include <malloc.h>
#endif

#include "core/system/machine_memory.h"

namespace headscope {

std::size_t available_memory() {
#ifdef __EMSCRIPTEN__
  // A page's memory grows up to a limit; what was freed in it is used again.
  return emscripten_get_heap_max() - emscripten_get_heap_size() +
         static_cast<std::size_t>(mallinfo().fordblks);
#else
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (std::size_t kilobytes = 0; file >> name >> kilobytes; std::getline(file, unit))
    if (name == "MemAvailable:") return kilobytes * 1024;
  return SIZE_MAX;
#endif
}

void share_free_memory() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 2);
  // Pages mapped and unmapped every frame would be zeroed every time: they are returned to the system when
  // idle.
  constexpr int mapped_alone = 4 << 20, kept_at_top = 32 << 20;
  mallopt(M_MMAP_THRESHOLD, mapped_alone);
  mallopt(M_TRIM_THRESHOLD, kept_at_top);
#endif
}

void release_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

std::size_t max_resident_memory() {
  std::ifstream file("/proc/self/status");
  std::string name, rest;
  while (file >> name) {
    std::size_t kilobytes = 0;
    if (name == "VmHWM:" && file >> kilobytes) return kilobytes * 1024;
    std::getline(file, rest);
  }
  return 0;
}

}  // namespace headscope
