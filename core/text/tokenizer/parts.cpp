#include "core/text/tokenizer/parts.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/utf8.h"
#include "core/text/tokenizer/bpe.h"
#include "core/text/tokenizer/piece_folder.h"
#include "core/text/tokenizer/tokenizer_folder.h"

namespace headscope::tokenizers {
namespace {

/// Whether it contains "type": "ByteLevel" anywhere.
bool has_byte_level(const nlohmann::json& json) {
  if (json.is_object()) {
    const auto type = json.find("type");
    if (type != json.end() && *type == "ByteLevel") return true;
  }
  if (!json.is_structured()) return false;
  for (const auto& part : json)
    if (has_byte_level(part)) return true;
  return false;
}

template <typename Component>
Component read_if(const JsonField& top, const char* name, Component (*read)(const JsonField&)) {
  const auto field = top.find(name);
  return field ? read(*field) : nullptr;
}

}  // namespace

TokenizerParts read_parts(const JsonField& top, std::unique_ptr<const Model> model,
                          std::vector<AddedToken> added) {
  top.expect_object();
  const auto version = top.find("version");
  if (version && version->text() != "1.0") throw version->wrong("{}: {} is {}; expected \"1.0\"");
  TokenizerParts parts;
  parts.facts.file = top.file();
  parts.normalizer = read_if(top, "normalizer", read_normalizer);
  parts.pre_tokenizer = read_if(top, "pre_tokenizer", read_pre_tokenizer);
  if (model) {
    parts.model = std::move(model);
  } else {
    const JsonField field = top.at("model");
    parts.facts.model = model_type(field);
    parts.model = read_model(field);
  }
  parts.post_processor = read_if(top, "post_processor", read_post_processor);
  parts.decoder = read_if(top, "decoder", read_decoder);
  if (const auto list = top.find("added_tokens")) added = list->each(read_added_token);
  parts.added = std::make_unique<AddedTokens>(std::move(added), *parts.model, parts.normalizer, top.budget());
  if (const auto truncation = top.find("truncation"))
    parts.facts.truncates_at = static_cast<std::size_t>(
        truncation->at("max_length").integer(0, std::numeric_limits<std::int64_t>::max()));
  parts.facts.pads = top.find("padding").has_value();
  for (const char* name : {"normalizer", "pre_tokenizer", "decoder"})
    if (const auto field = top.find(name))
      parts.has_byte_characters = parts.has_byte_characters || has_byte_level(field->json());
  return parts;
}

namespace {

using Json = nlohmann::json;
std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    result.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::vector<AddedToken> those_known(const Vocabulary& vocabulary, std::vector<AddedToken> tokens) {
  std::erase_if(tokens, [&](const AddedToken& token) { return !vocabulary.find(token.content); });
  return tokens;
}

// vocab.json and merges.txt, in the variants of their families.

std::vector<AddedToken> describe_gpt2(const TokenizerFolder& folder, const Vocabulary& vocabulary, Json& top,
                                      BpeOptions& /*options*/) {
  const bool space = folder.config().flag("add_prefix_space", false);
  const std::string end = folder.role_or("eos_token", "<|endoftext|>");
  top["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", space}, {"trim_offsets", true}};
  top["post_processor"] = {{"type", "ByteLevel"}, {"add_prefix_space", true}, {"trim_offsets", false}};
  if (folder.config().flag("add_bos_token", false)) {
    const std::string begin = folder.role_or("bos_token", "<|endoftext|>");
    const Json id = token_pair(vocabulary, begin, folder.at("vocab.json"))[1];
    const Json bos = {{"SpecialToken", {{"id", begin}, {"type_id", 0}}}};
    const auto sequence = [](const char* name, int type) {
      return Json{{"Sequence", {{"id", name}, {"type_id", type}}}};
    };
    top["post_processor"] = {
        {"type", "TemplateProcessing"},
        {"single", Json::array({bos, sequence("A", 0)})},
        {"pair", Json::array({bos, sequence("A", 0), bos, sequence("B", 1)})},
        {"special_tokens", {{begin, {{"id", begin}, {"ids", {id}}, {"tokens", {begin}}}}}}};
  }
  return folder.added(those_known(vocabulary, {special_token(end)}));
}

std::vector<AddedToken> describe_roberta(const TokenizerFolder& folder, const Vocabulary& vocabulary,
                                         Json& top, BpeOptions& /*options*/) {
  const bool space = folder.config().flag("add_prefix_space", false);
  const std::string file = folder.at("vocab.json");
  top["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", space}, {"trim_offsets", true}};
  top["post_processor"] = {{"type", "RobertaProcessing"},
                           {"sep", token_pair(vocabulary, folder.role_or("sep_token", "</s>"), file)},
                           {"cls", token_pair(vocabulary, folder.role_or("cls_token", "<s>"), file)},
                           {"trim_offsets", true},
                           {"add_prefix_space", space}};
  const std::vector<AddedToken> defaults{special_token("<s>"), special_token("</s>"), special_token("<unk>"),
                                         special_token("<pad>"), special_token("<mask>", true)};
  std::vector<AddedToken> added = folder.added(those_known(vocabulary, defaults));
  const auto mask = folder.role("mask_token");
  // Even if given as a string, it strips the space before it.
  for (AddedToken& token : added)
    if (!folder.config().find("added_tokens_decoder") && token.content == (mask ? mask->content : "<mask>"))
      token.lstrip = true;
  return added;
}

