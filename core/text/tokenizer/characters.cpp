#include "core/text/tokenizer/characters.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::tokenizers {
namespace {

// Characters of Unicode 16 that ICU's version (15) may lack.
struct Later {
  char32_t first, last;
  const char* category;
};
constexpr Later later[] = {
    {0x897, 0x897, "Mn"},     {0x1B4E, 0x1B4F, "P"},    {0x1B7F, 0x1B7F, "P"},    {0x1C89, 0x1C89, "Lu"},
    {0x1C8A, 0x1C8A, "Ll"},   {0x2427, 0x2429, "S"},    {0x2FFC, 0x2FFF, "S"},    {0x31E4, 0x31E5, "S"},
    {0x31EF, 0x31EF, "S"},    {0xA7CB, 0xA7CC, "Lu"},   {0xA7CD, 0xA7CD, "Ll"},   {0xA7DA, 0xA7DA, "Lu"},
    {0xA7DB, 0xA7DB, "Ll"},   {0xA7DC, 0xA7DC, "Lu"},   {0x105C0, 0x105F3, "Lo"}, {0x10D40, 0x10D49, "Nd"},
    {0x10D4A, 0x10D4D, "Lo"}, {0x10D4E, 0x10D4E, "Lm"}, {0x10D4F, 0x10D4F, "Lo"}, {0x10D50, 0x10D65, "Lu"},
    {0x10D69, 0x10D6D, "Mn"}, {0x10D6E, 0x10D6E, "P"},  {0x10D6F, 0x10D6F, "Lm"}, {0x10D70, 0x10D85, "Ll"},
    {0x10D8E, 0x10D8F, "S"},  {0x10EC2, 0x10EC4, "Lo"}, {0x10EFC, 0x10EFC, "Mn"}, {0x11380, 0x11389, "Lo"},
    {0x1138B, 0x1138B, "Lo"}, {0x1138E, 0x1138E, "Lo"}, {0x11390, 0x113B5, "Lo"}, {0x113B7, 0x113B7, "Lo"},
    {0x113B8, 0x113BA, "Mc"}, {0x113BB, 0x113C0, "Mn"}, {0x113C2, 0x113C2, "Mc"}, {0x113C5, 0x113C5, "Mc"},
    {0x113C7, 0x113CA, "Mc"}, {0x113CC, 0x113CD, "Mc"}, {0x113CE, 0x113CE, "Mn"}, {0x113CF, 0x113CF, "Mc"},
    {0x113D0, 0x113D0, "Mn"}, {0x113D1, 0x113D1, "Lo"}, {0x113D2, 0x113D2, "Mn"}, {0x113D3, 0x113D3, "Lo"},
    {0x113D4, 0x113D5, "P"},  {0x113D7, 0x113D8, "P"},  {0x113E1, 0x113E2, "Mn"}, {0x116D0, 0x116E3, "Nd"},
    {0x11BC0, 0x11BE0, "Lo"}, {0x11BE1, 0x11BE1, "P"},  {0x11BF0, 0x11BF9, "Nd"}, {0x11F5A, 0x11F5A, "Mn"},
    {0x13460, 0x143FA, "Lo"}, {0x16100, 0x1611D, "Lo"}, {0x1611E, 0x16129, "Mn"}, {0x1612A, 0x1612C, "Mc"},
    {0x1612D, 0x1612F, "Mn"}, {0x16130, 0x16139, "Nd"}, {0x16D40, 0x16D42, "Lm"}, {0x16D43, 0x16D6A, "Lo"},
    {0x16D6B, 0x16D6C, "Lm"}, {0x16D6D, 0x16D6F, "P"},  {0x16D70, 0x16D79, "Nd"}, {0x18CFF, 0x18CFF, "Lo"},
    {0x1CC00, 0x1CCEF, "S"},  {0x1CCF0, 0x1CCF9, "Nd"}, {0x1CD00, 0x1CEB3, "S"},  {0x1E5D0, 0x1E5ED, "Lo"},
    {0x1E5EE, 0x1E5EF, "Mn"}, {0x1E5F0, 0x1E5F0, "Lo"}, {0x1E5F1, 0x1E5FA, "Nd"}, {0x1E5FF, 0x1E5FF, "P"},
    {0x1F8B2, 0x1F8BB, "S"},  {0x1F8C0, 0x1F8C1, "S"},  {0x1FA89, 0x1FA89, "S"},  {0x1FA8F, 0x1FA8F, "S"},
    {0x1FABE, 0x1FABE, "S"},  {0x1FAC6, 0x1FAC6, "S"},  {0x1FADC, 0x1FADC, "S"},  {0x1FADF, 0x1FADF, "S"},
    {0x1FAE9, 0x1FAE9, "S"},  {0x1FBCB, 0x1FBEF, "S"},  {0x2EBF0, 0x2EE5D, "Lo"}};

// Lower case in Unicode 17 of characters new since Unicode 15: an offset for each range.
struct LowerCase {
  char32_t first, last;
  int to_lower;
};
constexpr LowerCase later_lower_case[] = {
    {0x1C89, 0x1C89, 1},    {0xA7CB, 0xA7CB, -42343}, {0xA7CC, 0xA7CC, 1}, {0xA7CE, 0xA7CE, 1},
    {0xA7D2, 0xA7D2, 1},    {0xA7D4, 0xA7D4, 1},      {0xA7DA, 0xA7DA, 1}, {0xA7DC, 0xA7DC, -42561},
    {0x10D50, 0x10D65, 32}, {0x16EA0, 0x16EB8, 27}};

/// Whether a newer ICU knows the character, though tokenizers' tables, which are Unicode 16's, do not.
bool is_too_new(char32_t c) {
  UVersionInfo age;
  u_charAge(c, age);
  return age[0] > 16;
}

std::uint32_t category_mask(char32_t c) {
  return is_too_new(c) ? U_MASK(U_UNASSIGNED) : U_MASK(u_charType(static_cast<UChar32>(c)));
}

/// Whether the character existed in Unicode `version`, 80 for 8.0.
bool known_at(char32_t c, int version) {
  if (c < 0x250) return true;
  UVersionInfo age;
  u_charAge(c, age);
  return age[0] != 0 && age[0] * 10 + age[1] <= version;
}

const Later* find_later(char32_t c) {
  if (c < later[0].first) return nullptr;
  const auto* row = std::lower_bound(std::begin(later), std::end(later), c,
                                     [](const Later& l, char32_t x) { return l.last < x; });
  return row != std::end(later) && row->first <= c ? row : nullptr;
}

bool is_of(const Later& row, std::string_view category) {
  return std::string_view(row.category).starts_with(category);
}

}  // namespace

