#pragma once
#include <vector>

#include "core/model/run/model_run.h"

namespace headscope {

/// Runs that differ from another one in a single layer, computed together: the layers below are not computed
/// again, and each weight is multiplied with the rows of all variants at once. What is not given is as in the
/// base run, or follows from what is given. Each tensor has the rows of one variant after those of another.
struct RunVariants {
  BlockKind kind = BlockKind::self;  ///< the block whose layer changes
  Index layer = 0;
  Index count = 0;
  Tensor x;             ///< [count n, d_model]  the layer's input, of self-attention only
  Tensor context;       ///< [count n, heads d_k]  what the heads give, before W_O
  Tensor attention;     ///< [count n, d_model]  what attention adds to the stream
  Tensor feed_forward;  ///< [count n, d_model]  what the feed-forward network adds to it
};

/// Which rows of what a layer of a block adds to the stream, or with `of_input` of its input, can reach `row`
/// of the text (the target) after the last layer: a change of any other row changes nothing there.
std::vector<bool> rows_that_reach(const ModelRun& base, BlockKind kind, Index layer, bool of_input,
                                  Index row);

/// The streams [count, d_model] after the last layer, at `row` of the text (the target). If stopped, the
/// result is incomplete.
Tensor final_streams(const ModelRun& base, const RunVariants& variants, Index row,
                     const ComputeContext& context, const std::stop_token& stop = {});

/// What the heads of a layer give [count n, heads d_k] if its input were x [count n, d_model], that of
/// `count` variants, and the encoded source that cross-attention reads were `encoded` [count n_source,
/// d_model]; empty: as in the base run.
Tensor contexts_of(const ModelRun& base, BlockKind kind, Index layer, const Tensor& x, const Tensor& encoded,
                   Index count, const ComputeContext& context, const std::stop_token& stop = {});

}  // namespace headscope
