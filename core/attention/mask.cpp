#include "core/attention/mask.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

namespace headscope {

const Mask::Map* Mask::map(int h) const {
  const auto found = own_.find(h);
  if (found != own_.end()) return &found->second;
  return common_.blocked == 0 ? nullptr : &common_;
}

const std::uint8_t* Mask::head(int h) const {
  const Map* found = map(h);
  return found == nullptr || found->cells == nullptr ? nullptr : found->cells->data();
}

const std::uint8_t* Mask::outside_empty_rows(int h) const {
  const Map* found = map(h);
  return found == nullptr || found->outside_empty_rows == nullptr ? head(h)
                                                                  : found->outside_empty_rows->data();
}

bool Mask::blocked(int h, Index query, Index key) const {
  const std::uint8_t* cells = head(h);
  return cells != nullptr && cells[query * n_k_ + key] != 0;
}

const std::vector<Index>& Mask::empty_queries(int h) const {
  const Map* found = map(h);
  return found == nullptr ? common_.empty_queries : found->empty_queries;
}

Index Mask::blocked_cells(int heads) const {
  Index blocked = 0;
  for (int h = 0; h < heads; ++h)
    if (const Map* found = map(h)) blocked += found->blocked;
  return blocked;
}

double Mask::density(int heads) const {
  const Index cells = heads * n_q_ * n_k_;
  return cells == 0 ? 1 : 1 - static_cast<double>(blocked_cells(heads)) / static_cast<double>(cells);
}

Extent weight_extent(const float* row, const std::uint8_t* blocked, Index n_k, float fill) {
  const Extent shown = extent(row, blocked, n_k);
  return shown.any() || std::isinf(fill) ? shown : extent(row, nullptr, n_k);
}

Mask::Map Mask::make_map(std::vector<std::uint8_t> blocked, bool keep) const {
  assert(std::ssize(blocked) == n_q_ * n_k_);
  Map map;
  map.blocked = std::count(blocked.begin(), blocked.end(), std::uint8_t{1});
  for (Index query = 0; query < n_q_; ++query)
    if (std::memchr(blocked.data() + query * n_k_, 0, static_cast<std::size_t>(n_k_)) == nullptr)
      map.empty_queries.push_back(query);
  if (keep && !map.empty_queries.empty()) {
    std::vector<std::uint8_t> others = blocked;
    for (const Index query : map.empty_queries)
      std::fill_n(others.begin() + query * n_k_, n_k_, std::uint8_t{0});
    map.outside_empty_rows = std::make_shared<const std::vector<std::uint8_t>>(std::move(others));
  }
  if (keep) map.cells = std::make_shared<const std::vector<std::uint8_t>>(std::move(blocked));
  return map;
}

void Mask::set_common(std::vector<std::uint8_t> blocked, bool keep) {
  common_ = make_map(std::move(blocked), keep);
  if (common_.blocked == 0) common_ = {};
}

void Mask::set_own(int h, std::vector<std::uint8_t> blocked, bool keep) {
  Map map = make_map(std::move(blocked), keep);
  if (map.blocked == 0)
    own_.erase(h);
  else
    own_[h] = std::move(map);
}

void Mask::block_also(const std::vector<std::uint8_t>& blocked) {
  const auto joined = [&](const Map& map) {
    std::vector<std::uint8_t> cells = blocked;
    if (map.cells) std::ranges::transform(cells, *map.cells, cells.begin(), std::bit_or<>());
    return cells;
  };
  for (auto& [head, map] : own_) map = make_map(joined(map), true);
  set_common(joined(common_));
}

}  // namespace headscope
