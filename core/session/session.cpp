#include "core/session/session.h"

#include <fmt/ranges.h>

#include <charconv>
#include <climits>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

#include "core/analysis/arithmetic_stages.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/figure/boards/steps_page.h"
#include "core/inputs/fields.h"
#include "core/inputs/head_places.h"
#include "core/io/file.h"
#include "core/io/json_field.h"
#include "core/io/strict_json.h"
#include "core/io/weight_formats.h"
#include "core/model/weights/built_in_models.h"
#include "core/scene/head_table.h"
#include "core/scene/mark.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

void expect_head_order(const JsonField& field) {
  if (find_head_sort(field.text()) == nullptr)
    throw field.wrong(
        "{}: {} is {}; expected \"\", \"name\", \"similarity\" or a column of the table of heads");
}

void expect_head_column(const JsonField& field) {
  if (find_head_column(field.text()) == nullptr)
    throw field.wrong("{}: {} is {}; expected a column of the table of heads");
}

void expect_stage(const JsonField& field) {
  if (!field.text().empty() && !is_stage(field.text()))
    throw field.wrong("{}: {} is {}; expected one of: {}", fmt::format("{}", fmt::join(stage_names(), ", ")));
}

void expect_mark_text(const JsonField& field) {
  if (fitting_mark_text(field.text()) != field.text())
    throw field.wrong("{}: {} is {}; expected at most {} characters", Mark::max_text);
}

// Every field of a session file, once for writing and reading: each function calls `visit` with the name in
// the file, the member and its limits: of a number both ends, of a text what checks it.

template <typename Value, typename Plain>
concept Is = std::same_as<std::remove_const_t<Value>, Plain>;

template <typename Visit, Is<TypedMatrices> Typed>
void visit_fields(Visit& visit, Typed& typed) {
  constexpr double largest = Limits::max_typed_value;
  visit("w_q", typed.w_q, -largest, largest);
  visit("w_k", typed.w_k, -largest, largest);
  visit("w_v", typed.w_v, -largest, largest);
  visit("w_o", typed.w_o, -largest, largest);
  visit("order", typed.order);
  visit("x", typed.x, -largest, largest);
  visit("key_x", typed.key_x, -largest, largest);
}

template <typename Visit, Is<Inputs> InputsRef>
void visit_fields(Visit& visit, InputsRef& inputs) {
  for_each_input(inputs, [&](const InputField& field, auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (has_limits<Value>)
      visit(field.name, value, static_cast<Value>(field.minimum), static_cast<Value>(field.maximum));
    else if constexpr (std::is_same_v<Value, std::set<int>>)
      visit(field.name, value, static_cast<int>(field.maximum));
    else
      visit(field.name, value);
  });
}

template <typename Visit, Is<Filter> FilterRef>
void visit_fields(Visit& visit, FilterRef& filter) {
  visit("top_percent", filter.top_percent, 0.0, 100.0);
  visit("threshold", filter.threshold, 0.0, 1.0);
  visit("hidden_queries", filter.hidden_queries, Limits::max_tokens - 1);
  visit("hidden_keys", filter.hidden_keys, Limits::max_tokens - 1);
  visit("renormalize", filter.renormalize);
  visit("queries", filter.queries);
  visit("keys", filter.keys);
}

template <typename Visit, Is<Zoom> ZoomRef>
void visit_fields(Visit& visit, ZoomRef& zoom) {
  visit("query", zoom.query, 0.0, static_cast<double>(Limits::max_tokens));
  visit("key", zoom.key, 0.0, static_cast<double>(Limits::max_tokens));
  visit("factor", zoom.factor, 1.0, static_cast<double>(Limits::max_tokens));
}

template <typename Visit, Is<HeldRange> HeldRef>
void visit_fields(Visit& visit, HeldRef& held) {
  visit("map", held.map);
  visit("block", held.block);
  visit("layer", held.layer, 0, Limits::max_view_layers - 1);
  visit("head", held.head, 0, Limits::max_view_heads - 1);
  visit("limits", held.limits);
  if constexpr (std::is_const_v<HeldRef>)
    if (held.rows.empty()) return;
  visit("rows", held.rows, 0.0, ColorLimits::maximum);
}

