#include "core/io/strict_json.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

using Json = nlohmann::json;

/// Tracks the parser's current field, and rejects what JSON allows but no file of ours contains.
class Watch : public Json::json_sax_t {
 public:
  /// Finding which name is duplicated costs as much as everything else: only with `finds_twice`.
  Watch(std::string_view text, const std::string& source, Budget& budget, bool finds_twice)
      : text_(text), source_(source), budget_(budget), finds_twice_(finds_twice) {}

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool string(string_t& text) override {
    budget_.charge(copies, text.size());
    return value();
  }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    constexpr std::size_t key_bytes = 192;  // here and in the document
    budget_.charge(1, key_bytes);
    budget_.charge(copies, name.size());
    levels_.back().key = cut_off(name, 60);
    levels_.back().hashes.push_back(std::hash<std::string>{}(name));
    if (finds_twice_ && !levels_.back().keys.insert(name).second)
      throw input_error("{}: field {} is given twice", source_, field());
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) override;

  /// Whether an object may have duplicate names.
  bool may_have_twice() const { return may_have_twice_; }

 private:
  struct Level {
    std::string key;
    std::set<std::string> keys;
    std::vector<std::size_t> hashes;  // of the keys
  };
  static constexpr std::size_t copies = 2;  // of a text: in the document and in the result

  bool value() {
    constexpr std::size_t value_bytes = 64;  // including its allocations
    budget_.charge(1, value_bytes);
    return true;
  }
  bool open() {
    constexpr std::size_t max_depth = 32;
    levels_.emplace_back();
    if (levels_.size() > max_depth)
      throw input_error("{}: nested more than {} levels deep", source_, max_depth);
    return value();
  }
  bool close() {
    auto& hashes = levels_.back().hashes;
    std::ranges::sort(hashes);
    may_have_twice_ = may_have_twice_ || std::ranges::adjacent_find(hashes) != hashes.end();
    levels_.pop_back();
    return true;
  }
  /// "view.title" or "" before the first.
  std::string field() const {
    std::string name;
    for (const Level& level : levels_)
      if (!level.key.empty()) name += (name.empty() ? "" : ".") + level.key;
    return name;
  }

  std::string_view text_;
  const std::string& source_;
  Budget& budget_;
  bool finds_twice_;
  bool may_have_twice_ = false;
  std::vector<Level> levels_;  // of the open lists and objects
};

std::string joined_place(const std::string& source, const std::string& field) {
  return field.empty() ? source : source + ": " + field;
}

Error not_json(std::string_view text, const std::string& source, const std::string& field, std::size_t byte) {
  const std::string place = joined_place(source, field);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return input_error("{}: empty; expected JSON", source);
  if (byte > text.size()) return input_error("{}: the file is cut short; expected more JSON", place);
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const std::size_t line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t column =
      before.size() - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) + 1;
  return input_error("{}: not JSON at line {}, column {}", place, line, column);
}

bool Watch::parse_error(std::size_t position, const std::string&, const Json::exception& error) {
  constexpr int out_of_range = 406;
  if (error.id == out_of_range)
    throw input_error("{}: the number is beyond 1.8e308", joined_place(source_, field()));
  throw not_json(text_, source_, field(), position);
}

}  // namespace

Json parse_json(std::string_view text, const std::string& source) {
  Budget budget(source, text.size());
  return parse_json(text, source, budget);
}

Json parse_json(std::string_view text, const std::string& source, Budget& budget) {
  if (const std::size_t byte = find_invalid_utf8(text); byte != std::string_view::npos)
    throw input_error("{}: byte {} is not valid UTF-8", source, byte);
  // The parser would stop there and ignore the rest.
  if (const std::size_t byte = text.find('\0'); byte != std::string_view::npos)
    throw input_error("{}: byte {} is NUL; expected JSON and nothing else", source, byte);
  // Two passes, to check and to build: the parser that does both at once rescans a list for every nested
  // list.
  Watch watch(text, source, budget, false);
  Json::sax_parse(text, &watch);
  if (watch.may_have_twice()) {
    Budget again(source, text.size());
    Watch finder(text, source, again, true);
    Json::sax_parse(text, &finder);
  }
  return Json::parse(text);
}

std::optional<std::int64_t> integer_in(const Json& value, std::int64_t minimum, std::int64_t maximum) {
  if (!value.is_number_integer()) return {};
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    return {};
  const auto number = value.get<std::int64_t>();
  return minimum <= number && number <= maximum ? std::optional(number) : std::nullopt;
}

std::string shown(const Json& value) {
  if (value.is_array() && value.size() > 8) return "[…]";
  if (value.is_object()) return "{…}";
  constexpr std::size_t longest = 60;
  const Json start = value.is_string() ? Json(cut_off(value.get_ref<const std::string&>(), longest)) : value;
  return cut_off(start.dump(-1, ' ', false, Json::error_handler_t::replace), longest);
}

}  // namespace headscope
