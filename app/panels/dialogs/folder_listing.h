#pragma once
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "app/state/document/file_request.h"

namespace headscope {

struct FolderEntry {
  std::string name;  ///< as the file system has it
  bool folder = false;
  std::uintmax_t size = 0;   ///< bytes; 0 for folders
  std::time_t modified = 0;  ///< seconds since 1970, 0 where unknown
};

enum class FolderOrder { name, size, modified };

/// The entries of a folder that match one of `patterns` (folders always do; no pattern: all), folders first.
/// `problem` gets the system's message if a folder can't be read.
std::vector<FolderEntry> list_folder(const std::string& path, const std::vector<std::string>& patterns,
                                     bool hidden, std::string& problem);
void sort_entries(std::vector<FolderEntry>& entries, FolderOrder order, bool descending);

/// Resolves a name typed in a folder: "~" is home, "/" starts at the root, ".." goes up.
std::string path_in(const std::string& folder, const std::string& name);

/// "1.5 MB"; in powers of 1000 as file managers show them.
std::string size_text(std::uintmax_t bytes);
std::string date_text(std::time_t time);

/// Home, desktop, documents and so on, if they exist.
struct Place {
  const char* name;  ///< English, to be translated
  std::string path;
};
std::vector<Place> places();

}  // namespace headscope
