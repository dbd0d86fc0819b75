#include "core/text/tokenizer/piece_folder.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/utf8.h"
#include "core/io/compress.h"
#include "core/io/file.h"
#include "core/io/path_in_folder.h"
#include "core/text/tokenizer/bpe.h"
#include "core/text/tokenizer/language_lists.h"
#include "core/text/tokenizer/sentence_piece.h"
#include "core/text/tokenizer/unigram.h"

namespace headscope::tokenizers {
namespace {

using Json = nlohmann::json;

using ScoredTexts = std::vector<std::pair<std::string, double>>;

/// How a tokenizer class uses the pieces of its file.
struct PieceUse {
  ScoredTexts vocabulary;  ///< by id
  std::size_t unknown = 0;
  Json normalizers = Json::array();
  std::vector<AddedToken> added;
  bool begins_with_space = true;
  bool space_at_start = false;        ///< ▁ only before the text, not behind a special token in it
  std::optional<ScoredTexts> merged;  ///< the file's own pieces, if they are those of a BPE model
  std::unique_ptr<const Model> model = nullptr;  ///< instead of one of the vocabulary
  Decoder decoder = nullptr;                     ///< instead of the usual one
};
using DescribePieces = void (*)(const TokenizerFolder&, PieceUse& use, Json& top);

Json one_space_for_many(const char* content) {
  return {{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", content}};
}

void strip_and_shorten(PieceUse& use) {
  use.normalizers.push_back({{"type", "Strip"}, {"strip_left", false}, {"strip_right", true}});
  use.normalizers.push_back(one_space_for_many("▁"));
}

/// Characters are replaced as SentencePiece does, which some classes run: tokenizers strays from it.
void replace_longest(PieceUse& use) {
  for (Json& normalizer : use.normalizers)
    if (normalizer["type"] == "Precompiled") normalizer["longest"] = true;
}

std::optional<std::size_t> piece_named(const PieceUse& use, const std::string& text) {
  const auto found = std::ranges::find(use.vocabulary, text, &ScoredTexts::value_type::first);
  if (found == use.vocabulary.end()) return {};
  return static_cast<std::size_t>(found - use.vocabulary.begin());
}

Json piece_pair(const TokenizerFolder& folder, const PieceUse& use, const std::string& token) {
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

Json bert_template(const TokenizerFolder& folder, const PieceUse& use) {
  return {{"type", "BertProcessing"},
          {"sep", piece_pair(folder, use, folder.role_or("sep_token", "[SEP]"))},
          {"cls", piece_pair(folder, use, folder.role_or("cls_token", "[CLS]"))}};
}

void describe_deberta(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  Json first = Json::array();
  if (folder.config().flag("do_lower_case", false)) first.push_back({{"type", "Lowercase"}});
  first.push_back({{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}});
  for (Json& normalizer : use.normalizers) first.push_back(std::move(normalizer));
  first.push_back(one_space_for_many(" "));
  use.normalizers = std::move(first);
  if (folder.config().flag("split_by_punct", false))
    top["pre_tokenizer"]["pretokenizers"].insert(top["pre_tokenizer"]["pretokenizers"].begin(),
                                                 Json{{"type", "Punctuation"}, {"behavior", "Isolated"}});
  top["post_processor"] = bert_template(folder, use);
  for (const char* token : {"[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"})
    use.added.push_back(special_token(token));
}

void describe_t5(const TokenizerFolder& folder, PieceUse& use, Json& top) {
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

/// ALBERT's and XLNet's: a comma behind a digit becomes a token of its own.
void describe_normalized(const TokenizerFolder& folder, PieceUse& use, bool lower) {
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
  if (folder.config().flag("do_lower_case", lower)) first.push_back({{"type", "Lowercase"}});
  for (Json& normalizer : use.normalizers) first.push_back(std::move(normalizer));
  first.push_back(one_space_for_many(" "));
  use.normalizers = std::move(first);
}

// Lan et al. 2020.
void describe_albert(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  describe_normalized(folder, use, true);
  top["post_processor"] = bert_template(folder, use);
  for (const char* token : {"[CLS]", "[SEP]", "<unk>", "<pad>"}) use.added.push_back(special_token(token));
  std::erase_if(use.added, [](const AddedToken& token) { return token.content == "[MASK]"; });
  use.added.push_back(special_token("[MASK]", true));
}

// Yang et al. 2019: special tokens come last, <cls> in a segment of its own.
void describe_xlnet(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  describe_normalized(folder, use, false);
  const std::string sep = folder.role_or("sep_token", "<sep>"), cls = folder.role_or("cls_token", "<cls>");
  Json& processor = top["post_processor"] =
      template_of({piece_pair(folder, use, sep), piece_pair(folder, use, cls)}, {"A", sep, cls},
                  {"A", sep, "B", sep, cls});
  processor["single"][2]["SpecialToken"]["type_id"] = processor["pair"][4]["SpecialToken"]["type_id"] = 2;
  processor["pair"][2]["Sequence"]["type_id"] = processor["pair"][3]["SpecialToken"]["type_id"] = 1;
  for (const char* token : {"<s>", "</s>", "<unk>", "<sep>", "<pad>", "<cls>", "<eop>", "<eod>"})
    if (piece_named(use, token)) use.added.push_back(special_token(token));
  std::erase_if(use.added, [](const AddedToken& token) { return token.content == "<mask>"; });
  use.added.push_back(special_token("<mask>", true));
}

/// Puts other pieces in the place of the file's first ones.
void replace_first(PieceUse& use, std::size_t replaced, ScoredTexts by) {
  for (std::size_t id = replaced; id < use.vocabulary.size(); ++id)
    by.push_back(std::move(use.vocabulary[id]));
  use.vocabulary = std::move(by);
}

// Zhai et al. 2023: in lower case, without punctuation and spaces around it.
void describe_siglip(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  const auto replace = [](const char* kind, const char* what, const char* by) {
    return Json{{"type", "Replace"}, {"pattern", {{kind, what}}}, {"content", by}};
  };
  Json first = Json::array({replace("String", "▁", " ")});
  if (folder.config().flag("do_lower_case", true)) first.push_back({{"type", "Lowercase"}});
  first.push_back(replace("Regex", R"([!-/:-@\[-`{-~])", ""));
  first.push_back(replace("Regex", R"(\s+)", " "));
  first.push_back({{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}});
  replace_longest(use);
  for (Json& normalizer : use.normalizers) first.push_back(std::move(normalizer));
  use.normalizers = std::move(first);
  strip_and_shorten(use);
  use.space_at_start = true;
  const std::string end = folder.role_or("eos_token", "</s>");
  top["post_processor"] = template_of({piece_pair(folder, use, end)}, {"A", end}, {"A", end, "B", end});
  use.added.clear();
  for (const char* token : {"</s>", "<unk>"}) {
    use.added.push_back(special_token(token, true));
    use.added.back().rstrip = true;
  }
}

/// PEGASUS has tokens of its own before those of the file, whose first two it replaces.
void describe_pegasus(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  constexpr std::size_t replaced = 2, others = 103;
  ScoredTexts vocabulary{{"<pad>", 0}, {"</s>", 0}, {"<mask_1>", 0}, {"<mask_2>", 0}};
  for (std::size_t i = replaced; i < others; ++i)
    vocabulary.emplace_back("<unk_" + std::to_string(i) + ">", -100.0);
  for (const auto& [text, score] : vocabulary) use.added.push_back(special_token(text));
  replace_first(use, replaced, std::move(vocabulary));
  use.unknown += others;
  strip_and_shorten(use);
  Json& steps = top["pre_tokenizer"]["pretokenizers"];
  steps.insert(steps.begin(), Json{{"type", "WhitespaceSplit"}});
  const std::string end = folder.role_or("eos_token", "</s>");
  top["post_processor"] = template_of({piece_pair(folder, use, end)}, {"A", end}, {"A", "B", end});
  use.added.push_back(special_token("<unk>"));
}

/// The special tokens that fairseq numbers, of which <unk> is the fourth, and a mask behind.
void describe_fairseq(const TokenizerFolder& folder, PieceUse& use, Json& top, std::size_t replaced,
                      ScoredTexts by) {
  replace_first(use, replaced, std::move(by));
  use.vocabulary.emplace_back("<mask>", 0);
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
void describe_xlm_roberta(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  describe_fairseq(folder, use, top, 3, {{"<s>", 0}, {"<pad>", 0}, {"</s>", 0}, {"<unk>", 0}});
}
void describe_camembert(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  describe_fairseq(
      folder, use, top, 1,
      {{"<s>NOTUSED", 0}, {"<pad>", 0}, {"</s>NOTUSED", 0}, {"<unk>", 0}, {"<unk>NOTUSED", -100}});
}

/// Languages in their order: as they are listed, or tokens with numbers, or otherwise those of the class.
std::vector<std::string> languages_of(const TokenizerFolder& folder, std::vector<std::string> usual) {
  std::vector<std::string> languages = folder.additional();
  if (!languages.empty()) return languages;
  for (const AddedToken& token : folder.added({}))
    if (!token.content.starts_with('<')) languages.push_back(token.content);
  const auto known = [&](const std::string& name) { return std::ranges::find(usual, name) != usual.end(); };
  return std::ranges::any_of(languages, known) ? languages : usual;
}
std::string source_language(const TokenizerFolder& folder, const char* otherwise) {
  const auto stated = folder.config().find("src_lang");
  return stated ? stated->text() : otherwise;
}

/// mBART's and NLLB's pieces are numbered as XLM-RoBERTa's, with languages behind them; the one of a text
/// comes after its end, or in newer ones before it.
void add_languages(const TokenizerFolder& folder, PieceUse& use, Json& top,
                   std::vector<std::string> languages, const char* otherwise, bool first) {
  describe_xlm_roberta(folder, use, top);
  languages = languages_of(folder, std::move(languages));
  use.vocabulary.pop_back();  // the mask
  for (const std::string& language : languages) {
    if (!piece_named(use, language)) use.vocabulary.emplace_back(language, 0.0);
    use.added.push_back(special_token(language));
  }
  use.vocabulary.emplace_back("<mask>", 0.0);
  const std::string language = source_language(folder, otherwise), end = "</s>";
  const std::vector<Json> known{piece_pair(folder, use, end), piece_pair(folder, use, language)};
  top["post_processor"] = first ? template_of(known, {language, "A", end}, {language, "A", "B", end})
                                : template_of(known, {"A", end, language}, {"A", "B", end, language});
}
void describe_mbart(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  add_languages(folder, use, top, mbart_languages(), "en_XX", false);
}
void describe_mbart50(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  add_languages(folder, use, top, mbart_50_languages(), "en_XX", true);
}
void describe_nllb(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  add_languages(folder, use, top, nllb_languages(), "eng_Latn",
                !folder.config().flag("legacy_behaviour", false));
}

std::vector<ScoredText> scored_texts(const ScoredTexts& pieces) {
  std::vector<ScoredText> scored;
  for (const auto& [text, score] : pieces) scored.push_back({text, score});
  return scored;
}
/// The vocabulary of a BPE model: of equal texts the first.
Json numbered(const ScoredTexts& pieces) {
  Json vocabulary = Json::object();
  for (std::size_t id = 0; id < pieces.size(); ++id) vocabulary.emplace(pieces[id].first, id);
  return vocabulary;
}

/// LLaMA and those with its class: SentencePiece's BPE, spaces as they are.
void describe_llama(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  const bool puts = use.begins_with_space || folder.config().flag("add_prefix_space", false);
  const char* const scheme = puts ? llama_scheme(folder.config()) : "never";
  use.normalizers = Json::array();
  top["pre_tokenizer"] = llama_pre_tokenizer(scheme);
  top["decoder"] = llama_decoder(std::string_view(scheme) != "never");
  if (folder.kind().starts_with("gemma")) {
    // In added tokens, too.
    use.normalizers.push_back({{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}});
    top.erase("pre_tokenizer");
  }
  const std::string unknown = use.vocabulary[use.unknown].first;
  top["model"] = {{"type", "BPE"},
                  {"unk_token", unknown},
                  {"fuse_unk", true},
                  {"byte_fallback", true},
                  {"vocab", numbered(use.vocabulary)},
                  {"merges", merges_of_scores(scored_texts(use.vocabulary))}};
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

/// SentencePiece's text of pieces, in which special tokens stand as they are, each with `behind` after it.
Decoder decode_around(std::vector<std::string> special, const char* behind) {
  return [special = std::move(special), behind](const std::vector<std::string>& tokens, WorkBudget&) {
    constexpr std::string_view space = "▁";
    std::string text, part;
    for (const std::string& token : tokens) {
      if (std::ranges::count(special, token) > 0) {
        text += part + token + behind;
        part.clear();
        continue;
      }
      const bool begins = part.empty() && token.starts_with(space);
      part += begins ? std::string_view(token).substr(space.size()) : std::string_view(token);
    }
    return std::vector<std::string>{stripped(text + part, space)};
  };
}

/// The tokens that vocab.json numbers, for pieces that the file only scores (Marian, M2M-100).
void number_by_vocabulary(const TokenizerFolder& folder, PieceUse& use,
                          const std::vector<std::string>& behind) {
  const JsonFile file = folder.read("vocab.json");
  const Vocabulary named = Vocabulary::from_object(file.top());
  std::vector<Vocabulary::Entry> entries(named.entries().begin(), named.entries().end());
  TokenId next = entries.empty() ? 0 : entries.back().id + 1;
  for (const std::string& token : behind)
    if (!named.find(token)) entries.push_back({token, next++});
  const std::string unknown = folder.role_or("unk_token", "<unk>");
  if (use.merged) {
    // Pieces that have no number are never merged to.
    std::erase_if(*use.merged, [&](const auto& piece) { return !named.find(piece.first); });
    BpeOptions options;
    options.unknown = unknown;
    options.fuses_unknown = true;
    use.model = std::make_unique<Bpe>(Vocabulary(std::move(entries), file.path),
                                      merges_by_score(scored_texts(*use.merged)), options, file.path);
    return;
  }
  std::vector<ScoredPiece> pieces;
  for (auto& [text, score] : use.vocabulary) pieces.push_back({std::move(text), score});
  use.vocabulary.clear();
  use.model = std::make_unique<Unigram>(Vocabulary(std::move(entries), file.path), pieces, use.unknown,
                                        named.find(unknown), file.path);
}

void describe_marian(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  number_by_vocabulary(folder, use, {});
  replace_longest(use);
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
  use.decoder = decode_around({"<unk>", "<pad>", end}, " ");
}

void describe_m2m_100(const TokenizerFolder& folder, PieceUse& use, Json& top) {
  const auto codes = folder.config().find("language_codes");
  std::vector<std::string> usual = m2m_languages(codes ? codes->text() : "m2m100");
  if (usual.empty()) throw codes->wrong("{}: {} is {}; expected one of: {}", "m2m100, wmt21");
  for (std::string& name : usual) name = "__" + name + "__";
  const std::vector<std::string> languages = languages_of(folder, std::move(usual));
  number_by_vocabulary(folder, use, languages);
  replace_longest(use);
  strip_and_shorten(use);
  const std::string language = "__" + source_language(folder, "en") + "__", end = "</s>",
                    file = folder.at("vocab.json");
  const Vocabulary& vocabulary = use.model->vocabulary();
  top["post_processor"] =
      template_of({token_pair(vocabulary, end, file), token_pair(vocabulary, language, file)},
                  {language, "A", end}, {language, "A", "B", end});
  use.added.clear();
  for (const char* token : {"<s>", "<pad>", "</s>", "<unk>"})
    if (vocabulary.find(token)) use.added.push_back(special_token(token));
  for (const std::string& one : languages) use.added.push_back(special_token(one));
  std::vector<std::string> special;
  for (const AddedToken& token : use.added) special.push_back(token.content);
  use.decoder = decode_around(std::move(special), "");
}

/// Spaces as ▁, with one before the first piece unless that is a special token.
PreTokenizer space_at_start(const JsonField& pieces) {
  const auto spaces = [&](const char* scheme) {
    const Json json = {
        {"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", scheme}, {"split", true}};
    return read_pre_tokenizer(JsonField(json, pieces.file(), "", &pieces.budget()));
  };
  return [first = spaces("always"), others = spaces("never")](std::vector<Piece>& pieces) {
    if (pieces.empty()) return;
    std::vector<Piece> behind(std::make_move_iterator(pieces.begin() + 1),
                              std::make_move_iterator(pieces.end()));
    pieces.erase(pieces.begin() + 1, pieces.end());
    first(pieces);
    others(behind);
    std::ranges::move(behind, std::back_inserter(pieces));
  };
}

/// How a class of tokenizer uses a model of SentencePiece, and which kind of model that is.
struct PieceKind {
  const char* name;
  DescribePieces describe;
  bool by_merges = false;  ///< BPE alone, otherwise Unigram too
};
/// nullptr if that is not known.
const PieceKind* pieces_kind(const std::string& kind) {
  static constexpr PieceKind kinds[] = {{"debertav2", describe_deberta},
                                        {"deberta-v2", describe_deberta},
                                        {"t5", describe_t5},
                                        {"mt5", describe_t5},
                                        {"umt5", describe_t5},
                                        {"xlmroberta", describe_xlm_roberta},
                                        {"xlm-roberta", describe_xlm_roberta},
                                        {"albert", describe_albert},
                                        {"xlnet", describe_xlnet},
                                        {"siglip", describe_siglip},
                                        {"siglip_text_model", describe_siglip},
                                        {"pegasus", describe_pegasus},
                                        {"camembert", describe_camembert},
                                        {"mbart", describe_mbart},
                                        {"mbart50", describe_mbart50},
                                        {"marian", describe_marian},
                                        {"nllb", describe_nllb},
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

TokenizerParts read_pieces_folder(const TokenizerFolder& folder, const char* name, const PieceKind& kind) {
  const std::string path = path_in_folder(folder.path(), name), bytes = read_file(path, max_tokenizer_file);
  JsonFile top(path, bytes.size());
  SentencePieces pieces = read_sentence_pieces(bytes, path, *top.budget);
  constexpr std::uint64_t unigram = 1, bpe = 2;
  const bool by_merges = pieces.algorithm == bpe;
  if (!by_merges && (kind.by_merges || pieces.algorithm != unigram))
    throw input_error("{}: its pieces are not those of a {} model: save the tokenizer as tokenizer.json",
                      path, kind.by_merges ? "BPE" : "Unigram");
  PieceUse use;
  use.unknown = static_cast<std::size_t>(pieces.unknown);
  use.begins_with_space = pieces.begins_with_space;
  if (by_merges && !kind.by_merges) {
    use.merged.emplace();
    for (const SentencePieces::Piece& piece : pieces.pieces)
      if (piece.kind == SentencePieces::Kind::normal) use.merged->emplace_back(piece.text, piece.score);
  }
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
  (*top.json)["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", Json::array({spaces})}};
  (*top.json)["decoder"] = spaces;
  kind.describe(folder, use, *top.json);
  std::vector<AddedToken> added = folder.added(use.added);
  // A mask strips the space before it even if a file gives it as a text.
  for (AddedToken& token : added)
    for (const AddedToken& usual : use.added)
      if (usual.lstrip && usual.content == token.content && !folder.config().find("added_tokens_decoder"))
        token.lstrip = true;
  (*top.json)["normalizer"] = {{"type", "Sequence"}, {"normalizers", std::move(use.normalizers)}};
  if (use.model) {
    TokenizerParts parts = read_parts(top.top(), std::move(use.model), std::move(added));
    parts.decoder = std::move(use.decoder);
    parts.facts.model = by_merges ? "BPE" : "Unigram";
    return parts;
  }
  if (use.merged)
    (*top.json)["model"] = {{"type", "BPE"},
                            {"unk_token", use.vocabulary[use.unknown].first},
                            {"fuse_unk", true},
                            {"byte_fallback", pieces.byte_fallback},
                            {"vocab", numbered(use.vocabulary)},
                            {"merges", merges_of_scores(scored_texts(*use.merged))}};
  if (!top.json->contains("model"))
    (*top.json)["model"] = {{"type", "Unigram"},
                            {"unk_id", use.unknown},
                            {"vocab", use.vocabulary},
                            {"byte_fallback", pieces.byte_fallback}};
  TokenizerParts parts = read_parts(top.top(), nullptr, std::move(added));
  if (use.space_at_start) parts.pre_tokenizer = space_at_start(top.top());
  return parts;
}

/// The model of SentencePiece in a folder; nullptr if there is none.
const char* pieces_file(const TokenizerFolder& folder) {
  for (const char* name :
       {"source.spm", "spiece.model", "tokenizer.model", "sentencepiece.bpe.model", "spm.model"})
    if (folder.has(name)) return name;
  return nullptr;
}

}  // namespace

const char* llama_scheme(const JsonField& config) {
  if (!config.flag("add_prefix_space", true)) return "never";
  return config.flag("legacy", false) ? "always" : "first";
}

Json llama_pre_tokenizer(const char* scheme) {
  return {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", scheme}, {"split", false}};
}

Json llama_decoder(bool strips) {
  Json steps = Json::array({{{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}},
                            {{"type", "ByteFallback"}},
                            {{"type", "Fuse"}}});
  if (strips) steps.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  return {{"type", "Sequence"}, {"decoders", std::move(steps)}};
}

TokenizerParts read_pieces(const TokenizerFolder& folder) {
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

std::string known_pieces_file(const std::string& path) {
  const TokenizerFolder folder(path);
  const char* const name = pieces_file(folder);
  return name != nullptr && pieces_kind(folder.kind()) != nullptr ? name : "";
}

}  // namespace headscope::tokenizers
