#include "core/teach/lesson_state.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/analysis/arithmetic_stages.h"
#include "core/base/utf8.h"
#include "core/figure/boards/shape_strip.h"
#include "core/figure/boards/steps_page.h"
#include "core/inputs/fields.h"
#include "core/io/strict_json.h"

namespace headscope {
namespace {

using Json = nlohmann::json;

constexpr auto all_places = [] {
  constexpr std::array usual{"tokens", "map", "row", "column", "inspector", "shapes"};
  std::array<const char*, usual.size() + shape_marks.size()> all{};
  std::ranges::copy(shape_marks, std::ranges::copy(usual, all.begin()).out);
  return all;
}();

bool is_input(std::string_view name) {
  return std::ranges::any_of(input_fields(), [&](const InputField& field) { return field.name == name; });
}

/// The line, from 0, of the field that an error message about a state refers to: that of the last of its
/// fields that the message names.
int line_of(std::string_view json, const std::string& complaint) {
  std::size_t found = 0, word = 0;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  for (std::size_t i = 0; i <= complaint.size(); ++i) {
    if (i < complaint.size() && letter(complaint[i])) continue;
    if (const std::string name = complaint.substr(word, i - word); name.size() > 1)
      if (const std::size_t at = json.find('"' + name + '"'); at != std::string_view::npos)
        found = std::max(found, at);
    word = i + 1;
    // The expected values after it name other fields.
    if (i < complaint.size() && complaint[i] == ';') break;
  }
  return static_cast<int>(std::ranges::count(json.substr(0, found), '\n'));
}

}  // namespace

std::span<const char* const> highlight_places() {
  return all_places;
}

struct LessonStates::State {
  Json inputs = Json::object();  // and labels: the top-level fields of a session
  Json view = Json::object();
  Json compare;    // null, or what differs in B
  int repeat = 1;  // how often the sentence is repeated
  std::optional<Cell> cell;
  int component = 0;
  Session session;        // built from these
  std::size_t bytes = 0;  // text size of these
  bool failed = false;    // something that these build on could not be read

  void take(const Json& given, LessonStep& step, Budget& budget);

