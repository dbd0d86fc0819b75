#pragma once
#include <span>
#include <string>
#include <string_view>

namespace headscope {

/// A trained model shipped with the program, in a folder of this name.
struct BuiltInModel {
  const char* name;
  const char* title;  ///< English, to be translated
  const char* help;   ///< same as above
  bool reads_target;  ///< it has an encoder and a decoder
};
/// In the order of the menu.
std::span<const BuiltInModel> built_in_models();
/// nullptr if there is none of this name, so that it is a folder.
const BuiltInModel* find_built_in(std::string_view name);
inline bool is_built_in(std::string_view name) {
  return find_built_in(name) != nullptr;
}
/// "translator, translator-guided": as accepted on the command line.
std::string built_in_names();

/// The folder of a model given by name or as a folder. A name takes precedence over a folder in the current
/// directory: "./translator" is a folder. If a named model is not installed, the folder where it should be.
std::string folder_of_model(const std::string& model);
/// Whether a path names a file of a built-in model, as "drawn-shapes/circle.png".
bool is_file_of_built_in(const std::string& path);
/// Where that file is; any other path as it is.
std::string file_of_model(const std::string& path);
/// Throws Error (input) for a built-in model that is not installed.
void expect_installed(const std::string& model);

}  // namespace headscope
