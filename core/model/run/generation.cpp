#include "core/model/run/generation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/io/path_in_folder.h"
#include "core/io/strict_json.h"
#include "core/model/config/config.h"

namespace headscope {
namespace {

constexpr Index largest_length = INT32_MAX;
constexpr std::size_t most_sequences = 100'000;
constexpr float never = -std::numeric_limits<float>::infinity();

/// At least one token.
std::vector<Index> read_sequence(const JsonField& list) {
  std::vector<Index> tokens;
  for (std::size_t i = 0; i < list.items(); ++i)
    tokens.push_back(static_cast<Index>(list.item(i).integer(0, INT32_MAX)));
  if (tokens.empty()) throw list.wrong("{}: {} is {}; expected a list of tokens");
  return tokens;
}

/// A field that is a list of lists; nothing if it is missing.
std::optional<JsonField> lists_of(const ConfigFields& config, const char* name) {
  const auto lists = config.find(name);
  if (lists && lists->items() > most_sequences)
    throw lists->wrong("{}: {} is {}; expected at most {} lists", most_sequences);
  return lists;
}

std::vector<SequenceBias> read_biases(const ConfigFields& config) {
  std::vector<SequenceBias> biases;
  const auto lists = lists_of(config, "sequence_bias");
  for (std::size_t i = 0; lists && i < lists->items(); ++i) {
    const JsonField pair = lists->item(i);
    if (pair.items() != 2) throw pair.wrong("{}: {} is {}; expected [[token, …], bias]");
    biases.push_back({read_sequence(pair.item(0)), pair.item(1).number()});
  }
  return biases;
}

/// bad_words_ids, of which an end alone does not count.
std::vector<SequenceBias> read_bad_words(const ConfigFields& config, const std::vector<Index>& ends) {
  std::vector<SequenceBias> words;
  const auto lists = lists_of(config, "bad_words_ids");
  for (std::size_t i = 0; lists && i < lists->items(); ++i) {
    SequenceBias one{read_sequence(lists->item(i)), -std::numeric_limits<double>::infinity()};
    if (one.tokens.size() > 1 || std::ranges::count(ends, one.tokens[0]) == 0)
      words.push_back(std::move(one));
  }
  return words;
}

std::optional<GenerationRules::Decay> read_decay(const ConfigFields& config) {
  const auto pair = config.find("exponential_decay_length_penalty");
  if (!pair) return {};
  if (pair->items() != 2) throw pair->wrong("{}: {} is {}; expected [start, factor]");
  return GenerationRules::Decay{static_cast<Index>(pair->item(0).integer(0, largest_length)),
                                pair->item(1).positive(1e6)};
}

/// Whether the field says something else than what greedy decoding does anyway.
bool is_set(const ConfigFields& config, const char* name, const nlohmann::json& usual) {
  const auto field = config.find(name);
  return field && field->json() != usual;
}

std::vector<std::string> not_obeyed(const ConfigFields& config) {
  const std::pair<const char*, nlohmann::json> fields[] = {
      {"do_sample", false},      {"num_beams", 1},
      {"guidance_scale", 1},     {"penalty_alpha", 0},
      {"dola_layers", nullptr},  {"force_words_ids", nullptr},
      {"stop_strings", nullptr}, {"watermarking_config", nullptr}};
  std::vector<std::string> names;
  for (const auto& [name, usual] : fields)
    if (is_set(config, name, usual)) names.emplace_back(name);
  return names;
}

std::optional<Index> read_limit(const ConfigFields& config, const char* name) {
  if (!config.has(name)) return {};
  return config.whole({name}, 0, 1, largest_length);
}

GenerationRules rules_in(const std::string& folder, const char* name) {
  constexpr std::size_t largest = std::size_t{16} << 20;
  const std::string path = path_in_folder(folder, name);
  const nlohmann::json json = parse_json(read_file(path, largest), path);
  return read_generation_rules(ConfigFields(JsonField(json, path)));
}

GenerationRules rules_of(const ModelConfig& config) {
  GenerationRules rules;
  rules.eos_tokens = config.eos_tokens;
  rules.forced_bos_token = config.forced_bos_token;
  for (const Index token : config.never_generated)
    rules.bad_words.push_back({{token}, -std::numeric_limits<double>::infinity()});
  return rules;
}

/// Small test models name tokens of a large one, which never occur.
void drop_unknown(GenerationRules& rules, Index vocabulary) {
  for (std::optional<Index>* token : {&rules.forced_bos_token, &rules.forced_eos_token})
    if (*token && **token >= vocabulary) token->reset();
  std::erase_if(rules.eos_tokens, [&](Index token) { return token >= vocabulary; });
}

float& at(std::span<float> logits, Index token) {
  return logits[token];
}

/// Calls change(logit) for each of the tokens that has one, once.
template <typename Change>
void for_each_token(std::span<const Index> tokens, std::span<float> logits, const Change& change) {
  std::vector<Index> distinct(tokens.begin(), tokens.end());
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const Index token : distinct)
    if (token >= 0 && token < std::ssize(logits)) change(at(logits, token));
}

void ban(std::span<const Index> tokens, std::span<float> logits) {
  for_each_token(tokens, logits, [](float& logit) { logit = never; });
}

/// Keskar et al. 2019.
void penalize(std::span<const Index> tokens, double penalty, std::span<float> logits) {
  const auto factor = static_cast<float>(penalty);
  for_each_token(tokens, logits,
                 [factor](float& logit) { logit = logit < 0 ? logit * factor : logit / factor; });
}

/// Bans what would complete an n-gram of `known` after the last tokens of `text`.
void ban_ngrams(std::span<const Index> text, std::span<const Index> known, Index n, std::span<float> logits) {
  const std::size_t before = n - 1;
  if (text.size() < before) return;
  const auto last = text.last(before);
  for (std::size_t i = 0; i + before < known.size(); ++i)
    if (std::ranges::equal(known.subspan(i, before), last)) ban(known.subspan(i + before, 1), logits);
}

bool follows(std::span<const Index> text, std::span<const Index> sequence) {
  const std::size_t before = sequence.size() - 1;
  // transformers does not look at a sequence that is longer than the text.
  return before == 0 ||
         (sequence.size() <= text.size() && std::ranges::equal(text.last(before), sequence.first(before)));
}

void add_biases(const std::vector<SequenceBias>& biases, std::span<const Index> text,
                std::span<float> logits) {
  for (const SequenceBias& one : biases)
    if (const Index token = one.tokens.back(); token < std::ssize(logits) && follows(text, one.tokens))
      at(logits, token) += static_cast<float>(one.bias);
}

void lengthen(const GenerationRules& rules, Index length, Index made, std::span<float> logits) {
  const bool too_short = rules.min_new_tokens ? made < *rules.min_new_tokens : length < rules.min_length;
  if (too_short) ban(rules.eos_tokens, logits);
}

void shorten(const GenerationRules& rules, Index made, std::span<float> logits) {
  if (!rules.decay || made <= rules.decay->start) return;
  const double grown = std::pow(rules.decay->factor, made - rules.decay->start) - 1;
  // In transformers a logit of −∞ becomes NaN here, which PyTorch's argmax takes for the largest: a text that
  // was not to end yet ends.
  for_each_token(rules.eos_tokens, logits, [grown](float& logit) {
    if (logit == never && grown >= 0)
      logit = std::numeric_limits<float>::infinity();
    else
      logit += std::abs(logit) * static_cast<float>(grown);
  });
}

}  // namespace

