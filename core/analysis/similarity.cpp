#include "core/analysis/similarity.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/analysis/head_tree.h"
#include "core/analysis/row.h"

namespace headscope {
namespace {

using Head = HeadSimilarity::Head;

const float* map_of(const Trace& trace, Head head) {
  return trace.layers[static_cast<std::size_t>(head.layer)].weights.at(head.head);
}

// Σ of each row of each head, [heads][n_q].
using Sums = std::vector<std::vector<double>>;
Sums row_sums(const Trace& trace, const std::vector<Head>& heads) {
  Sums sums;
  for (const Head head : heads) {
    sums.emplace_back();
    const float* map = map_of(trace, head);
    for (Index row = 0; row < trace.n_q(); ++row)
      sums.back().push_back(row_sum(map + row * trace.n_k(), trace.n_k()));
  }
  return sums;
}

float head_distance(const Trace& trace, const std::vector<Head>& heads, const Sums& sums, std::size_t a,
                    std::size_t b) {
  const float *p = map_of(trace, heads[a]), *q = map_of(trace, heads[b]);
  const Index n_k = trace.n_k();
  double sum = 0;
  for (Index row = 0; row < trace.n_q(); ++row) {
    const auto r = static_cast<std::size_t>(row);
    sum += row_divergence(p + row * n_k, sums[a][r], q + row * n_k, sums[b][r], n_k);
  }
  return static_cast<float>(std::sqrt(sum / static_cast<double>(std::max<Index>(1, trace.n_q()))));
}

// Rows of the distance matrix in turn over the processors; false if stopped.
bool fill_distances(const Trace& trace, HeadSimilarity& result, const std::stop_token& stop) {
  const auto n = static_cast<Index>(result.heads.size());
  const Sums sums = row_sums(trace, result.heads);
  const auto work = [&](Index first, Index step) {
    for (Index i = first; i < n; i += step) {
      for (Index j = 0; j < i; ++j) {
        if (stop.stop_requested()) return;
        const float d = head_distance(trace, result.heads, sums, static_cast<std::size_t>(i),
                                      static_cast<std::size_t>(j));
        result.distance.at(i)[j] = result.distance.at(j)[i] = d;
      }
      result.distance.at(i)[i] = 0;
    }
  };
  constexpr Index worth_a_thread = Index{1} << 22;
  const Index cells = n * n / 2 * trace.n_q() * trace.n_k();
  const Index threads =
      std::clamp<Index>(cells / worth_a_thread, 1, std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::jthread> others;
  for (Index t = 1; t < threads; ++t) others.emplace_back(work, t, threads);
  work(0, threads);
  others.clear();
  return !stop.stop_requested();
}

}  // namespace

std::shared_ptr<const HeadSimilarity> head_similarity(const Trace& trace, std::stop_token stop) {
  auto result = std::make_shared<HeadSimilarity>();
  for (int l = 0; l < static_cast<int>(trace.layers.size()); ++l) {
    const LayerTrace& layer = trace.layers[static_cast<std::size_t>(l)];
    if (!layer.has_maps()) continue;
    for (int h = 0; h < static_cast<int>(layer.weights.dim(0)); ++h) result->heads.push_back({l, h});
  }
  const auto n = static_cast<Index>(result->heads.size());
  if (n == 0) return result;
  result->distance = Tensor({n, n});
  if (!fill_distances(trace, *result, stop)) return nullptr;
  link_heads(*result);
  return result;
}

}  // namespace headscope
