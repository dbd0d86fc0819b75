#pragma once
#include <cstdint>
#include <optional>

#include "core/inputs/inputs.h"

namespace headscope {

struct App;

/// Tells when a sentence was edited and no number followed: where X is drawn or typed by position, other
/// words in the same places give the same maps.
class TextEffect {
 public:
  /// Takes note of the inputs after a frame. A run of typing is one gesture: what counts is the text before
  /// it and after it, not the words that come and go in between.
  void note(const Inputs& inputs, std::uint64_t gesture);
  bool none() const { return none_; }

 private:
  std::optional<Text> last_, before_;
  std::optional<InputTokens> before_tokens_;  // none where it has none
  std::uint64_t gesture_ = 0;
  bool none_ = false;
};

/// Of both sides, after note_changes().
void note_texts(App& app);
/// Whether the last edit of the edited side's sentence had no effect, or in the comparison the other words of
/// B have none.
bool text_has_no_effect(const App& app);

}  // namespace headscope
