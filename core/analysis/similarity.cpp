#include "core/analysis/similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "core/analysis/row.h"
#include "core/base/matrix.h"
#include "core/base/parallel.h"
#include "core/base/stopped.h"

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
  std::vector<RowMass> masses(heads * rows);
  const auto mass = [&](Index head, Index row) -> RowMass& { return masses[head * rows + row - begin]; };
  constexpr Index cost_of_a_cell = 8;
  parallel_for(heads, cost_of_a_cell * heads * rows * n_k, [&](Index i) {
    const HeadSimilarity::Head head = result.heads[i];
    const MapRows& own = maps[i].emplace(*block.maps, head.layer, head.head, begin, end);
    for (Index row = begin; row < end; ++row) mass(i, row) = row_mass(own.row(row), n_k);
  });
  parallel_for(heads, cost_of_a_cell * heads * heads / 2 * rows * n_k, [&](Index i) {
    for (Index row = begin; row < end; ++row)
      for (Index j = 0; j < i; ++j)
        sums[i * heads + j] +=
            row_divergence(maps[i]->row(row), mass(i, row), maps[j]->row(row), mass(j, row), n_k);
  });
}

}  // namespace

std::shared_ptr<const HeadSimilarity> head_similarity(const BlockTrace& block, std::stop_token stop) {
  if (block.tokens_alone) return head_similarity(*block.tokens_alone, std::move(stop));
  auto result = std::make_shared<HeadSimilarity>();
  for (int l = 0; l < block.layer_count(); ++l)
    for (int h = 0; h < block.heads_of(l) && block.shape.is_softmax(l); ++h) result->heads.push_back({l, h});
  const Index n = std::ssize(result->heads), n_q = block.n_q();
  if (n == 0) return result;
  std::vector<double> sums(n * n);
  for (Index begin = 0; begin < n_q; begin += rows_at_once) {
    if (stop_requested(stop)) return nullptr;
    add_rows(block, *result, begin, std::min(begin + rows_at_once, n_q), sums);
  }
  result->distance = Tensor({n, n});
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double mean = sums[i * n + j] / static_cast<double>(n_q);
      result->distance.at(i)[j] = result->distance.at(j)[i] = static_cast<float>(std::sqrt(mean));
    }
    result->distance.at(i)[i] = 0;
  }
  link_heads(*result);
  return result;
}

namespace {

using Merge = HeadSimilarity::Merge;

struct Cluster {
  int id = 0;
  std::vector<int> leaves;  ///< in the order of the tree
};

// Lance and Williams' update of the mean distance.
class Linkage {
 public:
  explicit Linkage(const HeadSimilarity& from)
      : n_(from.heads.size()), leaves_(as_matrix(from.distance).cast<double>()), distance_(leaves_) {
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
      merge(left[a], left[b]);
      clusters_[left[a]].id = static_cast<int>(n_ + result.merges.size() - 1);
      left.erase(left.begin() + b);
    }
    if (!left.empty()) result.order = clusters_[left.front()].leaves;
  }

 private:
  double at(std::size_t i, std::size_t j) const { return distance_(i, j); }

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

  void merge(std::size_t a, std::size_t b) {
    const auto size_a = static_cast<double>(clusters_[a].leaves.size());
    const auto size_b = static_cast<double>(clusters_[b].leaves.size());
    join_leaves(clusters_[a].leaves, clusters_[b].leaves);
    const Index i = a, j = b;
    const Eigen::RowVectorXd mean =
        (size_a * distance_.row(i) + size_b * distance_.row(j)) / (size_a + size_b);
    distance_.row(i) = mean;
    distance_.col(i) = mean.transpose();
  }

  // Reverses either so that the leaves that meet are the most alike.
  void join_leaves(std::vector<int>& a, std::vector<int> b) const {
    const auto d = [this](int i, int j) { return leaves_(i, j); };
    const bool turn_a = std::min(d(a.front(), b.front()), d(a.front(), b.back())) <
                        std::min(d(a.back(), b.front()), d(a.back(), b.back()));
    if (turn_a) std::ranges::reverse(a);
    if (d(a.back(), b.back()) < d(a.back(), b.front())) std::ranges::reverse(b);
    a.insert(a.end(), b.begin(), b.end());
  }

