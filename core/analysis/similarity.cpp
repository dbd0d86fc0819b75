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

// Of each row of each head, [heads][n_q].
using Masses = std::vector<std::vector<RowMass>>;

// Distances of heads first, first + step … to all before them: row by row, so that the rows of all heads stay
// in the cache. What a pair gets does not depend on the number of threads.
void fill_rows(const Trace& trace, HeadSimilarity& result, const Masses& masses, Index first, Index step,
               const std::stop_token& stop) {
  const auto n = static_cast<Index>(result.heads.size());
  const Index n_q = trace.n_q(), n_k = trace.n_k();
  std::vector<const float*> maps;
  for (const Head head : result.heads) maps.push_back(map_of(trace, head));
  std::vector<double> sums(static_cast<std::size_t>(n * n));
  for (Index row = 0; row < n_q; ++row) {
    const auto r = static_cast<std::size_t>(row);
    for (Index i = first; i < n; i += step) {
      if (stop.stop_requested()) return;
      const auto a = static_cast<std::size_t>(i);
      for (std::size_t b = 0; b < a; ++b)
        sums[a * static_cast<std::size_t>(n) + b] +=
            row_divergence(maps[a] + row * n_k, masses[a][r], maps[b] + row * n_k, masses[b][r], n_k);
    }
  }
  for (Index i = first; i < n; i += step) {
    for (Index j = 0; j < i; ++j) {
      const double mean =
          sums[static_cast<std::size_t>(i * n + j)] / static_cast<double>(std::max<Index>(1, n_q));
      result.distance.at(i)[j] = result.distance.at(j)[i] = static_cast<float>(std::sqrt(mean));
    }
    result.distance.at(i)[i] = 0;
  }
}

// Over the processors; false if stopped.
bool fill_distances(const Trace& trace, HeadSimilarity& result, const std::stop_token& stop) {
  const auto n = static_cast<Index>(result.heads.size());
  Masses masses;
  for (const Head head : result.heads) {
    masses.emplace_back();
    for (Index row = 0; row < trace.n_q(); ++row)
      masses.back().push_back(row_mass(map_of(trace, head) + row * trace.n_k(), trace.n_k()));
    if (stop.stop_requested()) return false;
  }
  const auto work = [&](Index first, Index step) { fill_rows(trace, result, masses, first, step, stop); };
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
