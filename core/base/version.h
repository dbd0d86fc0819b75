#pragma once
#include <string>

namespace headscope {

/// "0.9.0 (1b2c3d4e5f60)": the version and, where it is known, the commit of the sources, with "+" if they
/// differ from it.
std::string program_version();

}  // namespace headscope
