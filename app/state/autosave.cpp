#include "app/state/autosave.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/file.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
constexpr std::string_view prefix = "autosave-", suffix = ".json";

/// The process in "autosave-123.json"; 0 for other names.
int process_of(const std::string& name) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return 0;
  int process = 0;
  const char* end = name.data() + name.size() - suffix.size();
  const auto [at, failed] = std::from_chars(name.data() + prefix.size(), end, process);
  return failed == std::errc() && at == end ? process : 0;
}

/// Whether a process is one of ours: numbers of processes come again.
bool is_headscope(int process) {
  if (kill(process, 0) != 0 && errno == ESRCH) return false;
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error);
  const fs::path theirs = fs::read_symlink("/proc/" + std::to_string(process) + "/exe", error);
  return error || own.filename() == theirs.filename();
}

}  // namespace

std::string autosave_path(const std::string& folder) {
  return folder + "/" + std::string(prefix) + std::to_string(getpid()) + std::string(suffix);
}

void write_autosave(const std::string& path, const Autosave& autosave) {
  const Json json = {{"path", autosave.path}, {"session", Json::parse(to_json(autosave.session, false))}};
  // A killed program is what it is for; frames must not wait for a busy disk.
  write_file(path, json.dump(-1, ' ', false, Json::error_handler_t::replace), Durability::process);
}

Autosave read_autosave(const std::string& path) {
  try {
    const Json json = Json::parse(read_file(path));
    return {session_from_json(json.at("session").dump(), path), json.at("path").get<std::string>()};
  } catch (const Json::exception&) {
    throw input_error("{} is not a recovery file", path);
  }
}

std::string orphaned_autosave(const std::string& folder) {
  std::string newest;
  fs::file_time_type newest_time;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const int process = process_of(entry.path().filename().string());
    if (process <= 0 || process == getpid() || is_headscope(process)) continue;
    const auto time = entry.last_write_time(error);
    if (error || (!newest.empty() && time <= newest_time)) continue;
    newest = entry.path().string();
    newest_time = time;
  }
  return newest;
}

}  // namespace headscope
