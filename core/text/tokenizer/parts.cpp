#include "core/text/tokenizer/parts.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/utf8.h"
#include "core/text/tokenizer/bpe.h"
#include "core/text/tokenizer/piece_folder.h"
#include "core/text/tokenizer/python_folder.h"
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

std::optional<TokenId> id_of(const TokenizerParts& parts, const std::string& token) {
  const auto added = parts.added->find(token);
  return added ? added : parts.model->vocabulary().find(token);
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
  const auto padding = top.find("padding");
  parts.facts.pads = padding.has_value();
  if (const auto pad = padding ? padding->find("pad_token") : std::nullopt)
    if (const auto id = id_of(parts, pad->text())) parts.roles.emplace("pad_token", *id);
  for (const char* name : {"normalizer", "pre_tokenizer", "decoder"})
    if (const auto field = top.find(name))
      parts.has_byte_characters = parts.has_byte_characters || has_byte_level(field->json());
  return parts;
}

namespace {

using Json = nlohmann::json;

bool is_one_of(const std::string& kind, std::initializer_list<std::string_view> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

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

/// The tokens around a text that add_bos_token and add_eos_token ask for; nothing if they ask for none.
Json template_of_ends(const TokenizerFolder& folder, const Vocabulary& vocabulary, const char* usual) {
  Json single = Json::array(), pair = Json::array(), known = Json::object();
  const auto add = [&](const char* stated, const char* role, int type) {
    if (!folder.config().flag(stated, false)) return;
    const std::string token = folder.role_or(role, usual);
    const Json id = token_pair(vocabulary, token, folder.at("vocab.json"))[1];
    pair.push_back({{"SpecialToken", {{"id", token}, {"type_id", type}}}});
    known[token] = {{"id", token}, {"ids", {id}}, {"tokens", {token}}};
  };
  for (const auto& [sequence, type] : {std::pair{"A", 0}, std::pair{"B", 1}}) {
    add("add_bos_token", "bos_token", type);
    pair.push_back({{"Sequence", {{"id", sequence}, {"type_id", type}}}});
    add("add_eos_token", "eos_token", type);
    if (type == 0) single = pair;
  }
  if (known.empty()) return {};
  return {{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", known}};
}

std::vector<AddedToken> describe_gpt2(const TokenizerFolder& folder, const Vocabulary& vocabulary, Json& top,
                                      BpeOptions& /*options*/) {
  const char* const end = "<|endoftext|>";
  const bool space = folder.config().flag("add_prefix_space", false);
  top["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", space}, {"trim_offsets", true}};
  top["post_processor"] = {{"type", "ByteLevel"}, {"add_prefix_space", true}, {"trim_offsets", false}};
  if (Json ends = template_of_ends(folder, vocabulary, end); !ends.is_null())
    top["post_processor"] = std::move(ends);
  return folder.added(those_known(vocabulary, {special_token(folder.role_or("eos_token", end))}));
}

std::vector<AddedToken> describe_neox(const TokenizerFolder& folder, const Vocabulary& vocabulary, Json& top,
                                      BpeOptions& options) {
  top["normalizer"] = {{"type", "NFC"}};
  return describe_gpt2(folder, vocabulary, top, options);
}

/// Tokens of a family by their roles.
struct RoleNames {
  const char *cls = "<s>", *sep = "</s>", *unk = "<unk>", *pad = "<pad>", *mask = "<mask>";
};

std::vector<AddedToken> describe_like_roberta(const TokenizerFolder& folder, const Vocabulary& vocabulary,
                                              const RoleNames& names, Json& top) {
  const bool space = folder.config().flag("add_prefix_space", false);
  const std::string file = folder.at("vocab.json");
  top["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", space}, {"trim_offsets", true}};
  top["post_processor"] = {{"type", "RobertaProcessing"},
                           {"sep", token_pair(vocabulary, folder.role_or("sep_token", names.sep), file)},
                           {"cls", token_pair(vocabulary, folder.role_or("cls_token", names.cls), file)},
                           {"trim_offsets", true},
                           {"add_prefix_space", space}};
  const std::vector<AddedToken> defaults{special_token(names.cls), special_token(names.sep),
                                         special_token(names.unk), special_token(names.pad),
                                         special_token(names.mask, true)};
  std::vector<AddedToken> added = folder.added(those_known(vocabulary, defaults));
  const auto mask = folder.role("mask_token");
  // Even if given as a string, it strips the space before it.
  for (AddedToken& token : added)
    if (!folder.config().find("added_tokens_decoder") && token.content == (mask ? mask->content : names.mask))
      token.lstrip = true;
  return added;
}

std::vector<AddedToken> describe_roberta(const TokenizerFolder& folder, const Vocabulary& vocabulary,
                                         Json& top, BpeOptions& /*options*/) {
  return describe_like_roberta(folder, vocabulary, {}, top);
}

std::vector<AddedToken> describe_deberta(const TokenizerFolder& folder, const Vocabulary& vocabulary,
                                         Json& top, BpeOptions& /*options*/) {
  return describe_like_roberta(folder, vocabulary, {"[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]"}, top);
}

std::vector<AddedToken> describe_qwen2(const TokenizerFolder& folder, const Vocabulary& vocabulary, Json& top,
                                       BpeOptions& /*options*/) {
  constexpr const char* pattern =
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  const bool space = folder.config().flag("add_prefix_space", false);
  top["normalizer"] = {{"type", "NFC"}};
  const Json split = {
      {"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
  const Json bytes = {
      {"type", "ByteLevel"}, {"add_prefix_space", space}, {"trim_offsets", false}, {"use_regex", false}};
  top["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", Json::array({split, bytes})}};
  top["post_processor"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}};
  const char* const end = "<|endoftext|>";
  if (Json ends = template_of_ends(folder, vocabulary, end); !ends.is_null())
    top["post_processor"] = std::move(ends);
  return folder.added(those_known(vocabulary, {special_token(end)}));
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
      {"gpt2", describe_gpt2},       {"codegen", describe_gpt2},  {"gpt_neo", describe_gpt2},
      {"gptj", describe_gpt2},       {"opt", describe_gpt2},      {"phi", describe_gpt2},
      {"gptneox", describe_neox},    {"gpt_neox", describe_neox}, {"roberta", describe_roberta},
      {"bart", describe_roberta},    {"led", describe_roberta},   {"longformer", describe_roberta},
      {"qwen2", describe_qwen2},     {"qwen3", describe_qwen2},   {"qwen2_moe", describe_qwen2},
      {"qwen3_moe", describe_qwen2}, {"clip", describe_clip},     {"clip_text_model", describe_clip},
      {"deberta", describe_deberta}};
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
  // Each by its own name: others that sound like BERT's cut words in other ways.
  const bool is_bert =
      kind.empty() || is_one_of(kind, {"bert", "distilbert", "electra", "mobilebert", "squeezebert",
                                       "convbert", "layoutlm", "lxmert", "nomic_bert", "dpr", "dprreader",
                                       "dprquestionencoder", "dprcontextencoder"});
  if (!is_bert && !mpnet)
    throw input_error(
        "{}: how the tokenizer {} uses vocab.txt is not known; expected tokenizer.json, or one of: {}",
        folder.path(), cut_off(printable(kind), 60), "bert, bertjapanese, distilbert, electra, mpnet");
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

// Some classes let tokenizer_config.json override tokenizer.json: with "do_lower_case": false in the former,
// capitals are kept. Only explicit settings are applied, never a class's default, which differs between
// versions of transformers; docs/models.md lists them.

/// Calls change(part) for each object of this type in a component of a tokenizer.json, which may be a
/// sequence.
template <typename Change>
void change_parts(Json& component, std::string_view type, const Change& change) {
  if (component.is_object()) {
    const auto named = component.find("type");
    if (named != component.end() && *named == type) change(component);
  }
  if (!component.is_structured()) return;
  for (auto& part : component) change_parts(part, type, change);
}

/// ESM's: whatever stands in vocab.txt, such as an amino acid, is a token wherever it occurs.
TokenizerParts read_esm_folder(const TokenizerFolder& folder) {
  const std::string path = folder.at("vocab.txt"), text = folder.read_text("vocab.txt");
  JsonFile top(path, text.size());
  const std::string unknown = folder.role_or("unk_token", "<unk>");
  (*top.json)["model"] = {{"type", "WordLevel"}, {"vocab", words_of(text)}, {"unk_token", unknown}};
  (*top.json)["pre_tokenizer"] = {{"type", "WhitespaceSplit"}};
  const Vocabulary vocabulary = Vocabulary::from_object(top.top().at("model").at("vocab"));
  (*top.json)["post_processor"] = {
      {"type", "BertProcessing"},
      {"sep", token_pair(vocabulary, folder.role_or("eos_token", "<eos>"), path)},
      {"cls", token_pair(vocabulary, folder.role_or("cls_token", "<cls>"), path)}};
  std::vector<AddedToken> all;
  for (const auto& [word, id] : (*top.json)["model"]["vocab"].items())
    if (!word.empty()) all.push_back(word.starts_with('<') ? special_token(word) : AddedToken{word});
  return read_parts(top.top(), nullptr, folder.added(all));
}

/// The same in a named component of the whole, which may be missing.
template <typename Change>
void change_parts(Json& tokenizer, const char* component, std::string_view type, const Change& change) {
  if (!tokenizer.is_object()) return;
  if (const auto found = tokenizer.find(component); found != tokenizer.end())
    change_parts(*found, type, change);
}

/// Case, accents and Chinese characters of BERT's tokenizer.
void override_bert(Json& tokenizer, const JsonField& config) {
  change_parts(tokenizer, "normalizer", "BertNormalizer", [&config](Json& part) {
    for (const auto& [name, stated] :
         {std::pair{"lowercase", "do_lower_case"}, std::pair{"strip_accents", "strip_accents"},
          std::pair{"handle_chinese_chars", "tokenize_chinese_chars"}})
      if (const auto field = config.find(stated)) part[name] = field->flag();
  });
}

void set_scheme(Json& tokenizer, const char* scheme) {
  for (const char* component : {"pre_tokenizer", "decoder"})
    change_parts(tokenizer, component, "Metaspace", [&](Json& part) {
      part["prepend_scheme"] = scheme;
      part.erase("add_prefix_space");
    });
}

/// The steps of LLaMA's class, whatever the file has in place of them.
void set_llama_steps(Json& tokenizer, const char* scheme) {
  tokenizer["normalizer"] = nullptr;
  tokenizer["pre_tokenizer"] = llama_pre_tokenizer(scheme);
  tokenizer["decoder"] = llama_decoder(std::string_view(scheme) != "never");
}

/// Whether a file has LLaMA's steps, as it was written by any version.
bool has_llama_steps(Json& tokenizer) {
  bool spaces = false, bytes = false;
  const auto found = [](bool& any) { return [&any](Json&) { any = true; }; };
  change_parts(tokenizer, "normalizer", "Prepend", found(spaces));
  change_parts(tokenizer, "pre_tokenizer", "Metaspace", found(spaces));
  change_parts(tokenizer, "decoder", "ByteFallback", found(bytes));
  return spaces && bytes;
}

/// The space before a text: add_prefix_space, and where LLaMA's class puts it.
void override_space(Json& tokenizer, const std::string& kind, const JsonField& config) {
  const auto space = config.find("add_prefix_space"), legacy = config.find("legacy");
  if (kind == "llama" && (space || legacy) && has_llama_steps(tokenizer))
    set_llama_steps(tokenizer, llama_scheme(config));
  if (!space) return;
  const bool puts = space->flag();
  if (is_one_of(kind, {"gpt2",      "gpt_neo", "gptj",    "opt",      "phi",   "codegen",   "gptneox",
                       "gpt_neox",  "olmo",    "olmo2",   "stablelm", "qwen2", "qwen2_moe", "qwen3",
                       "qwen3_moe", "cohere",  "cohere2", "roberta",  "bart",  "led",       "longformer"}))
    change_parts(tokenizer, "pre_tokenizer", "ByteLevel",
                 [puts](Json& part) { part["add_prefix_space"] = puts; });
  if (is_one_of(kind, {"albert", "xlmroberta", "xlm-roberta", "camembert"}))
    set_scheme(tokenizer, puts ? "always" : "never");
  if (is_one_of(kind, {"debertav2", "deberta-v2"})) set_scheme(tokenizer, puts ? "always" : "first");
  if (kind == "codellama") set_scheme(tokenizer, puts ? "first" : "never");
}

void override_steps(Json& tokenizer, const std::string& kind, const JsonField& config) {
  if (is_one_of(kind, {"bert", "distilbert", "electra", "mpnet"})) override_bert(tokenizer, config);
  override_space(tokenizer, kind, config);
}

/// CLIP's ends of words, and spaces before punctuation where the class removes them.
void override_decoder(TokenizerParts& parts, const std::string& kind, const JsonField& config) {
  if (is_one_of(kind, {"clip", "clip_text_model"}))
    parts.decoder = without_word_ends(std::move(parts.decoder), "</w>");
  const bool cleans = config.flag("clean_up_tokenization_spaces", false) && parts.facts.model != "BPE";
  if (cleans) parts.decoder = without_spaces_before_signs(std::move(parts.decoder));
}

TokenizerParts read_kind(const TokenizerFolder& folder) {
  const std::string kind = folder.class_kind();
  if (kind == "bertjapanese") return read_japanese_folder(folder);
  if (kind == "byt5") return read_byte_folder(folder);
  if (folder.has("tokenizer.json")) {
    JsonFile file = folder.read("tokenizer.json");
    override_steps(*file.json, folder.reading_kind(), folder.config());
    return read_parts(file.top());
  }
  if (folder.has("vocab.json") && folder.has("merges.txt")) return read_merges_folder(folder);
  if (folder.has("vocab.txt"))
    return folder.kind() == "esm" ? read_esm_folder(folder) : read_words_folder(folder);
  return read_pieces(folder);
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
  TokenizerParts parts = read_kind(folder);
  override_decoder(parts, folder.reading_kind(), folder.config());
  parts.splits_special = folder.config().flag("split_special_tokens", false);
  if (!folder.gives_types()) parts.post_processor = without_types(std::move(parts.post_processor));
  for (const char* name : TokenizerFolder::role_names)
    if (const auto token = folder.role(name))
      if (const auto id = id_of(parts, token->content)) parts.roles.insert_or_assign(name, *id);
  return parts;
}

}  // namespace headscope::tokenizers