bool is_white_space(char32_t c) {
  return u_isUWhiteSpace(c) != 0;
}

bool is_numeric(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  if ((category_mask(c) & U_GC_N_MASK) != 0) return true;
  if ((c >= 0x11DE0 && c <= 0x11DE9) || (c >= 0x16FF4 && c <= 0x16FF6)) return true;
  const Later* row = find_later(c);
  return row != nullptr && is_of(*row, "N");
}

bool is_word(char32_t c) {
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z');
  const UChar32 u = c;
  if (is_too_new(c)) return false;
  if (u_isUAlphabetic(u) != 0 || u_hasBinaryProperty(u, UCHAR_JOIN_CONTROL) != 0 ||
      (category_mask(c) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0)
    return true;
  const Later* row = find_later(c);
  return row != nullptr && (is_of(*row, "L") || is_of(*row, "M") || is_of(*row, "Nd"));
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) return u_ispunct(c) != 0 || (category_mask(c) & U_GC_S_MASK) != 0;
  if (c == 0x166D || c == 0x111C9) return true;  // no longer punctuation
  return (category_mask(c) & U_GC_P_MASK) != 0 && known_at(c, 80);
}

bool is_control(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  return (category_mask(c) & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK)) != 0 && known_at(c, 80);
}

bool is_nonspacing_mark(char32_t c) {
  if (c < 0x300) return false;
  if (c == 0x1734) return true;
  if (c == 0x1885 || c == 0x1886 || c == 0xA9BD || c == 0x111C9) return false;
  return (category_mask(c) & U_GC_MN_MASK) != 0 && known_at(c, 80);
}

bool is_mark(char32_t c) {
  if (c < 0x300) return false;
  if (c == 0x1CF2 || c == 0x1CF3) return true;
  return (category_mask(c) & U_GC_M_MASK) != 0 && c != 0x111C9 && known_at(c, 90);
}

bool has_category(char32_t c, std::string_view category) {
  struct Row {
    std::string_view name;
    std::uint32_t mask;
  };
  constexpr Row rows[] = {{"P", U_GC_P_MASK}, {"Mn", U_GC_MN_MASK}, {"Zs", U_GC_ZS_MASK}};
  constexpr int version = 160;
  const Later* newer = find_later(c);
  const bool known = newer != nullptr || known_at(c, version);
  if (category == "C") return newer == nullptr && (!known || (category_mask(c) & U_GC_C_MASK) != 0);
  if (newer != nullptr) return is_of(*newer, category);
  return known && std::ranges::any_of(rows, [&](const Row& row) {
           return row.name == category && (category_mask(c) & row.mask) != 0;
         });
}

