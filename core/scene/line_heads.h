#pragma once
#include <vector>

#include "core/analysis/lines.h"
#include "core/scene/colormap_data.h"

namespace headscope {

// How overlapping lines of different heads are distinguished, on screen and in figures alike: a stronger line
// covers a weaker one instead of mixing with it, heads end side by side, and each token is preceded by a
// block of each head's colour, as opaque as its strongest line there.

/// The heads whose lines are drawn, in order, and where their lines end.
class LineHeads {
 public:
  LineHeads(std::vector<int> heads, int all_heads);
  int count() const { return static_cast<int>(heads_.size()); }
  const std::vector<int>& heads() const { return heads_; }
  /// The position of a head among them.
  int place(int head) const { return places_[head]; }
  /// Relative to the middle of the token's row, in row heights: −0.25 for the first, 0.25 for the last.
  double offset(int head) const;

 private:
  std::vector<int> heads_, places_;
};

/// The strongest line of each head at each token, 0 if there is none.
class LineEnds {
 public:
  LineEnds(const LineSet& set, const LineHeads& heads, Index n_q, Index n_k);
  /// Of the head at this position.
  float at(bool keys, int token, int place) const {
    return (keys ? keys_ : queries_)[token * heads_ + place];
  }

 private:
  int heads_;
  std::vector<float> queries_, keys_;
};

/// The width of a row of blocks, in heights of the text.
double blocks_width(int heads);

}  // namespace headscope
