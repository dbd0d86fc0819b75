#include <fmt/ranges.h>

#include <charconv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/analysis/arithmetic_stages.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/figure/boards/streaming_board.h"
#include "core/inputs/head_places.h"
#include "core/io/file.h"
#include "core/io/strict_json.h"
#include "core/io/weight_formats.h"
#include "core/model/built_in_models.h"
#include "core/scene/head_table.h"
#include "core/scene/view_names.h"
#include "core/session/session.h"
#include "core/session/session_fields.h"

namespace headscope {
namespace {

using Json = nlohmann::json;

/// Reads the fields of one JSON object into the visited members; a field not visited is unknown.
class Reader {
 public:
  /// `path` is the object's location in the file, "" or "bookmarks[2].".
  Reader(const Json& object, std::string source, std::string path, Budget& budget)
      : object_(object), source_(std::move(source)), path_(std::move(path)), budget_(budget) {}

  template <typename Value, typename... Limit>
  void operator()(const char* name, Value& value, Limit... limits) {
    known_.insert(name);
    const auto found = object_.find(name);
    if (found != object_.end()) read(*found, path_ + name, value, limits...);
  }
  void know(const char* name) { known_.insert(name); }

  void refuse_unknown() const {
    for (const auto& [name, value] : object_.items())
      if (!known_.contains(name))
        throw input_error("{}: {} is not a field of a session of version {}", source_,
                          path_ + cut_off(name, 60), session_version);
  }

 private:
  // The errors end in what was expected.
  template <typename... Args>
  Error wrong(const char* text, const std::string& field, const Json& json, const Args&... expected) const {
    return input_error(text, source_, field, shown(json), expected...);
  }

