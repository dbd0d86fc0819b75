#include "app/state/document/pasted_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "app/state/settings.h"
#include "core/base/error.h"
#include "core/io/file.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_name = "pictures";
constexpr const char* kept_ending = ".kept";  // of an empty file beside a picture
constexpr std::size_t digits = 16;

/// A picture is named by its content.
std::string name_of(std::string_view bytes) {
  return fmt::format("{:016x}.{}", std::hash<std::string_view>()(bytes),
                     bytes.starts_with("\x89PNG") ? "png" : "jpg");
}

/// Whether a file of this name may have been written here.
bool is_pasted(const std::string& name) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return name.size() == digits + 4 && std::all_of(name.begin(), name.begin() + digits, is_digit) &&
         (name.ends_with(".png") || name.ends_with(".jpg"));
}

/// Whether it was: its name is that of its content.
bool was_pasted(const fs::path& path) try {
  return path.filename().string() == name_of(read_file(path.string()));
} catch (const Error&) {
  return false;
}

/// The texts of sessions in the state folder, also of those set aside; nothing if one of them cannot be read.
std::optional<std::string> texts_of_sessions(const std::string& state_folder) {
  std::string texts;
  for (const char* folder : {"", "/others", "/others/open"}) {
    std::error_code error;
    for (fs::directory_iterator entry(state_folder + folder, error), end; !error && entry != end;
         entry.increment(error)) {
      if (ending(entry->path().string()) != ".json") continue;
      try {
        texts += read_plain_file(entry->path().string());
      } catch (const Error&) {
        return {};
      }
    }
  }
  return texts;
}

}  // namespace

std::string write_pasted_picture(std::string_view bytes) {
  const std::string state = state_folder();
  if (state.empty()) throw unable_error("there is no folder for a pasted picture");
  const fs::path folder = fs::path(state) / folder_name;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw unable_error("{}: {}", folder.string(), error.message());
  const std::string path = (folder / name_of(bytes)).string();
  write_file(path, bytes);
  return path;
}

void keep_pasted_pictures(const Session& session) {
  const std::string state = state_folder();
  if (state.empty()) return;
  const fs::path folder = fs::path(state) / folder_name;
  for_each_inputs(session, [&](const Inputs& inputs) {
    const fs::path path = inputs.picture;
    std::error_code ignored;
    if (path.parent_path() != folder || !is_pasted(path.filename().string()) || !fs::exists(path, ignored))
      return;
    try {
      write_file(path.string() + kept_ending, "");
    } catch (const Error&) {
      // A folder that cannot be written is one in which nothing is deleted.
    }
  });
}

void delete_forgotten_pictures(const std::string& state_folder, const Session& own) {
  if (state_folder.empty()) return;
  constexpr std::chrono::hours week{24 * 7};
  const fs::path folder = fs::path(state_folder) / folder_name;
  std::error_code error;
  std::vector<fs::path> old;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    const bool plain = fs::is_regular_file(entry->symlink_status(unknown));
    const auto written = fs::last_write_time(entry->path(), unknown);
    if (plain && !unknown && is_pasted(entry->path().filename().string()) &&
        written < fs::file_time_type::clock::now() - week)
      old.push_back(entry->path());
  }
  if (old.empty()) return;
  std::optional<std::string> named = texts_of_sessions(state_folder);
  if (!named) return;
  *named += to_json(own, false);
  for (const fs::path& path : old) {
    std::error_code ignored;
    const bool kept = fs::exists(path.string() + kept_ending, ignored);
    if (!kept && named->find(path.filename().string()) == std::string::npos && was_pasted(path))
      fs::remove(path, ignored);
  }
}

}  // namespace headscope
