#pragma once
#include <functional>
#include <string>
#include <vector>

namespace headscope {

/// What is asked of a file chooser, the desktop's or our own.
struct FileRequest {
  struct Filter {
    std::string name;                   ///< translated: "Sessions"
    std::vector<std::string> patterns;  ///< "*.json"
  };
  bool save = false;
  bool folders = false;   ///< a folder is asked for, and none is made
  bool adds = false;      ///< when saving: what is there stays, and nobody need be asked
  std::string title;      ///< translated
  std::string help = {};  ///< translated: what is to be chosen, and where it comes from; empty: nothing
  std::string folder;     ///< where to start; empty: wherever the chooser likes
  std::string name;       ///< suggested file name when saving
  std::vector<Filter> filters;
  /// Translated: why what lies at a path cannot be taken; empty: it can. Our own chooser asks before it
  /// closes; null: everything can.
  std::function<std::string(const std::string& path)> refusal;
};

}  // namespace headscope
