#include "core/text/tokenizer/gguf_tokenizer.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/utf8.h"
#include "core/io/gguf_metadata.h"
#include "core/io/strict_json.h"
#include "core/text/tokenizer/gguf_patterns.h"
#include "core/text/tokenizer/sentence_piece.h"

namespace headscope::tokenizers {
namespace {

using Json = nlohmann::json;

// Kinds of tokens in tokenizer.ggml.token_type.
constexpr double unknown_kind = 2, control_kind = 3, user_kind = 4;

// Ends of texts and of turns, which are no part of a text whatever kind a file says they are of.
constexpr std::string_view turn_ends[] = {
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>",   "</s>",  "<|eom_id|>",
    "<EOT>",      "_<EOT>",     "[EOT]",   "[EOS]",         "<|end_of_text|>", "<eos>", "<end_of_utterance>"};

constexpr const char* tokens_key = "tokenizer.ggml.tokens";

constexpr const char* pre_key = "tokenizer.ggml.pre";

/// Nothing, or the name that leaves it open.
bool names_no_pattern(const GgufMetadata& metadata) {
  const auto name = metadata.text(pre_key);
  return !name || name->empty() || *name == "default";
}

const PreTokenization& pre_tokenization(const GgufMetadata& metadata) {
  const std::string name =
      names_no_pattern(metadata) ? "default" : metadata.text(pre_key).value_or("default");
  if (const PreTokenization* const found = pre_tokenization_named(name)) return *found;
  throw input_error("{}: {} is {}; expected one of: {}", metadata.source(), pre_key, cut_off(name, 60),
                    some_pre_tokenizations());
}

/// Which markers take the spaces beside them: files do not say it, models are known by their names.
struct MarkerSpaces {
  explicit MarkerSpaces(const GgufMetadata& metadata) {
    std::string name = metadata.text("general.name").value_or("");
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    const auto named = [&](const char* part) { return name.find(part) != std::string::npos; };
    phi3 = named("phi-3") || named("phi3");
    const std::string pre = metadata.text(pre_key).value_or("");
    if (pre == "jina-v2-de" || pre == "jina-v2-es" || pre == "jina-v2-code")
      mask = "<mask>";
    else if (!phi3 && named("modern-bert"))
      mask = "[MASK]";
  }
  bool before(const std::string& token) const { return token == mask; }
  bool behind(const std::string& token) const {
    return phi3 && token != "<unk>" && token != "<s>" && token != "<|endoftext|>";
  }

  bool phi3 = false;
  std::string mask;
};

/// The tokens with what the file says about each.
class GgufVocabulary {
 public:
  explicit GgufVocabulary(const GgufMetadata& metadata) : metadata_(metadata) {
    const auto* const tokens = metadata.texts(tokens_key);
    if (tokens == nullptr || tokens->empty()) throw metadata.wrong("{}: {}: expected the tokens", tokens_key);
    tokens_ = tokens;
    kinds_ = list("tokenizer.ggml.token_type");
    scores_ = list("tokenizer.ggml.scores");
    for (const std::string& token : *tokens)
      if (token.empty()) {
        const std::size_t id = &token - tokens->data();
        nameless_.emplace(id, "[EMPTY_" + std::to_string(id) + "]");
      }
  }

  std::size_t size() const { return tokens_->size(); }
  /// One without a text has a name that no text contains.
  const std::string& token(std::size_t id) const {
    const auto found = nameless_.find(id);
    return found == nameless_.end() ? (*tokens_)[id] : found->second;
  }
  double kind(std::size_t id) const {
    if (std::ranges::find(turn_ends, token(id)) != std::end(turn_ends)) return control_kind;
    return kinds_ == nullptr ? 1 : (*kinds_)[id];
  }
  bool has_scores() const { return scores_ != nullptr; }
  std::vector<ScoredText> scored() const {
    std::vector<ScoredText> all;
    for (std::size_t id = 0; id < size(); ++id) all.push_back({token(id), (*scores_)[id]});
    return all;
  }

