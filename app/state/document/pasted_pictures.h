#pragma once
#include <string>
#include <string_view>

#include "core/session/session.h"

namespace headscope {

// A pasted picture is a file in the folder `pictures` of the state folder, named by its content. It stays as
// long as something names it that this program knows of; no file outside of that folder is touched.

/// Writes it, unless it is there. Returns its path. Throws Error as write_file does.
std::string write_pasted_picture(std::string_view bytes);
/// To be called for a session that is written into a file of the user's: its pictures are never deleted.
void keep_pasted_pictures(const Session& session);
/// Deletes those older than a week that neither the window's session nor a kept one or one in the state
/// folder names: another window that is open may still undo to a picture of today.
void delete_forgotten_pictures(const std::string& state_folder, const Session& own);

}  // namespace headscope
