#pragma once
#include <cstdint>
#include <span>

#include "core/attention/attend_heads.h"
#include "core/attention/map_requests.h"

namespace headscope {

/// Statistics of each row of a head's map, in one pass (see TiledPass) without ever storing a row: the sums Σ
/// e, Σ e ln e, Σ e |query - key| … of e = exp((score - largest) / T) are scaled down whenever a larger score
/// comes. The entropy is then ln Σ e - Σ e ln e / Σ e.
///
/// Which cells are below the uniform weight is only known at the end of a row: a sample of the keys estimates
/// that threshold, scores near it are kept until it is known, others are counted immediately. Rows that the
/// sample misestimated are computed again.
///
/// `rows` [n_q]; a row in which a finite fill gives blocked keys a weight is not read. Equals the statistics
/// of the weights up to float32 rounding; the same bits for any number of threads. Returns how many scores
/// were computed, of n_q n_k.
std::int64_t stream_rows(const HeadRows& q, const HeadRows& k, const AttentionRule& rule, Index head,
                         const RowQuestion& question, const ComputeContext& compute,
                         std::span<RowNumbers> rows);

}  // namespace headscope
