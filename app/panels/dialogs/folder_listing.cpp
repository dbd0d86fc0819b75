#include "app/panels/dialogs/folder_listing.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "core/base/translate.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

bool matches(const std::string& name, const std::vector<std::string>& patterns) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return fnmatch(pattern.c_str(), name.c_str(), FNM_CASEFOLD) == 0;
         });
}

}  // namespace

std::vector<FolderEntry> list_folder(const std::string& path, const std::vector<std::string>& patterns,
                                     bool hidden, std::string& problem) {
  std::vector<FolderEntry> entries;
  std::error_code error;
  problem.clear();
  fs::directory_iterator it(path, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    FolderEntry entry;
    entry.name = it->path().filename().string();
    if (!hidden && entry.name.starts_with('.')) continue;
    struct stat status {};
    // A dangling link has no status and can't be opened either.
    if (stat(it->path().c_str(), &status) != 0) continue;
    entry.folder = S_ISDIR(status.st_mode);
    if (!entry.folder && !matches(entry.name, patterns)) continue;
    entry.size = entry.folder ? 0 : static_cast<std::uintmax_t>(status.st_size);
    entry.modified = status.st_mtime;
    entries.push_back(std::move(entry));
  }
  if (error) problem = error.message();
  sort_entries(entries, FolderOrder::name, false);
  return entries;
}

void sort_entries(std::vector<FolderEntry>& entries, FolderOrder order, bool descending) {
  const auto before = [order](const FolderEntry& a, const FolderEntry& b) {
    if (order == FolderOrder::size && a.size != b.size) return a.size < b.size;
    if (order == FolderOrder::modified && a.modified != b.modified) return a.modified < b.modified;
    return a.name < b.name;
  };
  std::sort(entries.begin(), entries.end(), [&](const FolderEntry& a, const FolderEntry& b) {
    if (a.folder != b.folder) return a.folder;
    return descending ? before(b, a) : before(a, b);
  });
}

std::string path_in(const std::string& folder, const std::string& name) {
  std::string expanded = name;
  const char* home = std::getenv("HOME");
  if (home != nullptr && (name == "~" || name.starts_with("~/"))) expanded = home + name.substr(1);
  return (fs::path(folder) / expanded).lexically_normal().string();
}

std::string size_text(std::uintmax_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", value, units[unit]);
}

std::string date_text(std::time_t time) {
  if (time == 0) return {};
  std::tm local{};
  localtime_r(&time, &local);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday,
                     local.tm_hour, local.tm_min);
}

std::vector<Place> places() {
  std::vector<Place> found;
  std::error_code ignored;
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') {
    found.push_back({TR("Home"), home});
    for (const auto& [name, folder] : {std::pair(TR("Desktop"), "Desktop"),
                                       {TR("Documents"), "Documents"},
                                       {TR("Downloads"), "Downloads"}}) {
      const std::string path = std::string(home) + "/" + folder;
      if (fs::is_directory(path, ignored)) found.push_back({name, path});
    }
  }
  const fs::path here = fs::current_path(ignored);
  if (!here.empty() && (found.empty() || here != found.front().path))
    found.push_back({TR("Current folder"), here.string()});
  found.push_back({TR("Computer"), "/"});
  return found;
}

}  // namespace headscope
