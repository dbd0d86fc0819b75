#include "core/source/translation.h"

#include <algorithm>

#include "core/base/matrix.h"
#include "core/model/model_notes.h"
#include "core/source/trace.h"

namespace headscope {

std::vector<bool> changed_tokens(const std::vector<Index>& before, const std::vector<Index>& now) {
  const std::size_t n = before.size(), m = now.size();
  // Of the rests from i and j on.
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

CrossLook alignment_look(const BlockTrace& cross, const ModelNotes* notes) {
  const bool told = notes != nullptr && notes->alignment && notes->alignment->layer < cross.shape.layers &&
                    notes->alignment->head < cross.shape.heads;
  if (told) return {notes->alignment->layer, notes->alignment->head};
  return {std::max(0, cross.shape.layers - 1), std::nullopt};
}

Tensor cross_weights(const BlockTrace& cross, const CrossLook& look) {
  const Index n_q = cross.n_q(), n_k = cross.n_k();
  Tensor sum({n_q, n_k});
  std::fill(sum.data(), sum.data() + sum.size(), 0.0F);
  const int first = look.head.value_or(0), end = look.head ? *look.head + 1 : cross.heads();
  for (int head = first; head < end; ++head)
    for_each_row(*cross.maps, look.layer, head, [&](Index query, const float* row) {
      float* to = sum.at(query);
      for (Index key = 0; key < n_k; ++key) to[key] += row[key];
    });
  const auto count = static_cast<float>(end - first);
  for (Index i = 0; i < sum.size(); ++i) sum.data()[i] /= count;
  return sum;
}

std::vector<AlignedTo> alignment(const BlockTrace& cross, const CrossLook& look, Index first, Index count) {
  std::vector<AlignedTo> aligned;
  if (!cross.maps) return aligned;
  const Tensor weights = cross_weights(cross, look);
  for (Index query = first; query < std::min(first + count, cross.n_q()); ++query) {
    const float* row = weights.at(query);
    const Index best = std::max_element(row, row + cross.n_k()) - row;
    aligned.push_back({best, static_cast<double>(row[best])});
  }
  return aligned;
}

}  // namespace headscope
