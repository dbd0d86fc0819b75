#pragma once
#include <cstdint>
#include <vector>

#include "core/session/session.h"

namespace headscope {

/// The labels of the controls that differ, English, to be translated.
std::vector<const char*> changed_inputs(const Inputs& a, const Inputs& b);
/// Those of them that have an effect on either side (field_conditions()).
std::vector<const char*> differing_inputs(const Inputs& a, const Inputs& b);

/// The field in which two states differ, or that several do; English, to be translated.
const char* describe_change(const DocumentState& before, const DocumentState& after);

/// Undo and redo by copies of the document. Changes of one field in one gesture (a drag, a run of typing) are
/// one step.
class History {
 public:
  struct Step {
    DocumentState state;
    const char* what;  ///< the change that led here, English; for the first step: how it began
    std::uint64_t gesture;
  };

  /// Maximum number of steps; the oldest are dropped first.
  static constexpr std::size_t max_steps = 500;

  explicit History(DocumentState start);

  /// Records the current document; does nothing if it has not changed. Undone steps are discarded. `gesture`
  /// distinguishes one gesture from the next.
  void record(const DocumentState& state, std::uint64_t gesture);

  /// Makes the answers part of the change that led to the current step; of the first step nothing did.
  /// Returns whether it has.
  bool add_answers(const std::vector<LessonAnswer>& answers);

  bool can_undo() const { return current_ > 0; }
  bool can_redo() const { return current_ + 1 < steps_.size(); }
  /// The state before or after; the current state if there is none.
  const DocumentState& undo();
  const DocumentState& redo();
  /// Any step, oldest first.
  const DocumentState& jump(std::size_t step);

  const std::vector<Step>& steps() const { return steps_; }
  std::size_t current() const { return current_; }

 private:
  std::vector<Step> steps_;
  std::size_t current_ = 0;
};

}  // namespace headscope
