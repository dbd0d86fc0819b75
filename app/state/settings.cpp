#include "app/state/settings.h"

#include <algorithm>
#include <climits>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/enum_table.h"
#include "core/io/file.h"
#include "core/io/strict_json.h"
#include "core/system/process.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string folder(const char* variable, const char* below_home) {
  const std::string value = environment(variable), home = home_folder();
  // By the XDG specification a relative path must be ignored.
  if (value.starts_with('/')) return value + "/headscope";
  return home.empty() ? "" : home + "/" + below_home + "/headscope";
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
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    for (const Json& path : found->is_array() ? *found : Json::array())
      if (path.is_string() && value.size() < 10) value.push_back(path.get<std::string>());
  } else if constexpr (std::is_same_v<T, std::map<std::string, std::set<std::string>>>) {
    constexpr std::size_t most = 500;
    for (const auto& [path, list] : found->items())
      for (const Json& each : list.is_array() && value.size() < most ? list : Json::array())
        if (each.is_string() && value[path].size() < most) value[path].insert(each.get<std::string>());
  } else if (found->is_string()) {
    value = found->get<T>();
  }
}

/// The fields that are saved as they are. `maps_alone` is not: no start hides all panels without a hint where
/// they are.
template <typename Some, typename Use>
void for_each_field(Some& s, const Use& use) {
  use("window_width", s.window_width);
  use("window_height", s.window_height);
  use("maximized", s.maximized);
  use("show_controls", s.show_controls);
  use("show_inspector", s.show_inspector);
  use("show_sentence", s.show_sentence);
  use("controls_width", s.controls_width);
  use("inspector_width", s.inspector_width);
  use("lesson_width", s.lesson_width);
  use("welcome", s.welcome);
  use("page_address", s.page_address);
  use("last_file", s.last_file);
  use("last_unsaved", s.last_unsaved);
  use("recent_files", s.recent_files);
  use("recent_models", s.recent_models);
  use("courses", s.courses);
}

constexpr const char* text_sizes[] = {"smallest", "small", "regular", "large", "projector"};

Settings from_json(const Json& json) {
  Settings s;
  for_each_field(s, [&](const char* name, auto& value) { read(json, name, value); });
  s.window_width = std::clamp(s.window_width, 640, 16384);
  s.window_height = std::clamp(s.window_height, 400, 16384);
  for (double* width : {&s.controls_width, &s.inspector_width, &s.lesson_width})
    *width = std::clamp(*width, 10.0, 40.0);
  std::string word;
  read(json, "language", word);
  s.language = find_language(word);
  read(json, "theme", word);
  s.own_theme = word == "dark" || word == "light";
  if (word == "dark") s.theme = Theme::dark;
  read(json, "text_size", word);
  const auto size = std::ranges::find(text_sizes, word);
  if (size != std::end(text_sizes)) s.text_size = static_cast<TextSize>(size - std::begin(text_sizes));
  return s;
}

Json as_json(const Settings& s) {
  Json json = {{"text_size", of_kind(text_sizes, s.text_size)}};
  if (s.own_theme) json["theme"] = s.theme == Theme::dark ? "dark" : "light";
  for_each_field(s, [&](const char* name, const auto& value) { json[name] = value; });
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
  const std::string stamp = ".damaged-" + local_time(std::time(nullptr), "%Y%m%d-%H%M%S");
  const fs::path file(path);
  std::error_code error;
  for (int i = 0; i < 100; ++i) {
    const std::string number = i == 0 ? "" : "-" + std::to_string(i);
    // With its own ending it can be opened like any other.
    const fs::path name =
        file.parent_path() / (file.stem().string() + stamp + number + file.extension().string());
    if (fs::exists(name, error)) continue;
    fs::rename(path, name, error);
    return error ? std::string() : name.string();
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
