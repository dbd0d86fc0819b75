#include "core/source/translation.h"

#include <algorithm>

#include "core/base/matrix.h"
#include "core/model/config/model_notes.h"
#include "core/source/trace.h"

namespace headscope {

std::vector<bool> changed_tokens(const std::vector<Index>& before, const std::vector<Index>& now) {
  const std::size_t n = before.size(), m = now.size();
  // LCS lengths of the suffixes from i and j.
  std::vector<std::vector<int>> common(n + 1, std::vector<int>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      common[i][j] =
          before[i] == now[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<bool> changed(m, true);
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (before[i] == now[j]) {
      changed[j] = false;
      ++i, ++j;
    } else if (common[i + 1][j] >= common[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return changed;
}

namespace {

bool is_on(const BlockTrace& cross, int layer, int head) {
  return !cross.interventions.ablated_heads.contains({cross.shape.kind, layer, head});
}
std::vector<int> heads_on(const BlockTrace& cross, int layer) {
  std::vector<int> heads;
  for (int head = 0; head < cross.heads(); ++head)
    if (is_on(cross, layer, head)) heads.push_back(head);
  return heads;
}

}  // namespace

CrossLook alignment_look(const BlockTrace& cross, const ModelNotes* notes) {
  const bool reported = notes != nullptr && notes->alignment &&
                        notes->alignment->layer < cross.shape.layers &&
                        notes->alignment->head < cross.shape.heads &&
                        is_on(cross, notes->alignment->layer, notes->alignment->head);
  if (reported) return {notes->alignment->layer, notes->alignment->head};
  for (int layer = cross.shape.layers - 1; layer >= 0; --layer)
    if (!heads_on(cross, layer).empty()) return {layer, std::nullopt};
  return {std::max(0, cross.shape.layers - 1), std::nullopt};
}

Tensor cross_weights(const BlockTrace& cross, const CrossLook& look, Index begin, Index end) {
  Tensor sum({end - begin, cross.n_k()}), rows({end - begin, cross.n_k()});
  std::fill(sum.data(), sum.data() + sum.size(), 0.0F);
  const std::vector<int> heads = look.head ? std::vector{*look.head} : heads_on(cross, look.layer);
  for (const int head : heads) {
    cross.maps->rows(look.layer, head, begin, end, rows.data());
    for (Index i = 0; i < sum.size(); ++i) sum.data()[i] += rows.data()[i];
  }
  const auto count = static_cast<float>(std::max<std::size_t>(heads.size(), 1));
  for (Index i = 0; i < sum.size(); ++i) sum.data()[i] /= count;
  return sum;
}

Tensor cross_weights(const BlockTrace& cross, const CrossLook& look) {
  return cross_weights(cross, look, 0, cross.n_q());
}

std::vector<AlignedTo> alignment(const BlockTrace& cross, const CrossLook& look, Index first, Index count) {
  std::vector<AlignedTo> aligned;
  const Index end = std::min(first + count, cross.n_q());
  if (!cross.maps || end <= first) return aligned;
  const Tensor weights = cross_weights(cross, look, first, end);
  for (Index i = 0; i < end - first; ++i) {
    const float* row = weights.at(i);
    const Index best = std::max_element(row, row + cross.n_k()) - row;
    aligned.push_back({best, row[best]});
  }
  return aligned;
}

}  // namespace headscope
