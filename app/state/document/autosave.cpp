#include "app/state/document/autosave.h"

#include <algorithm>
#include <climits>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/io/strict_json.h"
#include "core/system/process.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
constexpr std::string_view prefix = "autosave-", suffix = ".json";

/// "folder/autosave-1" from "folder/autosave-1.json"; no value for other names.
std::optional<std::string> base_of(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return {};
  return path.substr(0, path.size() - suffix.size());
}

constexpr std::pair<const char*, int Cell::*> cell_fields[] = {
    {"head", &Cell::head}, {"query", &Cell::query}, {"key", &Cell::key}};

Json to_json(const PlayedLesson& lesson) {
  Json json{{"path", lesson.path}, {"step", lesson.step}, {"located", lesson.located}};
  if (lesson.free) json["free"] = Json::parse(headscope::to_json(*lesson.free, false));
  if (!lesson.lock) return json;
  for (const auto& [name, member] : cell_fields) json["lock"][name] = (*lesson.lock).*member;
  return json;
}

/// Reads the lesson if possible: an unreadable one must not lose the session.
std::optional<PlayedLesson> lesson_from(const Json& json, const std::string& path) try {
  const auto place = [](const Json& value) {
    return static_cast<int>(integer_in(value, 0, INT_MAX).value_or(0));
  };
  PlayedLesson lesson{json.at("path").get<std::string>(), place(json.at("step")),
                      json.at("located").get<std::map<std::string, std::string>>()};
  if (const auto free = json.find("free"); free != json.end())
    lesson.free = session_from_json(free->dump(), path);
  if (const auto lock = json.find("lock"); lock != json.end()) {
    lesson.lock.emplace();
    for (const auto& [name, member] : cell_fields) (*lesson.lock).*member = place(lock->at(name));
  }
  return lesson;
} catch (const std::exception&) {
  return {};
}

Autosave parse(const std::string& path) {
  constexpr std::size_t largest = std::size_t{1} << 30;
  const Json json = parse_json(read_plain_file(path, largest), path);
  const auto session = json.find("session"), file = json.find("path");
  if (!json.is_object() || session == json.end() || file == json.end() || !file->is_string())
    throw input_error("{} is not a recovery file", path);
  const auto lesson = json.find("lesson");
  return {session_from_json(session->dump(), path), file->get<std::string>(),
          lesson == json.end() ? std::nullopt : lesson_from(*lesson, path)};
}

}  // namespace

std::optional<AutosaveFile> AutosaveFile::make(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string mine = folder + "/" + std::string(prefix) + std::to_string(process_id());
  constexpr int max_names = 100;
  for (int i = 1; i <= max_names; ++i) {
    const std::string base = i == 1 ? mine : mine + "-" + std::to_string(i);
    const std::string path = base + std::string(suffix);
    // Process ids are reused: an existing file was left by another process.
    if (fs::exists(fs::symlink_status(path, error))) continue;
    if (auto lock = FileLock::take(base + ".lock")) return AutosaveFile(std::move(*lock), path);
  }
  return {};
}

std::vector<std::string> AutosaveFile::list(const std::string& folder) {
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    const auto time = entry->last_write_time(unknown);
    if (base_of(entry->path().string())) found.emplace_back(time, entry->path().string());
  }
  std::ranges::sort(found, std::greater{});
  std::vector<std::string> paths;
  for (auto& [time, path] : found) paths.push_back(std::move(path));
  return paths;
}

std::optional<AutosaveFile> AutosaveFile::claim(const std::string& path) {
  const auto base = base_of(path);
  auto lock = base ? FileLock::take(*base + ".lock") : std::nullopt;
  std::error_code error;
  // The previous owner may have removed it.
  if (!lock || !fs::exists(path, error)) return {};
  return AutosaveFile(std::move(*lock), path);
}

void AutosaveFile::write(const Autosave& autosave) {
  Json json;
  json["path"] = autosave.path;
  json["session"] = Json::parse(headscope::to_json(autosave.session, false));
  if (autosave.lesson) json["lesson"] = to_json(*autosave.lesson);
  expect_plain_file_target(path_);
  // Autosaves guard against a killed program; frames must not wait for a busy disk.
  write_file(path_, json.dump(-1, ' ', false, Json::error_handler_t::replace), Durability::process);
}

Autosave AutosaveFile::read() const {
  return parse(path_);
}

void AutosaveFile::remove() {
  std::error_code error;
  fs::remove(path_, error);
}

void AutosaveFile::move_to(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string to = folder + "/" + fs::path(path_).filename().string();
  auto lock = FileLock::take(*base_of(to) + ".lock");
  if (!lock) throw unable_error("{}: cannot be written", to);
  fs::rename(path_, to, error);
  if (error) throw unable_error("{}: {}", to, error.message());
  lock_ = std::move(*lock);
  path_ = to;
}

namespace {

constexpr const char* mark_prefix = "start-";

}  // namespace

StartMark::StartMark(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(mark_prefix)) continue;
    // No lock: another window is just starting.
    if (const auto mark = FileLock::take(entry->path().string())) ended_by_.insert(mark->text());
  }
  ended_by_.erase("");  // it opened nothing
  lock_ = FileLock::take(folder + "/" + mark_prefix + std::to_string(process_id()));
}

StartMark::~StartMark() {
  if (lock_ && !opened_.empty()) lock_->leave();  // otherwise no file is to blame: a display may be missing
}

void StartMark::opens(const std::string& file) {
  opened_ = file;
  if (lock_) lock_->set_text(file);
}

}  // namespace headscope
