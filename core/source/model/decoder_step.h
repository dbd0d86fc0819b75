#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/source/trace.h"

namespace headscope {

/// One step of a decoder: what it has of the target, what it looks at in the source and what comes next.
/// What it expects is Predictions' matter.
struct DecoderStep {
  /// A token of the source and its weight in the row of the step.
  struct Seen {
    Index token = 0;
    double weight = 0;
  };
  Index step = 0, steps = 0;  ///< from 0; as many as the target has tokens, the start token included
  CrossLook look;             ///< whose weights `seen` are
  std::vector<Seen> seen;     ///< the largest first
  std::optional<Token> next;  ///< what follows in the target; after the last token nothing is known
  bool given = false;         ///< the target is the user's and not what the model chose
};

/// How many steps a trace's decoder has made; 0 where there is none.
Index decoder_steps(const Trace& trace);
/// Step `step`, in [0, decoder_steps(trace)), with the `most` source tokens that it looks at most.
DecoderStep decoder_step(const Trace& trace, Index step, std::size_t most);

}  // namespace headscope
