#pragma once
#include <cstdint>
#include <optional>

#include "core/inputs/inputs.h"

namespace headscope {

struct OpenSession;
struct Workspace;

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

/// For both sides, after note_changes().
void note_texts(OpenSession& open);
/// Whether the last edit of the edited side's sentence had no effect, or, in the comparison, B's different
/// words have none.
bool text_has_no_effect(const Workspace& work);

}  // namespace headscope
