#pragma once
#include <cstdint>
#include <optional>

#include "core/inputs/inputs.h"
#include "core/source/trace.h"

namespace headscope {

/// Detects edits of a sentence that change no number: where X is drawn or typed by position, other words in
/// the same places give the same maps.
class TextEffect {
 public:
  /// Records the inputs after a frame. A run of typing is one gesture: only the texts before and after it
  /// count, not the words in between.
  void note(const Inputs& inputs, std::uint64_t gesture);
  bool none() const { return none_; }

 private:
  std::optional<Text> last_, before_;
  std::optional<InputTokens> before_tokens_;  // none if it has no tokens
  std::uint64_t gesture_ = 0;
  bool none_ = false;
};

/// Whether both have as many tokens in the same sentences, but not the same ones.
bool other_words_in_the_same_places(const BlockTrace& a, const BlockTrace& b);

}  // namespace headscope
