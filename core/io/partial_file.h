#pragma once
#include <string>

namespace headscope {

/// An unfinished file or folder, removed if the program is ended early. All of them are registered globally,
/// since a terminating signal concerns them all.
class PartialFile {
 public:
  explicit PartialFile(std::string path);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

 private:
  std::string path_;
};

/// Removes all of them with their contents, before ending the program: from now on, threads that begin or
/// finish another one block until the program ends.
void remove_unfinished();

}  // namespace headscope
