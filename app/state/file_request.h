#pragma once
#include <functional>
#include <string>
#include <vector>

namespace headscope {

/// A request to a file chooser, the desktop's or our own.
struct FileRequest {
  struct Filter {
    std::string name;                   ///< translated: "Sessions"
    std::vector<std::string> patterns;  ///< "*.json"
  };
  bool save = false;
  bool folders = false;   ///< choose an existing folder
  bool adds = false;      ///< when saving: appends to an existing file, so overwriting is not confirmed
  std::string title;      ///< translated
  std::string help = {};  ///< translated: what to choose, and where to find it; empty: nothing
  std::string folder;     ///< where to start; empty: the chooser's default
  std::string name;       ///< suggested file name when saving
  std::vector<Filter> filters;
  /// Translated: why the file at a path is refused; empty: it is accepted. Our own chooser calls it before it
  /// closes; null: every file is accepted.
  std::function<std::string(const std::string& path)> refusal;
};

}  // namespace headscope
