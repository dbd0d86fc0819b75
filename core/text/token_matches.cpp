#include "core/text/token_matches.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "core/text/token_label.h"

namespace headscope {

TokenMatches::TokenMatches(std::span<const Token> queries, std::span<const Token> keys)
    : self_(std::equal(
          queries.begin(), queries.end(), keys.begin(), keys.end(),
          [](const Token& a, const Token& b) { return text_in_vocabulary(a) == text_in_vocabulary(b); })),
      positions_(keys.size()) {
  const auto text = [&](int key) -> std::string_view { return text_in_vocabulary(keys[key]); };
  std::iota(positions_.begin(), positions_.end(), 0);
  std::sort(positions_.begin(), positions_.end(), [&](int a, int b) {
    const int order = text(a).compare(text(b));
    return order != 0 ? order < 0 : a < b;
  });
  for (std::size_t i = 0; i < positions_.size(); ++i)
    if (i == 0 || text(positions_[i]) != text(positions_[i - 1])) begin_.push_back(static_cast<int>(i));
  const std::size_t groups = begin_.size();
  begin_.resize(groups + 2, static_cast<int>(positions_.size()));
  group_.reserve(queries.size());
  for (const Token& query : queries) {
    const auto end = begin_.begin() + groups;
    const auto found = std::lower_bound(begin_.begin(), end, text_in_vocabulary(query),
                                        [&](int i, std::string_view t) { return text(positions_[i]) < t; });
    const bool here = found != end && text(positions_[*found]) == text_in_vocabulary(query);
    group_.push_back(here ? static_cast<int>(found - begin_.begin()) : static_cast<int>(groups));
  }
}

}  // namespace headscope
