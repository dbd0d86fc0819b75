#include "app/state/document/autosave.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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
  const bool set_aside = name.find(".damaged-") != std::string::npos;
  if (!name.starts_with(prefix) || !name.ends_with(suffix) || set_aside) return {};
  return path.substr(0, path.size() - suffix.size());
}

constexpr std::pair<const char*, int Cell::*> cell_fields[] = {
    {"head", &Cell::head}, {"query", &Cell::query}, {"key", &Cell::key}};

Json to_json(const Cell& cell) {
  Json json;
  for (const auto& [name, member] : cell_fields) json[name] = cell.*member;
  return json;
}

int place_from(const Json& json) {
  return static_cast<int>(integer_in(json, 0, INT_MAX).value_or(0));
}

Cell cell_from(const Json& json) {
  Cell cell;
  for (const auto& [name, member] : cell_fields) cell.*member = place_from(json.at(name));
  return cell;
}

/// Reads the lesson if possible: an unreadable one must not lose the session.
std::optional<PlayedLesson> lesson_from(const Json& json, const std::string& path) try {
  PlayedLesson lesson{json.at("path").get<std::string>(), place_from(json.at("step")),
                      json.at("located").get<std::map<std::string, std::string>>()};
  if (const auto free = json.find("free"); free != json.end())
    lesson.free = session_from_json(free->dump(), path);
  if (const auto lock = json.find("lock"); lock != json.end()) lesson.lock = cell_from(*lock);
  return lesson;
} catch (const std::exception&) {
  return {};
}

std::optional<Cell> lock_from(const Json& json) try {
  return cell_from(json);
} catch (const std::exception&) {
  return {};
}

}  // namespace

std::string text_of(const Autosave& autosave, const std::function<std::string(const Session&)>& json_of) {
  Json json{{"path", autosave.path}, {"session", Json::parse(json_of(autosave.session))}};
  if (autosave.lock) json["lock"] = to_json(*autosave.lock);
  if (const std::optional<PlayedLesson>& lesson = autosave.lesson) {
    Json& played = json["lesson"];
    played = {{"path", lesson->path}, {"step", lesson->step}, {"located", lesson->located}};
    if (lesson->free) played["free"] = Json::parse(json_of(*lesson->free));
    if (lesson->lock) played["lock"] = to_json(*lesson->lock);
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Autosave autosave_from_json(std::string_view text, const std::string& path) {
  const Json json = parse_json(text, path);
  if (json.is_object() && json.contains("version")) {
    Autosave plain{session_from_json(json.dump(), path), ""};
    find_files(plain.session, path);
    return plain;
  }
  const auto session = json.find("session"), file = json.find("path");
  if (!json.is_object() || session == json.end() || file == json.end() || !file->is_string())
    throw input_error("{} is not a recovery file", path);
  const auto lesson = json.find("lesson"), lock = json.find("lock");
  return {session_from_json(session->dump(), path), file->get<std::string>(),
          lesson == json.end() ? std::nullopt : lesson_from(*lesson, path),
          lock == json.end() ? std::nullopt : lock_from(*lock)};
}

std::optional<AutosaveFile> AutosaveFile::adopt(const std::string& folder, const std::string& path) {
  std::optional<AutosaveFile> file = make(folder);
  std::error_code error;
  if (file) fs::rename(path, file->path(), error);
  if (error) return {};
  return file;
}

std::optional<AutosaveFile> AutosaveFile::make(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  const auto time = std::chrono::system_clock::now().time_since_epoch() / std::chrono::microseconds(1);
  const std::string mine = fmt::format("{}/{}{}-{}", folder, prefix, process_id(), time);
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
  expect_plain_file_target(path_);
  // Autosaves guard against a killed program; frames must not wait for a busy disk.
  write_file(path_,
             text_of(autosave, [](const Session& session) { return headscope::to_json(session, false); }),
             Durability::process);
}

Autosave AutosaveFile::read() const {
  constexpr std::size_t largest = std::size_t{1} << 30;
  return autosave_from_json(read_plain_file(path_, largest), path_);
}

void AutosaveFile::remove() {
  std::error_code error;
  fs::remove(path_, error);
}

void AutosaveFile::touch() {
  std::error_code error;
  fs::last_write_time(path_, fs::file_time_type::clock::now(), error);
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
    if (const auto mark = FileLock::take(entry->path().string())) take_over(mark->text());
  }
  path_ = folder + "/" + mark_prefix + std::to_string(process_id());
  write();
}

StartMark::~StartMark() {
  // Otherwise no file is to blame: a display may be missing.
  if (lock_ && !(opened_.empty() && ended_by_.empty())) lock_->leave();
}

void StartMark::take_over(const std::string& text) try {
  const Json mark = Json::parse(text);
  for (const auto& [file, times] : mark.at("ended_by").items())
    ended_by_[file] =
        std::max(ended_by_[file], static_cast<int>(integer_in(times, 1, INT_MAX / 2).value_or(1)));
  if (mark.contains("opened")) ++ended_by_[mark["opened"].get<std::string>()];
} catch (const std::exception&) {
  // Empty: it opened nothing. Otherwise cut short.
}

int StartMark::times(const std::string& file) const {
  const auto found = ended_by_.find(file);
  return found == ended_by_.end() ? 0 : found->second;
}

bool StartMark::is_suspect(const std::string& file) const {
  constexpr int too_often = 2;
  return times(file) >= too_often;
}

void StartMark::opens(const std::string& file) {
  opened_.push_back(file);
  write();
}

void StartMark::leaves() {
  opened_.pop_back();
  write();
}

void StartMark::settle() {
  for (const std::string& file : opened_) ended_by_.erase(file);
  opened_.clear();
  write();
}

void StartMark::forget(const std::string& file) {
  ended_by_.erase(file);
  write();
}

void StartMark::rename(const std::string& from, const std::string& to) {
  if (auto known = ended_by_.extract(from)) {
    known.key() = to;
    ended_by_.insert(std::move(known));
  }
  write();
}

void StartMark::write() {
  if (path_.empty()) return;
  if (opened_.empty() && ended_by_.empty()) return lock_.reset();
  if (!lock_) lock_ = FileLock::take(path_);
  Json mark{{"ended_by", ended_by_}};
  if (!opened_.empty()) mark["opened"] = opened_.back();
  if (lock_) lock_->set_text(mark.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace headscope
