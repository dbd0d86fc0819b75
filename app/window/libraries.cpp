#include "app/window/libraries.h"

#include <fmt/format.h>
#include <ft2build.h>
#include <imgui.h>
#include FT_FREETYPE_H

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace headscope {
namespace {

std::string glfw_version() {
  int major = 0, minor = 0, revision = 0;
  glfwGetVersion(&major, &minor, &revision);
  return fmt::format("{}.{}.{}", major, minor, revision);
}

std::string freetype_version() {
  FT_Library library = nullptr;
  if (FT_Init_FreeType(&library) != 0) return {};
  int major = 0, minor = 0, patch = 0;
  FT_Library_Version(library, &major, &minor, &patch);
  FT_Done_FreeType(library);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace

std::vector<Library> window_libraries() {
  return {{"Dear ImGui", ImGui::GetVersion()}, {"FreeType", freetype_version()}, {"GLFW", glfw_version()}};
}

}  // namespace headscope