  void read(const Json& json, const std::string& field, std::string& value) const {
    if (!json.is_string()) throw wrong("{}: {} is {}; expected a string", field, json);
    value = json.get<std::string>();
    if (field == path_ + "sort" && !is_head_order(value))
      throw wrong("{}: {} is {}; expected \"\", \"name\", \"similarity\" or a column of the table of heads",
                  field, json);
    if ((field == path_ + "scatter_x" || field == path_ + "scatter_y") && find_head_column(value) == nullptr)
      throw wrong("{}: {} is {}; expected a column of the table of heads", field, json);
    if (field == path_ + "stage" && !value.empty() && !is_stage(value))
      throw wrong("{}: {} is {}; expected one of: {}", field, json,
                  fmt::format("{}", fmt::join(stage_names(), ", ")));
  }
  void read(const Json& json, const std::string& field, bool& value) const {
    if (!json.is_boolean()) throw wrong("{}: {} is {}; expected true or false", field, json);
    value = json.get<bool>();
  }
  void read(const Json& json, const std::string& field, int& value, int minimum, int maximum) const {
    const auto number = integer_in(json, minimum, maximum);
    if (!number)
      throw wrong("{}: {} is {}; expected a whole number from {} to {}", field, json, minimum, maximum);
    value = static_cast<int>(*number);
  }
  void read(const Json& json, const std::string& field, std::uint64_t& value) const {
    if (!json.is_number_unsigned())
      throw wrong("{}: {} is {}; expected a whole number from {} to {}", field, json, 0, UINT64_MAX);
    value = json.get<std::uint64_t>();
  }
  void read(const Json& json, const std::string& field, double& value, double minimum, double maximum) const {
    if (!json.is_number() || !(json.get<double>() >= minimum && json.get<double>() <= maximum))
      throw wrong("{}: {} is {}; expected a number from {} to {}", field, json, minimum, maximum);
    value = json.get<double>();
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void read(const Json& json, const std::string& field, Enum& value) const {
    const auto known = json.is_string() ? from_name<Enum>(json.get_ref<const std::string&>()) : std::nullopt;
    if (!known) throw wrong("{}: {} is {}; expected one of: {}", field, json, all_names<Enum>());
    value = *known;
  }
  template <typename Value, typename... Limit>
  void read(const Json& json, const std::string& field, std::optional<Value>& value, Limit... limits) const {
    value.reset();
    if (!json.is_null()) read(json, field, value.emplace(), limits...);
  }
  void read(const Json& json, const std::string& field, std::optional<unsigned>& value) const {
    value.reset();
    if (json.is_null()) return;
    const std::string text = json.is_string() ? json.get<std::string>() : "";
    unsigned color = 0;
    const char* end = text.data() + text.size();
    const bool right =
        text.size() == 7 && text[0] == '#' && std::from_chars(text.data() + 1, end, color, 16).ptr == end;
    if (!right) throw wrong("{}: {} is {}; expected a colour such as \"#1f77b4\"", field, json);
    value = color;
  }
  template <typename Value, typename... Limit>
  void read(const Json& json, const std::string& field, std::vector<Value>& values, Limit... limits) const {
    values.clear();
    for_each(json, field, [&](const Json& entry, const std::string& place) {
      budget_.charge(2, sizeof(Value));
      read(entry, place, values.emplace_back(), limits...);
    });
  }
  // A matrix, row by row; its rows may be nested lists.
  void read(const Json& json, const std::string& field, std::vector<double>& values, double minimum,
            double maximum) const {
    values.clear();
    for_each(json, field, [&](const Json& entry, const std::string& place) {
      if (!entry.is_array() || entry.empty())
        return read(entry, place, values.emplace_back(), minimum, maximum);
      if (entry.size() != json[0].size() || !json[0].is_array())
        throw wrong("{}: {} is {}; expected a list as long as the first", place, entry);
      for_each(entry, place, [&](const Json& number, const std::string& at) {
        read(number, at, values.emplace_back(), minimum, maximum);
      });
    });
  }
  void read(const Json& json, const std::string& field, std::set<int>& values, int maximum) const {
    values.clear();
    for_each(json, field, [&](const Json& entry, const std::string& place) {
      budget_.charge(1, 64);
      int value = 0;
      read(entry, place, value, 0, maximum);
      values.insert(value);
    });
  }
  void read(const Json& json, const std::string& field, std::set<HeadPlace>& places) const {
    if (!json.is_string()) throw wrong("{}: {} is {}; expected a string", field, json);
    try {
      places = parse_head_places(json.get_ref<const std::string&>());
    } catch (const Error& error) {
      throw error.at(source_ + ": " + field);
    }
    budget_.charge(places.size(), sizeof(HeadPlace));
  }
  void read(const Json& json, const std::string& field, TokenRange& range) const {
    if (!json.is_array() || json.size() != 2)
      throw wrong("{}: {} is {}; expected [begin, end] with 0 ≤ begin < end", field, json);
    read(json[0], field + "[0]", range.begin, 0, Limits::max_tokens - 1);
    read(json[1], field + "[1]", range.end, range.begin + 1, Limits::max_tokens);
  }
  void read(const Json& json, const std::string& field, ColorLimits& limits) const {
    const bool two = json.is_array() && json.size() == 2 && json[0].is_number() && json[1].is_number();
    if (two) limits = {json[0].get<double>(), json[1].get<double>()};
    if (!two || !limits.valid())
      throw wrong("{}: {} is {}; expected [low, high] with {} ≤ low < high ≤ {}", field, json,
                  -ColorLimits::maximum, ColorLimits::maximum);
  }

  void read(const Json& json, const std::string& field, std::vector<MaskPart>& parts) const {
    parts.clear();
    if (json.is_string()) return read_part(json, field, parts);
    for_each(json, field, [&](const Json& entry, const std::string& place) {
      budget_.charge(2, sizeof(MaskPart));
      read_part(entry, place, parts);
    });
  }
  void read_part(const Json& json, const std::string& field, std::vector<MaskPart>& parts) const {
    if (!json.is_string() && !(json.is_object() && json.contains("spec")))
      throw wrong("{}: {} is {}; expected a string such as \"causal\" or {\"spec\": …, \"on\": …}", field,
                  json);
    std::string spec;
    bool on = true;
    if (json.is_string())
      spec = json.get<std::string>();
    else
      read_object(json, field, [&](Reader& reader) {
        reader("spec", spec);
        reader("on", on);
      });
    if (spec.empty() || spec == "none") return;
    try {
      parts.push_back(parse_mask_part(spec, budget_));
    } catch (const OverBudget&) {
      throw;
    } catch (const Error& error) {
      throw error.at(source_ + ": " + field);
    }
    parts.back().on = on;
  }

  void read(const Json& json, const std::string& field, TypedMatrices& value) const {
    read_object(json, field, [&](Reader& reader) { visit_typed(reader, value); });
  }
  void read(const Json& json, const std::string& field, Inputs& value) const {
    read_object(json, field, [&](Reader& reader) { reader.read_inputs(value); });
    check(value, field);
  }
  void read(const Json& json, const std::string& field, Filter& value) const {
    read_object(json, field, [&](Reader& reader) { visit_filter(reader, value); });
    if (!(value.top_percent > 0))
      throw wrong("{}: {} is {}; expected a number above {}, at most {}", field + ".top_percent",
                  json["top_percent"], 0, 100);
  }
  void read(const Json& json, const std::string& field, Zoom& value) const {
    read_object(json, field, [&](Reader& reader) { visit_zoom(reader, value); });
  }
  void read(const Json& json, const std::string& field, View& value) const {
    read_object(json, field, [&](Reader& reader) { visit_view(reader, value); });
  }
  void read(const Json& json, const std::string& field, Cell& value) const {
    read_object(json, field, [&](Reader& reader) { visit_cell(reader, value); });
  }
  void read(const Json& json, const std::string& field, Bookmark& value) const {
    read_object(json, field, [&](Reader& reader) { visit_bookmark(reader, value); });
  }
  /// As fingerprint_of() writes it.
  static bool is_fingerprint(const std::string& text) {
    return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  }
  /// Fingerprints of weights, by the models' folders.
  void read(const Json& json, const std::string& field, std::map<std::string, std::string>& values) const {
    if (!json.is_object()) throw wrong("{}: {} is {}; expected an object", field, json);
    values.clear();
    for (const auto& [name, value] : json.items()) {
      budget_.charge(2, 128);
      const std::string place = field + "[\"" + cut_off(name, 60) + "\"]";
      read(value, place, values[name]);
      if (!is_fingerprint(values[name]))
        throw wrong("{}: {} is {}; expected {} hexadecimal digits", place, value, 16);
    }
  }
  void read(const Json& json, const std::string& field, HeadLabel& value) const {
    read_object(json, field, [&](Reader& reader) { visit_label(reader, value); });
  }

  // A typed X is used unless `inputs` says otherwise.
  void read_inputs(Inputs& inputs) {
    visit_inputs(*this, inputs);
    if (!inputs.typed.x.empty() && !object_.contains("inputs")) inputs.vectors = VectorKind::typed;
  }

  template <typename Read>
  void read_object(const Json& json, const std::string& field, const Read& read_fields) const {
    if (!json.is_object()) throw wrong("{}: {} is {}; expected an object", field, json);
    Reader reader(json, source_, field + ".", budget_);
    read_fields(reader);
    reader.refuse_unknown();
  }
  template <typename Use>
  void for_each(const Json& json, const std::string& field, const Use& use) const {
    if (!json.is_array()) throw wrong("{}: {} is {}; expected a list", field, json);
    for (std::size_t i = 0; i < json.size(); ++i) use(json[i], fmt::format("{}[{}]", field, i));
  }
  void check(const Inputs& inputs, const std::string& field) const {
    try {
      validate(inputs);
    } catch (const Error& error) {
      throw error.at(field.empty() ? source_ : source_ + ": " + field);
    }
  }

  friend Session read_session(const Json& json, const std::string& source, Budget& budget);
  friend std::vector<double> read_matrix(const Json& json, const std::string& source, Budget& budget);

  const Json& object_;
  std::string source_, path_;
  Budget& budget_;
  std::set<std::string> known_;
};

Session read_session(const Json& json, const std::string& source, Budget& budget) {
  if (!json.is_object()) throw input_error("{}: {}; expected a session object", source, shown(json));
  const auto version = json.find("version");
  if (version == json.end()) throw input_error("{}: not a session: the field version is missing", source);
  if (*version != session_version)
    throw input_error("{}: version is {}; expected {}", source, shown(*version), session_version);
  Session session;
  Reader reader(json, source, "", budget);
  reader.know("version");
  reader.read_inputs(session.inputs);
  visit_session(reader, session);
  reader.refuse_unknown();
  reader.check(session.inputs, "");
  return session;
}

TypedMatrices read_typed(const Json& json, const std::string& source, Budget& budget) {
  TypedMatrices typed;
  if (!json.is_object()) throw input_error("{}: {}; expected an object", source, shown(json));
  Reader reader(json, source, "", budget);
  visit_typed(reader, typed);
  reader.refuse_unknown();
  return typed;
}

std::vector<double> read_matrix(const Json& json, const std::string& source, Budget& budget) {
  std::vector<double> matrix;
  const Json none = Json::object();
  Reader(none, source, "", budget).read(json, "", matrix, -Limits::max_typed_value, Limits::max_typed_value);
  return matrix;
}

namespace fs = std::filesystem;

// By its file name alone if both were moved together.
std::optional<fs::path> find_beside(const fs::path& folder, const fs::path& named) {
  std::error_code error;
  for (const fs::path& beside : {folder / named, folder / named.filename()})
    if (fs::exists(beside, error)) return beside;
  return {};
}

void find_files(Inputs& inputs, const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  for (MaskPart& part : inputs.mask)
    if (part.kind == MaskKind::file && !fs::exists(part.path, error))
      part.path = find_beside(folder, part.path).value_or(part.path).string();
  for (std::string* source : {&inputs.model, &inputs.capture}) {
    if (source->empty() || is_built_in(*source)) continue;
    fs::path named = *source;
    if (named.is_relative() || !fs::exists(named, error))
      named = find_beside(folder, named).value_or(folder / named);
    const fs::path whole = fs::absolute(named, error);
    *source = error ? named.string() : whole.lexically_normal().string();
  }
}

void make_relative(Inputs& inputs, const std::string& path) {
  for (std::string* source : {&inputs.model, &inputs.capture}) {
    if (source->empty() || is_built_in(*source)) continue;
    std::error_code error, other;
    const fs::path named = fs::absolute(*source, error).lexically_normal();
    const fs::path folder = fs::absolute(path, other).lexically_normal().parent_path();
    if (error || other) return;
    const fs::path way = named.lexically_relative(folder);
    const bool near = !way.empty() && !way.string().starts_with("../..");
    *source = (near ? way : named).string();
    if (is_built_in(*source)) *source = "./" + *source;  // a folder of the same name
  }
}

/// Calls use(inputs) for each in a session.
template <typename Use>
void for_each_inputs(Session& session, const Use& use) {
  use(session.inputs);
  if (session.compare) use(*session.compare);
  for (Bookmark& bookmark : session.bookmarks) {
    use(bookmark.inputs);
    if (bookmark.compare) use(*bookmark.compare);
  }
}

/// The same for a `use` that changes model names.
template <typename Use>
void change_models(Session& session, const Use& use) {
  const std::map<std::string, std::string> before = std::exchange(session.model_weights, {});
  for_each_inputs(session, [&](Inputs& inputs) {
    const auto known = before.find(inputs.model);
    use(inputs);
    if (known != before.end()) session.model_weights[inputs.model] = known->second;
  });
}

}  // namespace

Session session_from_json(std::string_view json, const std::string& source) {
  Budget budget(source, json.size());
  return session_from_json(json, source, budget);
}

Session session_from_json(std::string_view json, const std::string& source, Budget& budget) {
  return read_session(parse_json(json, source, budget), source, budget);
}

std::vector<double> matrix_from_json(std::string_view json, const std::string& source) {
  Budget budget(source, json.size());
  return read_matrix(parse_json(json, source, budget), source, budget);
}

TypedMatrices typed_from_json(std::string_view json, const std::string& source) {
  Budget budget(source, json.size());
  return read_typed(parse_json(json, source, budget), source, budget);
}

void find_files(Session& session, const std::string& path) {
  change_models(session, [&](Inputs& inputs) { find_files(inputs, path); });
}

Session with_relative_paths(Session session, const std::string& path) {
  change_models(session, [&](Inputs& inputs) { make_relative(inputs, path); });
  return session;
}

std::map<std::string, std::string> weights_of(const Session& session,
                                              const std::map<std::string, std::string>& known) {
  std::map<std::string, std::string> weights;
  Session named = session;
  for_each_inputs(named, [&](const Inputs& inputs) {
    const auto found = known.find(inputs.model);
    if (inputs.trained() && found != known.end()) weights.insert(*found);
  });
  return weights;
}

Session load_session(const std::string& path) {
  constexpr std::size_t largest = std::size_t{256} << 20;
  const auto begins_like_json = [](std::string_view start) {
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos || start[first] == '{';
  };
  const std::string text = read_file(path, largest, begins_like_json);
  if (const std::optional<Error> other = why_not_opened(path); other && !begins_like_json(text))
    throw Error(*other);
  Session session = session_from_json(text, path);
  find_files(session, path);
  return session;
}

}  // namespace headscope
