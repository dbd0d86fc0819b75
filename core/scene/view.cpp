#include "core/scene/view.h"

#include <algorithm>

namespace headscope {

void fit_view(View& view, int layers, int heads) {
  view.layer = std::clamp(view.layer, 0, std::max(0, layers - 1));
  if (view.head && *view.head >= heads) view.head.reset();
  std::erase_if(view.hidden_heads, [&](int head) { return head >= heads; });
  if (static_cast<int>(view.hidden_heads.size()) >= heads) view.hidden_heads.clear();
}

void fit_filter(Filter& filter, int n_q, int n_k) {
  std::erase_if(filter.hidden_queries, [n_q](int token) { return token >= n_q; });
  std::erase_if(filter.hidden_keys, [n_k](int token) { return token >= n_k; });
  if (filter.queries && filter.queries->begin >= n_q) filter.queries.reset();
  if (filter.keys && filter.keys->begin >= n_k) filter.keys.reset();
}

}  // namespace headscope
