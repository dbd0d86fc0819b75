#include "core/text/tokenizer/decoder.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <optional>

#include "core/base/utf8.h"
#include "core/text/tokenizer/model.h"
#include "core/text/tokenizer/normalizer.h"
#include "core/text/tokenizer/pattern.h"
#include "core/text/tokenizer/pre_tokenizer.h"

namespace headscope::tokenizers {
namespace {

using Texts = std::vector<std::string>;
using Made = std::unique_ptr<const Decoder>;

void replace_all(std::string& text, std::string_view part, std::string_view by) {
  if (part.empty()) return;
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, done)) {
    result.append(text, done, at - done).append(by);
    done = at + part.size();
  }
  if (done > 0) text = result.append(text, done);
}

/// Removes spaces before English punctuation and abbreviations.
void clean_up(std::string& text) {
  constexpr std::pair<const char*, const char*> rules[] = {
      {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
      {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [part, by] : rules) replace_all(text, part, by);
}

class ByteLevel : public Decoder {
 public:
  explicit ByteLevel(const Field&) {}
  Texts decode(Texts tokens, WorkBudget&) const override {
    std::string bytes;
    for (const std::string& token : tokens) {
      const std::u32string all = characters(token);
      if (std::ranges::any_of(all, [](char32_t c) { return byte_of(c) < 0; }))
        bytes += token;
      else
        for (const char32_t c : all) bytes += static_cast<char>(byte_of(c));
    }
    return {with_replacement_characters(bytes)};
  }
};

class WordPiece : public Decoder {
 public:
  explicit WordPiece(const Field& field)
      : prefix_(field.at("prefix").text()), cleans_(field.at("cleanup").flag()) {}
  Texts decode(Texts tokens, WorkBudget&) const override {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      std::string& token = tokens[i];
      if (i > 0 && token.starts_with(prefix_))
        token.erase(0, prefix_.size());
      else if (i > 0)
        token.insert(0, " ");
      if (cleans_) clean_up(token);
    }
    return tokens;
  }

 private:
  std::string prefix_;
  bool cleans_;
};

class Metaspace : public Decoder {
 public:
  explicit Metaspace(const Field& field) : keeps_first_(read_prepend_scheme(field) == PrependScheme::never) {
    append_utf8(sign_, field.at("replacement").character());
  }
  Texts decode(Texts tokens, WorkBudget&) const override {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      replace_all(tokens[i], sign_, i == 0 && !keeps_first_ ? "" : " ");
    return tokens;
  }

 private:
  std::string sign_;
  bool keeps_first_;
};

class Bpe : public Decoder {
 public:
  explicit Bpe(const Field& field) : suffix_(field.at("suffix").text()) {}
  Texts decode(Texts tokens, WorkBudget&) const override {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      replace_all(tokens[i], suffix_, i + 1 == tokens.size() ? "" : " ");
    return tokens;
  }

 private:
  std::string suffix_;
};

class ByteFallback : public Decoder {
 public:
  explicit ByteFallback(const Field&) {}
  Texts decode(Texts tokens, WorkBudget&) const override {
    Texts result;
    std::string bytes;
    const auto end_bytes = [&] {
      if (find_invalid_utf8(bytes) == std::string::npos && !bytes.empty())
        result.push_back(bytes);
      else
        result.insert(result.end(), bytes.size(), "\ufffd");
      bytes.clear();
    };
    for (std::string& token : tokens) {
      const int byte = byte_of_token(token);
      if (byte >= 0) {
        bytes += static_cast<char>(byte);
        continue;
      }
      end_bytes();
      result.push_back(std::move(token));
    }
    end_bytes();
    return result;
  }
};

class Fuse : public Decoder {
 public:
  explicit Fuse(const Field&) {}
  Texts decode(Texts tokens, WorkBudget&) const override {
    std::string all;
    for (const std::string& token : tokens) all += token;
    return {all};
  }
};

class Strip : public Decoder {
 public:
  explicit Strip(const Field& field)
      : start_(static_cast<std::size_t>(field.at("start").integer(0, INT32_MAX))),
        stop_(static_cast<std::size_t>(field.at("stop").integer(0, INT32_MAX))) {
    append_utf8(content_, field.at("content").character());
  }
  Texts decode(Texts tokens, WorkBudget&) const override {
    for (std::string& token : tokens) {
      std::string_view rest = token;
      for (std::size_t i = 0; i < start_ && rest.starts_with(content_); ++i)
        rest.remove_prefix(content_.size());
      for (std::size_t i = 0; i < stop_ && rest.ends_with(content_); ++i) rest.remove_suffix(content_.size());
      token = std::string(rest);
    }
    return tokens;
  }

 private:
  std::string content_;
  std::size_t start_, stop_;
};

class Replace : public Decoder {
 public:
  explicit Replace(const Field& field)
      : pattern_(read_pattern(field.at("pattern"))), content_(field.at("content").text()) {}
  Texts decode(Texts tokens, WorkBudget& budget) const override {
    for (std::string& token : tokens) {
      std::string result;
      for (const Match& match : pattern_.find_all(token, budget)) {
        if (match.matches) budget.charge(content_.size());
        result += match.matches ? std::string_view(content_)
                                : std::string_view(token).substr(match.bytes.begin, match.bytes.size());
      }
      token = std::move(result);
    }
    return tokens;
  }

 private:
  Pattern pattern_;
  std::string content_;
};

/// Connectionist temporal classification: collapses repetitions and drops the pad token.
class Ctc : public Decoder {
 public:
  explicit Ctc(const Field& field)
      : pad_(field.at("pad_token").text()),
        delimiter_(field.at("word_delimiter_token").text()),
        cleans_(field.at("cleanup").flag()) {}
  Texts decode(Texts tokens, WorkBudget&) const override {
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    for (std::string& token : tokens) {
      replace_all(token, pad_, "");
      if (!cleans_) continue;
      clean_up(token);
      replace_all(token, delimiter_, " ");
    }
    std::erase(tokens, "");
    return tokens;
  }

 private:
  std::string pad_, delimiter_;
  bool cleans_;
};

class Sequence : public Decoder {
 public:
  explicit Sequence(const Field& field) {
    const Field list = field.at("decoders");
    for (std::size_t i = 0; i < list.items(); ++i) all_.push_back(read_decoder(list.item(i)));
  }
  Texts decode(Texts tokens, WorkBudget& budget) const override {
    for (const Made& one : all_) {
      constexpr std::size_t bytes_a_step = 8;
      std::size_t bytes = 0;
      for (const std::string& token : tokens) bytes += token.size();
      budget.spend(1 + tokens.size() + bytes / bytes_a_step);
      tokens = one->decode(std::move(tokens), budget);
    }
    return tokens;
  }

 private:
  std::vector<Made> all_;
};

template <typename Kind>
Made make(const Field& field) {
  return std::make_unique<Kind>(field);
}

struct DecoderKind {
  const char* name;
  Made (*make)(const Field&);
};

constexpr DecoderKind decoder_kinds[] = {{"BPEDecoder", make<Bpe>},      {"ByteFallback", make<ByteFallback>},
                                         {"ByteLevel", make<ByteLevel>}, {"CTC", make<Ctc>},
                                         {"Fuse", make<Fuse>},           {"Metaspace", make<Metaspace>},
                                         {"Replace", make<Replace>},     {"Sequence", make<Sequence>},
                                         {"Strip", make<Strip>},         {"WordPiece", make<WordPiece>}};

}  // namespace

std::string with_broken_parts(std::string_view bytes,
                              const std::function<std::string(std::string_view part)>& spelled) {
  std::string result;
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const auto size = static_cast<std::ptrdiff_t>(bytes.size());
  for (std::ptrdiff_t i = 0; i < size;) {
    const std::ptrdiff_t begin = i;
    UChar32 c = 0;
    U8_NEXT(data, i, size, c);
    const std::string_view part =
        bytes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(i - begin));
    result += c < 0 ? spelled(part) : std::string(part);
  }
  return result;
}

std::string with_replacement_characters(const std::string& bytes) {
  return with_broken_parts(bytes, [](std::string_view) { return "\ufffd"; });
}

std::unique_ptr<const Decoder> read_decoder(const Field& field) {
  return field.at("type").one_of(decoder_kinds).make(field);
}

}  // namespace headscope::tokenizers
