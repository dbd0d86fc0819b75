#include "core/source/model/model_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "core/base/error.h"
#include "core/base/stopped.h"
#include "core/base/utf8.h"
#include "core/io/npy.h"
#include "core/source/model/languages.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

// The sentence that each token is in: that of the last word beginning at or before it.
void number_sentences(const std::string& text, int sequence, const Encoding& encoding,
                      std::vector<Token>& tokens, int& next) {
  const std::vector<Token> all = words(text);
  int last = next;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (encoding.tokens[i].sequence != sequence) continue;
    const auto after = std::ranges::upper_bound(all, tokens[i].begin, {}, &Token::begin);
    tokens[i].sentence = next + (after == all.begin() ? 0 : std::prev(after)->sentence);
    last = std::max(last, tokens[i].sentence);
  }
  next = last + 1;
}

// Tokens added by the template belong to the sentence before them.
void number_sentences(const Text& text, const Encoding& encoding, std::vector<Token>& tokens) {
  int next = 0;
  number_sentences(text.sentence, 0, encoding, tokens, next);
  if (text.key_sentence) number_sentences(*text.key_sentence, 1, encoding, tokens, next);
  for (std::size_t i = 1; i < tokens.size(); ++i)
    if (encoding.tokens[i].sequence < 0) tokens[i].sentence = tokens[i - 1].sentence;
}

/// The model reads the unknown token, but a user needs to see the word.
void name_if_unknown(Token& token, const Tokenizer& tokenizer, std::string_view text) {
  const std::optional<TokenId> unknown = tokenizer.unknown();
  if (unknown && token.id == *unknown && token.end <= text.size() && token.begin < token.end)
    name_unknown(token, text.substr(token.begin, token.end - token.begin));
}

std::vector<Token> encoded_tokens(const Encoding& encoding, const Tokenizer& tokenizer,
                                  const std::string& text, const std::optional<std::string>& pair) {
  const std::vector<int> words =
      pair ? tokenizer.words(encoding, text, *pair) : tokenizer.words(encoding, text);
  std::vector<Token> tokens;
  tokens.reserve(encoding.tokens.size());
  for (const EncodedToken& encoded : encoding.tokens) {
    Token& token = tokens.emplace_back(model_token(tokenizer, encoded.id));
    token.begin = encoded.begin;
    token.end = encoded.end;
    token.special = encoded.special;
    if (!token.special) token.word = words[tokens.size() - 1];
    name_if_unknown(token, tokenizer, encoded.sequence == 1 && pair ? *pair : text);
  }
  return tokens;
}

Encoding encode_field(const char* field, const Tokenizer& tokenizer, const std::string& text,
                      const std::optional<std::string>& pair, bool with_template,
                      const std::stop_token& stop) {
  for (const std::string* one : {&text, pair ? &*pair : &text})
    if (one->size() > Limits::max_sentence_bytes)
      throw input_error("{} has {} bytes; expected at most {}", one == &text ? field : "key_sentence",
                        one->size(), Limits::max_sentence_bytes);
  return pair ? tokenizer.encode(text, *pair, with_template, stop)
              : tokenizer.encode(text, {}, with_template, stop);
}

constexpr std::size_t longest_known_word = 64;  // bytes

// The end of the run of ASCII, or of non-ASCII, characters at `begin`.
std::size_t end_of_script(std::string_view text, std::size_t begin) {
  const auto ascii = [&](std::size_t at) { return is_ascii(text[at]); };
  std::size_t end = begin;
  while (end < text.size() && ascii(end) == ascii(begin)) ++end;
  return end;
}

// The end of the longest vocabulary word at `begin`; `begin` if there is none.
std::size_t end_of_known_word(const Tokenizer& tokenizer, std::string_view text, std::size_t begin,
                              std::size_t limit) {
  std::size_t found = begin;
  for (std::size_t end = begin; end < limit && end - begin < longest_known_word;) {
    end = code_point_end(text, end);
    if (tokenizer.find(text.substr(begin, end - begin))) found = end;
  }
  return found;
}

