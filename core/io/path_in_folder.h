#pragma once
#include <string>

namespace headscope {

/// Whether a relative name read from a file stays inside its folder, judged lexically.
bool goes_down(const std::string& name);

/// FOLDER/NAME if that is a file of the folder. A name read from a file may lead anywhere ("../", a symbolic
/// link), so it must stay inside the folder; a link may leave it only as in the hub's cache, from
/// snapshots/REVISION to the sibling blobs/HASH. Throws Error (input) that names it, also if it does not
/// exist.
std::string path_in_folder(const std::string& folder, const std::string& name);

/// Whether anything has this name, even a dangling link.
bool is_in_folder(const std::string& folder, const std::string& name);

/// Throws Error (input) if it is not a folder.
void expect_folder(const std::string& folder);

}  // namespace headscope
