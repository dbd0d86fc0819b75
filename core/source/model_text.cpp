#include "core/source/model_text.h"

#include <algorithm>
#include <iterator>

#include "core/base/error.h"

namespace headscope {
namespace {

// The sentence that each token stands in, by that of the last word that begins no later.
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

// What the template adds belongs to the sentence before it.
void number_sentences(const Text& text, const Encoding& encoding, std::vector<Token>& tokens) {
  int next = 0;
  number_sentences(text.sentence, 0, encoding, tokens, next);
  if (text.key_sentence) number_sentences(*text.key_sentence, 1, encoding, tokens, next);
  for (std::size_t i = 1; i < tokens.size(); ++i)
    if (encoding.tokens[i].sequence < 0) tokens[i].sentence = tokens[i - 1].sentence;
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

void check_tokens(const char* field, const std::vector<Token>& tokens, const ModelConfig& config,
                  Index vocabulary) {
  const Index n = std::ssize(tokens);
  if (const auto longest = config.longest(); longest && n > *longest)
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

Token model_token(const Tokenizer& tokenizer, Index id) {
  const auto number = static_cast<TokenId>(id);
  Token token{tokenizer.shown(number)};
  token.id = id;
  token.special = tokenizer.is_special(number);
  return token;
}

std::optional<ModelText> split_text(const Text& text, const ModelConfig& config, const Tokenizer& tokenizer,
                                    const std::stop_token& stop) try {
  const bool pairs = !config.has_decoder();
  if (text.key_sentence && !pairs)
    throw input_error("key_sentence is given; this model reads one sentence, and no pair as BERT does");
  if (text.target && !config.encoder_decoder())
    throw input_error("target is given; only an encoder–decoder reads one");
  ModelText result;
  const Encoding encoding = encode_field("sentence", tokenizer, text.sentence, text.key_sentence, true, stop);
  result.tokens = encoded_tokens(encoding, tokenizer, text.sentence, text.key_sentence);
  result.carried = CarriedWords(config, tokenizer);
  result.carried.carry(text.sentence, result.tokens);
  check_tokens("sentence", result.tokens, config, config.vocabulary);
  number_sentences(text, encoding, result.tokens);
  const auto second = [](const EncodedToken& token) { return token.type != 0; };
  if (std::ranges::any_of(encoding.tokens, second))
    for (const EncodedToken& token : encoding.tokens) result.types.push_back(token.type);
  if (!config.encoder_decoder()) return result;
  result.target = {model_token(tokenizer, config.decoder_start_token.value_or(config.pad_token.value_or(0)))};
  result.target.front().special = true;
  result.whole_target = text.target.has_value();
  if (!text.target) return result;
  std::vector<Token> given = encoded_tokens(encode_field("target", tokenizer, *text.target, {}, false, stop),
                                            tokenizer, *text.target, {});
  result.carried.carry(*text.target, given, true);
  std::ranges::move(given, std::back_inserter(result.target));
  check_tokens("target", result.target, config, config.decoder_vocabulary);
  return result;
} catch (const Error&) {
  if (stop.stop_requested()) return {};
  throw;
}

}  // namespace headscope