std::vector<AddedToken> describe_qwen2(const TokenizerFolder& folder, const Vocabulary& vocabulary, Json& top,
                                       BpeOptions& /*options*/) {
  constexpr const char* pattern =
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  top["normalizer"] = {{"type", "NFC"}};
  const Json split = {
      {"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
  const Json bytes = {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", false}};
  top["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", Json::array({split, bytes})}};
  top["post_processor"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}};
  return folder.added(those_known(vocabulary, {special_token("<|endoftext|>")}));
}

std::vector<AddedToken> describe_clip(const TokenizerFolder& folder, const Vocabulary& vocabulary, Json& top,
                                      BpeOptions& options) {
  constexpr const char* pattern = R"('s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)";
  const char* const end = "<|endoftext|>";
  const std::string file = folder.at("vocab.json");
  options.end_suffix = "</w>";
  options.unknown = folder.role_or("unk_token", end);
  const Json spaces = {{"type", "Replace"}, {"pattern", {{"Regex", "\\s+"}}}, {"content", " "}};
  top["normalizer"] = {
      {"type", "Sequence"},
      {"normalizers", Json::array({Json{{"type", "NFC"}}, spaces, Json{{"type", "Lowercase"}}})}};
  const Json split = {
      {"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Removed"}, {"invert", true}};
  const Json bytes = {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
  top["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", Json::array({split, bytes})}};
  top["post_processor"] = {
      {"type", "RobertaProcessing"},
      {"sep", token_pair(vocabulary, folder.role_or("eos_token", end), file)},
      {"cls", token_pair(vocabulary, folder.role_or("bos_token", "<|startoftext|>"), file)},
      {"trim_offsets", false},
      {"add_prefix_space", false}};
  return folder.added(those_known(vocabulary, {special_token("<|startoftext|>"), special_token(end)}));
}

using DescribeMerges = std::vector<AddedToken> (*)(const TokenizerFolder&, const Vocabulary&, Json& top,
                                                   BpeOptions& options);

/// How a class of tokenizer uses vocab.json and merges.txt.
DescribeMerges merges_kind(const TokenizerFolder& folder, const Vocabulary& vocabulary) {
  static constexpr Named<DescribeMerges> kinds[] = {
      {"gpt2", describe_gpt2},           {"codegen", describe_gpt2},    {"gpt_neo", describe_gpt2},
      {"gptj", describe_gpt2},           {"opt", describe_gpt2},        {"phi", describe_gpt2},
      {"roberta", describe_roberta},     {"bart", describe_roberta},    {"led", describe_roberta},
      {"longformer", describe_roberta},  {"qwen2", describe_qwen2},     {"qwen3", describe_qwen2},
      {"qwen2_moe", describe_qwen2},     {"qwen3_moe", describe_qwen2}, {"clip", describe_clip},
      {"clip_text_model", describe_clip}};
  std::string kind = folder.kind();
  if (kind.empty()) kind = vocabulary.find("<s>") && vocabulary.find("</s>") ? "roberta" : "gpt2";
  std::string names;
  for (const auto& [name, describe] : kinds) {
    if (kind == name) return describe;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw input_error(
      "{}: how the tokenizer {} uses vocab.json and merges.txt is not known; expected tokenizer.json, or "
      "one of: {}",
      folder.path(), cut_off(printable(kind), 60), names);
}

std::vector<Merge> read_merges(std::string_view text, const std::string& path) {
  std::vector<Merge> merges;
  std::size_t number = 0;
  for (const std::string_view line : lines(text)) {
    ++number;
    if (line.empty() || line.starts_with("#version")) continue;
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
      throw input_error("{}: line {} is {}; expected two tokens with a space between", path, number,
                        cut_off(printable(line), 60));
    merges.push_back({line.substr(0, space), line.substr(space + 1)});
  }
  return merges;
}

TokenizerParts read_merges_folder(const TokenizerFolder& folder) {
  const JsonFile vocabulary_file = folder.read("vocab.json");
  Vocabulary vocabulary = Vocabulary::from_object(vocabulary_file.top());
  const std::string path = folder.at("merges.txt"), text = folder.read_text("merges.txt");
  JsonFile top(vocabulary_file.path, vocabulary_file.bytes + text.size());
  (*top.json)["decoder"] = {{"type", "ByteLevel"}};
  BpeOptions options;
  std::vector<AddedToken> added = merges_kind(folder, vocabulary)(folder, vocabulary, *top.json, options);
  auto model =
      std::make_unique<Bpe>(std::move(vocabulary), read_merges(text, path), std::move(options), path);
  TokenizerParts parts = read_parts(top.top(), std::move(model), std::move(added));
  parts.facts.model = "BPE";
  return parts;
}

// vocab.txt, one token per line (BERT).

Json words_of(const std::string& text) {
  Json words = Json::object();
  std::size_t id = 0;
  for (std::string_view line : lines(text)) {
    const std::size_t end = line.find_last_not_of(" \t\r\n\v\f");
    words[std::string(line.substr(0, end == std::string_view::npos ? 0 : end + 1))] = id++;
  }
  return words;
}

TokenizerParts read_words_folder(const TokenizerFolder& folder) {
  const std::string kind = folder.kind();
  const bool mpnet = kind == "mpnet";
  if (!kind.empty() && kind.find("bert") == std::string::npos && kind != "electra" && !mpnet)
    throw input_error(
        "{}: how the tokenizer {} uses vocab.txt is not known; expected tokenizer.json, or one of: {}",
        folder.path(), cut_off(printable(kind), 60), "bert, distilbert, electra, mpnet");
  const std::string path = folder.at("vocab.txt");
  const std::string text = folder.read_text("vocab.txt");
  JsonFile top(path, text.size());
  const std::string cls = folder.role_or("cls_token", mpnet ? "<s>" : "[CLS]"),
                    sep = folder.role_or("sep_token", mpnet ? "</s>" : "[SEP]");
  (*top.json)["model"] = {{"type", "WordPiece"},
                          {"vocab", words_of(text)},
                          {"unk_token", folder.role_or("unk_token", "[UNK]")},
                          {"continuing_subword_prefix", "##"},
                          {"max_input_chars_per_word", 100}};
  const bool lower = folder.config().flag("do_lower_case", true);
  (*top.json)["normalizer"] = {{"type", "BertNormalizer"},
                               {"clean_text", true},
                               {"handle_chinese_chars", folder.config().flag("tokenize_chinese_chars", true)},
                               {"strip_accents", folder.config().flag("strip_accents", lower)},
                               {"lowercase", lower}};
  (*top.json)["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
  (*top.json)["decoder"] = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
  const Vocabulary vocabulary = Vocabulary::from_object(top.top().at("model").at("vocab"));
  (*top.json)["post_processor"] = {{"type", "BertProcessing"},
                                   {"sep", token_pair(vocabulary, sep, path)},
                                   {"cls", token_pair(vocabulary, cls, path)}};
  std::vector<AddedToken> defaults;
  for (const char* token : {"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"})
    defaults.push_back(special_token(token));
  if (mpnet) {
    // A pair has two separators between.
    (*top.json)["post_processor"]["type"] = "RobertaProcessing";
    (*top.json)["post_processor"].update(Json{{"trim_offsets", true}, {"add_prefix_space", false}});
    defaults = {special_token("<s>"), special_token("<pad>"), special_token("</s>"), special_token("[UNK]"),
                special_token("<mask>", true)};
  }
  return read_parts(top.top(), nullptr, folder.added(those_known(vocabulary, defaults)));
}

// Some tokenizer classes of the reference let tokenizer_config.json override tokenizer.json: "do_lower_case":
// false in the former alone keeps capitals. Only explicit settings are applied, never a class's default,
// which differs between versions of the reference.

bool is_one_of(const std::string& kind, std::initializer_list<std::string_view> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

/// The part of a tokenizer.json; null if it is absent or not an object, which is reported when it is read.
Json* part_of(Json& tokenizer, const char* name) {
  if (!tokenizer.is_object()) return nullptr;
  const auto part = tokenizer.find(name);
  return part != tokenizer.end() && part->is_object() ? &*part : nullptr;
}

/// Case, accents and Chinese characters of BERT's tokenizer, the space before a sentence of GPT-2's and
/// RoBERTa's. `kind` is TokenizerFolder::reading_kind().
void override_steps(Json& tokenizer, const std::string& kind, const JsonField& config) {
  const auto replace = [&](const char* part_name, const char* name, const char* stated) {
    Json* part = part_of(tokenizer, part_name);
    if (const auto field = config.find(stated); field && part && part->contains(name))
      (*part)[name] = field->flag();
  };
  if (is_one_of(kind, {"bert", "distilbert", "electra"})) {
    replace("normalizer", "lowercase", "do_lower_case");
    replace("normalizer", "strip_accents", "strip_accents");
    replace("normalizer", "handle_chinese_chars", "tokenize_chinese_chars");
  }
  if (is_one_of(kind, {"gpt2", "roberta", "bart", "led", "longformer"}))
    for (const char* part : {"pre_tokenizer", "post_processor"})
      replace(part, "add_prefix_space", "add_prefix_space");
}

/// The tokens around a sentence of LLaMA's tokenizer: rebuilds its template from add_bos_token and
/// add_eos_token. `begin` and `end` are the tokens, "" if there is none.
void override_template(TokenizerParts& parts, const std::string& kind, const JsonField& config,
                       const std::string& begin, const std::string& end) {
  if (!is_one_of(kind, {"llama", "codellama", "gemma"}) || !config.find("add_bos_token")) return;
  Json single = Json::array(), pair = Json::array(), known = Json::object();
  const auto add = [&](Json& list, const char* stated, const std::string& token, int type) {
    if (!config.flag(stated, false) || token.empty()) return;
    auto id = parts.added->find(token);
    if (!id) id = parts.model->vocabulary().find(token);
    if (!id) return;
    list.push_back({{"SpecialToken", {{"id", token}, {"type_id", type}}}});
    known[token] = {{"id", token}, {"ids", {*id}}, {"tokens", {token}}};
  };
  for (const auto& [sequence, type] : {std::pair{"A", 0}, std::pair{"B", 1}}) {
    add(pair, "add_bos_token", begin, type);
    pair.push_back({{"Sequence", {{"id", sequence}, {"type_id", type}}}});
    add(pair, "add_eos_token", end, type);
    if (type == 0) single = pair;
  }
  const Json result = {{"type", "TemplateProcessing"},
                       {"single", std::move(single)},
                       {"pair", std::move(pair)},
                       {"special_tokens", std::move(known)}};
  parts.post_processor = read_post_processor(JsonField(result, config.file(), "", &config.budget()));
}

/// Gives all tokens the type of the first text's, as a model reads them that is not given types.
PostProcessor without_types(PostProcessor steps) {
  return [steps = std::move(steps)](Parts& parts, bool with_template, const TokenText& text_of,
                                    WorkBudget& budget) {
    if (steps) steps(parts, with_template, text_of, budget);
    for (std::vector<EncodedToken>& part : parts)
      for (EncodedToken& token : part) token.type = 0;
  };
}

}  // namespace

TokenizerParts read_folder(const std::string& path) {
  const TokenizerFolder folder(path);
  TokenizerParts parts;
  if (folder.has("tokenizer.json")) {
    JsonFile file = folder.read("tokenizer.json");
    override_steps(*file.json, folder.reading_kind(), folder.config());
    parts = read_parts(file.top());
    override_template(parts, folder.reading_kind(), folder.config(), folder.role_or("bos_token", ""),
                      folder.role_or("eos_token", ""));
  } else if (folder.has("vocab.json") && folder.has("merges.txt")) {
    parts = read_merges_folder(folder);
  } else if (folder.has("vocab.txt")) {
    parts = read_words_folder(folder);
  } else {
    parts = read_pieces(folder);
  }
  if (!folder.gives_types()) parts.post_processor = without_types(std::move(parts.post_processor));
  for (const char* name : TokenizerFolder::role_names)
    if (const auto token = folder.role(name)) {
      auto id = parts.added->find(token->content);
      if (!id) id = parts.model->vocabulary().find(token->content);
      if (id) parts.roles.emplace(name, *id);
    }
  return parts;
}

}  // namespace headscope::tokenizers
