#include "app/cli/output.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/model/weights/model_files.h"
#include "core/system/files.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

/// Whether a file in a model's folder may be read together with its tokenizer's.
bool is_of_model(const fs::path& path) {
  static constexpr std::string_view names[] = {"config.json", "generation_config.json",
                                               "model.safetensors.index.json"};
  return path.extension() == ".safetensors" ||
         std::find(std::begin(names), std::end(names), path.filename().string()) != std::end(names);
}

}  // namespace

void expect_not_read(const std::string& path, std::span<const std::string> read) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  const auto check = [&](const fs::path& file) {
    std::error_code missing;
    if (fs::equivalent(path, file, missing))
      throw input_error("{} is read by this command; expected another file to write", path);
  };
  for (const std::string& file : read) {
    if (file.empty()) continue;
    check(file);
    std::error_code no_folder;
    for (fs::directory_iterator entry(file, no_folder), end; !no_folder && entry != end;
         entry.increment(no_folder))
      if (is_of_model(entry->path())) check(entry->path());
    if (!fs::is_directory(file, no_folder)) continue;
    for (const std::string& name : ModelFiles::open(file)->tokenizer_files().files)
      check(fs::path(file) / name);
  }
}

TemporaryFolder::TemporaryFolder(const std::string& target) : path_(create_temporary_folder("headscope-")) {
  if (path_.empty())
    throw target.empty() ? unable_error("{}: a folder could not be made", fs::temp_directory_path().string())
                         : cannot_write(target, errno);
  unfinished_.emplace(path_);
}

TemporaryFolder::~TemporaryFolder() {
  try {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  } catch (const std::bad_alloc&) {
    // The folder is left to the system's cleanup, like its neighbours.
  }
}

Output::Output(std::string path, const std::string& example, const std::vector<std::string>& endings)
    : path_(std::move(path)) {
  const std::string known = fmt::format("{}", fmt::join(endings, ", "));
  if (path_.empty())
    throw input_error("-o is missing; expected a file such as {}", example + endings.front());
  std::error_code ignored;
  if (fs::is_directory(path_, ignored))
    throw input_error("{} is a folder; expected the name of the file to write", path_);
  const std::string found = ending(path_);
  if (std::find(endings.begin(), endings.end(), found) != endings.end()) return;
  if (!found.empty()) throw input_error("{} ends in {}; expected {}", path_, found, known);
  if (fs::exists(path_, ignored) && !is_plain_file_target(path_))
    ending_ = endings.front();
  else
    throw input_error("{} has no extension; expected {}", path_, known);
}

void Output::write(const std::function<void(const std::string& path)>& write) const {
  if (ending_.empty()) return write(path_);
  const TemporaryFolder folder(path_);
  const std::string file = folder.path() + "/file" + ending_;
  write(file);
  write_file(path_, read_file(file));
}

}  // namespace headscope
