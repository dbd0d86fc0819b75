#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/source/trace.h"

namespace headscope {

/// One step of a decoder: its target so far, what it attends to in the source and what comes next. Its
/// predicted tokens are in Predictions.
struct DecoderStep {
  /// A token of the source and its weight in the row of the step.
  struct Seen {
    Index token = 0;
    double weight = 0;
  };
  Index step = 0, steps = 0;  ///< from 0; the number of target tokens including the start token
  CrossLook look;             ///< whose weights `seen` are
  std::vector<Seen> seen;     ///< in descending order
  std::optional<Token> next;  ///< what follows in the target; unknown after the last token
  bool given = false;         ///< the target is the user's, not generated
};

/// The number of steps of a trace's decoder; 0 if there is none, or it writes no text.
Index decoder_steps(const Trace& trace);
/// Step `step`, in [0, decoder_steps(trace)), with at most `maximum` source tokens, those of largest weight.
DecoderStep decoder_step(const Trace& trace, Index step, std::size_t maximum);

}  // namespace headscope
