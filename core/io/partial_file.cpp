#include "core/io/partial_file.h"

#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

namespace headscope {
namespace {

struct AllPartialFiles {
  std::mutex mutex;
  std::multiset<std::string> paths;
};

// Global, for the code that ends the program on a signal. Never destroyed: threads may still be writing when
// the program ends.
AllPartialFiles& all_unfinished() {
  static AllPartialFiles& all = *new AllPartialFiles;
  return all;
}

}  // namespace

PartialFile::PartialFile(std::string path) : path_(std::move(path)) {
  AllPartialFiles& all = all_unfinished();
  const std::lock_guard lock(all.mutex);
  all.paths.insert(path_);
}

PartialFile::~PartialFile() {
  AllPartialFiles& all = all_unfinished();
  const std::lock_guard lock(all.mutex);
  all.paths.erase(all.paths.find(path_));
}

void remove_unfinished() {
  AllPartialFiles& all = all_unfinished();
  all.mutex.lock();  // and never unlocked
  std::error_code ignored;
  for (const std::string& path : all.paths) std::filesystem::remove_all(path, ignored);
}

}  // namespace headscope
