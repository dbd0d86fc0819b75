#include "core/scene/line_heads.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope {

LineHeads::LineHeads(std::vector<int> heads, int all_heads) : heads_(std::move(heads)), places_(all_heads) {
  for (int place = 0; place < count(); ++place) places_[heads_[place]] = place;
}

double LineHeads::offset(int head) const {
  return count() < 2 ? 0 : 0.5 * place(head) / (count() - 1) - 0.25;
}

LineEnds::LineEnds(const LineSet& set, const LineHeads& heads, Index n_q, Index n_k)
    : heads_(heads.count()), queries_(n_q * heads_), keys_(n_k * heads_) {
  for (const Line& line : set.lines) {
    const int place = heads.place(line.head);
    float& query = queries_[line.row * heads_ + place];
    float& key = keys_[line.column * heads_ + place];
    query = std::max(query, line.weight);
    key = std::max(key, line.weight);
  }
}

double blocks_width(int heads) {
  return std::min(0.5 * heads, 6.0);
}

}  // namespace headscope
