#pragma once
#include <optional>
#include <string>

#include "core/session/session.h"

namespace headscope {

/// What a window keeps while it is open, in case it is killed.
struct Autosave {
  Session session;
  std::string path;  ///< the file the session belongs to; empty if none
};

/// The file of this process in `folder`.
std::string autosave_path(const std::string& folder);
/// Throws Error as write_file.
void write_autosave(const std::string& path, const Autosave& autosave);
Autosave read_autosave(const std::string& path);

/// The newest file in `folder` whose process is no more; empty if there is none.
std::string orphaned_autosave(const std::string& folder);

}  // namespace headscope
