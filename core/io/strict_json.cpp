#include "core/io/strict_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

/// Follows the parser to know in which field it is, and refuses what JSON allows and no file of ours has.
class Watch {
 public:
  explicit Watch(const std::string& source) : source_(source) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    constexpr int max_depth = 32;
    if (depth > max_depth) throw input_error("{}: nested more than {} levels deep", source_, max_depth);
    const auto level = static_cast<std::size_t>(depth);
    if (event == Json::parse_event_t::object_start) keys_.resize(level + 1);
    if (event == Json::parse_event_t::object_start && !keys_.empty()) keys_.back().clear();
    if (event == Json::parse_event_t::key) enter(level, parsed.get_ref<const std::string&>());
    return true;
  }

  /// "field view.title" or "" before the first.
  std::string field() const {
    std::string name;
    for (const std::string& part : path_)
      if (!part.empty()) name += (name.empty() ? "" : ".") + part;
    return name;
  }

 private:
  void enter(std::size_t depth, const std::string& key) {
    path_.resize(depth);
    path_.back() = key.substr(0, 60);
    keys_.resize(depth);
    if (!keys_.back().insert(key).second) throw input_error("{}: field {} is given twice", source_, field());
  }

  const std::string& source_;
  std::vector<std::string> path_;            // the last key at each depth
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

Error not_json(std::string_view text, const std::string& source, const std::string& field, std::size_t byte) {
  const std::string place = field.empty() ? source : source + ": " + field;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return input_error("{}: empty; expected JSON", source);
  if (byte > text.size()) return input_error("{}: the file is cut short; expected more JSON", place);
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const std::size_t line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t column =
      before.size() - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) + 1;
  return input_error("{}: not JSON at line {}, column {}", place, line, column);
}

}  // namespace

Json parse_json(std::string_view text, const std::string& source) {
  if (const std::size_t byte = find_invalid_utf8(text); byte != std::string_view::npos)
    throw input_error("{}: byte {} is not valid UTF-8", source, byte);
  Watch watch(source);
  try {
    return Json::parse(text, [&](int depth, Json::parse_event_t event, const Json& parsed) {
      return watch(depth, event, parsed);
    });
  } catch (const Json::parse_error& error) {
    throw not_json(text, source, watch.field(), error.byte);
  } catch (const Json::exception&) {
    throw input_error("{}: {}: the number is beyond 1.8e308", source, watch.field());
  }
}

std::string shown(const Json& value) {
  if (value.is_array() && value.size() > 8) return "[…]";
  if (value.is_object()) return "{…}";
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

}  // namespace headscope
