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

namespace headscope {

using TokenId = std::int32_t;

/// A token of an encoded text.
struct EncodedToken {
  TokenId id = 0;
  std::size_t begin = 0, end = 0;  ///< bytes [begin, end) of its sentence; 0, 0 for what the template adds
  int sequence = -1;               ///< 0: the text, 1: the pair, -1: added by the template
  int type = 0;                    ///< BERT's token type
  int piece = -1;                  ///< which part of its sentence, split before the model; -1 as sequence
  bool special = false;            ///< added by the template, or a special token that stands in the text

  bool operator==(const EncodedToken&) const = default;
};

struct Encoding {
  std::vector<EncodedToken> tokens;

  std::vector<TokenId> ids() const;
};

/// What is told of a tokenizer besides its vocabulary.
struct TokenizerFacts {
  std::string file;   ///< that it was read from
  std::string model;  ///< BPE, WordPiece, Unigram or WordLevel
  /// What the file would do to batches and is not done here, where no token may vanish unseen: the length
  /// that it would cut at, and whether it would pad.
  std::optional<std::size_t> truncates_at;
  bool pads = false;
};

/// Text to the ids of a trained model and back, as Hugging Face's `tokenizers` does it: added tokens are cut
/// out, the rest is normalized, split and encoded by the model, then the template adds its tokens. Every
/// token keeps its bytes of the sentence. Nothing is cached, nothing shared: const functions may run on
/// several threads.
class Tokenizer {
 public:
  /// From a model's folder: tokenizer.json, or vocab.json with merges.txt, or vocab.txt, each with what
  /// tokenizer_config.json, special_tokens_map.json and added_tokens.json add. Throws Error (input) that
  /// names the file and the field.
  static Tokenizer from_folder(const std::string& folder);
  /// From the text of a tokenizer.json; `source` names it in messages.
  static Tokenizer from_json(std::string_view json, const std::string& source);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  /// The tokens of `text`, and of `pair` after it; with `with_template` as the model was trained on them
  /// ([CLS] … [SEP]). Throws Error (input) where the text is not valid UTF-8, has no token (no unknown token
  /// in the vocabulary), or a pattern of the file takes too long on it, which one that was asked to stop
  /// does.
  Encoding encode(std::string_view text, std::optional<std::string_view> pair = {}, bool with_template = true,
                  const std::stop_token& stop = {}) const;

  /// The text of these tokens together; ids that there are none of are left out. Bytes that make no
  /// character become U+FFFD.
  std::string decode(std::span<const TokenId> ids, bool without_special = false) const;

  /// How a token is written in the vocabulary ("Ġthe", "▁the", "##ing"), nothing for an id that there is none
  /// of.
  std::optional<std::string_view> token(TokenId id) const;
  /// For people: the text of a token of bytes, with ⟨E4⟩⟨BD⟩ for bytes that are no whole character; others as
  /// written. ▁ and Ġ become a space. "⟨id 7⟩" for an id that there is none of.
  std::string shown(TokenId id) const;
  std::optional<TokenId> find(std::string_view token) const;
  bool is_special(TokenId id) const;
  /// The token of a word that is not in the vocabulary, where tokens are words and parts of words.
  std::optional<TokenId> unknown() const;
  /// Tokens of the model and those added; ids may have holes and be larger.
  std::size_t size() const;
  /// The token that tokenizer_config.json or special_tokens_map.json gives for "bos_token", "eos_token",
  /// "pad_token", "mask_token", "unk_token", "cls_token", "sep_token".
  std::optional<TokenId> role(std::string_view name) const;

  const TokenizerFacts& facts() const;

  /// For each token of encode(text, pair) the number of its word, from 0 in the order of the tokens: pieces
  /// of one word have one number. A word is what the file splits a sentence into, what begins with ▁ where it
  /// splits nothing, and what ICU's dictionary has for languages without spaces; a token that was added is
  /// one of its own.
  std::vector<int> words(const Encoding& encoding, std::string_view text,
                         std::optional<std::string_view> pair = {}) const;

 private:
  struct Parts;
  explicit Tokenizer(std::unique_ptr<const Parts> parts);

  std::unique_ptr<const Parts> parts_;
};

}  // namespace headscope
