#include "core/io/unfinished.h"

#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

namespace headscope {
namespace {

struct AllUnfinished {
  std::mutex mutex;
  std::multiset<std::string> paths;
};

// What ends the program by a signal has nothing else to know them by. It is never destroyed: threads may
// still write when the program ends.
AllUnfinished& all_unfinished() {
  static AllUnfinished& all = *new AllUnfinished;
  return all;
}

}  // namespace

Unfinished::Unfinished(std::string path) : path_(std::move(path)) {
  AllUnfinished& all = all_unfinished();
  const std::lock_guard lock(all.mutex);
  all.paths.insert(path_);
}

Unfinished::~Unfinished() {
  AllUnfinished& all = all_unfinished();
  const std::lock_guard lock(all.mutex);
  all.paths.erase(all.paths.find(path_));
}

void remove_unfinished() {
  AllUnfinished& all = all_unfinished();
  all.mutex.lock();  // and never unlocked
  std::error_code ignored;
  for (const std::string& path : all.paths) std::filesystem::remove_all(path, ignored);
}

}  // namespace headscope
