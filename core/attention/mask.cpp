#include "core/attention/mask.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace headscope {

const Mask::Map* Mask::map(int h) const {
  const auto found = own_.find(h);
  if (found != own_.end()) return &found->second;
  return common_.blocked == 0 ? nullptr : &common_;
}

const std::uint8_t* Mask::head(int h) const {
  assert(has_bytes());
  const Map* found = map(h);
  return found == nullptr || found->cells == nullptr ? nullptr : found->cells->data();
}

const std::uint8_t* Mask::outside_empty_rows(int h) const {
  const Map* found = map(h);
  return found == nullptr || found->outside_empty_rows == nullptr ? head(h)
                                                                  : found->outside_empty_rows->data();
}

std::span<const KeySpan> Mask::row(const Map& map, Index query, KeySpans& scratch) const {
  if (map.allowed) return map.allowed->row(query);
  scratch.clear();
  if (map.cells) add_spans_of(std::span(*map.cells).subspan(query * n_k_, n_k_), 0, scratch);
  return scratch;
}

std::span<const KeySpan> Mask::row(int h, Index query, KeySpans& scratch) const {
  if (const Map* found = map(h)) return row(*found, query, scratch);
  scratch.assign(1, {0, static_cast<int>(n_k_)});
  return scratch;
}

const std::uint8_t* Mask::blocked_row(int h, Index query, std::vector<std::uint8_t>& scratch) const {
  const Map* found = map(h);
  if (found == nullptr) return nullptr;
  if (found->cells) return found->cells->data() + query * n_k_;
  if (!found->allowed) return nullptr;
  scratch.assign(n_k_, 1);
  for (const KeySpan& span : found->allowed->row(query))
    std::fill(scratch.begin() + span.begin, scratch.begin() + span.end, std::uint8_t{0});
  return scratch.data();
}

bool Mask::blocked(int h, Index query, Index key) const {
  const Map* found = map(h);
  if (found == nullptr) return false;
  if (found->cells) return (*found->cells)[query * n_k_ + key] != 0;
  return found->allowed && !contains(found->allowed->row(query), key);
}

bool Mask::same(int one, int other) const {
  const Map *a = map(one), *b = map(other);
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->blocked != b->blocked) return false;
  if (a->allowed && b->allowed) return *a->allowed == *b->allowed;
  return a->cells && b->cells && *a->cells == *b->cells;
}

const std::vector<Index>& Mask::empty_queries(int h) const {
  const Map* found = map(h);
  return found == nullptr ? common_.empty_queries : found->empty_queries;
}

std::int64_t Mask::blocked_cells(int heads) const {
  std::int64_t blocked = 0;
  for (int h = 0; h < heads; ++h)
    if (const Map* found = map(h)) blocked += found->blocked;
  return blocked;
}

double Mask::density(int heads) const {
  const std::int64_t all = heads * cells();
  return all == 0 ? 1 : 1 - static_cast<double>(blocked_cells(heads)) / static_cast<double>(all);
}

Extent weight_extent(const float* row, const std::uint8_t* blocked, Index n_k, float fill) {
  const Extent shown = extent(row, blocked, n_k);
  return shown.any() || std::isinf(fill) ? shown : extent(row, nullptr, n_k);
}

Mask::Map Mask::make_map(RowSpans allowed, bool keep) const {
  assert(allowed.n_q() == n_q_ && allowed.n_k() == n_k_);
  Map map;
  map.blocked = cells() - allowed.cells();
  for (Index query = 0; query < n_q_; ++query)
    if (allowed.row(query).empty()) map.empty_queries.push_back(query);
  if (!keep || map.blocked == 0) return map;
  if (has_bytes()) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(cells()), 1);
    for (Index query = 0; query < n_q_; ++query)
      for (const KeySpan& span : allowed.row(query))
        std::fill_n(bytes.begin() + query * n_k_ + span.begin, span.end - span.begin, std::uint8_t{0});
    if (!map.empty_queries.empty()) {
      std::vector<std::uint8_t> others = bytes;
      for (const Index query : map.empty_queries)
        std::fill_n(others.begin() + query * n_k_, n_k_, std::uint8_t{0});
      map.outside_empty_rows = std::make_shared<const std::vector<std::uint8_t>>(std::move(others));
    }
    map.cells = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    if (allowed.spans() * static_cast<Index>(sizeof(KeySpan)) > cells()) return map;
  }
  map.allowed = std::make_shared<const RowSpans>(std::move(allowed));
  return map;
}

RowSpans Mask::allowed_by(const Map& map) const {
  if (map.allowed) return *map.allowed;
  if (map.cells) return RowSpans::of_bytes(*map.cells, n_k_, 0);
  RowSpans all(n_k_);
  for (Index query = 0; query < n_q_; ++query) all.add_row(KeySpans{{0, static_cast<int>(n_k_)}});
  return all;
}

void Mask::set_common(RowSpans allowed, bool keep) {
  common_ = make_map(std::move(allowed), keep);
  if (common_.blocked == 0) common_ = {};
}

void Mask::set_own(int h, RowSpans allowed, bool keep) {
  Map map = make_map(std::move(allowed), keep);
  if (map.blocked == 0)
    own_.erase(h);
  else
    own_[h] = std::move(map);
}

void Mask::allow_only(const RowSpans& allowed) {
  const auto joined = [&](const Map& map) {
    const RowSpans before = allowed_by(map);
    RowSpans both(n_k_);
    KeySpans outside, left;
    const KeySpans all{{0, static_cast<int>(n_k_)}};
    for (Index query = 0; query < n_q_; ++query) {
      subtract_spans(all, allowed.row(query), outside);
      subtract_spans(before.row(query), outside, left);
      both.add_row(left);
    }
    return both;
  };
  for (auto& [head, map] : own_) map = make_map(joined(map), true);
  set_common(joined(common_));
}

namespace {

// For one head: a block of keys is seen if any of its keys is seen by any query of the block.
RowSpans visible_pools(const Mask& mask, int head, std::span<const Index> query_pools,
                       std::span<const Index> key_pools) {
  const auto pool_of = [&](int key) {
    return static_cast<int>(std::ranges::upper_bound(key_pools, Index{key}) - key_pools.begin()) - 1;
  };
  const auto first_key = static_cast<int>(key_pools.front()), last_key = static_cast<int>(key_pools.back());
  RowSpans allowed(std::ssize(key_pools) - 1);
  KeySpans scratch, pools;
  for (std::size_t q = 0; q + 1 < query_pools.size(); ++q) {
    pools.clear();
    for (Index row = query_pools[q]; row < query_pools[q + 1]; ++row)
      for (const KeySpan& span : mask.row(head, row, scratch)) {
        const int begin = std::max(span.begin, first_key), end = std::min(span.end, last_key);
        if (begin < end) pools.push_back({pool_of(begin), pool_of(end - 1) + 1});
      }
    merge_spans(pools);
    allowed.add_row(pools);
  }
  return allowed;
}

}  // namespace

Mask pooled_mask(const Mask& mask, int heads, std::span<const Index> query_pools,
                 std::span<const Index> key_pools) {
  Mask result(std::ssize(query_pools) - 1, std::ssize(key_pools) - 1);
  if (!mask.any()) return result;
  bool common = true;
  for (int head = 1; head < heads; ++head) common = common && mask.same(head, 0);
  if (common && mask.any(0)) {
    result.set_common(visible_pools(mask, 0, query_pools, key_pools));
    return result;
  }
  for (int head = 0; head < heads; ++head)
    if (mask.any(head)) result.set_own(head, visible_pools(mask, head, query_pools, key_pools));
  return result;
}

}  // namespace headscope
