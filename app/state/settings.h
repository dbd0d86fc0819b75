#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/scene/view.h"

namespace headscope {

enum class TextSize { smallest, small, regular, large, projector };

/// What the program remembers independently of sessions: XDG config, headscope/settings.json.
struct Settings {
  int window_width = 1600;
  int window_height = 960;
  bool maximized = false;
  std::optional<Language> language;  ///< empty: the system's
  TextSize text_size = TextSize::regular;
  Theme theme = Theme::light;
  bool own_theme = false;         ///< chosen; else it is the device's, where that has one
  double controls_width = 12.5;   ///< in font sizes
  double inspector_width = 13.5;  ///< in font sizes
  double lesson_width = 22;       ///< in font sizes
  bool show_controls = true;
  bool show_inspector = true;
  bool show_sentence = true;
  bool maps_alone = false;                 ///< none of the three panels, until they are shown again
  bool welcome = false;                    ///< the first start offers where to begin, until that is closed
  std::string page_address;                ///< where links lead to: a page of Headscope; empty: not known
  std::string last_file;                   ///< of the last session; empty if it had none
  bool last_unsaved = false;               ///< that has changes, which are in no file
  std::vector<std::string> recent_files;   ///< newest first, absolute
  std::vector<std::string> recent_models;  ///< folders, newest first, absolute
  /// Of courses, by their paths, the steps that have been shown: see note_course().
  std::map<std::string, std::set<std::string>> courses;

  bool operator==(const Settings&) const = default;
};

/// $XDG_CONFIG_HOME/headscope, or ~/.config/headscope; below, the state folder ($XDG_STATE_HOME,
/// ~/.local/state). Empty if there is no home directory.
std::string config_folder();
std::string state_folder();

/// The settings, and the new name of a damaged file that could not be parsed and was renamed.
struct LoadedSettings {
  Settings settings;
  std::string damaged;    ///< why it could not be read, or ""
  std::string set_aside;  ///< its new path, or ""
};

/// Never throws: returns the defaults if the file is missing or damaged.
LoadedSettings load_settings(const std::string& path);

/// Creates the folder if needed. Throws Error as write_file.
void save_settings(const std::string& path, const Settings& settings);

/// Renames `path` to an unused name with ".damaged-" and the time in it; returns that name, or "" on failure.
std::string set_aside(const std::string& path);

}  // namespace headscope
