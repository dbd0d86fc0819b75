#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace headscope {

using TokenId = std::int32_t;
struct GgufFile;

/// A token of an encoded text.
struct EncodedToken {
  TokenId id = 0;
  std::size_t begin = 0, end = 0;  ///< bytes [begin, end) of its sentence; 0, 0 for what the template adds
  int sequence = -1;               ///< 0: the text, 1: the pair, -1: added by the template
  int type = 0;                    ///< BERT's token type
  int piece = -1;                  ///< index of its pre-tokenized piece in the sentence; -1 as for sequence
  bool special = false;            ///< added by the template, or a special token in the text

  bool operator==(const EncodedToken&) const = default;
};

struct Encoding {
  std::vector<EncodedToken> tokens;

  std::vector<TokenId> ids() const;
};

/// Facts about a tokenizer besides its vocabulary.
struct TokenizerFacts {
  std::string file;   ///< the file it was read from
  std::string model;  ///< BPE, WordPiece, Unigram or WordLevel
  /// The file's settings for batches, which are not applied here, since no token may be dropped silently:
  /// truncation length and padding.
  std::optional<std::size_t> truncates_at;
  bool pads = false;
  std::vector<Error> notes;  ///< why tokens may differ from those that the model was trained with
};

/// Text to the ids of a trained model and back, like Hugging Face's `tokenizers`: added tokens are cut out,
/// the rest is normalized, split and encoded by the model, then the template adds its tokens. Every token
/// keeps its byte range in the sentence. Nothing is cached or shared: const functions are thread-safe.
class Tokenizer {
 public:
  /// From a model's folder: tokenizer.json, or vocab.json with merges.txt, or vocab.txt, each with what
  /// tokenizer_config.json, special_tokens_map.json and added_tokens.json add. Throws Error (input) that
  /// names the file and the field.
  static Tokenizer from_folder(const std::string& folder);
  /// From the metadata of a GGUF file. Throws Error (input) likewise.
  static Tokenizer from_gguf(const GgufFile& gguf);
  /// From the text of a tokenizer.json; `source` names it in messages.
  static Tokenizer from_json(std::string_view json, const std::string& source);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  /// The tokens of `text`, and of `pair` after it; with `with_template` including the model's special tokens
  /// ([CLS] … [SEP]). Throws Error (input) if the text is not valid UTF-8, has a part without a token (and
  /// there is no unknown token), or a pattern of the file takes too long on it or is stopped.
  Encoding encode(std::string_view text, std::optional<std::string_view> pair = {}, bool with_template = true,
                  const std::stop_token& stop = {}) const;

  /// The text of these tokens together; unknown ids are skipped. Invalid UTF-8 becomes U+FFFD.
  std::string decode(std::span<const TokenId> ids, bool without_special = false) const;

  /// How a token is written in the vocabulary ("Ġthe", "▁the", "##ing"), nothing for an unknown id.
  std::optional<std::string_view> token(TokenId id) const;
  /// For display: the text of a byte-level token, with ⟨E4⟩⟨BD⟩ for bytes that are not a whole character;
  /// others as written. ▁ and Ġ become a space. "⟨id 7⟩" for an unknown id.
  std::string shown(TokenId id) const;
  std::optional<TokenId> find(std::string_view token) const;
  bool is_special(TokenId id) const;
  /// The unknown token, if tokens are words and parts of words.
  std::optional<TokenId> unknown() const;
  /// Number of tokens including added ones; ids may have gaps and exceed it.
  std::size_t size() const;
  /// The token that tokenizer_config.json or special_tokens_map.json gives for "bos_token", "eos_token",
  /// "pad_token", "mask_token", "unk_token", "cls_token", "sep_token".
  std::optional<TokenId> role(std::string_view name) const;

  const TokenizerFacts& facts() const;

  /// For each token of encode(text, pair) the number of its word, from 0 in token order: pieces of one word
  /// share a number. Words come from the file's pre-tokenizer, from ▁ if it has none, and from ICU's
  /// dictionary for languages without spaces; an added token is its own word.
  std::vector<int> words(const Encoding& encoding, std::string_view text,
                         std::optional<std::string_view> pair = {}) const;

 private:
  struct Parts;
  explicit Tokenizer(std::unique_ptr<const Parts> parts);

  std::unique_ptr<const Parts> parts_;
};

}  // namespace headscope