std::optional<Index> GenerationRules::longest_after(Index given) const {
  if (max_new_tokens) return max_new_tokens;
  if (!max_length || *max_length <= given) return {};
  return *max_length - given;
}

GenerationRules read_generation_rules(const ConfigFields& config) {
  GenerationRules rules;
  rules.eos_tokens = config.tokens("eos_token_id");
  rules.max_length = read_limit(config, "max_length");
  rules.max_new_tokens = read_limit(config, "max_new_tokens");
  rules.min_length = config.whole({"min_length"}, 0, 0, largest_length);
  if (config.has("min_new_tokens"))
    rules.min_new_tokens = config.whole({"min_new_tokens"}, 0, 0, largest_length);
  rules.repetition_penalty = config.above_zero({"repetition_penalty"}, 1, 1e6);
  rules.encoder_repetition_penalty = config.above_zero({"encoder_repetition_penalty"}, 1, 1e6);
  rules.no_repeat_ngram = config.whole({"no_repeat_ngram_size"}, 0, 0, largest_length);
  rules.encoder_no_repeat_ngram = config.whole({"encoder_no_repeat_ngram_size"}, 0, 0, largest_length);
  rules.biases = read_biases(config);
  rules.bad_words = read_bad_words(config, rules.eos_tokens);
  rules.suppressed = config.tokens("suppress_tokens");
  rules.first_suppressed = config.tokens("begin_suppress_tokens");
  rules.forced_bos_token = config.token("forced_bos_token_id");
  rules.forced_eos_token = config.token("forced_eos_token_id");
  rules.decay = read_decay(config);
  rules.not_obeyed = not_obeyed(config);
  return rules;
}

GenerationRules generation_rules(const std::string& folder, const ModelConfig& config) {
  GenerationRules rules;
  if (!folder.empty() && is_in_folder(folder, "generation_config.json")) {
    rules = rules_in(folder, "generation_config.json");
  } else if (!folder.empty() && is_in_folder(folder, "config.json")) {
    rules = rules_in(folder, "config.json");
    rules.eos_tokens = config.eos_tokens;  // with those of its family
  } else {
    rules = rules_of(config);
  }
  drop_unknown(rules, std::max(config.vocabulary, config.decoder_vocabulary));
  return rules;
}

void apply_rules(const GenerationRules& rules, const GeneratedText& text, std::span<float> logits) {
  const Index length = std::ssize(text.tokens), made = length - text.given;
  add_biases(rules.biases, text.tokens, logits);
  if (rules.encoder_repetition_penalty != 1)
    penalize(text.source, 1 / rules.encoder_repetition_penalty, logits);
  if (rules.repetition_penalty != 1) penalize(text.tokens, rules.repetition_penalty, logits);
  if (rules.no_repeat_ngram > 0) ban_ngrams(text.tokens, text.tokens, rules.no_repeat_ngram, logits);
  if (rules.encoder_no_repeat_ngram > 0)
    ban_ngrams(text.tokens, text.source, rules.encoder_no_repeat_ngram, logits);
  add_biases(rules.bad_words, text.tokens, logits);
  lengthen(rules, length, made, logits);
  shorten(rules, made, logits);
  ban(rules.suppressed, logits);
  // A token that is forced behind a start token is not the first to be chosen.
  const Index first = text.given == 1 && rules.forced_bos_token ? 1 : 0;
  if (made == first) ban(rules.first_suppressed, logits);
}

std::optional<Index> forced_token(const GenerationRules& rules, const GeneratedText& text) {
  if (text.is_last && rules.forced_eos_token) return rules.forced_eos_token;
  return text.tokens.size() == 1 ? rules.forced_bos_token : std::nullopt;
}

}  // namespace headscope
