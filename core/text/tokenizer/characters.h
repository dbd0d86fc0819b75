#pragma once
#include <string>

namespace headscope::tokenizers {

// Classes of characters as the reference has them. Its libraries follow several versions of Unicode: what a
// character of a later version is, each of them knows in its own way.

/// White_Space (`\s`).
bool is_white_space(char32_t c);
/// N*, of Unicode 17.
bool is_numeric(char32_t c);
/// `\w` of Unicode 16: letters, marks, digits, connectors, joiners.
bool is_word(char32_t c);
/// ASCII punctuation and symbols, P* of Unicode 8.
bool is_punctuation(char32_t c);
/// Cc, Cf and Co of Unicode 8; tab, line feed and carriage return are none.
bool is_control(char32_t c);
/// Mn of Unicode 8.
bool is_nonspacing_mark(char32_t c);
/// M* of Unicode 9.
bool is_mark(char32_t c);
/// The ranges of ideographs that BERT's tokenizer puts between spaces.
bool is_ideograph(char32_t c);
/// Of a script whose words ICU finds by a dictionary: Han, kana, Thai, Lao, Khmer, Myanmar.
bool is_written_without_spaces(char32_t c);
/// Of one character, without regard to its neighbours (Unicode 17): İ becomes two.
std::u32string lower_case(char32_t c);

/// A number for each script of Unicode 9, kana as Han; any_script for a space and what is in none.
inline constexpr int any_script = -1;
int script(char32_t c);

/// Whether Unicode 9, which the reference normalizes by, has it.
bool is_in_unicode_9(char32_t c);

/// The characters with this general category ("L", "Lu", "N" …) which Unicode 16 has and Unicode 14 had not,
/// as what stands in a bracket expression ("\x{897}\x{1c89}-\x{1c8a}").
std::string later_characters(const std::string& category);
/// The same of `\w`.
std::string later_word_characters();

}  // namespace headscope::tokenizers
