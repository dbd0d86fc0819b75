#include "core/teach/write_lesson.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/utf8.h"
#include "core/io/file.h"
#include "core/teach/lesson.h"

namespace headscope {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// The fields of `all` that differ from `usual`.
OrderedJson differing(const OrderedJson& all, const OrderedJson& usual) {
  OrderedJson fields = OrderedJson::object();
  for (const auto& [name, value] : all.items())
    if (!usual.contains(name) || usual[name] != value) fields[name] = value;
  return fields;
}

OrderedJson inputs_json(const Inputs& inputs) {
  OrderedJson json = OrderedJson::parse(session_json(inputs));
  json.erase("version");
  return json;
}

OrderedJson state_of(const Session& session, const std::optional<Cell>& cell, int component) {
  Session shown = session;
  shown.bookmarks.clear();
  shown.answers.clear();
  shown.model_weights.clear();  // its claims verify the numbers
  shown.compare.reset();
  shown.view.theme = View{}.theme;  // the reader's own
  const OrderedJson all = OrderedJson::parse(to_json(shown, false)),
                    usual = OrderedJson::parse(to_json(Session{}, false));
  OrderedJson state{{"reset", true}};
  state.update(differing(all, usual));
  if (state.contains("view")) state["view"] = differing(all["view"], usual["view"]);
  if (session.compare)
    state["compare"] = differing(inputs_json(*session.compare), inputs_json(session.inputs));
  if (cell) state["cell"] = {{"head", cell->head}, {"query", cell->query}, {"key", cell->key}};
  if (cell && component > 0) state["cell"]["component"] = component;
  return state;
}

/// One line per field, as a person would write it.
std::string block(const OrderedJson& state) {
  std::string text;
  for (const auto& [name, value] : state.items())
    text += (text.empty() ? "{" : ",\n ") + OrderedJson(name).dump() + ": " + value.dump();
  return "```state\n" + text + "}\n```\n";
}

std::string one_line(std::string_view title) {
  std::string line(title);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return line;
}

}  // namespace

std::string lesson_step(std::string_view title, const Session& session, const std::optional<Cell>& cell,
                        int component) {
  return "## " + one_line(title) + "\n\n" + block(state_of(session, cell, component)) +
         "\n### English\n\nWrite here what this step shows.\n\n### 中文\n\n在此写下这一步说明什么。\n";
}

std::string lesson_title(std::string_view name, std::string_view otherwise) {
  constexpr std::size_t longest = 400;
  const std::string line = cut_off(printable(without_noncharacters(one_line(name))), longest);
  if (line.find_first_not_of(' ') == std::string::npos) return std::string(otherwise);
  std::string title;
  for (const char c : line) title += c == '|' ? "\\|" : std::string(1, c);
  return title;
}

std::string lesson_head(std::string_view title) {
  return "# " + one_line(title) + "\n\n";
}

void write_lesson(const std::string& path, const std::string& text) {
  if (text.size() > max_lesson_bytes)
    throw input_error("{} would have {} bytes; expected at most {}", path, text.size(), max_lesson_bytes);
  const ReadLesson read = read_lesson(text, path);
  if (!read.mistakes.empty()) throw in_file(read.mistakes.front(), path);
  write_file(path, text);
}

void add_to_lesson(const std::string& path, std::string_view title, std::string_view step) {
  std::error_code error;
  std::string text;
  if (std::filesystem::exists(path, error)) text = read_plain_file(path, max_lesson_bytes);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) text = lesson_head(title);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  // A file that is not a lesson, such as another Markdown file, is left alone.
  write_lesson(path, text + "\n\n" + std::string(step));
}

}  // namespace headscope