// An unknown word without blanks: [begin, end) of its parts. ASCII letters stay together; otherwise each part
// is the longest word in the vocabulary.
std::vector<std::pair<std::size_t, std::size_t>> known_parts(const Tokenizer& tokenizer,
                                                             std::string_view text, std::size_t begin,
                                                             std::size_t end) {
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  while (begin < end) {
    const std::size_t script = std::min(end, end_of_script(text, begin));
    if (is_ascii(text[begin])) {
      parts.emplace_back(begin, script);
      begin = script;
      continue;
    }
    std::size_t known = begin, unknown = begin;
    while (unknown < script && known == unknown) {
      known = end_of_known_word(tokenizer, text, unknown, script);
      if (known == unknown) known = unknown = code_point_end(text, unknown);
    }
    if (unknown > begin) parts.emplace_back(begin, unknown);
    if (known > unknown) parts.emplace_back(unknown, known);
    begin = std::max(known, unknown);
  }
  return parts;
}

// Splits a target without blanks between words, such as Chinese, into words of the vocabulary.
std::vector<Token> in_known_words(const std::string& text, const std::vector<Token>& tokens,
                                  const Tokenizer& tokenizer) {
  const std::optional<TokenId> unknown = tokenizer.unknown();
  if (!has_word_tokens(tokenizer) || !unknown) return tokens;
  std::vector<Token> result;
  int next = 0, before = -1;  // words are renumbered
  for (Token token : tokens) {
    if (token.word >= 0) {
      if (token.word != before) ++next;
      before = token.word;
      token.word = next - 1;
    }
    if (token.id != *unknown || token.end > text.size() || token.begin >= token.end) {
      result.push_back(std::move(token));
      continue;
    }
    const auto parts = known_parts(tokenizer, text, token.begin, token.end);
    if (token.word >= 0) --next;
    for (const auto& [begin, end] : parts) {
      Token part = model_token(
          tokenizer, tokenizer.find(std::string_view(text).substr(begin, end - begin)).value_or(*unknown));
      part.begin = begin;
      part.end = end;
      name_if_unknown(part, tokenizer, text);
      part.word = next++;
      part.sentence = token.sentence;
      result.push_back(std::move(part));
    }
  }
  return result;
}

void check_tokens(const char* field, const std::vector<Token>& tokens, const ModelConfig& config,
                  Index vocabulary, bool of_decoder = false) {
  const Index n = std::ssize(tokens);
  if (const auto longest = config.longest(of_decoder); longest && n > *longest)
    throw input_error(counted("{} has {} token; this model has positions for at most {}",
                              "{} has {} tokens; this model has positions for at most {}", n),
                      field, n, *longest);
  if (n > Limits::max_tokens)
    throw input_error("{} has {} tokens; expected at most {}", field, n, Limits::max_tokens);
  for (const Token& token : tokens)
    if (token.id >= vocabulary)
      throw input_error(
          "the tokenizer does not fit the model: \"{}\" has the number {}, and the model's vocabulary is {}",
          token.text, token.id, vocabulary);
}

}  // namespace

std::vector<Index> ids_of(const std::vector<Token>& tokens) {
  std::vector<Index> ids(tokens.size());
  std::ranges::transform(tokens, ids.begin(), &Token::id);
  return ids;
}

bool has_word_tokens(const Tokenizer& tokenizer) {
  return tokenizer.facts().model == "WordLevel";
}

std::string joined_words(std::string text, std::span<const Token> tokens) {
  constexpr std::size_t bracket = 3;  // bytes of ⟨ and ⟩
  for (const Token& token : tokens) {
    if (token.special) continue;
    if (!text.empty() && text.back() != ' ') text += ' ';
    text += token.placeholder ? std::string_view(token.text).substr(bracket, token.text.size() - 2 * bracket)
                              : text_in_vocabulary(token);
  }
  return text;
}

Token model_token(const Tokenizer& tokenizer, Index id) {
  const auto number = static_cast<TokenId>(id);
  Token token{tokenizer.shown(number)};
  token.id = id;
  token.special = tokenizer.is_special(number);
  return token;
}

