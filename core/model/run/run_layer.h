#pragma once
#include <vector>

#include "core/model/layer/layer_walk.h"
#include "core/model/run/model_run.h"

namespace headscope {

/// What one sublayer of a run adds to the stream, and what comes before and after that.
struct SublayerOutput {
  Sublayer sublayer;
  Tensor heads;  ///< [rows, heads d_k] of attention: concatenated contexts
  Tensor given;  ///< [rows, d_model], before its own norm and factor
  Tensor added;  ///< [rows, d_model]
  Tensor sum;    ///< [rows, d_model] of the stream with it, before the norm of the sum
};

/// Walks through a layer of a run once more, for some rows of the text (all, if there are none of them) and
/// from the attention of `kind` on.
std::vector<SublayerOutput> outputs_of_layer(const ModelRun& run, BlockKind kind, Index layer,
                                             const std::vector<Index>& rows, const ComputeContext& context,
                                             const std::stop_token& stop = {});

/// What the heads of a layer give for these rows [rows, heads d_k].
Tensor contexts_of_rows(const ModelRun& run, BlockKind kind, Index layer, const std::vector<Index>& rows,
                        const ComputeContext& context, const std::stop_token& stop = {});

}  // namespace headscope
