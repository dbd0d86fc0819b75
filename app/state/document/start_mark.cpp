#include "app/state/document/start_mark.h"

#include <unistd.h>

#include <filesystem>

namespace headscope {
namespace {

namespace fs = std::filesystem;
constexpr const char* prefix = "start-";

}  // namespace

StartMark::StartMark(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(prefix)) continue;
    // No lock: another window is just starting.
    if (const auto mark = FileLock::take(entry->path().string())) ended_by_.insert(mark->text());
  }
  ended_by_.erase("");  // it opened nothing
  lock_ = FileLock::take(folder + "/" + prefix + std::to_string(getpid()));
}

StartMark::~StartMark() {
  if (lock_ && !opened_.empty()) lock_->leave();  // otherwise no file is to blame: a display may be missing
}

void StartMark::opens(const std::string& file) {
  opened_ = file;
  if (lock_) lock_->set_text(file);
}

}  // namespace headscope
