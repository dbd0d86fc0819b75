#pragma once
#include <string>

namespace headscope {

/// Whether a name that a file gives goes down from its folder, and nowhere else, by its letters.
bool goes_down(const std::string& name);

/// FOLDER/NAME where that is a file of the folder. A name that a file gives may lead anywhere ("../", a
/// symbolic link), so it must stay inside of the folder; a link may leave it only as those in the hub's cache
/// do, from snapshots/REVISION to blobs/HASH beside. Throws Error (input) that names it, also where it does
/// not exist.
std::string path_in_folder(const std::string& folder, const std::string& name);

/// Whether there is anything of this name, if only a link to nothing.
bool is_in_folder(const std::string& folder, const std::string& name);

/// Throws Error (input) where it is none.
void expect_folder(const std::string& folder);

}  // namespace headscope
