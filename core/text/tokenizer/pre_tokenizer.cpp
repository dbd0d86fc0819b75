#include "core/text/tokenizer/pre_tokenizer.h"

#include "core/text/tokenizer/characters.h"
#include "core/text/tokenizer/normalizer.h"
#include "core/text/tokenizer/pattern.h"

namespace headscope::tokenizers {
namespace {

using Made = std::unique_ptr<const PreTokenizer>;

/// Calls split_one(text, pieces) for each piece that is not an added token.
template <typename SplitOne>
void split_each(std::vector<Piece>& pieces, const SplitOne& split_one) {
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
}

/// How matches of a pattern are treated.
enum class Delimiters { removed, isolated, merged_with_previous, merged_with_next, contiguous };

struct DelimitersName {
  const char* name;
  Delimiters value;
};
constexpr DelimitersName delimiter_names[] = {{"Removed", Delimiters::removed},
                                              {"Isolated", Delimiters::isolated},
                                              {"MergedWithPrevious", Delimiters::merged_with_previous},
                                              {"MergedWithNext", Delimiters::merged_with_next},
                                              {"Contiguous", Delimiters::contiguous}};

Delimiters read_delimiters(const Field& field) {
  return field.one_of(delimiter_names).value;
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

/// Each character for which is_delimiter(c) is a separate match.
template <typename IsDelimiter>
std::vector<Match> character_matches(std::string_view text, const IsDelimiter& is_delimiter) {
  std::vector<Match> matches;
  std::size_t done = 0, at = 0;
  for (const char32_t c : characters(text)) {
    const std::size_t end = at + utf8_size(text[at]);
    if (is_delimiter(c)) {
      if (done < at) matches.push_back({{done, at}, false});
      matches.push_back({{at, end}, true});
      done = end;
    }
    at = end;
  }
  if (done < at) matches.push_back({{done, at}, false});
  return matches;
}

/// Splits at characters of some kind.
class AtCharacters : public PreTokenizer {
 public:
  AtCharacters(bool (*is_delimiter)(char32_t), Delimiters delimiters)
      : is_delimiter_(is_delimiter), delimiters_(delimiters) {}
  void split(std::vector<Piece>& pieces) const override {
    split_each(pieces, [&](AlignedText text, std::vector<Piece>& result) {
      add_slices(text, split_at(character_matches(text.text(), is_delimiter_), delimiters_), result);
    });
  }

 private:
  bool (*is_delimiter_)(char32_t);
  Delimiters delimiters_;
};

class Bert : public PreTokenizer {
 public:
  explicit Bert(const Field&) {}
  void split(std::vector<Piece>& pieces) const override {
    AtCharacters(is_white_space, Delimiters::removed).split(pieces);
    AtCharacters(is_punctuation, Delimiters::isolated).split(pieces);
  }
};

Made read_digits(const Field& field) {
  return std::make_unique<AtCharacters>(
      is_numeric, field.at("individual_digits").flag() ? Delimiters::isolated : Delimiters::contiguous);
}

Made read_punctuation(const Field& field) {
  const auto behavior = field.find("behavior");
  return std::make_unique<AtCharacters>(is_punctuation,
                                        behavior ? read_delimiters(*behavior) : Delimiters::isolated);
}

Made read_white_space_split(const Field&) {
  return std::make_unique<AtCharacters>(is_white_space, Delimiters::removed);
}

class AtCharacter : public PreTokenizer {
 public:
  explicit AtCharacter(const Field& field) : delimiter_(field.at("delimiter").character()) {}
  void split(std::vector<Piece>& pieces) const override {
    split_each(pieces, [&](AlignedText text, std::vector<Piece>& result) {
      const auto is_delimiter = [&](char32_t c) { return c == delimiter_; };
      add_slices(text, split_at(character_matches(text.text(), is_delimiter), Delimiters::removed), result);
    });
  }

 private:
  char32_t delimiter_;
};

/// Runs of word characters, runs of others; white space between them is dropped (\w+|[^\w\s]+).
class Whitespace : public PreTokenizer {
 public:
  explicit Whitespace(const Field&) {}
  void split(std::vector<Piece>& pieces) const override {
    split_each(pieces, [](AlignedText text, std::vector<Piece>& result) {
      enum class Kind { none, word, other };
      std::vector<Bytes> parts;
      Kind before = Kind::none;
      std::size_t at = 0;
      for (const char32_t c : characters(text.text())) {
        const std::size_t end = at + utf8_size(text.text()[at]);
        const Kind kind = is_word(c) ? Kind::word : is_white_space(c) ? Kind::none : Kind::other;
        if (kind != Kind::none && kind == before)
          parts.back().end = end;
        else if (kind != Kind::none)
          parts.push_back({at, end});
        before = kind;
        at = end;
      }
      add_slices(text, parts, result);
    });
  }
};

class ByteLevel : public PreTokenizer {
 public:
  explicit ByteLevel(const Field& field) : adds_space_(field.at("add_prefix_space").flag()) {
    if (!field.flag("use_regex", true)) return;
    // GPT-2's.
    pattern_ = Pattern::regex(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
                              field.place(), field.budget());
  }
  void split(std::vector<Piece>& pieces) const override {
    split_each(pieces, [&](AlignedText text, std::vector<Piece>& result) {
      if (adds_space_ && !text.text().starts_with(' ')) text.prepend(" ");
      if (!pattern_) {
        result.push_back({std::move(text), {}});
        return;
      }
      add_slices(text, split_at(pattern_->find_all(text.text(), text.budget()), Delimiters::isolated),
                 result);
    });
    for (Piece& piece : pieces)
      if (!piece.added) to_byte_characters(piece.text);
  }

 private:
  bool adds_space_;
  std::optional<Pattern> pattern_;
};

class Metaspace : public PreTokenizer {
 public:
  explicit Metaspace(const Field& field)
      : scheme_(read_prepend_scheme(field)), splits_(field.flag("split", true)) {
    sign_character_ = field.at("replacement").character();
    append_utf8(sign_, sign_character_);
  }
  void split(std::vector<Piece>& pieces) const override {
    split_each(pieces, [&](AlignedText text, std::vector<Piece>& result) {
      text.replace(space_.matches(text.text(), text.budget()), sign_);
      const bool here =
          scheme_ == PrependScheme::always || (scheme_ == PrependScheme::first && text.original().begin == 0);
      if (here && !text.text().starts_with(sign_)) text.prepend(sign_);
      if (!splits_) {
        result.push_back({std::move(text), {}});
        return;
      }
      const auto is_sign = [&](char32_t c) { return c == sign_character_; };
      add_slices(text, split_at(character_matches(text.text(), is_sign), Delimiters::merged_with_next),
                 result);
    });
  }

 private:
  Pattern space_ = Pattern::literal(" ");
  std::string sign_;
  char32_t sign_character_ = 0;
  PrependScheme scheme_;
  bool splits_;
};

class Split : public PreTokenizer {
 public:
  explicit Split(const Field& field)
      : pattern_(read_pattern(field.at("pattern"))),
        delimiters_(read_delimiters(field.at("behavior"))),
        inverted_(field.flag("invert", false)) {}
  void split(std::vector<Piece>& pieces) const override {
    split_each(pieces, [&](AlignedText text, std::vector<Piece>& result) {
      std::vector<Match> matches = pattern_.find_all(text.text(), text.budget());
      if (inverted_)
        for (Match& match : matches) match.matches = !match.matches;
      add_slices(text, split_at(std::move(matches), delimiters_), result);
    });
  }

 private:
  Pattern pattern_;
  Delimiters delimiters_;
  bool inverted_;
};

/// Between scripts; kana counts as Han, a space as any script.
class UnicodeScripts : public PreTokenizer {
 public:
  explicit UnicodeScripts(const Field&) {}
  void split(std::vector<Piece>& pieces) const override {
    split_each(pieces, [](AlignedText text, std::vector<Piece>& result) {
      std::vector<Bytes> parts;
      std::optional<int> before;
      std::size_t at = 0;
      for (const char32_t c : characters(text.text())) {
        const int now = script(c);
        const std::size_t end = at + utf8_size(text.text()[at]);
        if (now != any_script && before != now)
          parts.push_back({at, end});
        else if (!parts.empty())
          parts.back().end = end;
        if (now != any_script) before = now;
        at = end;
      }
      add_slices(text, parts, result);
    });
  }
};

class FixedLength : public PreTokenizer {
 public:
  explicit FixedLength(const Field& field) {
    if (const auto length = field.find("length"))
      length_ = static_cast<std::size_t>(length->integer(1, INT32_MAX));
  }
  void split(std::vector<Piece>& pieces) const override {
    split_each(pieces, [&](AlignedText text, std::vector<Piece>& result) {
      std::vector<Bytes> parts;
      std::size_t count = 0;
      for (std::size_t at = 0; at < text.text().size(); ++count) {
        const std::size_t end = at + utf8_size(text.text()[at]);
        if (count % length_ == 0) parts.push_back({at, end});
        parts.back().end = end;
        at = end;
      }
      add_slices(text, parts, result);
    });
  }

 private:
  std::size_t length_ = 5;
};

class Sequence : public PreTokenizer {
 public:
  explicit Sequence(const Field& field) {
    const Field list = field.at("pretokenizers");
    for (std::size_t i = 0; i < list.items(); ++i) all_.push_back(read_pre_tokenizer(list.item(i)));
  }
  void split(std::vector<Piece>& pieces) const override {
    for (const Made& one : all_) {
      if (!pieces.empty()) pieces.front().text.budget().spend(1 + pieces.size());
      one->split(pieces);
    }
  }

 private:
  std::vector<Made> all_;
};

template <typename Kind>
Made make(const Field& field) {
  return std::make_unique<Kind>(field);
}

struct PreTokenizerKind {
  const char* name;
  Made (*make)(const Field&);
};

constexpr PreTokenizerKind pre_tokenizer_kinds[] = {
    {"BertPreTokenizer", make<Bert>},
    {"ByteLevel", make<ByteLevel>},
    {"CharDelimiterSplit", make<AtCharacter>},
    {"Digits", read_digits},
    {"FixedLength", make<FixedLength>},
    {"Metaspace", make<Metaspace>},
    {"Punctuation", read_punctuation},
    {"Sequence", make<Sequence>},
    {"Split", make<Split>},
    {"UnicodeScripts", make<UnicodeScripts>},
    {"Whitespace", make<Whitespace>},
    {"WhitespaceSplit", read_white_space_split},
};

}  // namespace

PrependScheme read_prepend_scheme(const Field& metaspace) {
  struct SchemeName {
    const char* name;
    PrependScheme value;
  };
  constexpr SchemeName names[] = {
      {"always", PrependScheme::always}, {"first", PrependScheme::first}, {"never", PrependScheme::never}};
  // The older form of this field.
  if (!metaspace.flag("add_prefix_space", true)) return PrependScheme::never;
  const auto scheme = metaspace.find("prepend_scheme");
  return scheme ? scheme->one_of(names).value : PrependScheme::always;
}

std::unique_ptr<const PreTokenizer> read_pre_tokenizer(const Field& field) {
  return field.at("type").one_of(pre_tokenizer_kinds).make(field);
}

}  // namespace headscope::tokenizers