bool is_ideograph(char32_t c) {
  constexpr std::pair<char32_t, char32_t> ranges[] = {
      {0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
      {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
  return std::ranges::any_of(ranges,
                             [c](const auto& range) { return c >= range.first && c <= range.second; });
}

bool is_written_without_spaces(char32_t c) {
  if (c < 0xE00) return false;
  UErrorCode ignored = U_ZERO_ERROR;
  const UScriptCode code = uscript_getScript(c, &ignored);
  return std::ranges::any_of(std::array{USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA, USCRIPT_THAI,
                                        USCRIPT_LAO, USCRIPT_KHMER, USCRIPT_MYANMAR},
                             [code](UScriptCode one) { return one == code; });
}

std::u32string lower_case(char32_t c) {
  if (c < 0x80) return {c >= 'A' && c <= 'Z' ? c + 32 : c};
  if (c == 0x130) return U"i\u0307";
  for (const LowerCase& row : later_lower_case)
    if (c >= row.first && c <= row.last) return {static_cast<char32_t>(static_cast<int>(c) + row.to_lower)};
  return {static_cast<char32_t>(u_tolower(c))};
}

namespace {

/// Whether the nearest character from `at` on in steps of `step` that is not ignored for case has one.
bool is_beside_case(const std::u32string& word, std::ptrdiff_t at, std::ptrdiff_t step) {
  const auto has = [](char32_t c, UProperty property) { return u_hasBinaryProperty(c, property) != 0; };
  for (; at >= 0 && at < std::ssize(word); at += step) {
    const char32_t c = word[at];
    if (!has(c, UCHAR_CASE_IGNORABLE)) return has(c, UCHAR_CASED);
  }
  return false;
}

}  // namespace

std::u32string lower_case(const std::u32string& word) {
  std::u32string lower;
  for (std::ptrdiff_t i = 0; i < std::ssize(word); ++i) {
    const char32_t c = word[i];
    const bool ends = c == U'Σ' && is_beside_case(word, i - 1, -1) && !is_beside_case(word, i + 1, 1);
    lower += ends ? U"ς" : lower_case(c);
  }
  return lower;
}

int script(char32_t c) {
  if (c == ' ' || !known_at(c, 90)) return any_script;
  if (c == 0x30FC) return USCRIPT_HAN;
  if (c == 0x589 || c == 0x61C) return USCRIPT_COMMON;  // later given their own scripts
  UErrorCode ignored = U_ZERO_ERROR;
  const UScriptCode code = uscript_getScript(c, &ignored);
  if (code == USCRIPT_UNKNOWN) return any_script;
  return code == USCRIPT_HIRAGANA || code == USCRIPT_KATAKANA ? USCRIPT_HAN : code;
}

bool is_in_unicode_9(char32_t c) {
  return known_at(c, 90);
}

namespace {

template <typename Wanted>
std::string bracket_ranges(std::uint32_t mask, const Wanted& wanted) {
  std::string text;
  const auto add = [&text](char32_t first, char32_t last) {
    text += fmt::format("\\x{{{:x}}}", static_cast<std::uint32_t>(first));
    if (last != first) text += fmt::format("-\\x{{{:x}}}", static_cast<std::uint32_t>(last));
  };
  struct Newer {
    std::uint32_t mask;
    std::vector<std::pair<char32_t, char32_t>> ranges;
  } newer{mask, {}};
  u_enumCharTypes(
      [](const void* context, UChar32 start, UChar32 limit, UCharCategory category) -> UBool {
        auto& found = *static_cast<Newer*>(const_cast<void*>(context));
        if ((U_MASK(category) & found.mask) == 0) return true;
        for (UChar32 c = std::max(start, UChar32{0x870}); c < limit; ++c) {
          UVersionInfo age;
          u_charAge(c, age);
          if (age[0] < 15 || age[0] > 16) continue;
          const char32_t x = c;
          if (!found.ranges.empty() && found.ranges.back().second + 1 == x)
            found.ranges.back().second = x;
          else
            found.ranges.emplace_back(x, x);
        }
        return true;
      },
      &newer);
  for (const auto& [first, last] : newer.ranges) add(first, last);
  for (const Later& row : later)
    if (wanted(row) && u_charType(row.first) == U_UNASSIGNED) add(row.first, row.last);
  return text;
}

}  // namespace

std::string later_characters(const std::string& category) {
  struct Row {
    const char* name;
    std::uint32_t mask;
  };
  constexpr Row rows[] = {{"L", U_GC_L_MASK},   {"Lu", U_GC_LU_MASK}, {"Ll", U_GC_LL_MASK},
                          {"Lm", U_GC_LM_MASK}, {"Lo", U_GC_LO_MASK}, {"M", U_GC_M_MASK},
                          {"Mn", U_GC_MN_MASK}, {"Mc", U_GC_MC_MASK}, {"N", U_GC_N_MASK},
                          {"Nd", U_GC_ND_MASK}, {"No", U_GC_NO_MASK}, {"P", U_GC_P_MASK},
                          {"S", U_GC_S_MASK}};
  if (category == "Han") return R"(\x{2b739}\x{2ebf0}-\x{2ee5d}\x{31350}-\x{323af})";
  for (const Row& row : rows)
    if (category == row.name)
      return bracket_ranges(row.mask, [&](const Later& one) { return is_of(one, category); });
  return {};
}

std::string later_word_characters() {
  return bracket_ranges(U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK, [](const Later& row) {
    return is_of(row, "L") || is_of(row, "M") || is_of(row, "Nd");
  });
}

}  // namespace headscope::tokenizers
