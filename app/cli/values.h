#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/inputs/sweep.h"
#include "core/scene/view_kinds.h"
#include "core/teach/handout.h"

namespace headscope {

std::span<const EnumName<Paper>> enum_names(Paper);

// Parse option values from text. Each throws Error (input) naming the option, what was found and what was
// expected.

int parse_int(const char* option, const std::string& text, int low, int high);
/// A place counted from 0; how many there are is only known later.
int parse_place(const char* option, const std::string& text, int high);
std::uint64_t parse_seed(const char* option, const std::string& text);
double parse_number(const char* option, const std::string& text, double low, double high);
/// A length of a figure in inches: "3.4" or with its unit, "85mm", "8.5cm", "3.4in".
double parse_length(const char* option, const std::string& text);
/// A size of text in points: "8" or "8pt".
double parse_points(const char* option, const std::string& text);
/// A word of Range, or LOW:HIGH.
void parse_range(const char* option, const std::string& text, RangeChoice& choice);
/// "a,b": one more than there are commas.
std::vector<std::string> between_commas(const std::string& text);
/// "1,5"; "" and "none" give no numbers.
std::set<int> parse_places(const char* option, const std::string& text, int high);
/// FIELD=FROM:TO:FRAMES.
Sweep parse_sweep(const char* option, const std::string& text);
Language parse_language(const char* option, const std::string& text);
/// "en, zh" with `between` as separator.
std::string language_codes(const std::string& between);
std::string parse_text(const char* option, const std::string& text);
/// The text of a file, or of standard input for "-", without its last line break. Throws Error as read_file.
std::string sentence_from_file(const char* option, const std::string& path);

template <typename Value>
Value parse_name(const char* option, const std::string& text) {
  if (const std::optional<Value> value = from_name<Value>(text)) return *value;
  throw input_error("{} is \"{}\"; expected one of: {}", option, text, all_names<Value>());
}

/// The command line's word for a view.
const char* word_of(const ViewKindRow& row);
/// The words of all views, or of those that `counts` accepts, with commas.
std::string view_words(bool (*counts)(const ViewKindRow&) = nullptr);
/// A view by the command line's word or by that of files.
ViewKind parse_view(const std::string& text);

}  // namespace headscope
