#pragma once
#include "tests/support/testing.h"

namespace headscope::tests {

struct SourceFile {
  std::string name;  ///< from the top folder
  std::string text;
};

/// The sources (.h and .cpp) below a folder of the top one, by name; empty if there is no such folder.
inline std::vector<SourceFile> source_files(const std::string& folder) {
  const fs::path top(SOURCE_DIR);
  std::vector<SourceFile> result;
  if (!fs::is_directory(top / folder)) return result;
  for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
    const auto ending = entry.path().extension();
    if (!entry.is_regular_file() || (ending != ".h" && ending != ".cpp")) continue;
    result.push_back({fs::relative(entry.path(), top).generic_string(), read_file(entry.path().string())});
  }
  std::ranges::sort(result, {}, &SourceFile::name);
  return result;
}

}  // namespace headscope::tests
