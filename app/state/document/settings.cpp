#include "app/state/document/settings.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/io/file.h"
#include "core/io/plain_file.h"
#include "core/io/strict_json.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string folder(const char* variable, const char* below_home) {
  const char* value = std::getenv(variable);
  // By the XDG specification a relative path must be ignored.
  if (value != nullptr && *value == '/') return std::string(value) + "/headscope";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? std::string(home) + "/" + below_home + "/headscope"
                                          : std::string();
}

/// Fields with a wrong type or value keep their defaults: settings need not be complete.
template <typename T>
void read(const Json& json, const char* name, T& value) {
  const auto found = json.find(name);
  if (found == json.end()) return;
  if constexpr (std::is_same_v<T, bool>) {
    if (found->is_boolean()) value = found->get<bool>();
  } else if constexpr (std::is_same_v<T, int>) {
    if (const auto number = integer_in(*found, INT_MIN, INT_MAX)) value = static_cast<int>(*number);
  } else if constexpr (std::is_same_v<T, double>) {
    if (found->is_number()) value = found->get<double>();
  } else if (found->is_string()) {
    value = found->get<T>();
  }
}

void read_recent(const Json& json, const char* name, std::vector<std::string>& paths) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_array()) return;
  for (const Json& path : *found)
    if (path.is_string() && paths.size() < 10) paths.push_back(path.get<std::string>());
}

Settings from_json(const Json& json) {
  Settings s;
  read(json, "window_width", s.window_width);
  read(json, "window_height", s.window_height);
  s.window_width = std::clamp(s.window_width, 640, 16384);
  s.window_height = std::clamp(s.window_height, 400, 16384);
  read(json, "maximized", s.maximized);
  read(json, "show_controls", s.show_controls);
  read(json, "show_inspector", s.show_inspector);
  read(json, "show_sentence", s.show_sentence);
  read(json, "controls_width", s.controls_width);
  read(json, "inspector_width", s.inspector_width);
  read(json, "lesson_width", s.lesson_width);
  s.lesson_width = std::clamp(s.lesson_width, 10.0, 40.0);
  read(json, "welcome", s.welcome);
  s.controls_width = std::clamp(s.controls_width, 10.0, 40.0);
  s.inspector_width = std::clamp(s.inspector_width, 10.0, 40.0);
  read(json, "last_file", s.last_file);
  std::string word;
  read(json, "language", word);
  s.language = find_language(word);
  read(json, "theme", word);
  if (word == "dark") s.theme = Theme::dark;
  read(json, "text_size", word);
  if (word == "large") s.text_size = TextSize::large;
  if (word == "projector") s.text_size = TextSize::projector;
  read_recent(json, "recent_files", s.recent_files);
  read_recent(json, "recent_models", s.recent_models);
  return s;
}

/// `maps_alone` is not saved: no start hides all panels without a hint where they are.
Json as_json(const Settings& s) {
  constexpr const char* sizes[] = {"regular", "large", "projector"};
  Json json = {{"window_width", s.window_width},
               {"window_height", s.window_height},
               {"maximized", s.maximized},
               {"show_controls", s.show_controls},
               {"show_inspector", s.show_inspector},
               {"show_sentence", s.show_sentence},
               {"controls_width", s.controls_width},
               {"inspector_width", s.inspector_width},
               {"lesson_width", s.lesson_width},
               {"welcome", s.welcome},
               {"theme", s.theme == Theme::dark ? "dark" : "light"},
               {"text_size", sizes[static_cast<int>(s.text_size)]},
               {"last_file", s.last_file},
               {"recent_files", s.recent_files},
               {"recent_models", s.recent_models}};
  if (s.language) json["language"] = language_row(*s.language).code;
  return json;
}

}  // namespace

std::string config_folder() {
  return folder("XDG_CONFIG_HOME", ".config");
}
std::string state_folder() {
  return folder("XDG_STATE_HOME", ".local/state");
}

std::string set_aside(const std::string& path) {
  const std::time_t now = std::time(nullptr);
  char stamp[32] = "";
  std::tm parts{};
  if (localtime_r(&now, &parts) != nullptr) std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts);
  std::error_code error;
  for (int i = 0; i < 100; ++i) {
    std::string name = path + ".damaged-" + stamp + (i == 0 ? "" : "-" + std::to_string(i));
    if (fs::exists(name, error)) continue;
    fs::rename(path, name, error);
    return error ? std::string() : name;
  }
  return {};
}

LoadedSettings load_settings(const std::string& path) {
  LoadedSettings loaded;
  std::error_code error;
  loaded.settings.welcome = !path.empty() && !fs::exists(path, error);
  if (path.empty() || loaded.settings.welcome) return loaded;
  try {
    constexpr std::size_t largest = std::size_t{1} << 20;
    const Json json = parse_json(read_plain_file(path, largest), path);
    if (!json.is_object()) throw std::runtime_error("not an object");
    loaded.settings = from_json(json);
  } catch (const std::exception& failure) {
    loaded.damaged = failure.what();
    if (fs::is_regular_file(path, error)) loaded.set_aside = set_aside(path);
  }
  return loaded;
}

void save_settings(const std::string& path, const Settings& settings) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(),
                         error);  // if this fails, write_file reports the error
  expect_plain_file_target(path);
  write_file(path, as_json(settings).dump(2, ' ', false, Json::error_handler_t::replace) + "\n",
             Durability::process);
}

}  // namespace headscope
