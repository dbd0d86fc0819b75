#include "app/cli/values.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/read_number.h"
#include "core/base/utf8.h"
#include "core/figure/animation/animation.h"
#include "core/figure/figure_size.h"
#include "core/inputs/inputs.h"
#include "core/io/file.h"
#include "core/text/text_file.h"
#include "core/text/words.h"

namespace headscope {
namespace {

// The whole text as a number, or no value. `overflow` is set if it is too large.
template <typename Number>
bool integer_in(const std::string& text, Number& value, bool& overflow) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, value);
  overflow = error == std::errc::result_out_of_range && stop == end;
  return error == std::errc() && stop == end;
}

/// A number, with its unit or without; messages have the limits in that unit.
double parse_with_unit(const char* option, const std::string& text, const std::string& unit, double low,
                       double high) {
  const std::string number = text.ends_with(unit) ? text.substr(0, text.size() - unit.size()) : text;
  const char* const end = number.data() + number.size();
  const char* const begin = number.data() + (number.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [stop, error] = read_number(begin, end, value);
  const bool too_large = error == std::errc::result_out_of_range;
  const std::string lowest = fmt::format("{}{}", low, unit), highest = fmt::format("{}{}", high, unit);
  if (stop != end || (error != std::errc() && !too_large) || std::isnan(value))
    throw input_error("{} is \"{}\"; expected a number from {} to {}", option, number, lowest, highest);
  if (too_large || value < low || value > high)
    throw input_error("{} is {}; expected {} to {}", option, text, lowest, highest);
  return value;
}

}  // namespace

Language parse_language(const char* option, const std::string& text) {
  if (const std::optional<Language> found = find_language(text)) return *found;
  throw input_error("{} is \"{}\"; expected one of: {}", option, text, language_codes(", "));
}

std::string language_codes(const std::string& between) {
  std::string codes;
  for (const LanguageRow& row : languages()) codes += (codes.empty() ? "" : between) + row.code;
  return codes;
}

std::span<const EnumName<Paper>> enum_names(Paper) {
  static constexpr EnumName<Paper> names[] = {{Paper::a4, "a4"}, {Paper::letter, "letter"}};
  return names;
}

int parse_int(const char* option, const std::string& text, int low, int high) {
  long long value = 0;
  bool overflow = false;
  if (!integer_in(text, value, overflow) && !overflow)
    throw input_error("{} is \"{}\"; expected a whole number from {} to {}", option, text, low, high);
  if (overflow || value < low || value > high)
    throw input_error("{} is {}; expected {} to {}", option, text, low, high);
  return static_cast<int>(value);
}

int parse_place(const char* option, const std::string& text, int high) {
  long long value = 0;
  bool overflow = false;
  if (integer_in(text, value, overflow) && value < 0)
    throw input_error("{} is {}; expected a whole number from {}", option, text, 0);
  return parse_int(option, text, 0, high);
}

std::uint64_t parse_seed(const char* option, const std::string& text) {
  std::uint64_t value = 0;
  bool overflow = false;
  if (!integer_in(text, value, overflow))
    throw input_error("{} is \"{}\"; expected a whole number from {} to {}", option, text, 0, UINT64_MAX);
  return value;
}

const char* word_of(const ViewKindRow& row) {
  return row.alias != nullptr ? row.alias : row.name;
}

std::string view_words(bool (*counts)(const ViewKindRow&)) {
  std::string words;
  for (const ViewKindRow& row : view_kinds)
    if (counts == nullptr || counts(row)) words += (words.empty() ? "" : ", ") + std::string(word_of(row));
  return words;
}

ViewKind parse_view(const std::string& text) {
  if (const std::optional<ViewKind> kind = from_name<ViewKind>(text)) return *kind;
  throw input_error("{} is \"{}\"; expected one of: {}", "--view", text, view_words());
}

double parse_number(const char* option, const std::string& text, double low, double high) {
  double value = 0;
  const char* end = text.data() + text.size();
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [stop, error] = read_number(begin, end, value);
  if (stop != end || (error != std::errc() && error != std::errc::result_out_of_range) || std::isnan(value))
    throw input_error("{} is \"{}\"; expected a number from {} to {}", option, text, low, high);
  if (error != std::errc() || value < low || value > high)
    throw input_error("{} is {}; expected {} to {}", option, text, low, high);
  return value;
}

