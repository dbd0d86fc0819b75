#include "core/analysis/similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include "core/analysis/row.h"

namespace headscope {
namespace {

using Head = HeadSimilarity::Head;
using Merge = HeadSimilarity::Merge;

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

struct Cluster {
  int id = 0;
  std::vector<int> leaves;  ///< in the order of the tree
};

// Average linkage: the mean distance of all pairs (Sokal and Michener 1958), by Lance and Williams' update.
class Linkage {
 public:
  explicit Linkage(const HeadSimilarity& from) : n_(from.heads.size()), distance_(n_ * n_) {
    std::copy_n(from.distance.data(), n_ * n_, distance_.begin());
    leaves_ = distance_;
    for (std::size_t i = 0; i < n_; ++i) clusters_.push_back({static_cast<int>(i), {static_cast<int>(i)}});
  }

  void run(HeadSimilarity& result) {
    std::vector<std::size_t> left(n_);
    for (std::size_t i = 0; i < n_; ++i) left[i] = i;
    while (left.size() > 1) {
      std::size_t a = 0, b = 1;
      nearest_pair(left, a, b);
      const double d = at(left[a], left[b]);
      result.merges.push_back({clusters_[left[a]].id, clusters_[left[b]].id, d});
      merge(left, left[a], left[b]);
      clusters_[left[a]].id = static_cast<int>(n_ + result.merges.size() - 1);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(b));
    }
    if (!left.empty()) result.order = clusters_[left.front()].leaves;
  }

 private:
  double at(std::size_t i, std::size_t j) const { return distance_[i * n_ + j]; }

  void nearest_pair(const std::vector<std::size_t>& left, std::size_t& a, std::size_t& b) const {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < left.size(); ++i)
      for (std::size_t j = i + 1; j < left.size(); ++j)
        if (at(left[i], left[j]) < best) {
          best = at(left[i], left[j]);
          a = i;
          b = j;
        }
  }

  void merge(const std::vector<std::size_t>& left, std::size_t a, std::size_t b) {
    const auto size_a = static_cast<double>(clusters_[a].leaves.size());
    const auto size_b = static_cast<double>(clusters_[b].leaves.size());
    join_leaves(clusters_[a].leaves, clusters_[b].leaves);
    for (const std::size_t c : left) {
      if (c == a || c == b) continue;
      const double d = (size_a * at(a, c) + size_b * at(b, c)) / (size_a + size_b);
      distance_[a * n_ + c] = distance_[c * n_ + a] = d;
    }
  }

  // Turns both so that the ends that meet are the most alike.
  void join_leaves(std::vector<int>& a, std::vector<int> b) const {
    const auto d = [this](int i, int j) { return leaf_distance(i, j); };
    const bool turn_a = std::min(d(a.front(), b.front()), d(a.front(), b.back())) <
                        std::min(d(a.back(), b.front()), d(a.back(), b.back()));
    if (turn_a) std::ranges::reverse(a);
    if (d(a.back(), b.back()) < d(a.back(), b.front())) std::ranges::reverse(b);
    a.insert(a.end(), b.begin(), b.end());
  }
  double leaf_distance(int i, int j) const {
    return static_cast<double>(leaves_[static_cast<std::size_t>(i) * n_ + static_cast<std::size_t>(j)]);
  }

  std::size_t n_;
  std::vector<double> distance_;  // of clusters, by the place of their first leaf
  std::vector<double> leaves_;    // of heads, as given
  std::vector<Cluster> clusters_;
};

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
  Linkage(*result).run(*result);
  return result;
}

std::vector<int> head_groups(const HeadSimilarity& similarity, int count) {
  const std::size_t heads = similarity.heads.size();
  const auto kept = heads - std::clamp<std::size_t>(static_cast<std::size_t>(std::max(count, 1)),
                                                    std::min<std::size_t>(heads, 1), heads);
  // The cluster that each cluster went into, itself if into none.
  std::vector<std::size_t> parent(heads + kept);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  for (std::size_t m = 0; m < kept; ++m) {
    const Merge& merge = similarity.merges[m];
    parent[static_cast<std::size_t>(merge.left)] = parent[static_cast<std::size_t>(merge.right)] = heads + m;
  }
  std::vector<int> number(parent.size(), -1), groups(heads);
  int next = 0;
  for (const int head : similarity.order) {
    auto cluster = static_cast<std::size_t>(head);
    while (parent[cluster] != cluster) cluster = parent[cluster];
    if (number[cluster] < 0) number[cluster] = next++;
    groups[static_cast<std::size_t>(head)] = number[cluster];
  }
  return groups;
}

}  // namespace headscope
