#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace headscope {

struct SourceFile {
  std::string name;  ///< from the top folder
  std::string text;
};

/// The sources (.h and .cpp) below a folder of the top one, by name; none where there is no such folder.
inline std::vector<SourceFile> source_files(const std::string& folder) {
  const std::filesystem::path top(SOURCE_DIR);
  std::vector<SourceFile> result;
  if (!std::filesystem::is_directory(top / folder)) return result;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(top / folder)) {
    const auto ending = entry.path().extension();
    if (!entry.is_regular_file() || (ending != ".h" && ending != ".cpp")) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    result.push_back({std::filesystem::relative(entry.path(), top).generic_string(), text.str()});
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return result;
}

}  // namespace headscope
