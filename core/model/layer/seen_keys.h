#pragma once
#include <optional>
#include <vector>

#include "core/attention/attend_heads.h"
#include "core/attention/row_spans.h"
#include "core/model/config/config.h"
#include "core/model/layer/model_request.h"

namespace headscope {

// What the queries of a layer see where that is not one range of keys each.

/// The tokens of a text that see all and are seen by all: those that the input names, or those that
/// transformers' classes take for their outputs, the first for a label of the text, the question for a part
/// of what follows it. None in a decoder.
std::vector<Index> global_tokens(const ModelConfig& config, BlockKind block, const ModelInput& input);

/// How many tokens the question has that a text begins with, its separator included, for BigBird's answers,
/// which are read from what follows; without a separator 1. 0 for others.
Index question_length(const ModelConfig& config, const ModelInput& input);

/// A layer's window, see ModelConfig::sliding_windows; 0: none.
Index window_of(const ModelConfig& config, BlockKind block, Index layer);

/// The keys that each query of a text of n tokens sees in a layer; nothing if those are
/// AttentionRule::keys().
std::optional<RowSpans> seen_keys(const ModelConfig& config, BlockKind block, Index layer,
                                  const std::vector<Index>& global, Index n);

/// The keys that count more than once in a text of n tokens; none for most models.
RepeatedKeys repeated_keys(const ModelConfig& config, BlockKind block, Index n);

}  // namespace headscope
