#include "app/window/raster_threads.h"

#if defined(__linux__)

#include <sched.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace headscope {
namespace {

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// The index of the renderer's thread that a task of this process is.
std::optional<int> raster_thread(const std::filesystem::path& task) {
  constexpr std::string_view prefix = "llvmpipe-";
  std::string name;
  std::getline(std::ifstream(task / "comm"), name);
  return name.starts_with(prefix) ? number(std::string_view(name).substr(prefix.size())) : std::nullopt;
}

}  // namespace

void spread_raster_threads() {
  cpu_set_t all, halves[2];
  if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) return;
  CPU_ZERO(&halves[0]);
  CPU_ZERO(&halves[1]);
  for (std::size_t cpu = 0, seen = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &halves[seen++ % 2]);
  std::error_code failed;
  for (std::filesystem::directory_iterator task("/proc/self/task", failed), end; !failed && task != end;
       task.increment(failed)) {
    const std::optional<int> thread = raster_thread(task->path());
    const std::optional<int> id = number(task->path().filename().string());
    if (thread && id) sched_setaffinity(*id, sizeof all, &halves[*thread % 2]);
  }
}

}  // namespace headscope

#else

namespace headscope {
void spread_raster_threads() {}
}  // namespace headscope

#endif
