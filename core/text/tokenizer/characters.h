#pragma once
#include <string>
#include <string_view>

namespace headscope::tokenizers {

// Character classes as in the reference, whose libraries use different versions of Unicode and so disagree on
// newer characters.

/// White_Space (`\s`).
bool is_white_space(char32_t c);
/// N*, of Unicode 17.
bool is_numeric(char32_t c);
/// `\w` of Unicode 16: letters, marks, digits, connectors, joiners.
bool is_word(char32_t c);
/// ASCII punctuation and symbols, P* of Unicode 8.
bool is_punctuation(char32_t c);
/// Cc, Cf and Co of Unicode 8; not tab, line feed and carriage return.
bool is_control(char32_t c);
/// Mn of Unicode 8.
bool is_nonspacing_mark(char32_t c);
/// M* of Unicode 9.
bool is_mark(char32_t c);
/// Whether the general category in Unicode 16 begins so: "P", "Mn"; "C" for what has no meaning.
bool has_category(char32_t c, std::string_view category);
/// The ranges of ideographs that BERT's tokenizer puts between spaces.
bool is_ideograph(char32_t c);
/// Characters of scripts whose words ICU finds with a dictionary: Han, kana, Thai, Lao, Khmer, Myanmar.
bool is_written_without_spaces(char32_t c);
/// Of one character, ignoring context (Unicode 17): İ becomes two.
std::u32string lower_case(char32_t c);
/// The same of a word, whose last Σ becomes ς.
std::u32string lower_case(const std::u32string& word);

/// A number for each script of Unicode 9, kana as Han; any_script for a space and characters without a
/// script.
inline constexpr int any_script = -1;
int script(char32_t c);

/// Whether it is in Unicode 9, which the reference uses for normalization.
bool is_in_unicode_9(char32_t c);

/// The characters of this general category ("L", "Lu", "N" …), or of "Han", added between Unicode 14 and 16,
/// as the contents of a bracket expression ("\x{897}\x{1c89}-\x{1c8a}").
std::string later_characters(const std::string& category);
/// The same for `\w`.
std::string later_word_characters();

}  // namespace headscope::tokenizers
