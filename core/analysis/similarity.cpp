#include "core/analysis/similarity.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/analysis/head_tree.h"
#include "core/analysis/row.h"
#include "core/base/parallel.h"

namespace headscope {
namespace {

// The rows of all heads that are in memory at once, so that each is read or computed once for all pairs.
constexpr Index rows_at_once = 32;

// Adds to `sums` [heads, heads], below the diagonal, the divergence of rows [begin, end) of each pair of
// heads. The result of a pair does not depend on the number of threads.
void add_rows(const BlockTrace& block, const HeadSimilarity& result, Index begin, Index end,
              std::vector<double>& sums) {
  const Index heads = std::ssize(result.heads), rows = end - begin, n_k = block.n_k();
  std::vector<std::optional<MapRows>> maps(result.heads.size());
  std::vector<RowMass> masses(static_cast<std::size_t>(heads * rows));
  const auto mass = [&](Index head, Index row) -> RowMass& {
    return masses[static_cast<std::size_t>(head * rows + row - begin)];
  };
  constexpr Index cost_of_a_cell = 8;
  parallel_for(heads, cost_of_a_cell * heads * rows * n_k, [&](Index i) {
    const HeadSimilarity::Head head = result.heads[static_cast<std::size_t>(i)];
    const MapRows& own =
        maps[static_cast<std::size_t>(i)].emplace(*block.maps, head.layer, head.head, begin, end);
    for (Index row = begin; row < end; ++row) mass(i, row) = row_mass(own.row(row), n_k);
  });
  parallel_for(heads, cost_of_a_cell * heads * heads / 2 * rows * n_k, [&](Index i) {
    for (Index row = begin; row < end; ++row)
      for (Index j = 0; j < i; ++j)
        sums[static_cast<std::size_t>(i * heads + j)] +=
            row_divergence(maps[static_cast<std::size_t>(i)]->row(row), mass(i, row),
                           maps[static_cast<std::size_t>(j)]->row(row), mass(j, row), n_k);
  });
}

}  // namespace

std::shared_ptr<const HeadSimilarity> head_similarity(const BlockTrace& block, std::stop_token stop) {
  auto result = std::make_shared<HeadSimilarity>();
  for (int l = 0; l < block.layer_count(); ++l)
    for (int h = 0; h < block.heads(); ++h) result->heads.push_back({l, h});
  const Index n = std::ssize(result->heads), n_q = block.n_q();
  if (n == 0) return result;
  std::vector<double> sums(static_cast<std::size_t>(n * n));
  for (Index begin = 0; begin < n_q; begin += rows_at_once) {
    if (stop.stop_requested()) return nullptr;
    add_rows(block, *result, begin, std::min(begin + rows_at_once, n_q), sums);
  }
  result->distance = Tensor({n, n});
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double mean = sums[static_cast<std::size_t>(i * n + j)] / static_cast<double>(n_q);
      result->distance.at(i)[j] = result->distance.at(j)[i] = static_cast<float>(std::sqrt(mean));
    }
    result->distance.at(i)[i] = 0;
  }
  link_heads(*result);
  return result;
}

}  // namespace headscope