template <typename Visit, Is<View> ViewRef>
void visit_fields(Visit& visit, ViewRef& view) {
  visit("kind", view.kind);
  visit("block", view.block);
  visit("layer", view.layer, 0, Limits::max_view_layers - 1);
  visit("head", view.head, 0, Limits::max_view_heads - 1);
  visit("zoom", view.zoom);
  visit("colormap", view.colormap);
  visit("range", view.range.kind);
  visit("limits", view.range.limits);
  visit("held_ranges", view.range.held);
  visit("ignore_first_token", view.range.ignore_first_token);
  visit("cells", view.cells);
  visit("rollout", view.rollout.of);
  visit("rollout_residual", view.rollout.residual);
  visit("numbers", view.numbers);
  visit("rows", view.rows, 0, Limits::max_view_heads);
  visit("columns", view.columns, 0, Limits::max_view_heads);
  visit("title", view.title);
  visit("show_title", view.show_title);
  visit("theme", view.theme);
  visit("filter", view.filter);
  visit("sort", view.sort.by, expect_head_order);
  visit("sort_descending", view.sort.descending);
  visit("means", view.means);
  visit("groups", view.table.groups, 1, Limits::max_groups);
  visit("hidden_heads", view.hidden_heads, Limits::max_view_heads - 1);
  visit("table", view.table.half);
  visit("scatter_x", view.table.scatter_x, expect_head_column);
  visit("scatter_y", view.table.scatter_y, expect_head_column);
  visit("scatter_color", view.table.scatter_color);
  visit("token", view.predictions.token);
  visit("against", view.predictions.against);
  visit("position", view.predictions.position, 0, Limits::max_tokens - 1);
  visit("change", view.causes.change);
  visit("places", view.causes.places);
  visit("noise", view.causes.noise);
  visit("composition", view.circuits.composition);
  visit("circuit_part", view.circuits.part);
  visit("circuit_token", view.circuits.token);
  visit("center_logits", view.circuits.center_logits);
  visit("distance", view.circuits.distance, 0, Limits::max_tokens - 1);
  visit("page", view.steps.page);
  visit("stage", view.steps.stage, expect_stage);
  visit("words", view.words);
  visit("of_b", view.of_b);
}

template <typename Visit, Is<Bookmark> BookmarkRef>
void visit_fields(Visit& visit, BookmarkRef& bookmark) {
  visit("name", bookmark.name);
  visit("inputs", bookmark.inputs);
  visit("view", bookmark.view);
  visit("compare", bookmark.compare);
  visit("cell", bookmark.cell);
}

template <typename Visit, Is<LessonAnswer> AnswerRef>
void visit_fields(Visit& visit, AnswerRef& answer) {
  constexpr double largest = 1e300;
  visit("lesson", answer.lesson);
  visit("step", answer.step, 0, max_lesson_steps - 1);
  visit("question", answer.question, 0, max_lesson_steps - 1);
  visit("choices", answer.choices, max_choices - 1);
  visit("number", answer.number, -largest, largest);
  visit("state", answer.state);
  visit("tries", answer.tries, 1, max_tries);
}

template <typename Visit, Is<Cell> CellRef>
void visit_fields(Visit& visit, CellRef& cell) {
  visit("head", cell.head, 0, Limits::max_view_heads - 1);
  visit("query", cell.query, 0, Limits::max_tokens - 1);
  visit("key", cell.key, 0, Limits::max_tokens - 1);
}

template <typename Visit, Is<HeadLabel> HeadLabelRef>
void visit_fields(Visit& visit, HeadLabelRef& label) {
  visit("layer", label.layer, 0, Limits::max_view_layers - 1);
  visit("head", label.head, 0, Limits::max_view_heads - 1);
  visit("name", label.name);
  visit("color", label.color);
  visit("moved", label.moved);
}

template <typename Visit, Is<Mark> MarkRef>
void visit_fields(Visit& visit, MarkRef& mark) {
  visit("kind", mark.kind);
  visit("queries", mark.queries);
  visit("keys", mark.keys);
  visit("layer", mark.layer, 0, Limits::max_view_layers - 1);
  visit("head", mark.head, 0, Limits::max_view_heads - 1);
  visit("text", mark.text, expect_mark_text);
  visit("place", mark.place);
}

/// All but `version` and the inputs.
template <typename Visit, Is<Session> SessionRef>
void visit_fields(Visit& visit, SessionRef& session) {
  visit("view", session.view);
  visit("compare", session.compare);
  visit("bookmarks", session.bookmarks);
  visit("labels", session.labels);
  visit("marks", session.marks);
  visit("answers", session.answers);
  visit("model_weights", session.model_weights);
}

