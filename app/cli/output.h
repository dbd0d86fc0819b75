#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/io/partial_file.h"

namespace headscope {

/// Throws Error (input) if `path` is one of the files that a command reads, or is in a folder that it reads,
/// by whatever name: the output would overwrite it.
void expect_not_read(const std::string& path, std::span<const std::string> read);

/// A private folder, removed on destruction.
class TemporaryFolder {
 public:
  /// Throws Error (unable), of `target` if the folder is for writing that file.
  explicit TemporaryFolder(const std::string& target = "");
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<PartialFile> unfinished_;
};

/// The file that -o names, checked before anything is computed.
class Output {
 public:
  /// `endings`: the available formats; `example` is a file name without an ending. Throws Error (input) for
  /// an empty path, a folder or another ending. A device or a pipe needs no ending and gets the first format.
  Output(std::string path, const std::string& example, const std::vector<std::string>& endings);

  /// Calls `write` with a path that has an ending.
  void write(const std::function<void(const std::string& path)>& write) const;

 private:
  std::string path_;
  std::string ending_;  ///< for a device
};

}  // namespace headscope