namespace {

/// What a decoder that reads the source again reads: its tokens, each at the place of the next.
std::vector<Token> reread(const std::vector<Token>& source, Token start, bool rotates) {
  if (source.empty()) return {};
  if (rotates) start = source.back();
  std::vector<Token> target{std::move(start)};
  target.insert(target.end(), source.begin(), source.end() - 1);
  return target;
}

void check_fields(const Text& text, const ModelConfig& config) {
  if (text.key_sentence && config.has_decoder() && !config.rereads())
    throw input_error("key_sentence is given; this model reads one sentence, and no pair as BERT does");
  if (text.target && !config.encoder_decoder())
    throw input_error("target is given; only an encoder–decoder reads one");
  for (const auto& [field, language] :
       {std::pair{"source_language", &text.source_language}, {"target_language", &text.target_language}})
    if (!language->empty() && !config.encoder_decoder())
      throw input_error("{} is given; only an encoder–decoder translates", field);
  if (!text.features.empty() && !config.sound)
    throw input_error("features is given; this model does not hear");
  if (!config.rereads()) return;
  for (const auto& [field, given] :
       {std::pair{"target", text.target.has_value()}, {"target_language", !text.target_language.empty()}})
    if (given) throw input_error("{} is given; this model's decoder reads the sentence once more", field);
}

/// A log-mel spectrogram, and a token for each two of its frames, by their time; without one no tokens.
void read_sound(const std::string& path, const SoundInput& input, ModelText& text) {
  if (path.empty()) return;
  constexpr std::size_t largest = std::size_t{256} << 20;
  NamedArray array = read_npy(path, largest);
  if (array.shape != std::vector{input.frames, input.bands})
    throw input_error(
        "{}: shape is [{}]; expected [{}, {}], frames and bands, as this model was trained with", path,
        fmt::format("{}", fmt::join(array.shape, ", ")), input.frames, input.bands);
  Tensor spectrogram({input.frames, input.bands});
  std::ranges::copy(array.values, spectrogram.data());
  if (!finite(spectrogram)) throw input_error("{}: a number is not finite", path);
  text.sound = std::make_shared<const Tensor>(std::move(spectrogram));
  constexpr double seconds = 0.02;
  for (Index i = 0; i < input.frames / 2; ++i) {
    Token& token = text.tokens.emplace_back(Token{fmt::format("{:.2f}s", static_cast<double>(i) * seconds)});
    token.id = i;
    token.word = static_cast<int>(i);
  }
}

/// The tokens of the sentence, or of a pair.
void read_source(const Text& text, const ModelConfig& config, const Tokenizer& tokenizer,
                 const std::stop_token& stop, ModelText& result) {
  const Encoding encoding = encode_field("sentence", tokenizer, text.sentence, text.key_sentence, true, stop);
  result.tokens = encoded_tokens(encoding, tokenizer, text.sentence, text.key_sentence);
  result.placeholders = Placeholders(config, tokenizer);
  result.placeholders.replace_unknown(text.sentence, result.tokens);
  number_sentences(text, encoding, result.tokens);
  const std::optional<Index> padding = tokenizer.role("pad_token");
  const std::optional<Index> pad = padding ? padding : config.pad_token;
  const int sentence = result.tokens.empty() ? 0 : result.tokens.back().sentence;
  while (config.padded_text && pad && std::ssize(result.tokens) < config.positions) {
    result.tokens.push_back(model_token(tokenizer, *pad));
    result.tokens.back().sentence = sentence;
  }
  check_tokens("sentence", result.tokens, config, config.vocabulary);
  const auto second = [](const EncodedToken& token) { return token.type != 0; };
  if (std::ranges::any_of(encoding.tokens, second))
    for (const EncodedToken& token : encoding.tokens) result.types.push_back(token.type);
}

}  // namespace

std::optional<ModelText> split_text(const Text& text, const ModelConfig& config, const Tokenizer& tokenizer,
                                    const std::stop_token& stop) try {
  check_fields(text, config);
  ModelText result;
  if (config.sound)
    read_sound(text.features, *config.sound, result);
  else
    read_source(text, config, tokenizer, stop, result);
  if (!config.encoder_decoder()) return result;
  const std::optional<Index> start =
      config.decoder_start_token ? config.decoder_start_token : config.bos_token;
  result.target = {model_token(tokenizer, start.value_or(0))};
  result.target.front().special = true;
  set_languages(text, config, tokenizer, result);
  if (!config.sound) check_tokens("sentence", result.tokens, config, config.vocabulary);
  result.whole_target = text.target.has_value() || config.rereads();
  if (config.rereads()) result.target = reread(result.tokens, result.target.front(), config.rotates_reread);
  if (!text.target) return result;
  if (result.first_written) {
    result.target.push_back(model_token(tokenizer, *result.first_written));
    result.target.back().special = true;
  }
  std::vector<Token> given = encoded_tokens(encode_field("target", tokenizer, *text.target, {}, false, stop),
                                            tokenizer, *text.target, {});
  given = in_known_words(*text.target, given, tokenizer);
  result.placeholders.replace_unknown(*text.target, given, true);
  std::ranges::move(given, std::back_inserter(result.target));
  check_tokens("target", result.target, config, config.decoder_vocabulary, true);
  return result;
} catch (const Error&) {
  if (stop_requested(stop)) return {};
  throw;
}

}  // namespace headscope
