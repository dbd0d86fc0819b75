#pragma once
#include <string>

namespace headscope {

/// A new name for an unfinished file or folder. Its digits end in a check sum of those before them, which no
/// name that a user gives has.
std::string unfinished_name();

/// Marks a folder of such a name as ours. 0, or errno.
int mark_unfinished_folder(const std::string& folder);

/// Removes what killed programs left in `folder`: files of such names, and marked folders of such names with
/// what this program writes there. What is locked is still being written; everything else is a user's.
void remove_left_behind(const std::string& folder);

}  // namespace headscope
