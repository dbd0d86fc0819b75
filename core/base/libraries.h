#pragma once
#include <string>
#include <vector>

namespace headscope {

/// A library that the program runs with, and its version.
struct Library {
  std::string name, version;
};

using ListLibraries = std::vector<Library> (*)();

/// Those of the core, by name.
std::vector<Library> core_libraries();

}  // namespace headscope
