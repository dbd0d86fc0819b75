#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/session/session.h"

namespace headscope {

/// What undo brings back: everything that changes a number, what heads are called, and what was kept.
struct DocumentState {
  Inputs inputs;
  std::optional<Inputs> compare;  ///< side B of the comparison
  std::vector<HeadLabel> labels = {};
  std::vector<Bookmark> bookmarks = {};
  bool operator==(const DocumentState&) const = default;
};

/// English, to be translated: the names of what differs, as the controls are called.
std::vector<const char*> changed_inputs(const Inputs& a, const Inputs& b);
/// Those of them that count on either side (field_conditions()).
std::vector<const char*> differing_inputs(const Inputs& a, const Inputs& b);

/// English, to be translated: the field in which two states differ, or that several do.
const char* describe_change(const DocumentState& before, const DocumentState& after);

/// Undo and redo by copies of the document. Changes of one field in one gesture (a drag, a run of typing) are
/// one step.
class History {
 public:
  struct Step {
    DocumentState state;
    const char* what;  ///< the change that led here, English; of the first step: how it began
    std::uint64_t gesture;
  };

  /// Keeps at most so many steps; the oldest go first.
  static constexpr std::size_t most_steps = 500;

  explicit History(DocumentState start);

  /// Takes note of the document as it now is; nothing happens if it has not changed. Steps that had been
  /// undone are given up. `gesture` tells one gesture from the next.
  void record(const DocumentState& state, std::uint64_t gesture);

  bool can_undo() const { return current_ > 0; }
  bool can_redo() const { return current_ + 1 < steps_.size(); }
  /// The state before or after; the same state where there is none.
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