 private:
  void take_repeat(const Json& given);
  void take_cell(const Json& given);
  static void take_stages(const Json& given, LessonStep& step);
  static void take_highlight(const Json& given, LessonStep& step);
};

void LessonStates::State::take_repeat(const Json& given) {
  if (const auto found = given.find("repeat"); found != given.end()) {
    const auto times = integer_in(*found, 1, Limits::max_tokens);
    if (!times)
      throw input_error("repeat is {}; expected a whole number from {} to {}", shown(*found), 1,
                        Limits::max_tokens);
    repeat = static_cast<int>(*times);
  } else if (given.contains("sentence")) {
    repeat = 1;
  }
  const auto sentence = inputs.find("sentence");
  if (repeat == 1 || sentence == inputs.end() || !sentence->is_string()) return;
  const std::size_t length = (sentence->get_ref<const std::string&>().size() + 1) * repeat;
  if (length > Limits::max_sentence_bytes)
    throw input_error("repeat is {}, which makes a sentence of {} bytes; expected at most {} bytes", repeat,
                      length, Limits::max_sentence_bytes);
}

void LessonStates::State::take_cell(const Json& given) {
  if (given.is_null()) {
    component = 0;
    return cell.reset();
  }
  if (!given.is_object())
    throw input_error(
        "cell is {}; expected an object such as {\"head\": 0, \"query\": 2, \"key\": 1}, or null",
        shown(given));
  Cell next = cell.value_or(Cell{session.view.head.value_or(0), 0, 0});
  int next_component = component;
  const std::array<std::pair<const char*, int*>, 4> fields{
      {{"head", &next.head}, {"query", &next.query}, {"key", &next.key}, {"component", &next_component}}};
  for (const auto& [name, value] : given.items()) {
    const auto field =
        std::ranges::find(fields, name, [](const auto& one) { return std::string_view(one.first); });
    if (field == fields.end())
      throw input_error("cell.{} is not a field of a cell; expected head, query, key and component",
                        cut_off(printable(name), 40));
    const auto place = integer_in(value, 0, Limits::max_tokens - 1);
    if (!place)
      throw input_error("cell.{} is {}; expected a whole number from {} to {}", name, shown(value), 0,
                        Limits::max_tokens - 1);
    *field->second = static_cast<int>(*place);
  }
  if (!cell && !(given.contains("query") && given.contains("key")))
    throw input_error("cell has no query or no key; expected both");
  cell = next;
  component = next_component;
}

void LessonStates::State::take_highlight(const Json& given, LessonStep& step) {
  if (!given.is_array()) throw input_error("highlight is {}; expected a list of names", shown(given));
  std::string known;
  for (const char* place : all_places) known += std::string(known.empty() ? "" : ", ") + place;
  for (const Json& name : given) {
    if (!name.is_string() || !(is_input(name.get_ref<const std::string&>()) ||
                               std::ranges::find(all_places, name.get<std::string>()) != all_places.end()))
      throw input_error("highlight has {}; expected a field of the inputs or one of: {}", shown(name), known);
    step.highlight.push_back(name.get<std::string>());
  }
}

void LessonStates::State::take_stages(const Json& given, LessonStep& step) {
  if (!given.is_array()) throw input_error("stages is {}; expected a list of names", shown(given));
  for (const Json& name : given) {
    if (!name.is_string() || !is_stage(name.get_ref<const std::string&>()))
      throw input_error("stages has {}; expected one of: {}", shown(name),
                        fmt::format("{}", fmt::join(stage_names(), ", ")));
    step.stages.push_back(name.get<std::string>());
  }
}

void LessonStates::State::take(const Json& given, LessonStep& step, Budget& budget) {
  if (!given.is_object()) throw input_error("the state is {}; expected an object", shown(given));
  const auto flag = [&](const char* name) {
    const auto found = given.find(name);
    if (found == given.end()) return false;
    if (!found->is_boolean()) throw input_error("{} is {}; expected true or false", name, shown(*found));
    return found->get<bool>();
  };
  if (flag("reset")) *this = {};
  step.hold = flag("hold");
  for (const auto& [name, value] : given.items()) {
    if (name == "reset" || name == "hold" || name == "cell" || name == "highlight" || name == "repeat" ||
        name == "stages")
      continue;
    if (name == "view") {
      if (!value.is_object()) throw input_error("view is {}; expected an object", shown(value));
      view.update(value);
    } else if (name == "compare") {
      if (!value.is_object() && !value.is_null())
        throw input_error("compare is {}; expected an object of inputs that differ in B, or null",
                          shown(value));
      compare = value;
    } else if (is_input(name) || name == "labels" || name == "version") {
      inputs[name] = value;
    } else {
      throw input_error(
          "{} is not a field of a state; expected one of a session, or cell, highlight, hold, repeat, reset, "
          "stages",
          cut_off(printable(name), 60));
    }
  }
  take_repeat(given);
  Json whole = inputs;
  if (const auto sentence = whole.find("sentence");
      repeat > 1 && sentence != whole.end() && sentence->is_string()) {
    const std::string once = sentence->get<std::string>();
    std::string text;
    for (int i = 0; i < repeat; ++i) text += (i == 0 ? "" : " ") + once;
    *sentence = text;
  }
  if (!compare.is_null()) {
    Json b = whole;
    b.erase("labels");
    b.erase("version");
    b.update(compare);
    whole["compare"] = std::move(b);
  }
  whole["version"] = inputs.value("version", Json(session_version));
  whole["view"] = view;
  const std::string text = whole.dump();
  bytes = text.size();
  session = session_from_json(text, "state", budget);
  if (const auto found = given.find("cell"); found != given.end()) take_cell(*found);
  if (const auto found = given.find("highlight"); found != given.end()) take_highlight(*found, step);
  if (const auto found = given.find("stages"); found != given.end()) take_stages(*found, step);
}

LessonStates::LessonStates(Budget& budget) : budget_(budget), state_(std::make_unique<State>()) {}
LessonStates::~LessonStates() = default;

void LessonStates::read(std::string_view json, int first_line, LessonStep& step,
                        std::vector<LessonMistake>& mistakes) {
  budget_.charge(4, state_->bytes + json.size());
  State next = *state_;
  state_->failed = true;
  try {
    next.take(parse_json(json, "state", budget_), step, budget_);
    *state_ = std::move(next);
  } catch (const OverBudget&) {
    throw;
  } catch (const Error& error) {
    // "not JSON at line {}, column {}" has its own line numbers.
    if (error.text().ends_with("not JSON at line {}, column {}")) {
      int line = 1;
      const std::string& reported = error.arguments()[error.arguments().size() - 2];
      std::from_chars(reported.data(), reported.data() + reported.size(), line);
      mistakes.push_back({first_line + line - 1,
                          input_error("the state is not JSON at column {}; expected an object such as "
                                      "{\"temperature\": 2}",
                                      error.arguments().back())});
    } else if (error.text().ends_with("the file is cut short; expected more JSON")) {
      mistakes.push_back(
          {first_line,
           input_error("the state is cut short; expected an object such as {\"temperature\": 2}")});
    } else {
      mistakes.push_back({first_line + line_of(json, error.what()), error});
    }
  }
}

std::optional<Session> LessonStates::aside(std::string_view json, int first_line,
                                           std::vector<LessonMistake>& mistakes) {
  State held = *state_;
  LessonStep nowhere;
  const std::size_t before = mistakes.size();
  read(json, first_line, nowhere, mistakes);
  Session session = std::exchange(*state_, std::move(held)).session;
  return mistakes.size() == before ? std::optional(std::move(session)) : std::nullopt;
}

std::vector<Session> LessonStates::several(std::string_view json, int first_line,
                                           std::vector<LessonMistake>& mistakes) {
  constexpr std::size_t maximum = 20;
  std::vector<std::string> states{std::string(json)};
  const bool readable = guarded(mistakes, first_line, [&] {
    const Json list = parse_json(json, "state", budget_);
    if (!list.is_array()) return;
    if (list.empty() || list.size() > maximum)
      throw input_error("there are {} states; expected {} to {}", list.size(), 1, maximum);
    states.clear();
    for (const Json& one : list) states.push_back(one.dump());
  });
  if (!readable) return {};
  std::vector<Session> sessions;
  for (const std::string& state : states) {
    std::optional<Session> session = aside(state, first_line, mistakes);
    if (!session) return {};
    sessions.push_back(std::move(*session));
  }
  return sessions;
}

void LessonStates::give(LessonStep& step) {
  budget_.charge(1, sizeof(LessonStep) + 2 * state_->bytes);
  step.session = state_->session;
  step.cell = state_->cell;
  step.component = state_->component;
  step.state_failed = state_->failed;
}

}  // namespace headscope
