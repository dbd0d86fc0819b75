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

/// Removes spaces before English punctuation and abbreviations; tokenizers shortens "do not", too.
void clean_up(std::string& text, bool shortens = true) {
  constexpr std::pair<const char*, const char*> rules[] = {
      {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
      {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [part, by] : rules)
    if (shortens || std::string_view(part) != " do not") replace_all(text, part, by);
}

using Texts = std::vector<std::string>;

/// Applies `change` to each token, with its index.
template <typename Change>
Texts each_changed(Texts tokens, const Change& change) {
  for (std::size_t i = 0; i < tokens.size(); ++i) change(tokens[i], i);
  return tokens;
}

Texts decode_bytes(const Texts& tokens, WorkBudget&) {
  std::string bytes;
  for (const std::string& token : tokens) bytes += bytes_of_characters(token).value_or(token);
  return {with_replacement_characters(bytes)};
}

Texts decode_byte_fallback(Texts tokens, WorkBudget&) {
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

Texts fuse(const Texts& tokens, WorkBudget&) {
  std::string all;
  for (const std::string& token : tokens) all += token;
  return {all};
}

Decoder read_word_piece_decoder(const JsonField& field) {
  return
      [prefix = field.at("prefix").text(), cleans = field.at("cleanup").flag()](Texts tokens, WorkBudget&) {
        return each_changed(std::move(tokens), [&](std::string& token, std::size_t i) {
          if (i > 0 && token.starts_with(prefix))
            token.erase(0, prefix.size());
          else if (i > 0)
            token.insert(0, " ");
          if (cleans) clean_up(token);
        });
      };
}

Decoder read_metaspace_decoder(const JsonField& field) {
  const bool keeps_first = read_prepend_scheme(field) == PrependScheme::never;
  std::string sign;
  append_utf8(sign, field.at("replacement").character());
  return [keeps_first, sign](Texts tokens, WorkBudget&) {
    return each_changed(std::move(tokens), [&](std::string& token, std::size_t i) {
      replace_all(token, sign, i == 0 && !keeps_first ? "" : " ");
    });
  };
}

Decoder read_bpe_decoder(const JsonField& field) {
  return [suffix = field.at("suffix").text()](Texts tokens, WorkBudget&) {
    const std::size_t count = tokens.size();
    return each_changed(std::move(tokens), [&](std::string& token, std::size_t i) {
      replace_all(token, suffix, i + 1 == count ? "" : " ");
    });
  };
}

Decoder read_strip_decoder(const JsonField& field) {
  const auto start = field.at("start").integer(0, INT32_MAX), stop = field.at("stop").integer(0, INT32_MAX);
  std::string content;
  append_utf8(content, field.at("content").character());
  return [start, stop, content](Texts tokens, WorkBudget&) {
    return each_changed(std::move(tokens), [&](std::string& token, std::size_t) {
      std::string_view rest = token;
      for (auto i = start; i > 0 && rest.starts_with(content); --i) rest.remove_prefix(content.size());
      for (auto i = stop; i > 0 && rest.ends_with(content); --i) rest.remove_suffix(content.size());
      token = std::string(rest);
    });
  };
}

Decoder read_replace_decoder(const JsonField& field) {
  return [pattern = read_pattern(field.at("pattern")), content = field.at("content").text()](
             Texts tokens, WorkBudget& budget) {
    return each_changed(std::move(tokens), [&](std::string& token, std::size_t) {
      std::string result;
      for (const Match& match : pattern.find_all(token, budget)) {
        if (match.matches) budget.charge(content.size());
        result += match.matches ? std::string_view(content)
                                : std::string_view(token).substr(match.bytes.begin, match.bytes.size());
      }
      token = std::move(result);
    });
  };
}

/// Connectionist temporal classification: collapses repetitions and drops the pad token.
Decoder read_ctc_decoder(const JsonField& field) {
  return [pad = field.at("pad_token").text(), delimiter = field.at("word_delimiter_token").text(),
          cleans = field.at("cleanup").flag()](Texts tokens, WorkBudget&) {
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    for (std::string& token : tokens) {
      replace_all(token, pad, "");
      if (!cleans) continue;
      clean_up(token);
      replace_all(token, delimiter, " ");
    }
    std::erase(tokens, "");
    return tokens;
  };
}

Decoder read_decoder_sequence(const JsonField& field) {
  return [all = field.at("decoders").each(read_decoder)](Texts tokens, WorkBudget& budget) {
    for (const Decoder& decode : all) {
      constexpr std::size_t bytes_a_step = 8;
      std::size_t bytes = 0;
      for (const std::string& token : tokens) bytes += token.size();
      budget.spend(1 + tokens.size() + bytes / bytes_a_step);
      tokens = decode(std::move(tokens), budget);
    }
    return tokens;
  };
}

constexpr Kind<Decoder> decoder_kinds[] = {
    {"BPEDecoder", read_bpe_decoder},
    {"ByteFallback", [](const JsonField&) -> Decoder { return decode_byte_fallback; }},
    {"ByteLevel", [](const JsonField&) -> Decoder { return decode_bytes; }},
    {"CTC", read_ctc_decoder},
    {"Fuse", [](const JsonField&) -> Decoder { return fuse; }},
    {"Metaspace", read_metaspace_decoder},
    {"Replace", read_replace_decoder},
    {"Sequence", read_decoder_sequence},
    {"Strip", read_strip_decoder},
    {"WordPiece", read_word_piece_decoder}};

}  // namespace

std::string with_broken_parts(std::string_view bytes,
                              const std::function<std::string(std::string_view part)>& spelled) {
  std::string result;
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::ptrdiff_t size = bytes.size();
  for (std::ptrdiff_t i = 0; i < size;) {
    const std::ptrdiff_t begin = i;
    UChar32 c = 0;
    U8_NEXT(data, i, size, c);
    const std::string_view part = bytes.substr(begin, i - begin);
    result += c < 0 ? spelled(part) : std::string(part);
  }
  return result;
}

std::string with_replacement_characters(const std::string& bytes) {
  return with_broken_parts(bytes, [](std::string_view) { return "\ufffd"; });
}

namespace {

/// What `decoder` gives, as one text that `change` changes.
template <typename Change>
Decoder then(Decoder decoder, Change change) {
  return [decoder = std::move(decoder), change = std::move(change)](Texts tokens, WorkBudget& budget) {
    if (decoder) tokens = decoder(std::move(tokens), budget);
    std::string all;
    for (std::size_t i = 0; i < tokens.size(); ++i) all += (i > 0 && !decoder ? " " : "") + tokens[i];
    change(all);
    return Texts{std::move(all)};
  };
}

}  // namespace

std::string stripped(std::string text, std::string_view sign) {
  replace_all(text, sign, " ");
  constexpr const char* spaces = " \t\n\r\v\f";
  text.erase(0, std::min(text.find_first_not_of(spaces), text.size()));
  text.erase(text.find_last_not_of(spaces) + 1);
  return text;
}

Decoder without_word_ends(Decoder decoder, std::string end) {
  return then(std::move(decoder),
              [end = std::move(end)](std::string& text) { text = stripped(std::move(text), end); });
}

Decoder without_spaces_before_signs(Decoder decoder) {
  return then(std::move(decoder), [](std::string& text) { clean_up(text, false); });
}

Decoder read_decoder(const JsonField& field) {
  return field.read_kind(decoder_kinds);
}

}  // namespace headscope::tokenizers
