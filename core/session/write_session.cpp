#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/base/error.h"
#include "core/inputs/head_places.h"
#include "core/io/file.h"
#include "core/io/plain_file.h"
#include "core/scene/view_names.h"
#include "core/session/session.h"
#include "core/session/session_fields.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

/// Writes every visited field into an object.
class Writer {
 public:
  template <typename Value, typename... Limit>
  void operator()(const char* name, const Value& value, Limit...) {
    json_[name] = to_value(value);
  }
  void operator()(const char* name, const std::map<std::string, std::string>& values) {
    if (!values.empty()) json_[name] = values;
  }
  void operator()(const char* name, const std::optional<Cell>& cell) {
    if (cell) json_[name] = object([](auto& visit, auto& v) { visit_cell(visit, v); }, *cell);
  }
  Json take() { return std::move(json_); }

  /// On one line, serialized one by one: thousands of bookmarks in one JSON tree would take many times the
  /// memory.
  static std::string line_of(const std::vector<Bookmark>& bookmarks) {
    std::string line = "[";
    for (const Bookmark& bookmark : bookmarks)
      line += (line.size() > 1 ? "," : "") + to_value(bookmark).dump();
    return line + "]";
  }

 private:
  template <typename Visit, typename Value>
  static Json object(Visit visit_fields, const Value& value) {
    Writer writer;
    visit_fields(writer, value);
    return writer.take();
  }

  template <typename Value>
  static Json to_value(const Value& value) {
    if constexpr (std::is_enum_v<Value>)
      return to_name(value);
    else
      return value;
  }
  template <typename Value>
  static Json to_value(const std::optional<Value>& value) {
    return value ? to_value(*value) : Json(nullptr);
  }
  template <typename Value>
  static Json to_value(const std::vector<Value>& values) {
    Json list = Json::array();
    for (const Value& value : values) list.push_back(to_value(value));
    return list;
  }
  static Json to_value(const std::optional<unsigned>& color) {
    return color ? Json(fmt::format("#{:06x}", *color & 0xFFFFFFU)) : Json(nullptr);
  }
  static Json to_value(const MaskPart& part) {
    if (part.on) return to_string(part);
    return {{"spec", to_string(part)}, {"on", false}};
  }
  static Json to_value(const std::set<HeadPlace>& places) { return to_string(places); }
  static Json to_value(const TokenRange& range) { return Json::array({range.begin, range.end}); }
  static Json to_value(const ColorLimits& limits) { return Json::array({limits.low, limits.high}); }
  static Json to_value(const TypedMatrices& value) {
    return object([](auto& visit, auto& v) { visit_typed(visit, v); }, value);
  }
  static Json to_value(const Inputs& value) {
    return object([](auto& visit, auto& v) { visit_inputs(visit, v); }, value);
  }
  static Json to_value(const Filter& value) {
    return object([](auto& visit, auto& v) { visit_filter(visit, v); }, value);
  }
  static Json to_value(const Zoom& value) {
    return object([](auto& visit, auto& v) { visit_zoom(visit, v); }, value);
  }
  static Json to_value(const View& value) {
    return object([](auto& visit, auto& v) { visit_view(visit, v); }, value);
  }
  static Json to_value(const Bookmark& value) {
    return object([](auto& visit, auto& v) { visit_bookmark(visit, v); }, value);
  }
  static Json to_value(const HeadLabel& value) {
    return object([](auto& visit, auto& v) { visit_label(visit, v); }, value);
  }

  Json json_ = Json::object();
};

}  // namespace

bool shows_b(const Session& session) {
  const View& view = session.view;
  return session.compare && (view.kind == ViewKind::compare || (view.kind == ViewKind::model && view.of_b));
}

std::string to_json(const Session& session, bool indent) try {
  Writer writer;
  writer("version", session_version);
  visit_inputs(writer, session.inputs);
  if (indent) {
    visit_session(writer, session);
    return writer.take().dump(2) + "\n";
  }
  const auto all_but_bookmarks = [&](const char* name, const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const std::vector<Bookmark>&>)
      writer(name, std::vector<Bookmark>());
    else
      writer(name, value);
  };
  visit_session(all_but_bookmarks, session);
  std::string line = writer.take().dump();
  // No text contains these characters: its quotes are escaped.
  constexpr std::string_view none = R"("bookmarks":[])";
  line.replace(line.find(none) + none.size() - 2, 2, Writer::line_of(session.bookmarks));
  return line;
} catch (const Json::type_error&) {
  throw input_error("the session holds text that is not valid UTF-8");
}

std::string session_json(const Inputs& inputs) {
  Session session;
  session.inputs = inputs;
  return to_json(session, false);
}

void save_session(const std::string& path, const Session& session) {
  expect_plain_file_target(path);
  write_file(path, to_json(with_relative_paths(session, path)));
}

}  // namespace headscope
