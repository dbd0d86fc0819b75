#pragma once
#include <vector>

#include "core/analysis/lines.h"
#include "core/scene/colormap_data.h"

namespace headscope {

// How heads are told apart where their lines lie over each other, on screen and in figures alike: a stronger
// line covers a weaker one instead of mixing with it, heads end beside each other, and before each token
// stands a block of each head's colour, as strong as its strongest line there.

/// The heads whose lines are drawn, in their order, and where they end.
class LineHeads {
 public:
  LineHeads(std::vector<int> heads, int all_heads);
  int count() const { return static_cast<int>(heads_.size()); }
  const std::vector<int>& heads() const { return heads_; }
  /// The place of a head among them.
  int place(int head) const { return places_[static_cast<std::size_t>(head)]; }
  /// From the middle of the token's row, in heights of it: −0.25 for the first, 0.25 for the last.
  double offset(int head) const;

 private:
  std::vector<int> heads_, places_;
};

/// The strongest line of each head at each token, 0 where there is none.
class LineEnds {
 public:
  LineEnds(const LineSet& set, const LineHeads& heads, Index n_q, Index n_k);
  /// Of the head that has this place.
  float at(bool keys, int token, int place) const {
    return (keys ? keys_ : queries_)[static_cast<std::size_t>(token * heads_ + place)];
  }

 private:
  int heads_;
  std::vector<float> queries_, keys_;
};

/// How wide a row of blocks is, in heights of the text.
double blocks_width(int heads);

}  // namespace headscope
