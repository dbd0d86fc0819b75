#pragma once
#include <string>

#include "core/base/translate.h"

namespace headscope {

/// A work that is kept beside the window's own, on a page (docs/web.md).
struct KeptWork {
  std::string path;
  std::string name;  ///< in menus
};

/// The submenu of their actions, newest first, and the id of the first.
inline constexpr const char* works_menu = TR("Earlier work");
inline constexpr const char* latest_work = "earlier work 1";
/// Shown in place of it is what a link leads to; beside this notice is the way back.
inline constexpr const char* link_note = TR("Opened from a link; your own work is kept");

}  // namespace headscope
