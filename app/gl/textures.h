#pragma once
#include <imgui.h>

namespace headscope::gl {

/// Before the commands are read, which name textures. Returns whether there is a new one.
bool update_textures(ImDrawData& data);

}  // namespace headscope::gl
