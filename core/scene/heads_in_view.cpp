#include "core/scene/heads_in_view.h"

#include <algorithm>

#include "core/source/map_source.h"

namespace headscope {

std::vector<int> heads_in_view(const View& view, int heads, std::optional<int> single) {
  if (view.kind == ViewKind::layers || view.kind == ViewKind::head_table) return {};
  std::vector<int> all = all_heads(heads);
  const bool shared_colors = view.range == Range::shared || view.range == Range::logarithm;
  if (shared_colors || view.kind == ViewKind::compare || heads == 0) return all;
  if (view.kind == ViewKind::head) return {std::clamp(view.head.value_or(single.value_or(0)), 0, heads - 1)};
  std::erase_if(all, [&](int head) { return view.hidden_heads.contains(head); });
  return all.empty() ? all_heads(heads) : all;
}

}  // namespace headscope
