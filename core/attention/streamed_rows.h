#pragma once
#include <functional>
#include <span>

#include "core/attention/attend_heads.h"
#include "core/attention/row_numbers.h"

namespace headscope {

/// What each row of a head's map has to say, in one pass over tiles of Q Kᵀ, of which no row is ever held: as
/// stream_map() does it, the sums Σ e, Σ e ln e, Σ e |query - key| … of e = exp((score - largest) / T) are
/// scaled down whenever a larger score comes. The entropy is then ln Σ e - Σ e ln e / Σ e.
///
/// Which cells are below an even share is only known at a row's end: a sample of the keys tells beforehand
/// about where that is, scores near to it are kept until it is known, others are counted as they come. Rows
/// that the sample told wrongly are multiplied once more.
///
/// `rows` [n_q]; a row to which a finite fill gives weights on what is blocked is not read. `dropout` as in
/// StreamedRequest. The same as from the weights within float32's rounding; the same bits for any number of
/// threads. Returns how many scores were computed, of n_q n_k.
Index stream_rows(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
                  const RowQuestion& question,
                  const std::function<void(Index begin, Index end, float* factors)>& dropout,
                  const ComputeContext& compute, std::span<RowNumbers> rows);

}  // namespace headscope
