#pragma once
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/tensor.h"
#include "core/source/trace.h"

namespace headscope {

/// How alike the heads of all layers of a block look.
struct HeadSimilarity {
  struct Head {
    int layer = 0, head = 0;  ///< from 0
  };
  /// Two clusters that were merged; numbers below heads.size() are heads, others the merges before (from
  /// heads.size()).
  struct Merge {
    int left = 0, right = 0;
    double distance = 0;  ///< average linkage
  };
  std::vector<Head> heads;  ///< layer by layer
  /// [heads, heads]: Jensen–Shannon distance, the square root of the mean over rows of the divergence in
  /// bits; 0 same, 1 nothing in common.
  Tensor distance;
  std::vector<Merge> merges;  ///< heads.size() - 1 of them, nearest first
  std::vector<int> order;     ///< leaf order of the tree: similar heads are adjacent
};

/// Compares all pairs; O(heads² n_q n_k), so not within a frame. nullptr if stopped.
std::shared_ptr<const HeadSimilarity> head_similarity(const BlockTrace& block, std::stop_token stop = {});

/// Joins the heads by average linkage, the mean distance of all pairs (Sokal and Michener 1958), nearest
/// first: fills `merges` and `order` from `distance`. O(heads³).
void link_heads(HeadSimilarity& similarity);

/// Cuts the tree into `count` groups (at least 1, at most as many as heads) by leaving out the last merges:
/// the group of each head, numbered from 0 in the order of `order`.
std::vector<int> head_groups(const HeadSimilarity& similarity, int count);

/// The matrix of distances and the tree as drawn. A place is a head's position in the tree's order.
struct HeadTree {
  /// A merge: two stems at `left` and `right` (places or points between them) that reach from their own
  /// heights, which are distances, to that of the merge.
  struct Bracket {
    double left = 0, right = 0;
    double left_height = 0, right_height = 0, height = 0;
    bool within = true;  ///< below the cut: it joins heads of one group
  };
  /// Places [begin, end) of a group.
  struct Block {
    int begin = 0, end = 0;
  };
  std::vector<HeadSimilarity::Head> heads;  ///< by place
  Tensor distance;                          ///< [heads, heads], rows and columns by place
  /// Range of the distances between different heads: the ends of the colours. Heads with random weights are
  /// nearly as far apart as possible; with a range from 0 all would have one colour. 0 and 1 if none differ.
  float smallest = 0, largest = 1;
  std::vector<Bracket> brackets;
  std::vector<Block> blocks;  ///< one per group, in order; they cover all places
  double cut = 0;             ///< the height at which the tree is cut into the groups; 0: one group

  int group_at(int place) const;  ///< from 0
  /// The height of a distance in the tree, 0 (a head) to 1: the nearest heads are joined just above 0.
  double share(double distance) const;
  /// The group of a head, or -1 if its map was not compared.
  int group_of(int layer, int head) const;
};
HeadTree head_tree(const HeadSimilarity& similarity, int groups);

}  // namespace headscope
