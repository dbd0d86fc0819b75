#include "core/scene/layer_look.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/utf8.h"
#include "core/scene/range.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

std::vector<std::string> texts(const std::vector<Token>& tokens, const std::vector<int>& which) {
  std::vector<std::string> result;
  result.reserve(which.size());
  for (const int i : which) result.push_back(token_label(cut_off(tokens[i].text, longest_label)));
  return result;
}

/// Pooled rows and columns are named by the numbers of their tokens, counted from 1.
std::vector<std::string> texts_of_pools(const std::vector<Token>& tokens, const std::vector<int>& firsts,
                                        Index pool, Index end) {
  if (pool == 1) return texts(tokens, firsts);
  std::vector<std::string> result;
  result.reserve(firsts.size());
  for (const int first : firsts)
    result.push_back(fmt::format("{}–{}", first + 1, std::min(first + pool, end)));
  return result;
}

}  // namespace

LayerLook::LayerLook(const FilteredLayer& shown)
    : shown_(&shown),
      rows_(shown.part ? texts_of_pools(shown.block->tokens, shown.queries, shown.part->query_pool,
                                        shown.part->query_end)
                       : texts(shown.block->tokens, shown.queries)),
      columns_(shown.part ? texts_of_pools(shown.block->key_tokens, shown.keys, shown.part->key_pool,
                                           shown.part->key_end)
                          : texts(shown.block->key_tokens, shown.keys)),
      empty_rows_(shown.block->heads()) {}

const std::vector<ColorRange>& LayerLook::ranges(const RangeChoice& choice) {
  if (choice_ != choice) {
    choice_ = choice;
    ranges_ = color_ranges(*shown_, choice);
  }
  return ranges_;
}

Index LayerLook::queries_of(int row) const {
  if (!shown_->part) return 1;
  const Index first = shown_->queries[row];
  return std::min(shown_->part->query_pool, shown_->part->query_end - first);
}

const std::vector<int>& LayerLook::empty_rows(int head) {
  std::optional<std::vector<int>>& rows = empty_rows_[head];
  if (!rows) {
    rows.emplace();
    // A pooled row is empty if all of its queries are.
    Index in_pool = 0;
    int last = -1;
    for (const Index query : shown_->block->mask_of(shown_->layer).empty_queries(head)) {
      const int row = shown_->row(static_cast<int>(query));
      in_pool = row == last ? in_pool + 1 : 1;
      last = row;
      if (row >= 0 && in_pool == queries_of(row)) rows->push_back(row);
    }
  }
  return *rows;
}

}  // namespace headscope
