#include "core/io/left_behind.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <random>
#include <string_view>
#include <system_error>

#include "core/base/fnv.h"
#include "core/system/descriptor.h"
#include "core/system/files.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = ".headscope-";
constexpr std::size_t random_digits = 16;
constexpr const char* folder_mark = "headscope-unfinished";

std::string name_of(std::string_view digits) {
  return fmt::format("{}{}-{:016x}", prefix, digits, fnv_1a(digits, fnv_1a("headscope")));
}

bool is_unfinished_name(std::string_view name) {
  return name.size() > prefix.size() + random_digits &&
         name == name_of(name.substr(prefix.size(), random_digits));
}

/// Only what write_file_at() can have put there; a folder with anything else stays.
void remove_marked_folder(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::symlink_status(folder / folder_mark, ignored))) return;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    std::error_code unremoved;
    const std::string name = entry->path().filename().string();
    // A library may have made a file beside ours, with an extension of its own.
    if (name == "file" || name.starts_with("file.")) fs::remove(entry->path(), unremoved);
  }
  fs::remove(folder / folder_mark, ignored);
  fs::remove(folder, ignored);
}

}  // namespace

std::string unfinished_name() {
  std::random_device random;
  return name_of(fmt::format("{:08x}{:08x}", random(), random()));
}

int mark_unfinished_folder(const std::string& folder) {
  Descriptor mark(create_file(folder + "/" + folder_mark));
  return mark < 0 ? errno : mark.close();
}

void remove_left_behind(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (!is_unfinished_name(entry->path().filename().string())) continue;
    const Descriptor descriptor(open_to_read(entry->path().string(), Links::refuse));
    const auto status = descriptor < 0 ? std::nullopt : file_status(descriptor);
    if (!status || !status->own || try_lock(descriptor) != Lock::taken) continue;
    std::error_code ignored;
    if (status->kind == FileKind::folder) remove_marked_folder(entry->path());
    if (status->kind == FileKind::plain) fs::remove(entry->path(), ignored);
  }
}

}  // namespace headscope