  std::size_t n_;
  MatrixOf<double> leaves_;    // distances of heads, as given
  MatrixOf<double> distance_;  // of clusters, by the place of their first leaf
  std::vector<Cluster> clusters_;
};

// The middles and heights of the stems, heads first, then the merges so far.
std::vector<HeadTree::Bracket> brackets_of(const HeadSimilarity& similarity, std::size_t kept) {
  const std::size_t heads = similarity.heads.size();
  struct Stem {
    double middle = 0, height = 0;
  };
  std::vector<Stem> stems(heads);
  for (std::size_t place = 0; place < heads; ++place)
    stems[similarity.order[place]].middle = static_cast<double>(place) + 0.5;
  std::vector<HeadTree::Bracket> brackets;
  for (const Merge& merge : similarity.merges) {
    const Stem a = stems[merge.left], b = stems[merge.right];
    brackets.push_back({a.middle, b.middle, a.height, b.height, merge.distance, brackets.size() < kept});
    stems.push_back({(a.middle + b.middle) / 2, merge.distance});
  }
  return brackets;
}

void set_ends(HeadTree& tree) {
  float low = std::numeric_limits<float>::infinity(), high = 0;
  for (Index i = 0; i < tree.distance.dim(0); ++i)
    for (Index j = 0; j < i; ++j) {
      low = std::min(low, tree.distance.at(i)[j]);
      high = std::max(high, tree.distance.at(i)[j]);
    }
  if (high <= 0) return;
  tree.largest = high;
  if (low < high) tree.smallest = low;
}

}  // namespace

void link_heads(HeadSimilarity& similarity) {
  if (!similarity.heads.empty()) Linkage(similarity).run(similarity);
}

std::vector<int> head_groups(const HeadSimilarity& similarity, int count) {
  const std::size_t heads = similarity.heads.size();
  const auto kept =
      heads - std::clamp<std::size_t>(std::max(count, 1), std::min<std::size_t>(heads, 1), heads);
  // The cluster that each cluster was merged into, itself if none.
  std::vector<std::size_t> parent(heads + kept);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  for (std::size_t m = 0; m < kept; ++m) {
    const Merge& merge = similarity.merges[m];
    parent[merge.left] = parent[merge.right] = heads + m;
  }
  std::vector<int> number(parent.size(), -1), groups(heads);
  int next = 0;
  for (const int head : similarity.order) {
    std::size_t cluster = head;
    while (parent[cluster] != cluster) cluster = parent[cluster];
    if (number[cluster] < 0) number[cluster] = next++;
    groups[head] = number[cluster];
  }
  return groups;
}

int HeadTree::group_at(int place) const {
  const auto found = std::ranges::find_if(blocks, [place](const Block& block) { return place < block.end; });
  return static_cast<int>(found - blocks.begin());
}

double HeadTree::share(double height) const {
  const double low = smallest, high = largest;
  const double base = std::max(0.0, low - 0.25 * (high - low));
  return std::clamp((height - base) / (high - base), 0.0, 1.0);
}

int HeadTree::group_of(int layer, int head) const {
  const auto found = std::ranges::find_if(
      heads, [&](const HeadSimilarity::Head& h) { return h.layer == layer && h.head == head; });
  return found == heads.end() ? -1 : group_at(static_cast<int>(found - heads.begin()));
}

HeadTree head_tree(const HeadSimilarity& similarity, int groups) {
  HeadTree tree;
  const Index n = similarity.heads.size();
  if (n == 0) return tree;
  tree.distance = Tensor({n, n});
  float* to = tree.distance.data();
  for (const int row : similarity.order) {
    tree.heads.push_back(similarity.heads[row]);
    for (const int column : similarity.order) *to++ = similarity.distance.at(row)[column];
  }
  set_ends(tree);
  const std::vector<int> group = head_groups(similarity, groups);
  for (int place = 0; place < n; ++place) {
    const int g = group[similarity.order[place]];
    if (g == std::ssize(tree.blocks)) tree.blocks.push_back({place, place});
    tree.blocks.back().end = place + 1;
  }
  const std::size_t kept = similarity.heads.size() - tree.blocks.size();
  tree.brackets = brackets_of(similarity, kept);
  if (kept < tree.brackets.size())
    tree.cut = ((kept == 0 ? 0 : tree.brackets[kept - 1].height) + tree.brackets[kept].height) / 2;
  return tree;
}

}  // namespace headscope
