#include "core/session/export_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <type_traits>

#include "core/base/enum_table.h"
#include "core/base/error.h"
#include "core/base/shell_text.h"
#include "core/inputs/fields.h"
#include "core/inputs/head_places.h"
#include "core/io/file.h"

namespace headscope {
namespace {

std::string quoted(const std::string& text) {
  constexpr std::string_view plain = "_-./:=,+%@";
  const auto is_plain = [&](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
           plain.find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  return in_shell_quotes(text);
}

class OptionLine {
 public:
  void add(const std::string& option) { text_ += " " + option; }
  void add(const std::string& option, const std::string& value) { add(option + " " + quoted(value)); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

template <typename Value>
std::string number_text(Value value) {
  return fmt::format("{}", value);
}

/// Options for the fields of a seeded layer, each reset in what is left to be said.
class SaidInputs {
 public:
  SaidInputs(Inputs& left, OptionLine& line) : left_(left), line_(line) {}

  void say() {
    for_each_input(left_, [&](const InputField& field, auto& value) {
      const auto& usual =
          std::invoke(std::get<std::remove_cvref_t<decltype(value)> Inputs::*>(field.member), usual_);
      if (value == usual) return;
      std::string name = field.name;
      std::ranges::replace(name, '_', '-');
      if (say("--", name, value)) value = usual;
    });
  }

 private:
  bool say(const std::string& dashes, const std::string& name, const std::string& value) {
    // A source is opened by its session, which knows the weights it had.
    constexpr std::string_view sources[] = {"model", "capture", "picture", "features"};
    if (std::ranges::find(sources, name) != std::end(sources)) return false;
    line_.add(dashes + name, value);
    return true;
  }
  bool say(const std::string& dashes, const std::string& name, const std::optional<std::string>& value) {
    if (value) line_.add(dashes + name, *value);
    return value.has_value();
  }
  bool say(const std::string& dashes, const std::string& name, bool value) {
    line_.add(dashes + (value ? "" : "no-") + name);
    return true;
  }
  bool say(const std::string& dashes, const std::string& name, const std::vector<MaskPart>& parts) {
    constexpr std::size_t longest = 200;  // a painted mask is better in a file
    const auto is_short = [](const MaskPart& part) { return part.on && to_string(part).size() <= longest; };
    if (!std::ranges::all_of(parts, is_short)) return false;
    for (const MaskPart& part : parts) line_.add(dashes + name, to_string(part));
    return true;
  }
  template <typename Value>
  bool say(const std::string& dashes, const std::string& name, const Value& value) {
    if constexpr (std::is_enum_v<Value>)
      line_.add(dashes + name, to_name(value));
    else if constexpr (std::is_arithmetic_v<Value>)
      line_.add(dashes + name, number_text(value));
    else
      return false;
    return true;
  }

  const Inputs usual_;
  Inputs& left_;
  OptionLine& line_;
};

/// Says an enumerator that differs from the usual one.
template <typename Enum>
void say_name(OptionLine& line, const char* option, Enum& left, Enum usual) {
  if (left == usual) return;
  line.add(option, to_name(left));
  left = usual;
}

void say_number(OptionLine& line, const char* option, int& left) {
  if (left == 0) return;
  line.add(option, number_text(left));
  left = 0;
}

std::string range_option(const RangeChoice& range) {
  if (range.kind != Range::fixed) return to_name(range.kind);
  return fmt::format("{}:{}", range.limits.low, range.limits.high);
}

/// The options of a view, each reset in what is left to be said. What a size changes is said with it.
void say_view(View& left, OptionLine& line) {
  const View usual;
  const ViewKindRow& row = left.row();
  if (row.one_head && left.head) {
    line.add("--head", number_text(*left.head));
    left.head.reset();
  }
  if (left.kind != usual.kind) line.add("--view", row.alias != nullptr ? row.alias : row.name);
  left.kind = usual.kind;
  say_number(line, "--layer", left.layer);
  say_name(line, "--colormap", left.colormap, usual.colormap);
  say_name(line, "--cells", left.cells, usual.cells);
  say_name(line, "--numbers", left.numbers, usual.numbers);
  say_number(line, "--rows", left.rows);
  say_number(line, "--columns", left.columns);
  say_name(line, "--theme", left.theme, usual.theme);
  if (std::exchange(left.range.ignore_first_token, false)) line.add("--ignore-first-token");
  // No option says what is held.
  left.range = {usual.range.kind, usual.range.limits, usual.range.ignore_first_token, left.range.held};
  if (left.show_title) left.title.clear();
  left.show_title = true;
}

/// "178mm", if that is this number of inches and not one close to it.
std::string length_text(double inches) {
  constexpr double thousandths = 1000;
  const double millimetres = std::round(inches * mm_per_inch * thousandths) / thousandths;
  return millimetres / mm_per_inch == inches ? number_text(millimetres) + "mm" : number_text(inches);
}

/// What the size may change of the view that the line starts with, where the figure has it otherwise.
void say_look(const ExportedFigure& figure, const View& start, OptionLine& line) {
  View sized = start;
  if (figure.size != nullptr) use_size(*figure.size, sized);
  const View& view = figure.session.view;
  if (!view.show_title) {
    if (sized.show_title) line.add("--title", "");
  } else if (!view.title.empty() && start.title != view.title) {
    line.add("--title", view.title);
  } else if (!sized.show_title) {
    line.add("--auto-title");
  }
  const bool same = sized.range.kind == view.range.kind &&
                    (view.range.kind != Range::fixed || sized.range.limits == view.range.limits);
  if (!same) line.add("--range", range_option(view.range));
  if (start.theme == view.theme && sized.theme != view.theme) line.add("--theme", to_name(view.theme));
}

void say_letters(const ExportedFigure& figure, OptionLine& line) {
  const Letters letters = figure.options.extras.letters,
                usual = figure.size == nullptr ? Letters::parentheses : figure.size->letters;
  if (letters == Letters::none) return;
  letters == usual ? line.add("--letters") : line.add("--letter-style", to_name(letters));
}

void say_page(const ExportedFigure& figure, OptionLine& line) {
  const FigureOptions& options = figure.options;
  FigureOptions sized;
  if (figure.size != nullptr) {
    use_size(*figure.size, sized);
    line.add("--size", figure.size->name);
  }
  const bool as_high_as_needed = !options.height;
  if (options.width != sized.width || (as_high_as_needed && sized.height))
    line.add("--width", length_text(options.width));
  if (options.height && options.height != sized.height) line.add("--height", length_text(*options.height));
  if (options.dpi != sized.dpi) line.add("--dpi", number_text(options.dpi));
  if (options.font_size != sized.font_size) line.add("--text-size", number_text(options.font_size) + "pt");
  if (const std::string arranged = to_text(options.arrangement); !arranged.empty())
    line.add("--arranged", arranged);
  if (options.tight) line.add("--tight");
  if (!options.font.empty()) line.add("--font", options.font);
  say_letters(figure, line);
  if (!options.extras.marks) line.add("--no-marks");
  if (options.extras.effect) line.add("--effect");
  if (options.language != system_language())
    line.add("--language", of_kind(languages(), options.language).code);
  if (!figure.keep_session) line.add("--no-session");
}

void say_cell(const ExportedFigure& figure, OptionLine& line) {
  const ViewKindRow& row = figure.session.view.row();
  const bool has_cells = row.cells != CellsAs::nothing || row.has_steps || row.whole;
  if (!figure.locked || !has_cells) return;
  if (!figure.locked->of_key) line.add("--query", number_text(figure.locked->cell.query));
  line.add("--key", number_text(figure.locked->cell.key));
}

bool holds(const std::string& path, const Session& session) try {
  return read_file(path) == to_json(with_relative_paths(session, path));
} catch (const Error&) {
  return false;
}

/// Beside the figure: NAME.session.json, or the first of NAME.session-2.json … that is free or has this very
/// session already. Sessions that other command lines name stay as they are.
std::string session_path_of(const ExportedFigure& figure) {
  std::filesystem::path path(figure.path);
  std::error_code error;
  for (int i = 1;; ++i) {
    path = figure.path;
    path.replace_extension(i == 1 ? ".session.json" : fmt::format(".session-{}.json", i));
    if (!std::filesystem::exists(path, error) || holds(path.string(), figure.session)) return path.string();
  }
}

}  // namespace

ExportCommand export_command(const ExportedFigure& figure) {
  OptionLine said;
  Session left = figure.session;
  SaidInputs(left.inputs, said).say();
  say_view(left.view, said);
  ExportCommand command;
  OptionLine line;
  if (left == Session()) {
    line = said;
  } else {
    command.session_path = session_path_of(figure);
    line.add("--session", command.session_path);
  }
  say_look(figure, command.session_path.empty() ? View() : figure.session.view, line);
  say_cell(figure, line);
  say_page(figure, line);
  line.add("-o", figure.path);
  command.line = "headscope export" + line.text();
  return command;
}

}  // namespace headscope
