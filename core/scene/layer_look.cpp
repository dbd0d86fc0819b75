#include "core/scene/layer_look.h"

#include "core/base/utf8.h"
#include "core/scene/range.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

std::vector<std::string> texts(const std::vector<Token>& tokens, const std::vector<int>& which) {
  std::vector<std::string> result;
  result.reserve(which.size());
  for (const int i : which)
    result.push_back(token_label(cut_off(tokens[static_cast<std::size_t>(i)].text, longest_label)));
  return result;
}

}  // namespace

LayerLook::LayerLook(const FilteredLayer& shown)
    : shown_(&shown),
      rows_(texts(shown.block->tokens, shown.queries)),
      columns_(texts(shown.block->key_tokens, shown.keys)),
      empty_rows_(static_cast<std::size_t>(shown.block->heads())) {}

const std::vector<ColorRange>& LayerLook::ranges(Range range, const ColorLimits& limits) {
  if (range_ != range || limits_ != limits) {
    range_ = range;
    limits_ = limits;
    ranges_ = color_ranges(*shown_, range, limits);
  }
  return ranges_;
}

const std::vector<int>& LayerLook::empty_rows(int head) {
  std::optional<std::vector<int>>& rows = empty_rows_[static_cast<std::size_t>(head)];
  if (!rows) {
    rows.emplace();
    for (const Index query : shown_->block->mask_of(shown_->layer).empty_queries(head)) {
      const int row = shown_->row(static_cast<int>(query));
      if (row >= 0) rows->push_back(row);
    }
  }
  return *rows;
}

}  // namespace headscope
