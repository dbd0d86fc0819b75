#include "core/system/windows_headers.h"
// After <windows.h>.
#include <psapi.h>

#include "core/system/machine_memory.h"

namespace headscope {

std::size_t available_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  return GlobalMemoryStatusEx(&status) != 0 ? static_cast<std::size_t>(status.ullAvailPhys) : SIZE_MAX;
}
void share_free_memory() {}
void release_free_memory() {}
std::size_t max_resident_memory() {
  PROCESS_MEMORY_COUNTERS counters{};
  return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters) != 0
             ? counters.PeakWorkingSetSize
             : 0;
}

}  // namespace headscope