template <typename Value>
concept HasFields = requires(int visit, Value& value) {
  visit_fields(visit, value);
};

/// Reads the fields of one JSON object into the visited members; a field not visited is unknown.
class SessionReader {
 public:
  SessionReader(JsonField object, Budget& budget) : object_(std::move(object)), budget_(budget) {}

  template <typename Value, typename... Limit>
  void operator()(const char* name, Value& value, Limit... limits) {
    known_.insert(name);
    if (object_.json().contains(name)) read(object_.member(name), value, limits...);
  }
  void know(const char* name) { known_.insert(name); }

  void refuse_unknown() const {
    for (const auto& [name, value] : object_.json().items())
      if (!known_.contains(name))
        throw input_error("{}: {} is not a field of a session of version {}", object_.file(),
                          (object_.path().empty() ? "" : object_.path() + ".") + cut_off(name, 60),
                          session_version);
  }

  template <HasFields Value>
  void read(const JsonField& field, Value& value) const {
    field.expect_object();
    SessionReader reader(field, budget_);
    visit_fields(reader, value);
    reader.refuse_unknown();
    check(field, value);
  }

  void read(const JsonField& field, std::string& value) const { value = field.text(); }
  void read(const JsonField& field, std::string& value, void (*expect)(const JsonField&)) const {
    value = field.text();
    expect(field);
  }
  void read(const JsonField& field, bool& value) const { value = field.flag(); }
  void read(const JsonField& field, int& value, int minimum, int maximum) const {
    value = static_cast<int>(field.integer(minimum, maximum));
  }
  void read(const JsonField& field, std::uint64_t& value) const {
    if (!field.json().is_number_unsigned())
      throw field.wrong("{}: {} is {}; expected a whole number from {} to {}", 0, UINT64_MAX);
    value = field.json().get<std::uint64_t>();
  }
  void read(const JsonField& field, double& value, double minimum, double maximum) const {
    value = field.number(minimum, maximum);
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void read(const JsonField& field, Enum& value) const {
    const auto known = field.is_text() ? from_name<Enum>(field.text()) : std::nullopt;
    if (!known) throw field.wrong("{}: {} is {}; expected one of: {}", all_names<Enum>());
    value = *known;
  }
  template <typename Value, typename... Limit>
  void read(const JsonField& field, std::optional<Value>& value, Limit... limits) const {
    value.reset();
    if (!field.is_null()) read(field, value.emplace(), limits...);
  }
  void read(const JsonField& field, std::optional<unsigned>& value) const {
    value.reset();
    if (field.is_null()) return;
    const std::string text = field.is_text() ? field.text() : "";
    unsigned color = 0;
    const char* end = text.data() + text.size();
    const bool right =
        text.size() == 7 && text[0] == '#' && std::from_chars(text.data() + 1, end, color, 16).ptr == end;
    if (!right) throw field.wrong("{}: {} is {}; expected a colour such as \"#1f77b4\"");
    value = color;
  }
  template <typename Value, typename... Limit>
  void read(const JsonField& field, std::vector<Value>& values, Limit... limits) const {
    values.clear();
    for (std::size_t i = 0; i < field.items(); ++i) {
      budget_.charge(2, sizeof(Value));
      read(field.item(i), values.emplace_back(), limits...);
    }
  }
  void read(const JsonField& field, std::vector<Mark>& marks) const {
    if (field.items() > Mark::max_marks)
      throw input_error("{}: {} has {} marks; expected at most {}", field.file(), field.path(), field.items(),
                        Mark::max_marks);
    marks.clear();
    for (std::size_t i = 0; i < field.items(); ++i) {
      budget_.charge(2, sizeof(Mark));
      read(field.item(i), marks.emplace_back());
    }
  }
  void read(const JsonField& field, std::vector<LessonAnswer>& answers) const {
    std::set<std::tuple<std::string, int, int>> answered;
    answers.clear();
    for (std::size_t i = 0; i < field.items(); ++i) {
      budget_.charge(2, sizeof(LessonAnswer));
      LessonAnswer& answer = answers.emplace_back();
      read(field.item(i), answer);
      if (!answered.emplace(answer.lesson, answer.step, answer.question).second)
        throw input_error("{}: {} answers a question that another one answers; expected one answer to each",
                          field.file(), field.item(i).path());
    }
  }
  // A matrix, row by row; its rows may be nested lists.
  void read(const JsonField& field, std::vector<double>& values, double minimum, double maximum) const {
    values.clear();
    for (std::size_t i = 0; i < field.items(); ++i) {
      const JsonField row = field.item(i);
      if (!row.is_list() || row.items() == 0) {
        read(row, values.emplace_back(), minimum, maximum);
        continue;
      }
      if (!field.item(0).is_list() || row.items() != field.item(0).items())
        throw row.wrong("{}: {} is {}; expected a list as long as the first");
      for (std::size_t j = 0; j < row.items(); ++j)
        read(row.item(j), values.emplace_back(), minimum, maximum);
    }
  }
  void read(const JsonField& field, std::set<int>& values, int maximum) const {
    values.clear();
    for (std::size_t i = 0; i < field.items(); ++i) {
      budget_.charge(1, 64);
      values.insert(static_cast<int>(field.item(i).integer(0, maximum)));
    }
  }
  void read(const JsonField& field, std::set<HeadPlace>& places) const {
    const std::string& text = field.text();
    try {
      places = parse_head_places(text);
    } catch (const Error& error) {
      throw error.at(field.place());
    }
    budget_.charge(places.size(), sizeof(HeadPlace));
  }
  void read(const JsonField& field, LabelPlace& place) const {
    constexpr double farthest = LabelPlace::farthest;
    if (!field.is_list() || field.items() != 2)
      throw field.wrong("{}: {} is {}; expected [x, y], in shares of the map");
    read(field.item(0), place.x, -farthest, farthest);
    read(field.item(1), place.y, -farthest, farthest);
  }
  void read(const JsonField& field, TokenRange& range) const {
    if (!field.is_list() || field.items() != 2)
      throw field.wrong("{}: {} is {}; expected [begin, end] with 0 ≤ begin < end");
    read(field.item(0), range.begin, 0, Limits::max_tokens - 1);
    read(field.item(1), range.end, range.begin + 1, Limits::max_tokens);
  }
  void read(const JsonField& field, ColorLimits& limits) const {
    const Json& json = field.json();
    const bool two = json.is_array() && json.size() == 2 && json[0].is_number() && json[1].is_number();
    if (two) limits = {json[0].get<double>(), json[1].get<double>()};
    if (!two || !limits.valid())
      throw field.wrong("{}: {} is {}; expected [low, high] with {} ≤ low < high ≤ {}", -ColorLimits::maximum,
                        ColorLimits::maximum);
  }
  /// Fingerprints of weights, as fingerprint_of() writes them, by the models' folders.
  void read(const JsonField& field, std::map<std::string, std::string>& values) const {
    constexpr std::size_t digits = 16;
    field.expect_object();
    values.clear();
    for (const auto& [name, value] : field.json().items()) {
      budget_.charge(2, 128);
      const JsonField one(value, field.file(), field.path() + "[\"" + cut_off(name, 60) + "\"]");
      const std::string& text = values[name] = one.text();
      if (text.size() != digits || text.find_first_not_of("0123456789abcdef") != std::string::npos)
        throw one.wrong("{}: {} is {}; expected {} hexadecimal digits", digits);
    }
  }
  void read(const JsonField& field, std::vector<MaskPart>& parts) const {
    parts.clear();
    if (field.is_text()) return read_part(field, parts);
    for (std::size_t i = 0; i < field.items(); ++i) {
      budget_.charge(2, sizeof(MaskPart));
      read_part(field.item(i), parts);
    }
  }

  template <typename Value>
  void check(const JsonField&, const Value&) const {}
  void check(const JsonField& field, const Filter& filter) const {
    if (!(filter.top_percent > 0)) static_cast<void>(field.member("top_percent").positive(100));
  }
  void check(const JsonField& field, Inputs& inputs) const {
    // A typed X is used unless `inputs` says otherwise.
    if (!inputs.typed.x.empty() && !field.json().contains("inputs")) inputs.vectors = VectorKind::typed;
    try {
      validate(inputs);
    } catch (const Error& error) {
      throw error.at(field.place());
    }
  }

 private:
  void read_part(const JsonField& field, std::vector<MaskPart>& parts) const {
    if (!field.is_text() && !(field.is_object() && field.json().contains("spec")))
      throw field.wrong("{}: {} is {}; expected a string such as \"causal\" or {\"spec\": …, \"on\": …}");
    std::string spec;
    bool on = true;
    if (field.is_text()) {
      spec = field.text();
    } else {
      SessionReader reader(field, budget_);
      reader("spec", spec);
      reader("on", on);
      reader.refuse_unknown();
    }
    if (spec.empty() || spec == "none") return;
    try {
      parts.push_back(parse_mask_part(spec, budget_));
    } catch (const OverBudget&) {
      throw;
    } catch (const Error& error) {
      throw error.at(field.place());
    }
    parts.back().on = on;
  }

  JsonField object_;
  Budget& budget_;
  std::set<std::string> known_;
};

/// A file that a window keeps in case it is killed has its session in a field, beside what else it keeps.
const Json& session_in(const Json& json) {
  const auto kept = json.is_object() && !json.contains("version") ? json.find("session") : json.end();
  return kept == json.end() ? json : *kept;
}

Session read_session(const Json& whole, const std::string& source, Budget& budget) {
  const Json& json = session_in(whole);
  if (!json.is_object()) throw input_error("{}: {}; expected a session object", source, shown(json));
  const auto version = json.find("version");
  if (version == json.end()) throw input_error("{}: not a session: the field version is missing", source);
  if (*version != session_version)
    throw input_error("{}: version is {}; expected {}", source, shown(*version), session_version);
  Session session;
  const JsonField top(json, source);
  SessionReader reader(top, budget);
  reader.know("version");
  visit_fields(reader, session.inputs);
  visit_fields(reader, session);
  reader.refuse_unknown();
  reader.check(top, session.inputs);
  return session;
}

/// Writes every visited field into an object.
class SessionWriter {
 public:
  template <typename Value, typename... Limit>
  void operator()(const char* name, const Value& value, Limit...) {
    json_[name] = to_value(value);
  }
  void operator()(const char* name, const std::map<std::string, std::string>& values) {
    if (!values.empty()) json_[name] = values;
  }
  template <typename Value>
  requires std::same_as<Value, Mark> || std::same_as<Value, HeldRange> || std::same_as<Value, LessonAnswer>
  void operator()(const char* name, const std::vector<Value>& values) {
    if (!values.empty()) json_[name] = to_value(values);
  }
  void operator()(const char* name, const std::optional<Cell>& cell) {
    if (cell) json_[name] = to_value(*cell);
  }
  void operator()(const char* name, const std::optional<LabelPlace>& place) {
    if (place) json_[name] = OrderedJson::array({place->x, place->y});
  }
  OrderedJson take() { return std::move(json_); }

