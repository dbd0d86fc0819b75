#include "core/model/layer/seen_keys.h"

#include <algorithm>
#include <utility>

#include "core/base/round_up.h"

namespace headscope {
namespace {

// Keys [begin, end), clipped to [0, n).
KeySpan stretch(Index begin, Index end, Index n) {
  return {static_cast<int>(std::clamp<Index>(begin, 0, n)), static_cast<int>(std::clamp<Index>(end, 0, n))};
}

RowSpans by_windows(Index reach, const std::vector<Index>& global, Index n) {
  RowSpans seen(n);
  KeySpans row;
  for (Index query = 0; query < n; ++query) {
    const bool all = std::ranges::binary_search(global, query);
    row = {all ? stretch(0, n, n) : stretch(query - reach, query + reach + 1, n)};
    for (const Index key : global) row.push_back(stretch(key, key + 1, n));
    merge_spans(row);
    seen.add_row(row);
  }
  return seen;
}

RowSpans by_blocks(Index size, Index n) {
  RowSpans seen(n);
  KeySpans row;
  const Index last = (n - 1) / size;
  for (Index query = 0; query < n; ++query) {
    const Index block = query / size;
    row = {stretch(0, block == 0 || block == last ? n : size, n),
           stretch((block - 1) * size, (block + 2) * size, n), stretch(last * size, n, n)};
    merge_spans(row);
    seen.add_row(row);
  }
  return seen;
}

bool is_of_source(BlockKind block) {
  return block == BlockKind::self || block == BlockKind::encoder;
}

bool in_blocks(const ModelConfig& config, BlockKind block, Index n) {
  return config.block_sparse && is_of_source(block) && n > config.block_sparse->dense();
}

}  // namespace

std::vector<Index> global_tokens(const ModelConfig& config, BlockKind block, const ModelInput& input) {
  if (!config.has_global_tokens || !is_of_source(block)) return {};
  if (input.global) return *input.global;
  if (config.output.kind == OutputKind::text_label) return {0};
  if (config.output.kind != OutputKind::span || !config.separator) return {};
  constexpr Index separators = 3;  // otherwise that class takes none by itself
  if (std::ranges::count(input.ids, *config.separator) != separators) return {};
  std::vector<Index> question;
  for (Index i = 0; input.ids[i] != *config.separator; ++i) question.push_back(i);
  return question;
}

Index question_length(const ModelConfig& config, const ModelInput& input) {
  if (config.family != ModelFamily::bigbird || config.output.kind != OutputKind::span) return 0;
  const auto found = std::ranges::find(input.ids, config.separator.value_or(-1));
  return found == input.ids.end() ? 1 : found - input.ids.begin() + 1;
}

Index window_of(const ModelConfig& config, BlockKind block, Index layer) {
  if (block == BlockKind::cross || block == BlockKind::text || block == BlockKind::state) return 0;
  const std::vector<Index>& windows =
      block == BlockKind::encoder ? config.encoder_windows : config.sliding_windows;
  const std::size_t at = layer;
  return at < windows.size() ? windows[at] : 0;
}

std::optional<RowSpans> seen_keys(const ModelConfig& config, BlockKind block, Index layer,
                                  const std::vector<Index>& global, Index n) {
  if (in_blocks(config, block, n)) return by_blocks(config.block_sparse->block, n);
  if (global.empty()) return std::nullopt;
  return by_windows(window_of(config, block, layer) - 1, global, n);
}

RepeatedKeys repeated_keys(const ModelConfig& config, BlockKind block, Index n) {
  if (!in_blocks(config, block, n)) return {};
  const auto& [size, random] = *config.block_sparse;
  return {size, (n - 1) / size * size, size, 1 + random};
}

}  // namespace headscope
