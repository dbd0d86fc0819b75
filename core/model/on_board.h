#pragma once
#include <span>
#include <string>
#include <string_view>

namespace headscope {

/// A trained model that comes with the program, in a folder of this name.
struct ModelOnBoard {
  const char* name;
  const char* title;  ///< English, to be translated
  const char* help;   ///< likewise
  bool reads_target;  ///< it has an encoder and a decoder
};
/// In the order of the menu.
std::span<const ModelOnBoard> models_on_board();
/// nullptr: the name is of none, and so it is a folder.
const ModelOnBoard* find_on_board(std::string_view name);
inline bool is_on_board(std::string_view name) {
  return find_on_board(name) != nullptr;
}
/// "translator, translator-guided": as the command line takes them.
std::string names_on_board();

/// The folder of a model that is named or is a folder itself. A name is a name, whatever lies in the current
/// directory: "./translator" is a folder. Where the model of a name is not installed, the folder that it
/// should be in.
std::string folder_of_model(const std::string& model);
/// Throws Error (input) for a model on board that is not there.
void expect_installed(const std::string& model);

}  // namespace headscope