  /// On one line, serialized one by one: thousands of bookmarks in one JSON tree would take many times the
  /// memory.
  static std::string line_of(const std::vector<Bookmark>& bookmarks) {
    std::string line = "[";
    for (const Bookmark& bookmark : bookmarks)
      line += (line.size() > 1 ? "," : "") + to_value(bookmark).dump();
    return line + "]";
  }

 private:
  template <typename Value>
  static OrderedJson to_value(const Value& value) {
    if constexpr (HasFields<const Value>) {
      SessionWriter writer;
      visit_fields(writer, value);
      return writer.take();
    } else if constexpr (std::is_enum_v<Value>) {
      return to_name(value);
    } else {
      return value;
    }
  }
  template <typename Value>
  static OrderedJson to_value(const std::optional<Value>& value) {
    return value ? to_value(*value) : OrderedJson(nullptr);
  }
  template <typename Value>
  static OrderedJson to_value(const std::vector<Value>& values) {
    OrderedJson list = OrderedJson::array();
    for (const Value& value : values) list.push_back(to_value(value));
    return list;
  }
  static OrderedJson to_value(const std::optional<unsigned>& color) {
    return color ? OrderedJson(fmt::format("#{:06x}", *color & 0xFFFFFFU)) : OrderedJson(nullptr);
  }
  static OrderedJson to_value(const MaskPart& part) {
    if (part.on) return to_string(part);
    return {{"spec", to_string(part)}, {"on", false}};
  }
  static OrderedJson to_value(const std::set<HeadPlace>& places) { return to_string(places); }
  static OrderedJson to_value(const TokenRange& range) {
    return OrderedJson::array({range.begin, range.end});
  }
  static OrderedJson to_value(const ColorLimits& limits) {
    return OrderedJson::array({limits.low, limits.high});
  }