  /// The token whose id a key gives; the usual one if there is no such key; nothing if that is no token.
  std::optional<std::size_t> id(const char* key, std::optional<std::size_t> usual = {}) const {
    const auto id = metadata_.whole(std::string("tokenizer.ggml.") + key, INT32_MAX);
    const auto chosen = id ? std::optional(static_cast<std::size_t>(*id)) : usual;
    return chosen && *chosen < size() ? chosen : std::nullopt;
  }

  /// "vocab" of a tokenizer.json, in which a text has one id: the first.
  Json by_text(std::string (*written)(const GgufVocabulary&, std::size_t)) const {
    Json vocabulary = Json::object();
    for (std::size_t id = 0; id < size(); ++id) {
      const std::string text = written(*this, id);
      if (!vocabulary.contains(text)) vocabulary[text] = id;
    }
    return vocabulary;
  }
  Json added(const MarkerSpaces& spaces) const {
    Json list = Json::array();
    for (std::size_t id = 0; id < size(); ++id)
      if (kind(id) == control_kind || kind(id) == user_kind || kind(id) == unknown_kind)
        list.push_back({{"id", id},
                        {"content", token(id)},
                        {"single_word", false},
                        {"lstrip", spaces.before(token(id))},
                        {"rstrip", spaces.behind(token(id))},
                        {"normalized", false},
                        {"special", kind(id) != user_kind}});
    return list;
  }

 private:
  const std::vector<double>* list(const char* key) const {
    const auto* const numbers = metadata_.numbers(key);
    if (numbers != nullptr && numbers->size() != tokens_->size())
      throw input_error("{}: the length of {} is {}; expected {}, as many as tokens", metadata_.source(), key,
                        numbers->size(), tokens_->size());
    return numbers;
  }

