#include "core/io/path_in_folder.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/base/error.h"
#include "core/io/weight_formats.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

bool is_in(const fs::path& file, const fs::path& folder) {
  return std::ranges::mismatch(folder, file).in1 == folder.end();
}

/// A git SHA-1, or the SHA-256 of a large file.
bool is_hash(const std::string& name) {
  return (name.size() == 40 || name.size() == 64) &&
         name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// models--X--Y/snapshots/REVISION/… → models--X--Y/blobs/HASH
bool is_blob_of_snapshot(const fs::path& file, fs::path folder) {
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (folder.parent_path().filename() == "snapshots")
      return is_hash(file.filename().string()) &&
             file.parent_path() == folder.parent_path().parent_path() / "blobs";
  return false;
}

fs::path place_on_disk(const std::string& path) {
  std::error_code code;
  fs::path place = fs::canonical(path, code);
  if (code == std::errc::no_such_file_or_directory || code == std::errc::not_a_directory)
    throw input_error("{} does not exist", path);
  if (code == std::errc::too_many_symbolic_link_levels)
    throw input_error("{}: a link that leads to itself", path);
  if (code) throw unable_error("{}: cannot be read: {}", path, code.message());
  return place;
}

std::string joined_path(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

}  // namespace

bool goes_down(const std::string& name) {
  if (name.empty() || name.find('\0') != std::string::npos) return false;
  const fs::path path(name);
  return path.is_relative() && std::ranges::none_of(path, [](const fs::path& part) {
           return part.empty() || part == "." || part == "..";
         });
}

std::string path_in_folder(const std::string& folder, const std::string& name) {
  if (!goes_down(name)) throw input_error("{}: \"{}\" is outside of the folder", folder, name);
  std::string path = joined_path(folder, name);
  const fs::path file = place_on_disk(path), home = place_on_disk(folder);
  if (!is_in(file, home) && !is_blob_of_snapshot(file, home))
    throw input_error("{}: a link that leads out of the folder, to {}; copy the file here", path,
                      file.string());
  return path;
}

bool is_in_folder(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(joined_path(folder, name), ignored));
}

void expect_folder(const std::string& folder) {
  std::error_code code;
  const fs::file_status status = fs::status(folder, code);
  if (code == std::errc::too_many_symbolic_link_levels)
    throw input_error("{}: a link that leads to itself", folder);
  if (!fs::exists(status)) throw input_error("{} does not exist", folder);
  if (fs::is_directory(status)) return;
  if (const std::optional<Error> weights = why_not_opened(folder)) throw Error(*weights);
  throw input_error("{} is not a folder", folder);
}

}  // namespace headscope
