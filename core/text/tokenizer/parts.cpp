#include "core/text/tokenizer/parts.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/base/utf8.h"
#include "core/io/compress.h"
#include "core/io/file.h"
#include "core/io/path_in_folder.h"
#include "core/io/strict_json.h"
#include "core/text/tokenizer/bpe.h"
#include "core/text/tokenizer/sentence_piece.h"
#include "core/text/tokenizer/unigram.h"

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
namespace fs = std::filesystem;

constexpr std::size_t largest_file = std::size_t{256} << 20;

/// A JSON file with its name and its budget, which its Fields refer to.
struct JsonFile {
  explicit JsonFile(std::string its_path, std::size_t its_bytes = 0)
      : path(std::move(its_path)), bytes(its_bytes), budget(std::make_unique<WorkBudget>(path, bytes)) {}

  std::string path;
  std::size_t bytes;
  Json json = Json::object();
  std::unique_ptr<WorkBudget> budget;

  JsonField top() const { return {json, path, "", budget.get()}; }
};

/// A model's folder with the contents of its small files.
class Folder {
 public:
  explicit Folder(const std::string& path)
      : path_(path),
        config_(read_if_there("tokenizer_config.json")),
        special_(read_if_there("special_tokens_map.json")),
        model_(read_if_there("config.json")) {}

  std::string at(const char* name) const { return (fs::path(path_) / name).string(); }
  bool has(const char* name) const {
    std::error_code ignored;
    return fs::exists(at(name), ignored);
  }
  const std::string& path() const { return path_; }
  JsonField config() const { return config_.top(); }
  JsonFile read(const char* name) const {
    const std::string path = path_in_folder(path_, name), text = read_file(path, largest_file);
    JsonFile file(path, text.size());
    file.json = parse_json(text, path, *file.budget);
    return file;
  }
  std::string read_text(const char* name) const {
    const std::string path = path_in_folder(path_, name);
    std::string text = read_file(path, largest_file);
    if (const std::size_t byte = find_invalid_utf8(text); byte != std::string::npos)
      throw input_error("{}: byte {} is not valid UTF-8", path, byte);
    return text;
  }

