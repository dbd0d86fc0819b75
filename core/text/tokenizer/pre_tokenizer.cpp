#include "core/text/tokenizer/pre_tokenizer.h"

#include "core/text/tokenizer/characters.h"
#include "core/text/tokenizer/normalizer.h"
#include "core/text/tokenizer/pattern.h"

namespace headscope::tokenizers {
namespace {

/// A PreTokenizer that calls split_one(text, pieces) for each piece that is not an added token.
template <typename SplitOne>
PreTokenizer split_each(SplitOne split_one) {
  return [split_one = std::move(split_one)](std::vector<Piece>& pieces) {
    std::vector<Piece> result;
    result.reserve(pieces.size());
    for (Piece& piece : pieces) {
      if (piece.added)
        result.push_back(std::move(piece));
      else
        split_one(std::move(piece.text), result);
    }
    std::erase_if(result, [](const Piece& piece) { return !piece.added && piece.text.empty(); });
    pieces = std::move(result);
  };
}

/// How matches of a pattern are treated.
enum class Delimiters { removed, isolated, merged_with_previous, merged_with_next, contiguous };

Delimiters read_delimiters(const JsonField& field) {
  static constexpr Named<Delimiters> names[] = {{"Removed", Delimiters::removed},
                                                {"Isolated", Delimiters::isolated},
                                                {"MergedWithPrevious", Delimiters::merged_with_previous},
                                                {"MergedWithNext", Delimiters::merged_with_next},
                                                {"Contiguous", Delimiters::contiguous}};
  return field.one_of(names).value;
}

std::vector<Bytes> split_at(std::vector<Match> matches, Delimiters delimiters) {
  std::vector<Bytes> parts;
  bool previous = false;  // whether the one before was a match
  if (delimiters == Delimiters::merged_with_next) {
    for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
      if (match->matches && !previous && !parts.empty())
        parts.back().begin = match->bytes.begin;
      else
        parts.push_back(match->bytes);
      previous = match->matches;
    }
    return {parts.rbegin(), parts.rend()};
  }
  for (const Match& match : matches) {
    const bool joins = (delimiters == Delimiters::contiguous && match.matches == previous) ||
                       (delimiters == Delimiters::merged_with_previous && match.matches && !previous);
    if (joins && !parts.empty())
      parts.back().end = match.bytes.end;
    else if (delimiters != Delimiters::removed || !match.matches)
      parts.push_back(match.bytes);
    previous = match.matches;
  }
  return parts;
}

void add_slices(const AlignedText& text, const std::vector<Bytes>& parts, std::vector<Piece>& pieces) {
  for (const Bytes& part : parts)
    if (part.size() > 0) pieces.push_back({text.slice(part), {}});
}

/// Calls use(character, bytes) for each character.
template <typename Use>
void for_each_character(std::string_view text, const Use& use) {
  std::size_t at = 0;
  for (const char32_t c : characters(text)) {
    const std::size_t end = at + utf8_size(text[at]);
    use(c, Bytes{at, end});
    at = end;
  }
}

/// Each character for which is_delimiter(c) is a separate match.
template <typename IsDelimiter>
std::vector<Match> character_matches(std::string_view text, const IsDelimiter& is_delimiter) {
  std::vector<Match> matches;
  std::size_t done = 0;
  const auto add_gap = [&](std::size_t end) {
    if (done < end) matches.push_back({{done, end}, false});
  };
  for_each_character(text, [&](char32_t c, Bytes bytes) {
    if (!is_delimiter(c)) return;
    add_gap(bytes.begin);
    matches.push_back({bytes, true});
    done = bytes.end;
  });
  add_gap(text.size());
  return matches;
}

/// Splits at the characters for which is_delimiter(c).
template <typename IsDelimiter>
PreTokenizer split_at_characters(IsDelimiter is_delimiter, Delimiters delimiters) {
  return split_each([=](const AlignedText& text, std::vector<Piece>& result) {
    add_slices(text, split_at(character_matches(text.text(), is_delimiter), delimiters), result);
  });
}

PreTokenizer read_bert_words(const JsonField&) {
  return [at_spaces = split_at_characters(is_white_space, Delimiters::removed),
          at_signs = split_at_characters(is_punctuation, Delimiters::isolated)](std::vector<Piece>& pieces) {
    at_spaces(pieces);
    at_signs(pieces);
  };
}

PreTokenizer read_digits(const JsonField& field) {
  return split_at_characters(
      is_numeric, field.at("individual_digits").flag() ? Delimiters::isolated : Delimiters::contiguous);
}

PreTokenizer read_punctuation(const JsonField& field) {
  const auto behavior = field.find("behavior");
  return split_at_characters(is_punctuation, behavior ? read_delimiters(*behavior) : Delimiters::isolated);
}

PreTokenizer read_white_space_split(const JsonField&) {
  return split_at_characters(is_white_space, Delimiters::removed);
}

PreTokenizer read_character_delimiter(const JsonField& field) {
  const auto is_delimiter = [delimiter = field.at("delimiter").character()](char32_t c) {
    return c == delimiter;
  };
  return split_at_characters(is_delimiter, Delimiters::removed);
}

/// Runs of word characters, runs of others; white space between them is dropped (\w+|[^\w\s]+).
void split_words(const AlignedText& text, std::vector<Piece>& result) {
  enum class Kind { none, word, other };
  std::vector<Bytes> parts;
  Kind before = Kind::none;
  for_each_character(text.text(), [&](char32_t c, Bytes bytes) {
    const Kind kind = is_word(c) ? Kind::word : is_white_space(c) ? Kind::none : Kind::other;
    if (kind != Kind::none && kind == before)
      parts.back().end = bytes.end;
    else if (kind != Kind::none)
      parts.push_back(bytes);
    before = kind;
  });
  add_slices(text, parts, result);
}

/// Between scripts; kana counts as Han, a space as any script.
void split_scripts(const AlignedText& text, std::vector<Piece>& result) {
  std::vector<Bytes> parts;
  std::optional<int> before;
  for_each_character(text.text(), [&](char32_t c, Bytes bytes) {
    const int now = script(c);
    if (now != any_script && before != now)
      parts.push_back(bytes);
    else if (!parts.empty())
      parts.back().end = bytes.end;
    if (now != any_script) before = now;
  });
  add_slices(text, parts, result);
}

PreTokenizer read_fixed_length(const JsonField& field) {
  const auto given = field.find("length");
  const std::int64_t length = given ? given->integer(1, INT32_MAX) : 5;
  return split_each([length](const AlignedText& text, std::vector<Piece>& result) {
    std::vector<Bytes> parts;
    std::int64_t count = 0;
    for_each_character(text.text(), [&](char32_t, Bytes bytes) {
      if (count++ % length == 0) parts.push_back(bytes);
      parts.back().end = bytes.end;
    });
    add_slices(text, parts, result);
  });
}

PreTokenizer read_byte_level_words(const JsonField& field) {
  const bool adds_space = field.at("add_prefix_space").flag();
  std::optional<Pattern> pattern;  // GPT-2's
  if (field.flag("use_regex", true))
    pattern = Pattern::regex(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
                             field.place(), field.budget());
  const PreTokenizer split = split_each([=](AlignedText text, std::vector<Piece>& result) {
    if (adds_space && !text.text().starts_with(' ')) text.prepend(" ");
    if (pattern)
      add_slices(text, split_at(pattern->find_all(text.text(), text.budget()), Delimiters::isolated), result);
    else
      result.push_back({std::move(text), {}});
  });
  return [split](std::vector<Piece>& pieces) {
    split(pieces);
    for (Piece& piece : pieces)
      if (!piece.added) to_byte_characters(piece.text);
  };
}

PreTokenizer read_metaspace_words(const JsonField& field) {
  const PrependScheme scheme = read_prepend_scheme(field);
  const bool splits = field.flag("split", true);
  const char32_t sign = field.at("replacement").character();
  std::string sign_text;
  append_utf8(sign_text, sign);
  return split_each([=, space = Pattern::literal(" ")](AlignedText text, std::vector<Piece>& result) {
    text.replace(space.matches(text.text(), text.budget()), sign_text);
    const bool here =
        scheme == PrependScheme::always || (scheme == PrependScheme::first && text.original().begin == 0);
    if (here && !text.text().starts_with(sign_text)) text.prepend(sign_text);
    if (!splits) {
      result.push_back({std::move(text), {}});
      return;
    }
    const auto is_sign = [&](char32_t c) { return c == sign; };
    add_slices(text, split_at(character_matches(text.text(), is_sign), Delimiters::merged_with_next), result);
  });
}

PreTokenizer read_split(const JsonField& field) {
  return split_each(
      [pattern = read_pattern(field.at("pattern")), delimiters = read_delimiters(field.at("behavior")),
       inverted = field.flag("invert", false)](const AlignedText& text, std::vector<Piece>& result) {
        std::vector<Match> matches = pattern.find_all(text.text(), text.budget());
        if (inverted)
          for (Match& match : matches) match.matches = !match.matches;
        add_slices(text, split_at(std::move(matches), delimiters), result);
      });
}

PreTokenizer read_pre_tokenizer_sequence(const JsonField& field) {
  return [all = field.at("pretokenizers").each(read_pre_tokenizer)](std::vector<Piece>& pieces) {
    for (const PreTokenizer& split : all) {
      if (!pieces.empty()) pieces.front().text.budget().spend(1 + pieces.size());
      split(pieces);
    }
  };
}

constexpr Kind<PreTokenizer> pre_tokenizer_kinds[] = {
    {"BertPreTokenizer", read_bert_words},
    {"ByteLevel", read_byte_level_words},
    {"CharDelimiterSplit", read_character_delimiter},
    {"Digits", read_digits},
    {"FixedLength", read_fixed_length},
    {"Metaspace", read_metaspace_words},
    {"Punctuation", read_punctuation},
    {"Sequence", read_pre_tokenizer_sequence},
    {"Split", read_split},
    {"UnicodeScripts", [](const JsonField&) { return split_each(split_scripts); }},
    {"Whitespace", [](const JsonField&) { return split_each(split_words); }},
    {"WhitespaceSplit", read_white_space_split},
};

}  // namespace

PrependScheme read_prepend_scheme(const JsonField& metaspace) {
  static constexpr Named<PrependScheme> names[] = {
      {"always", PrependScheme::always}, {"first", PrependScheme::first}, {"never", PrependScheme::never}};
  // The older form of this field.
  if (!metaspace.flag("add_prefix_space", true)) return PrependScheme::never;
  const auto scheme = metaspace.find("prepend_scheme");
  return scheme ? scheme->one_of(names).value : PrependScheme::always;
}

PreTokenizer read_pre_tokenizer(const JsonField& field) {
  return field.read_kind(pre_tokenizer_kinds);
}

}  // namespace headscope::tokenizers