double parse_length(const char* option, const std::string& text) {
  constexpr std::pair<const char*, double> units[] = {
      {"mm", mm_per_inch}, {"cm", mm_per_inch / 10}, {"in", 1}};
  constexpr double low = FigureLimits::min_inches, high = FigureLimits::max_inches;
  for (const auto& [unit, per_inch] : units)
    if (text.ends_with(unit))
      return parse_with_unit(option, text, unit, low * per_inch, high * per_inch) / per_inch;
  return parse_with_unit(option, text, "in", low, high);
}

double parse_points(const char* option, const std::string& text) {
  return parse_with_unit(option, text, "pt", FigureLimits::min_text, FigureLimits::max_text);
}

void parse_range(const char* option, const std::string& text, RangeChoice& choice) {
  choice.held.clear();
  if (const std::optional<Range> range = from_name<Range>(text)) {
    choice.kind = *range;
    return;
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw input_error("{} is \"{}\"; expected one of: {}", option, text, all_names<Range>() + ", LOW:HIGH");
  const auto number = [&](const std::string& part) {
    return parse_number(option, part, -ColorLimits::maximum, ColorLimits::maximum);
  };
  const ColorLimits limits{number(text.substr(0, colon)), number(text.substr(colon + 1))};
  if (!limits.valid()) throw input_error("{} is {}; expected LOW:HIGH with LOW < HIGH", option, text);
  choice.kind = Range::fixed;
  choice.limits = limits;
}

std::vector<std::string> between_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

std::set<int> parse_places(const char* option, const std::string& text, int high) {
  std::set<int> places;
  if (text.empty() || text == "none") return places;
  for (const std::string& place : between_commas(text)) places.insert(parse_int(option, place, 0, high));
  return places;
}

Sweep parse_sweep(const char* option, const std::string& text) {
  const std::size_t equals = text.find('='), first = text.find(':', equals),
                    second = text.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos ||
      text.find(':', second + 1) != std::string::npos)
    throw input_error("{} is \"{}\"; expected FIELD=FROM:TO:FRAMES, such as {}", option, text,
                      "temperature=0.1:4:24");
  std::string name = text.substr(0, equals);
  if (name.starts_with("--")) name.erase(0, 2);
  const MaskParameter* of_mask = find_mask_number(name);
  const InputField* field = of_mask != nullptr ? &input_field(&Inputs::mask) : find_input_field(name);
  if (field == nullptr)
    throw input_error("{}: {} is not an input; expected one of: {}", option, name,
                      fmt::format("{}", fmt::join(sweep_names(), ", ")));
  if (of_mask == nullptr && !is_number(*field))
    throw input_error("{}: {} is not a number; expected one of: {}", option, name,
                      fmt::format("{}", fmt::join(sweep_names(), ", ")));
  Sweep sweep{field, 0, 0, 0, of_mask};
  const double low = sweep.limits().first, high = sweep.limits().second;
  const auto number = [&](const char* end, std::size_t begin, std::size_t stop) {
    const std::string where = fmt::format("{}: {}", option, end), value = text.substr(begin, stop - begin);
    const double read = parse_number(where.c_str(), value, low, high);
    if (sweep.whole() && read != std::round(read))
      throw input_error("{} is \"{}\"; expected a whole number from {} to {}", where, value, low, high);
    return read;
  };
  sweep.from = number("FROM", equals + 1, first);
  sweep.to = number("TO", first + 1, second);
  using L = AnimationLimits;
  sweep.frames = parse_int(fmt::format("{}: FRAMES", option).c_str(), text.substr(second + 1), L::min_frames,
                           L::max_frames);
  if (sweep.from == sweep.to)
    throw input_error("{}: FROM and TO are both {}; expected two values", option, sweep.from);
  return sweep;
}

std::string parse_text(const char* option, const std::string& text) {
  if (const std::size_t position = find_invalid_utf8(text); position != std::string::npos)
    throw input_error("{}: byte {} is not valid UTF-8", option, position);
  return text;
}

std::string sentence_from_file(const char* option, const std::string& path) {
  try {
    std::string text = read_text_file(path == "-" ? "/dev/stdin" : path);
    sentence_tokens(path.c_str(), text);  // names the file if there are too many
    return text;
  } catch (const Error& error) {
    throw error.at(option);
  }
}

}  // namespace headscope