  const GgufMetadata& metadata_;
  const std::vector<std::string>* tokens_ = nullptr;
  std::map<std::size_t, std::string> nameless_;
  const std::vector<double>*kinds_ = nullptr, *scores_ = nullptr;
};

std::string as_written(const GgufVocabulary& vocabulary, std::size_t id) {
  return vocabulary.token(id);
}

/// The beginning and the end around each text, where there are such tokens.
Json template_of(const GgufVocabulary& vocabulary, std::optional<std::size_t> begin,
                 std::optional<std::size_t> end, bool end_alone_in_pair) {
  Json single = Json::array(), pair = Json::array(), known = Json::object();
  const auto add = [&](Json& list, std::optional<std::size_t> id, int type) {
    if (!id) return;
    const std::string& token = vocabulary.token(*id);
    list.push_back({{"SpecialToken", {{"id", token}, {"type_id", type}}}});
    known[token] = {{"id", token}, {"ids", {*id}}, {"tokens", {token}}};
  };
  for (const auto& [sequence, type] : {std::pair{"A", 0}, std::pair{"B", 1}}) {
    if (type == 0 || !end_alone_in_pair) add(pair, begin, type);
    pair.push_back({{"Sequence", {{"id", sequence}, {"type_id", type}}}});
    add(pair, end, type);
    if (type == 0) single = pair;
  }
  return {{"type", "TemplateProcessing"},
          {"single", std::move(single)},
          {"pair", std::move(pair)},
          {"special_tokens", std::move(known)}};
}

/// The ids are those of a file that does not say them.
Json template_of_flags(const GgufMetadata& metadata, const GgufVocabulary& vocabulary, bool begins,
                       std::optional<std::size_t> usual_begin, std::optional<std::size_t> usual_end) {
  const bool with_begin = metadata.flag("tokenizer.ggml.add_bos_token").value_or(begins),
             with_end = metadata.flag("tokenizer.ggml.add_eos_token").value_or(false);
  return template_of(vocabulary, with_begin ? vocabulary.id("bos_token_id", usual_begin) : std::nullopt,
                     with_end ? vocabulary.id("eos_token_id", usual_end) : std::nullopt, false);
}

const std::vector<std::string>& merges_of(const GgufMetadata& metadata) {
  const char* const key = "tokenizer.ggml.merges";
  const auto* const merges = metadata.texts(key);
  if (merges == nullptr) throw metadata.wrong("{}: {}: expected the merges of BPE", key);
  return *merges;
}

Json byte_level_bpe(const GgufMetadata& metadata, const GgufVocabulary& vocabulary) {
  const PreTokenization& rule = pre_tokenization(metadata);
  const std::vector<std::string>& merges = merges_of(metadata);
  Json split = Json::array();
  for (const char* pattern : rule.patterns)
    if (pattern != nullptr)
      split.push_back({{"type", "Split"},
                       {"pattern", {{"Regex", pattern}}},
                       {"behavior", "Isolated"},
                       {"invert", false}});
  split.push_back(
      {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", false}});
  const bool composed = metadata.flag("tokenizer.ggml.normalizer.nfc").value_or(rule.normalized);
  return {{"normalizer", composed ? Json{{"type", "NFC"}} : Json()},
          {"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", std::move(split)}}},
          {"model",
           {{"type", "BPE"},
            {"ignore_merges", rule.whole_words},
            {"vocab", vocabulary.by_text(as_written)},
            {"merges", merges}}},
          {"post_processor", template_of_flags(metadata, vocabulary, rule.begins, 11, 11)},
          {"decoder", {{"type", "ByteLevel"}}}};
}

/// Of spaces as ▁, and bytes of characters that are no tokens; merges by scores, or as a list (Gemma 4).
Json sentence_piece_bpe(const GgufMetadata& metadata, const GgufVocabulary& vocabulary, bool by_scores) {
  const char* const space = "▁";
  if (by_scores && !vocabulary.has_scores())
    throw metadata.wrong("{}: {}: expected the scores of the tokens", "tokenizer.ggml.scores");
  const bool prefix = metadata.flag("tokenizer.ggml.add_space_prefix").value_or(by_scores);
  Json normalizers = Json::array(), decoders = Json::array();
  if (prefix) normalizers.push_back({{"type", "Prepend"}, {"prepend", space}});
  normalizers.push_back({{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", space}});
  decoders.push_back({{"type", "Replace"}, {"pattern", {{"String", space}}}, {"content", " "}});
  decoders.push_back({{"type", "ByteFallback"}});
  decoders.push_back({{"type", "Fuse"}});
  if (prefix) decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  const auto usual = [&](std::size_t id) { return by_scores ? std::optional(id) : std::nullopt; };
  const auto unknown = vocabulary.id("unknown_token_id", usual(0));
  return {{"normalizer", {{"type", "Sequence"}, {"normalizers", std::move(normalizers)}}},
          {"model",
           {{"type", "BPE"},
            {"unk_token", unknown ? Json(vocabulary.token(*unknown)) : Json()},
            {"fuse_unk", true},
            {"byte_fallback", true},
            {"vocab", vocabulary.by_text(as_written)},
            {"merges", by_scores ? merges_of_scores(vocabulary.scored()) : Json(merges_of(metadata))}}},
          {"post_processor", template_of_flags(metadata, vocabulary, true, usual(1), usual(2))},
          {"decoder", {{"type", "Sequence"}, {"decoders", std::move(decoders)}}}};
}

bool in_brackets(const std::string& token) {
  return token.size() > 2 && token.front() == '[' && token.back() == ']';
}

/// GGUF marks where a word begins; a vocabulary of WordPiece marks where it goes on.
std::string word_piece(const GgufVocabulary& vocabulary, std::size_t id) {
  constexpr std::string_view begin = "▁";
  const std::string& token = vocabulary.token(id);
  if (token.starts_with(begin)) return token.substr(begin.size());
  const bool whole =
      vocabulary.kind(id) == control_kind || vocabulary.kind(id) == unknown_kind || in_brackets(token);
  return whole ? token : "##" + token;
}

Json word_pieces(const GgufMetadata& metadata, const GgufVocabulary& vocabulary) {
  bool upper = false;
  for (std::size_t id = 0; id < vocabulary.size() && !upper; ++id)
    upper = !in_brackets(vocabulary.token(id)) &&
            std::ranges::any_of(vocabulary.token(id), [](char c) { return c >= 'A' && c <= 'Z'; });
  const auto begin = vocabulary.id("cls_token_id", vocabulary.id("bos_token_id", 101)),
             end = vocabulary.id("seperator_token_id", vocabulary.id("eos_token_id", 102)),
             unknown = vocabulary.id("unknown_token_id", 100);
  const auto accents = metadata.flag("tokenizer.ggml.normalizer.strip_accents");
  return {{"normalizer",
           {{"type", "BertNormalizer"},
            {"clean_text", true},
            {"handle_chinese_chars", true},
            {"strip_accents", accents ? Json(*accents) : Json()},
            {"lowercase", metadata.flag("tokenizer.ggml.normalizer.lowercase").value_or(!upper)}}},
          {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
          {"model",
           {{"type", "WordPiece"},
            {"unk_token", unknown ? vocabulary.token(*unknown) : std::string("[UNK]")},
            {"continuing_subword_prefix", "##"},
            {"max_input_chars_per_word", 100},
            {"vocab", vocabulary.by_text(word_piece)}}},
          {"post_processor", template_of(vocabulary, begin, end, true)},
          {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}}};
}

/// What a tokenizer.json says.
Json gguf_tokenizer(const GgufMetadata& metadata) {
  if (const auto whole = metadata.text("tokenizer.huggingface.json"))
    return parse_json(*whole, metadata.source() + ": tokenizer.huggingface.json");
  const char* const model_key = "tokenizer.ggml.model";
  const auto model = metadata.text(model_key);
  if (!model) throw metadata.wrong("{}: {}: expected the kind of tokenizer", model_key);
  const GgufVocabulary vocabulary(metadata);
  const bool by_scores = *model == "llama";
  Json json = *model == "gpt2"                  ? byte_level_bpe(metadata, vocabulary)
              : by_scores || *model == "gemma4" ? sentence_piece_bpe(metadata, vocabulary, by_scores)
              : *model == "bert"                ? word_pieces(metadata, vocabulary)
                                                : Json();
  if (json.is_null())
    throw input_error("{}: {} is {}; expected one of: {}", metadata.source(), model_key, cut_off(*model, 60),
                      "gpt2, llama, gemma4, bert");
  json["version"] = "1.0";
  json["added_tokens"] = vocabulary.added(MarkerSpaces(metadata));
  return json;
}

/// "bos_token" … as in special_tokens_map.json, by the ids that the file gives.
std::map<std::string, TokenId, std::less<>> gguf_roles(const GgufMetadata& metadata) {
  constexpr std::pair<const char*, const char*> keys[] = {
      {"bos_token", "bos_token_id"},     {"eos_token", "eos_token_id"},
      {"unk_token", "unknown_token_id"}, {"sep_token", "seperator_token_id"},
      {"pad_token", "padding_token_id"}, {"cls_token", "cls_token_id"},
      {"mask_token", "mask_token_id"}};
  const auto* const tokens = metadata.texts(tokens_key);
  std::map<std::string, TokenId, std::less<>> roles;
  for (const auto& [role, key] : keys) {
    const auto id = metadata.whole(std::string("tokenizer.ggml.") + key, INT32_MAX);
    if (id && tokens != nullptr && static_cast<std::size_t>(*id) < tokens->size())
      roles.emplace(role, static_cast<TokenId>(*id));
  }
  return roles;
}

}  // namespace

TokenizerParts read_gguf_tokenizer(const GgufFile& gguf) {
  const GgufMetadata& metadata = gguf.metadata;
  const std::string& path = metadata.source();
  const Json json = gguf_tokenizer(metadata);
  std::size_t bytes = 0;
  if (const auto* const tokens = metadata.texts(tokens_key))
    for (const std::string& token : *tokens) bytes += token.size() + sizeof(Json);
  WorkBudget budget(path, bytes);
  TokenizerParts parts = read_parts(JsonField(json, path, "", &budget));
  parts.roles = gguf_roles(metadata);
  if (metadata.text("tokenizer.ggml.model") == "gpt2" &&
      metadata.find("tokenizer.huggingface.json") == nullptr && names_no_pattern(metadata))
    parts.facts.notes.push_back(input_error(
        "{} does not say how texts are split: tokens may differ from the model's own, and what it "
        "expects may be worse",
        pre_key));
  return parts;
}

}  // namespace headscope::tokenizers
