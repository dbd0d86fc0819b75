#include "core/base/machine_memory.h"

#include <cstdint>
#include <fstream>
#include <string>

namespace headscope {

std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (std::size_t kilobytes = 0; file >> name >> kilobytes; std::getline(file, unit))
    if (name == "MemAvailable:") return kilobytes * 1024;
  return SIZE_MAX;
}

}  // namespace headscope
