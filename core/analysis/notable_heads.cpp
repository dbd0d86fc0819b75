#include "core/analysis/notable_heads.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/stopped.h"

namespace headscope {
namespace {

/// The kinds of keys, and how many queries have such a key, as far as a minimum asks.
constexpr const char* positional[] = {"diagonal", "previous", "next", "first"};
constexpr const char* repeating[] = {"same_token", "induction"};

std::vector<const HeadColumn*> kinds_of(const BlockTrace& block, const TokenMatches& matches) {
  std::vector<const HeadColumn*> kinds;
  // All queries but one have a previous token, and at most one has none of the others.
  if (std::min(block.n_q(), block.n_k()) > NotableHeads::min_queries)
    for (const char* name : positional) kinds.push_back(find_head_column(name));
  Index same = 0, followed = 0;
  for (Index query = 0; query < matches.n_q(); ++query) {
    const auto keys = matches.keys_of(query);
    same +=
        std::ranges::any_of(keys, [&](int key) { return matches.is_other(query, key, block.shape.causal); });
    followed += std::ranges::any_of(keys, [&](int key) { return matches.is_followed(query, key); });
  }
  const Index counts[] = {same, followed};
  for (std::size_t i = 0; i < std::size(repeating); ++i)
    if (counts[i] >= NotableHeads::min_queries) kinds.push_back(find_head_column(repeating[i]));
  return kinds;
}

/// Equal weights on all keys that a query sees.
class UniformMaps : public MapSource {
 public:
  explicit UniformMaps(const BlockTrace& block) : MapSource(block.maps->size()), block_(block) {}
  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    std::vector<std::uint8_t> scratch;
    for (Index query = begin; query < end; ++query, out += size().n_k) {
      const std::uint8_t* blocked = block_.weightless_row(layer, head, query, scratch);
      const Index hidden = blocked == nullptr ? 0 : std::count(blocked, blocked + size().n_k, 1);
      const float weight = 1.0F / static_cast<float>(std::max<Index>(1, size().n_k - hidden));
      for (Index key = 0; key < size().n_k; ++key)
        out[key] = blocked != nullptr && blocked[key] != 0 ? 0 : weight;
    }
  }

 private:
  const BlockTrace& block_;
};

/// The statistics of a head with equal weights, computed once for all heads with the same mask.
class UniformStatistics {
 public:
  UniformStatistics(const BlockTrace& block, const TokenMatches& matches, const std::stop_token& stop)
      : block_(block), matches_(matches), stop_(stop) {
    block_.maps = std::make_shared<const UniformMaps>(block);
    block_.interventions.dropout = 0;
  }
  const HeadStatistics& of(int layer, int head) {
    const int first_layer = block_.layer_masks.empty() ? 0 : layer;
    int same = 0;
    while (same < head && !block_.mask_of(layer).same(same, head)) ++same;
    auto [found, added] = known_.try_emplace({first_layer, same});
    if (added) found->second = head_statistics(block_, first_layer, same, matches_, stop_);
    return found->second;
  }

 private:
  BlockTrace block_;
  const TokenMatches& matches_;
  std::stop_token stop_;
  std::map<std::pair<int, int>, HeadStatistics> known_;
};

}  // namespace

std::shared_ptr<const NotableHeads> notable_heads(const BlockTrace& block, const BlockStatistics& statistics,
                                                  const std::stop_token& stop) {
  auto result = std::make_shared<NotableHeads>();
  if (block.layer_count() == 0) return result;
  const TokenMatches matches(block.tokens, block.key_tokens);
  const std::vector<const HeadColumn*> kinds = kinds_of(block, matches);
  UniformStatistics uniform(block, matches, stop);
  std::vector<NotableHead> found;
  for (int layer = 0; layer < block.layer_count(); ++layer)
    for (int head = 0; head < block.heads(); ++head) {
      if (stop_requested(stop)) return nullptr;
      const HeadStatistics* own = statistics.find(layer, head);
      if (own == nullptr) continue;
      NotableHead best{layer, head, nullptr, 0};
      double largest = NotableHeads::min_excess;
      for (const HeadColumn* kind : kinds) {
        const double value = kind->value(*own).value_or(0);
        if (value < NotableHeads::min_excess) continue;
        const double equal = kind->value(uniform.of(layer, head)).value_or(0);
        if (equal >= 1 || (value - equal) / (1 - equal) < largest) continue;
        largest = (value - equal) / (1 - equal);
        best.column = kind;
        best.value = value;
      }
      if (best.column != nullptr) found.push_back(best);
    }
  std::ranges::stable_sort(found, std::greater<>(), &NotableHead::value);
  std::map<const HeadColumn*, std::size_t> counts;
  for (const NotableHead& one : found)
    if (result->heads.size() < NotableHeads::maximum && counts[one.column]++ < NotableHeads::of_a_kind)
      result->heads.push_back(one);
  return stop_requested(stop) ? nullptr : result;
}

std::vector<HeadContrast> head_contrasts(const BlockStatistics& statistics, int layer, std::size_t maximum) {
  std::vector<std::pair<double, HeadContrast>> all;
  const std::size_t at = layer;
  if (layer < 0 || at >= statistics.layers.size()) return {};
  for (const HeadColumn& column : head_columns(false, true)) {
    std::optional<HeadContrast> found;
    for (int head = 0; head < std::ssize(statistics.layers[at]); ++head) {
      const auto value = column.value(*statistics.find(layer, head));
      if (!value) continue;
      if (!found) found = HeadContrast{&column, head, head, *value, *value};
      if (*value > found->high) found->highest = head, found->high = *value;
      if (*value < found->low) found->lowest = head, found->low = *value;
    }
    const double full = !found ? 0 : column.high > 0 ? column.high : found->high;
    if (full > 0 && found->high > found->low) all.emplace_back((found->high - found->low) / full, *found);
  }
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<HeadContrast> result;
  for (const auto& [difference, contrast] : all)
    if (result.size() < maximum) result.push_back(contrast);
  return result;
}

}  // namespace headscope