  /// The class of the tokenizer in lower case, without "TokenizerFast"; "" if no file names one.
  std::string class_kind() const {
    const auto name = config().find("tokenizer_class");
    if (!name) return "";
    std::string kind = name->text();
    if (kind.ends_with("Fast")) kind.resize(kind.size() - 4);
    if (kind.ends_with("Tokenizer")) kind.resize(kind.size() - 9);
    std::ranges::transform(kind, kind.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return kind;
  }
  /// The same; the kind of model if no class, or only the base class, is named.
  std::string kind() const {
    const std::string kind = class_kind();
    return kind.empty() || kind == "pretrained" ? model_type() : kind;
  }
  /// The class that reads tokenizer.json; the base class reads it unchanged.
  std::string reading_kind() const {
    const std::string kind = class_kind();
    return kind.empty() ? model_type() : kind;
  }

  /// A special token by its role, from any of the files.
  std::optional<AddedToken> role(const char* name) const {
    for (const JsonFile* file : {&config_, &special_})
      if (const auto field = file->top().find(name)) {
        AddedToken token;
        if (field->is_text())
          token.content = field->text();
        else
          token = read_added_token(*field);
        token.special = true;
        token.normalized = false;
        return token;
      }
    return {};
  }
  /// additional_special_tokens, of any of the files.
  std::vector<std::string> additional() const {
    std::vector<std::string> tokens;
    for (const JsonFile* file : {&special_, &config_})
      if (const auto list = file->top().find("additional_special_tokens"); list && tokens.empty())
        for (std::size_t i = 0; i < list->items(); ++i) {
          const JsonField token = list->item(i);
          tokens.push_back(token.is_text() ? token.text() : read_added_token(token).content);
        }
    return tokens;
  }
  std::string role_or(const char* name, const char* otherwise) const {
    const auto token = role(name);
    return token ? token->content : otherwise;
  }

  /// Tokens outside the vocabulary: added_tokens_decoder, added_tokens.json and the special tokens, without
  /// duplicates, sorted by id if known.
  std::vector<AddedToken> added(const std::vector<AddedToken>& defaults) const {
    std::vector<std::pair<std::int64_t, AddedToken>> all;
    constexpr std::int64_t behind = std::numeric_limits<std::int64_t>::max();
    std::unordered_set<std::string> known;
    const auto add = [&](std::int64_t id, AddedToken token) {
      if (known.insert(token.content).second) all.emplace_back(id, std::move(token));
    };
    if (const auto list = config().find("added_tokens_decoder")) {
      list->expect_object();
      for (const auto& [id, token] : list->json().items()) {
        const std::string_view digits = id;
        const bool is_id = !digits.empty() && digits.size() < 10 &&
                           std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
        if (!is_id)
          throw input_error("{}: {}: {} is no id of a token; expected a whole number", list->file(),
                            list->path(), cut_off(printable(id), 60));
        add(std::stoll(id), read_added_token(*list->find(id.c_str())));
      }
    }
    if (has("added_tokens.json")) {
      const JsonFile file = read("added_tokens.json");
      file.top().expect_object();
      for (const auto& [content, id] : file.json.items()) {
        AddedToken token;
        token.content = content;
        token.normalized = true;
        // Those with a role are special, whatever file gives their number.
        for (const char* name : role_names)
          if (const auto special = role(name); special && special->content == content) token = *special;
        if (const auto special = std::ranges::find(defaults, content, &AddedToken::content);
            special != defaults.end() && !token.special)
          token = *special;
        add(file.top().at(content.c_str()).integer(0, behind - 1), token);
      }
    }
    for (const char* name : role_names)
      if (const auto token = role(name)) add(behind, *token);
    for (const AddedToken& token : defaults) add(behind, token);
    std::ranges::stable_sort(all, {}, [](const auto& one) { return one.first; });
    std::vector<AddedToken> result;
    for (auto& [id, token] : all) result.push_back(std::move(token));
    return result;
  }

  static constexpr const char* role_names[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                               "pad_token", "cls_token", "mask_token"};

 private:
  std::string model_type() const {
    const auto type = model_.top().find("model_type");
    return type ? type->text() : "";
  }
  JsonFile read_if_there(const char* name) const {
    JsonFile file = has(name) ? read(name) : JsonFile(at(name));
    file.top().expect_object();
    return file;
  }

  std::string path_;
  JsonFile config_, special_, model_;
};

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

AddedToken special_token(const std::string& content, bool lstrip = false) {
  AddedToken token;
  token.content = content;
  token.lstrip = lstrip;
  token.special = true;
  return token;
}

/// [token, id] of a token that the template needs.
Json token_pair(const Vocabulary& vocabulary, const std::string& token, const std::string& file) {
  const auto id = vocabulary.find(token);
  if (!id) throw input_error("{}: the vocabulary has no {}", file, cut_off(printable(token), 60));
  return Json::array({token, *id});
}

std::vector<AddedToken> those_known(const Vocabulary& vocabulary, std::vector<AddedToken> tokens) {
  std::erase_if(tokens, [&](const AddedToken& token) { return !vocabulary.find(token.content); });
  return tokens;
}

// vocab.json and merges.txt, in the variants of their families.

std::vector<AddedToken> describe_gpt2(const Folder& folder, const Vocabulary& vocabulary, Json& top,
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

std::vector<AddedToken> describe_roberta(const Folder& folder, const Vocabulary& vocabulary, Json& top,
                                         BpeOptions& /*options*/) {
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

std::vector<AddedToken> describe_qwen2(const Folder& folder, const Vocabulary& vocabulary, Json& top,
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

std::vector<AddedToken> describe_clip(const Folder& folder, const Vocabulary& vocabulary, Json& top,
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

using DescribeMerges = std::vector<AddedToken> (*)(const Folder&, const Vocabulary&, Json& top,
                                                   BpeOptions& options);

/// How a class of tokenizer uses vocab.json and merges.txt.
DescribeMerges merges_kind(const Folder& folder, const Vocabulary& vocabulary) {
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

TokenizerParts read_merges_folder(const Folder& folder) {
  const JsonFile vocabulary_file = folder.read("vocab.json");
  Vocabulary vocabulary = Vocabulary::from_object(vocabulary_file.top());
  const std::string path = folder.at("merges.txt"), text = folder.read_text("merges.txt");
  JsonFile top(vocabulary_file.path, vocabulary_file.bytes + text.size());
  top.json["decoder"] = {{"type", "ByteLevel"}};
  BpeOptions options;
  std::vector<AddedToken> added = merges_kind(folder, vocabulary)(folder, vocabulary, top.json, options);
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

TokenizerParts read_words_folder(const Folder& folder) {
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
  top.json["model"] = {{"type", "WordPiece"},
                       {"vocab", words_of(text)},
                       {"unk_token", folder.role_or("unk_token", "[UNK]")},
                       {"continuing_subword_prefix", "##"},
                       {"max_input_chars_per_word", 100}};
  const bool lower = folder.config().flag("do_lower_case", true);
  top.json["normalizer"] = {{"type", "BertNormalizer"},
                            {"clean_text", true},
                            {"handle_chinese_chars", folder.config().flag("tokenize_chinese_chars", true)},
                            {"strip_accents", folder.config().flag("strip_accents", lower)},
                            {"lowercase", lower}};
  top.json["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
  top.json["decoder"] = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
  const Vocabulary vocabulary = Vocabulary::from_object(top.top().at("model").at("vocab"));
  top.json["post_processor"] = {{"type", "BertProcessing"},
                                {"sep", token_pair(vocabulary, sep, path)},
                                {"cls", token_pair(vocabulary, cls, path)}};
  std::vector<AddedToken> defaults;
  for (const char* token : {"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"})
    defaults.push_back(special_token(token));
  if (mpnet) {
    // A pair has two separators between.
    top.json["post_processor"]["type"] = "RobertaProcessing";
    top.json["post_processor"].update(Json{{"trim_offsets", true}, {"add_prefix_space", false}});
    defaults = {special_token("<s>"), special_token("<pad>"), special_token("</s>"), special_token("[UNK]"),
                special_token("<mask>", true)};
  }
  return read_parts(top.top(), nullptr, folder.added(those_known(vocabulary, defaults)));
}

// A model of SentencePiece alone, as the classes that use one turn it into a tokenizer.json.

using ScoredTexts = std::vector<std::pair<std::string, double>>;

/// How a tokenizer class uses the pieces of its file.
struct PieceUse {
  ScoredTexts vocabulary;  ///< by id
  std::uint64_t unknown = 0;
  Json normalizers = Json::array();
  std::vector<AddedToken> added;
  bool begins_with_space = true;
  std::unique_ptr<const Model> model = nullptr;  ///< instead of one of the vocabulary
};
using DescribePieces = void (*)(const Folder&, PieceUse& use, Json& top);

Json one_space_for_many(const char* content) {
  return {{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", content}};
}

void strip_and_shorten(PieceUse& use) {
  use.normalizers.push_back({{"type", "Strip"}, {"strip_left", false}, {"strip_right", true}});
  use.normalizers.push_back(one_space_for_many("▁"));
}

std::optional<std::size_t> piece_named(const PieceUse& use, const std::string& text) {
  const auto found = std::ranges::find(use.vocabulary, text, &ScoredTexts::value_type::first);
  if (found == use.vocabulary.end()) return {};
  return static_cast<std::size_t>(found - use.vocabulary.begin());
}

Json piece_pair(const Folder& folder, const PieceUse& use, const std::string& token) {
  const auto id = piece_named(use, token);
  if (!id) throw input_error("{}: the vocabulary has no {}", folder.path(), cut_off(printable(token), 60));
  return Json::array({token, *id});
}

using TemplateSteps = std::vector<std::string>;
/// A template of A, B and tokens, whose [token, id] are in `known`.
Json template_of(const std::vector<Json>& known, const TemplateSteps& single, const TemplateSteps& pair) {
  const auto steps = [](const TemplateSteps& parts) {
    Json list = Json::array();
    for (const std::string& part : parts)
      list.push_back(
          {{part == "A" || part == "B" ? "Sequence" : "SpecialToken", {{"id", part}, {"type_id", 0}}}});
    return list;
  };
  Json tokens = Json::object();
  for (const Json& token : known)
    tokens[token[0].get<std::string>()] = {{"id", token[0]}, {"ids", {token[1]}}, {"tokens", {token[0]}}};
  return {{"type", "TemplateProcessing"},
          {"single", steps(single)},
          {"pair", steps(pair)},
          {"special_tokens", std::move(tokens)}};
}

void describe_deberta(const Folder& folder, PieceUse& use, Json& top) {
  Json first = Json::array();
  if (folder.config().flag("do_lower_case", false)) first.push_back({{"type", "Lowercase"}});
  first.push_back({{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}});
  for (Json& normalizer : use.normalizers) first.push_back(std::move(normalizer));
  first.push_back(one_space_for_many(" "));
  use.normalizers = std::move(first);
  if (folder.config().flag("split_by_punct", false))
    top["pre_tokenizer"]["pretokenizers"].insert(top["pre_tokenizer"]["pretokenizers"].begin(),
                                                 Json{{"type", "Punctuation"}, {"behavior", "Isolated"}});
  top["post_processor"] = {{"type", "BertProcessing"},
                           {"sep", piece_pair(folder, use, folder.role_or("sep_token", "[SEP]"))},
                           {"cls", piece_pair(folder, use, folder.role_or("cls_token", "[CLS]"))}};
  for (const char* token : {"[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"})
    use.added.push_back(special_token(token));
}

void describe_t5(const Folder& folder, PieceUse& use, Json& top) {
  constexpr std::int64_t most = 10'000;
  const auto extra = folder.config().find("extra_ids");
  for (std::int64_t i = extra ? extra->integer(0, most) : 100; i-- > 0;) {
    use.vocabulary.emplace_back("<extra_id_" + std::to_string(i) + ">", 0.0);
    use.added.push_back(special_token(use.vocabulary.back().first));
  }
  strip_and_shorten(use);
  const std::string end = folder.role_or("eos_token", "</s>");
  top["post_processor"] = template_of({piece_pair(folder, use, end)}, {"A", end}, {"A", end, "B", end});
  for (const char* token : {"<pad>", "</s>", "<unk>"}) use.added.push_back(special_token(token));
}

// Lan et al. 2020: numbers with a comma are taken apart.
void describe_albert(const Folder& folder, PieceUse& use, Json& top) {
  constexpr double less = 100;
  for (auto& [text, score] : use.vocabulary)
    if (text.size() >= 2 && text.back() == ',' && text[text.size() - 2] >= '0' &&
        text[text.size() - 2] <= '9')
      score -= less;
  Json first = Json::array();
  for (const char* quote : {"``", "''"})
    first.push_back({{"type", "Replace"}, {"pattern", {{"String", quote}}}, {"content", "\""}});
  if (!folder.config().flag("keep_accents", false)) {
    first.push_back({{"type", "NFKD"}});
    first.push_back({{"type", "StripAccents"}});
  }
  if (folder.config().flag("do_lower_case", true)) first.push_back({{"type", "Lowercase"}});
  for (Json& normalizer : use.normalizers) first.push_back(std::move(normalizer));
  first.push_back(one_space_for_many(" "));
  use.normalizers = std::move(first);
  top["post_processor"] = {{"type", "BertProcessing"},
                           {"sep", piece_pair(folder, use, folder.role_or("sep_token", "[SEP]"))},
                           {"cls", piece_pair(folder, use, folder.role_or("cls_token", "[CLS]"))}};
  for (const char* token : {"[CLS]", "[SEP]", "<unk>", "<pad>"}) use.added.push_back(special_token(token));
  std::erase_if(use.added, [](const AddedToken& token) { return token.content == "[MASK]"; });
  use.added.push_back(special_token("[MASK]", true));
}

/// PEGASUS has tokens of its own before those of the file, whose first two it replaces.
void describe_pegasus(const Folder& folder, PieceUse& use, Json& top) {
  constexpr std::size_t replaced = 2, others = 103;
  ScoredTexts vocabulary{{"<pad>", 0}, {"</s>", 0}, {"<mask_1>", 0}, {"<mask_2>", 0}};
  for (std::size_t i = replaced; i < others; ++i)
    vocabulary.emplace_back("<unk_" + std::to_string(i) + ">", -100.0);
  for (const auto& [text, score] : vocabulary) use.added.push_back(special_token(text));
  for (std::size_t id = replaced; id < use.vocabulary.size(); ++id)
    vocabulary.push_back(std::move(use.vocabulary[id]));
  use.vocabulary = std::move(vocabulary);
  use.unknown += others;
  strip_and_shorten(use);
  Json& steps = top["pre_tokenizer"]["pretokenizers"];
  steps.insert(steps.begin(), Json{{"type", "WhitespaceSplit"}});
  const std::string end = folder.role_or("eos_token", "</s>");
  top["post_processor"] = template_of({piece_pair(folder, use, end)}, {"A", end}, {"A", "B", end});
  use.added.push_back(special_token("<unk>"));
}

/// XLM-RoBERTa numbers its special tokens as fairseq did, and has no place for the file's first three.
void describe_xlm_roberta(const Folder& folder, PieceUse& use, Json& top) {
  constexpr std::size_t replaced = 3;
  ScoredTexts vocabulary{{"<s>", 0}, {"<pad>", 0}, {"</s>", 0}, {"<unk>", 0}};
  for (std::size_t id = replaced; id < use.vocabulary.size(); ++id)
    vocabulary.push_back(std::move(use.vocabulary[id]));
  vocabulary.emplace_back("<mask>", 0);
  use.vocabulary = std::move(vocabulary);
  use.unknown = 3;
  strip_and_shorten(use);
  top["post_processor"] = {{"type", "RobertaProcessing"},
                           {"sep", piece_pair(folder, use, folder.role_or("sep_token", "</s>"))},
                           {"cls", piece_pair(folder, use, folder.role_or("cls_token", "<s>"))},
                           {"trim_offsets", false},
                           {"add_prefix_space", false}};
  for (const char* token : {"<s>", "<pad>", "</s>", "<unk>"}) use.added.push_back(special_token(token));
  use.added.push_back(special_token("<mask>", true));
}

/// CamemBERT has five tokens in place of the file's first.
void describe_camembert(const Folder& folder, PieceUse& use, Json& top) {
  ScoredTexts vocabulary{
      {"<s>NOTUSED", 0}, {"<pad>", 0}, {"</s>NOTUSED", 0}, {"<unk>", 0}, {"<unk>NOTUSED", -100}};
  for (std::size_t id = 1; id < use.vocabulary.size(); ++id)
    vocabulary.push_back(std::move(use.vocabulary[id]));
  vocabulary.emplace_back("<mask>", 0);
  use.vocabulary = std::move(vocabulary);
  use.unknown = 3;
  strip_and_shorten(use);
  top["post_processor"] = {{"type", "RobertaProcessing"},
                           {"sep", piece_pair(folder, use, folder.role_or("sep_token", "</s>"))},
                           {"cls", piece_pair(folder, use, folder.role_or("cls_token", "<s>"))},
                           {"trim_offsets", false},
                           {"add_prefix_space", false}};
  for (const char* token : {"<s>", "<pad>", "</s>", "<unk>"}) use.added.push_back(special_token(token));
  use.added.push_back(special_token("<mask>", true));
}

/// mBART's pieces are XLM-RoBERTa's, with languages behind them; the one of a text comes after its end, or in
/// mBART-50 before it.
void add_languages(const Folder& folder, PieceUse& use, Json& top, std::vector<std::string> languages,
                   bool first) {
  describe_xlm_roberta(folder, use, top);
  if (std::vector<std::string> listed = folder.additional(); !listed.empty()) languages = std::move(listed);
  if (languages.empty())
    throw input_error("{}: additional_special_tokens is missing; expected the languages, in their order",
                      folder.at("special_tokens_map.json"));
  use.vocabulary.pop_back();  // the mask
  for (const std::string& language : languages) {
    if (!piece_named(use, language)) use.vocabulary.emplace_back(language, 0.0);
    use.added.push_back(special_token(language));
  }
  use.vocabulary.emplace_back("<mask>", 0.0);
  const auto said = folder.config().find("src_lang");
  const std::string language = said ? said->text() : "en_XX", end = "</s>";
  const std::vector<Json> known{piece_pair(folder, use, end), piece_pair(folder, use, language)};
  top["post_processor"] = first ? template_of(known, {language, "A", end}, {language, "A", "B", end})
                                : template_of(known, {"A", end, language}, {"A", "B", end, language});
}
void describe_mbart(const Folder& folder, PieceUse& use, Json& top) {
  add_languages(folder, use, top,
                {"ar_AR", "cs_CZ", "de_DE", "en_XX", "es_XX", "et_EE", "fi_FI", "fr_XX", "gu_IN",
                 "hi_IN", "it_IT", "ja_XX", "kk_KZ", "ko_KR", "lt_LT", "lv_LV", "my_MM", "ne_NP",
                 "nl_XX", "ro_RO", "ru_RU", "si_LK", "tr_TR", "vi_VN", "zh_CN"},
                false);
}
void describe_mbart50(const Folder& folder, PieceUse& use, Json& top) {
  add_languages(folder, use, top, {}, true);
}

/// LLaMA and those with its class: SentencePiece's BPE, spaces as they are.
void describe_llama(const Folder& folder, PieceUse& use, Json& top) {
  const char* const space = "▁";
  Json decoders = Json::array();
  use.normalizers = Json::array();
  if (use.begins_with_space) use.normalizers.push_back({{"type", "Prepend"}, {"prepend", space}});
  use.normalizers.push_back({{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", space}});
  decoders.push_back({{"type", "Replace"}, {"pattern", {{"String", space}}}, {"content", " "}});
  decoders.push_back({{"type", "ByteFallback"}});
  decoders.push_back({{"type", "Fuse"}});
  if (use.begins_with_space)
    decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  top["decoder"] = {{"type", "Sequence"}, {"decoders", std::move(decoders)}};
  top.erase("pre_tokenizer");
  Json vocabulary = Json::object();
  std::vector<ScoredText> scored;
  for (std::size_t id = 0; id < use.vocabulary.size(); ++id) {
    vocabulary.emplace(use.vocabulary[id].first, id);  // of equal ones the first
    scored.push_back({use.vocabulary[id].first, use.vocabulary[id].second});
  }
  const std::string unknown = use.vocabulary[use.unknown].first;
  top["model"] = {
      {"type", "BPE"},         {"unk_token", unknown},           {"fuse_unk", true},
      {"byte_fallback", true}, {"vocab", std::move(vocabulary)}, {"merges", merges_of_scores(scored)}};
  const std::string begin = folder.role_or("bos_token", piece_named(use, "<bos>") ? "<bos>" : "<s>"),
                    end = folder.role_or("eos_token", piece_named(use, "<eos>") ? "<eos>" : "</s>");
  std::vector<Json> known;
  TemplateSteps single, pair;
  const bool begins = folder.config().flag("add_bos_token", true),
             ends = folder.config().flag("add_eos_token", false);
  if (begins) known.push_back(piece_pair(folder, use, begin));
  if (ends) known.push_back(piece_pair(folder, use, end));
  for (const char* sequence : {"A", "B"}) {
    if (begins) pair.push_back(begin);
    pair.emplace_back(sequence);
    if (ends) pair.push_back(end);
    if (single.empty()) single = pair;
  }
  top["post_processor"] = template_of(known, single, pair);
  use.added.push_back(special_token(unknown));
}

/// The tokens that vocab.json numbers, for pieces that the file only scores (Marian, M2M-100).
void number_by_vocabulary(const Folder& folder, PieceUse& use, const std::vector<std::string>& behind) {
  const JsonFile file = folder.read("vocab.json");
  const Vocabulary named = Vocabulary::from_object(file.top());
  std::vector<Vocabulary::Entry> entries(named.entries().begin(), named.entries().end());
  TokenId next = entries.empty() ? 0 : entries.back().id + 1;
  for (const std::string& token : behind)
    if (!named.find(token)) entries.push_back({token, next++});
  std::vector<ScoredPiece> pieces;
  for (auto& [text, score] : use.vocabulary) pieces.push_back({std::move(text), score});
  use.vocabulary.clear();
  use.model = std::make_unique<Unigram>(Vocabulary(std::move(entries), file.path), pieces, use.unknown,
                                        named.find(folder.role_or("unk_token", "<unk>")), file.path);
}

void describe_marian(const Folder& folder, PieceUse& use, Json& top) {
  number_by_vocabulary(folder, use, {});
  const Vocabulary& vocabulary = use.model->vocabulary();
  strip_and_shorten(use);
  const std::string end = folder.role_or("eos_token", "</s>");
  top["post_processor"] =
      template_of({token_pair(vocabulary, end, folder.at("vocab.json"))}, {"A", end}, {"A", "B", end});
  use.added.clear();
  for (const auto& [token, id] : vocabulary.entries())
    if ((token.starts_with(">>") && token.ends_with("<<")) || token == end || token == "<unk>" ||
        token == "<pad>")
      use.added.push_back(special_token(token));
}

void describe_m2m_100(const Folder& folder, PieceUse& use, Json& top) {
  const std::vector<std::string> languages = folder.additional();
  if (languages.empty())
    throw input_error("{}: additional_special_tokens is missing; expected the languages, in their order",
                      folder.at("special_tokens_map.json"));
  number_by_vocabulary(folder, use, languages);
  strip_and_shorten(use);
  const auto said = folder.config().find("src_lang");
  const std::string language = "__" + (said ? said->text() : "en") + "__", end = "</s>",
                    file = folder.at("vocab.json");
  const Vocabulary& vocabulary = use.model->vocabulary();
  top["post_processor"] =
      template_of({token_pair(vocabulary, end, file), token_pair(vocabulary, language, file)},
                  {language, "A", end}, {language, "A", "B", end});
  use.added.clear();
  for (const char* token : {"<s>", "<pad>", "</s>", "<unk>"})
    if (vocabulary.find(token)) use.added.push_back(special_token(token));
  for (const std::string& one : languages) use.added.push_back(special_token(one));
}

/// How a class of tokenizer uses a model of SentencePiece, and which kind of model that is.
struct PieceKind {
  const char* name;
  DescribePieces describe;
  bool by_merges = false;  ///< BPE, otherwise Unigram
};
/// nullptr if that is not known.
const PieceKind* pieces_kind(const std::string& kind) {
  static constexpr PieceKind kinds[] = {{"debertav2", describe_deberta},
                                        {"deberta-v2", describe_deberta},
                                        {"t5", describe_t5},
                                        {"mt5", describe_t5},
                                        {"xlmroberta", describe_xlm_roberta},
                                        {"xlm-roberta", describe_xlm_roberta},
                                        {"albert", describe_albert},
                                        {"pegasus", describe_pegasus},
                                        {"camembert", describe_camembert},
                                        {"mbart", describe_mbart},
                                        {"mbart50", describe_mbart50},
                                        {"marian", describe_marian},
                                        {"m2m100", describe_m2m_100},
                                        {"m2m_100", describe_m2m_100},
                                        {"llama", describe_llama, true},
                                        {"codellama", describe_llama, true},
                                        {"mistral", describe_llama, true},
                                        {"mixtral", describe_llama, true},
                                        {"gemma", describe_llama, true},
                                        {"gemma2", describe_llama, true},
                                        {"gemma3", describe_llama, true},
                                        {"gemma3_text", describe_llama, true},
                                        {"phi3", describe_llama, true}};
  const auto* const found = std::ranges::find(kinds, std::string_view(kind), &PieceKind::name);
  return found == std::end(kinds) ? nullptr : found;
}

TokenizerParts read_pieces_folder(const Folder& folder, const char* name, const PieceKind& kind) {
  const std::string path = path_in_folder(folder.path(), name), bytes = read_file(path, largest_file);
  JsonFile top(path, bytes.size());
  SentencePieces pieces = read_sentence_pieces(bytes, path, *top.budget);
  constexpr std::uint64_t unigram = 1, bpe = 2;
  if (pieces.algorithm != (kind.by_merges ? bpe : unigram))
    throw input_error("{}: its pieces are not those of a {} model: save the tokenizer as tokenizer.json",
                      path, kind.by_merges ? "BPE" : "Unigram");
  PieceUse use;
  use.unknown = pieces.unknown;
  use.begins_with_space = pieces.begins_with_space;
  for (SentencePieces::Piece& piece : pieces.pieces) {
    if (piece.kind == SentencePieces::Kind::control || piece.kind == SentencePieces::Kind::user_defined) {
      use.added.push_back(special_token(piece.text));
      use.added.back().special = piece.kind == SentencePieces::Kind::control;
    }
    use.vocabulary.emplace_back(std::move(piece.text), piece.score);
  }
  if (!pieces.character_map.empty())
    use.normalizers.push_back(
        {{"type", "Precompiled"}, {"precompiled_charsmap", to_base64(pieces.character_map)}});
  const Json spaces = {
      {"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "always"}, {"split", true}};
  top.json["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", Json::array({spaces})}};
  top.json["decoder"] = spaces;
  kind.describe(folder, use, top.json);
  std::vector<AddedToken> added = folder.added(use.added);
  // A mask strips the space before it even if a file gives it as a text.
  for (AddedToken& token : added)
    for (const AddedToken& usual : use.added)
      if (usual.lstrip && usual.content == token.content && !folder.config().find("added_tokens_decoder"))
        token.lstrip = true;
  top.json["normalizer"] = {{"type", "Sequence"}, {"normalizers", std::move(use.normalizers)}};
  if (use.model) {
    TokenizerParts parts = read_parts(top.top(), std::move(use.model), std::move(added));
    parts.facts.model = "Unigram";
    return parts;
  }
  if (!top.json.contains("model"))
    top.json["model"] = {{"type", "Unigram"},
                         {"unk_id", use.unknown},
                         {"vocab", use.vocabulary},
                         {"byte_fallback", pieces.byte_fallback}};
  return read_parts(top.top(), nullptr, std::move(added));
}

/// The model of SentencePiece in a folder; nullptr if there is none.
const char* pieces_file(const Folder& folder) {
  for (const char* name :
       {"source.spm", "spiece.model", "tokenizer.model", "sentencepiece.bpe.model", "spm.model"})
    if (folder.has(name)) return name;
  return nullptr;
}

TokenizerParts read_pieces(const Folder& folder) {
  const char* const name = pieces_file(folder);
  if (name == nullptr)
    throw input_error(
        "{}: tokenizer.json is missing; expected it, or vocab.json with merges.txt, or vocab.txt",
        folder.path());
  if (const PieceKind* const kind = pieces_kind(folder.kind()))
    return read_pieces_folder(folder, name, *kind);
  throw input_error(
      "{}: tokenizer.json is missing; {} alone is not enough: save the tokenizer as tokenizer.json",
      folder.path(), name);
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
/// RoBERTa's. `kind` is Folder::reading_kind().
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

}  // namespace

std::string known_pieces_file(const std::string& path) {
  const Folder folder(path);
  const char* const name = pieces_file(folder);
  return name != nullptr && pieces_kind(folder.kind()) != nullptr ? name : "";
}

TokenizerParts read_folder(const std::string& path) {
  const Folder folder(path);
  TokenizerParts parts;
  if (folder.has("tokenizer.json")) {
    JsonFile file = folder.read("tokenizer.json");
    override_steps(file.json, folder.reading_kind(), folder.config());
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
  for (const char* name : Folder::role_names)
    if (const auto token = folder.role(name)) {
      auto id = parts.added->find(token->content);
      if (!id) id = parts.model->vocabulary().find(token->content);
      if (id) parts.roles.emplace(name, *id);
    }
  return parts;
}

}  // namespace headscope::tokenizers
