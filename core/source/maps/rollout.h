#pragma once
#include <memory>
#include <span>

#include "core/inputs/names.h"
#include "core/source/rollout_options.h"
#include "core/source/trace.h"

namespace headscope {

/// Why a block of the trace has no rollout of this kind, English, to be translated; nullptr: it has one.
const char* missing_for_rollout(const Trace& trace, const BlockTrace& block, Rollout rollout);

/// Attention rollout (Abnar & Zuidema 2020, "Quantifying Attention Flow in Transformers"): how much of each
/// token of the text is in each query's stream after a layer, if every layer only mixes streams by the mean
/// of its heads. R_l = A_l R_(l-1), R_0 = I, where A_l is the mean over heads of the weights, or of the norms
/// of what comes through (CellValue::norm) with each row divided by its sum; with the residual connection,
/// half of it is the identity. The result is a block with one map for each layer in place of its heads',
/// computed on demand; it has no layers. The block itself where there is no rollout.
std::shared_ptr<const BlockTrace> with_rollout(const std::shared_ptr<const Trace>& trace,
                                               std::shared_ptr<const BlockTrace> block,
                                               const RolloutOptions& options);

}  // namespace headscope