  OrderedJson json_ = OrderedJson::object();
};

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
  for (std::string* source : {&inputs.model, &inputs.capture, &inputs.picture, &inputs.features}) {
    if (source->empty() || is_built_in(*source) || is_file_of_built_in(*source)) continue;
    fs::path named = *source;
    if (named.is_relative() || !fs::exists(named, error))
      named = find_beside(folder, named).value_or(folder / named);
    const fs::path whole = fs::absolute(named, error);
    *source = error ? named.string() : whole.lexically_normal().string();
  }
}

void make_relative(Inputs& inputs, const std::string& path) {
  for (std::string* source : {&inputs.model, &inputs.capture, &inputs.picture, &inputs.features}) {
    if (source->empty() || is_built_in(*source) || is_file_of_built_in(*source)) continue;
    std::error_code error, other;
    const fs::path named = fs::absolute(*source, error).lexically_normal();
    const fs::path folder = fs::absolute(path, other).lexically_normal().parent_path();
    if (error || other) return;
    const fs::path way = named.lexically_relative(folder);
    const bool near = !way.empty() && !way.string().starts_with("../..");
    *source = (near ? way : named).string();
    // A folder of the same name.
    if (is_built_in(*source) || is_file_of_built_in(*source)) *source = "./" + *source;
  }
}

