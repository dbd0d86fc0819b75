#include "app/state/text/token_search.h"

#include <algorithm>
#include <utility>

namespace headscope {

void TokenSearch::update(const std::shared_ptr<const BlockTrace>& block) {
  if (block_.lock() == block && found_ == text) return;
  if (found_ != text) at = -1;
  block_ = block;
  found_ = text;
  places_.clear();
  rows_.assign(block->tokens.size(), false);
  columns_.assign(block->key_tokens.size(), false);
  const auto mark = [](std::vector<bool>& marked, const FoundTokens& found) {
    for (Index token = found.first; token <= found.last; ++token) marked[token] = true;
  };
  // Of pooled cells, mark those that contain the text.
  const BlockTrace& of = block->single ? *block->single : *block;
  const auto pooled = [](FoundTokens found, Index group) {
    return FoundTokens{found.first / group, found.last / group};
  };
  for (const FoundTokens& found : find_tokens(of.tokens, text)) {
    const FoundTokens rows = pooled(found, block->query_pool);
    if (places_.empty() || places_.back().tokens != rows) places_.push_back({false, rows});
    mark(rows_, rows);
    if (!block->cross()) mark(columns_, pooled(found, block->key_pool));
  }
  if (block->cross())
    for (const FoundTokens& found : find_tokens(of.key_tokens, text)) {
      const FoundTokens columns = pooled(found, block->key_pool);
      if (places_.empty() || !places_.back().keys || places_.back().tokens != columns)
        places_.push_back({true, columns});
      mark(columns_, columns);
    }
  at = std::min(at, static_cast<int>(places_.size()) - 1);
}

bool TokenSearch::marks(bool keys, Index token) const {
  const std::vector<bool>& marked = keys ? columns_ : rows_;
  return open && token >= 0 && token < std::ssize(marked) && marked[token];
}

}  // namespace headscope
