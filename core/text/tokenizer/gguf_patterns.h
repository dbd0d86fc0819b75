#pragma once
#include <array>
#include <string_view>

namespace headscope::tokenizers {

/// How byte-level BPE splits texts before it joins bytes, by tokenizer.ggml.pre.
struct PreTokenization {
  std::string_view names;  ///< with commas around each
  std::array<const char*, 6> patterns;
  bool whole_words = false;  ///< a word that is a token is not split: ignore_merges
  bool normalized = false;   ///< NFC, unless the file says otherwise
  bool begins = false;       ///< with the token for the beginning, unless the file says otherwise
};

/// nullptr for a name that is not known.
const PreTokenization* pre_tokenization_named(std::string_view name);
/// The names of the best known ones, for messages.
std::string_view some_pre_tokenizations();

}  // namespace headscope::tokenizers