/// for_each_inputs() with a `use` that changes model names.
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

void rename_sources(DocumentState& document, const std::map<std::string, std::string>& found) {
  for_each_inputs(document, [&](Inputs& inputs) {
    for (std::string* source : {&inputs.model, &inputs.capture})
      if (const auto named = found.find(*source); named != found.end()) *source = named->second;
  });
}

bool shows_b(const Session& session) {
  const View& view = session.view;
  return session.compare && (view.row().compares || asks_b(view) || (view.row().whole && view.of_b));
}

std::string to_json(const Session& session, bool indent) try {
  SessionWriter writer;
  writer("version", session_version);
  visit_fields(writer, session.inputs);
  if (indent) {
    visit_fields(writer, session);
    return writer.take().dump(2) + "\n";
  }
  const auto all_but_bookmarks = [&](const char* name, const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const std::vector<Bookmark>&>)
      writer(name, std::vector<Bookmark>());
    else
      writer(name, value);
  };
  visit_fields(all_but_bookmarks, session);
  std::string line = writer.take().dump();
  // No text contains these characters: its quotes are escaped.
  constexpr std::string_view none = R"("bookmarks":[])";
  line.replace(line.find(none) + none.size() - 2, 2, SessionWriter::line_of(session.bookmarks));
  return line;
} catch (const OrderedJson::type_error&) {
  throw input_error("the session holds text that is not valid UTF-8");
}

std::string session_json(const Inputs& inputs) {
  Session session;
  session.inputs = inputs;
  return to_json(session, false);
}

Session session_from_json(std::string_view json, const std::string& source) {
  Budget budget(source, json.size());
  return session_from_json(json, source, budget);
}

Session session_from_json(std::string_view json, const std::string& source, Budget& budget) {
  return read_session(parse_json(json, source, budget), source, budget);
}

std::vector<double> matrix_from_json(std::string_view json, const std::string& source) {
  Budget budget(source, json.size());
  const Json parsed = parse_json(json, source, budget);
  const JsonField field(parsed, source);
  std::vector<double> matrix;
  SessionReader(field, budget).read(field, matrix, -Limits::max_typed_value, Limits::max_typed_value);
  return matrix;
}

TypedMatrices typed_from_json(std::string_view json, const std::string& source) {
  Budget budget(source, json.size());
  const Json parsed = parse_json(json, source, budget);
  const JsonField field(parsed, source);
  TypedMatrices typed;
  SessionReader(field, budget).read(field, typed);
  return typed;
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
  for_each_inputs(session, [&](const Inputs& inputs) {
    const auto found = known.find(inputs.model);
    if (found != known.end()) weights.insert(*found);
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

void save_session(const std::string& path, const Session& session) {
  expect_plain_file_target(path);
  write_file(path, to_json(with_relative_paths(session, path)));
}

}  // namespace headscope
