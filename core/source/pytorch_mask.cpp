#include "core/source/pytorch_mask.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "core/source/pytorch_text.h"

namespace headscope {
namespace {

bool same_for_all(const Mask& mask, int heads) {
  const auto bytes = static_cast<std::size_t>(mask.n_q() * mask.n_k());
  for (int h = 1; h < heads; ++h) {
    const std::uint8_t *first = mask.head(0), *other = mask.head(h);
    if ((first == nullptr) != (other == nullptr)) return false;
    if (first != nullptr && first != other && std::memcmp(first, other, bytes) != 0) return false;
  }
  return true;
}

template <typename Blocked>
bool is_mask(const Mask& mask, const Blocked& blocked) {
  for (Index i = 0; i < mask.n_q(); ++i)
    for (Index j = 0; j < mask.n_k(); ++j)
      if (mask.blocked(0, i, j) != blocked(i, j)) return false;
  return true;
}

/// Keys that are blocked for every query.
std::vector<Index> blocked_columns(const Mask& mask) {
  std::vector<Index> columns;
  for (Index j = 0; j < mask.n_k(); ++j) {
    bool all = true;
    for (Index i = 0; i < mask.n_q() && all; ++i) all = mask.blocked(0, i, j);
    if (all) columns.push_back(j);
  }
  return columns;
}

/// A mask for all heads that has a line of its own; "" for others.
std::string pattern(const Mask& mask) {
  constexpr const char* causal = "blocked = torch.ones(n_q, n_k, dtype=torch.bool).triu(1)\n";
  const auto later = [](Index i, Index j) { return j > i; };
  if (is_mask(mask, later)) return causal;
  const std::vector<Index> columns = blocked_columns(mask);
  const auto in_columns = [&](Index j) { return std::ranges::binary_search(columns, j); };
  const std::string set = fmt::format("blocked[:, [{}]] = True\n", fmt::join(columns, ", "));
  if (is_mask(mask, [&](Index, Index j) { return in_columns(j); }))
    return "blocked = torch.zeros(n_q, n_k, dtype=torch.bool)\n" + set;
  // A causal mask blocks the last columns of a first query alone, never a whole one but in a single row.
  if (is_mask(mask, [&](Index i, Index j) { return later(i, j) || in_columns(j); })) return causal + set;
  Index w = 0;
  while (w < mask.n_k() && !mask.blocked(0, 0, w)) ++w;
  if (w > 0 && is_mask(mask, [w](Index i, Index j) { return std::abs(i - j) > w - 1; }))
    return fmt::format("blocked = (torch.arange(n_q)[:, None] - torch.arange(n_k)).abs() > {}\n", w - 1);
  return "";
}

std::string cells(const Mask& mask, int head, const char* between) {
  std::string text;
  for (Index i = 0; i < mask.n_q(); ++i) {
    if (i > 0) text += between;
    for (Index j = 0; j < mask.n_k(); ++j) text += mask.blocked(head, i, j) ? '1' : '0';
  }
  return text;
}

}  // namespace

std::string pytorch_mask(const Mask& mask, int heads) {
  if (!mask.any()) return "";
  const bool common = same_for_all(mask, heads);
  if (common)
    if (std::string line = pattern(mask); !line.empty()) return line;
  const Index written = mask.n_q() * mask.n_k() * (common ? 1 : heads);
  if (written > PytorchLimits::most_cells)
    throw input_error(
        "the mask is no plain pattern and has {} cells; expected at most {} to write out: use fewer tokens "
        "or heads, or "
        "another mask",
        written, PytorchLimits::most_cells);
  if (common)
    return "blocked = torch.tensor([[c == \"1\" for c in row] for row in \"\"\"\n" + cells(mask, 0, "\n") +
           "\n\"\"\".split()])\n";
  std::string text =
      "blocked = torch.tensor([[[c == \"1\" for c in row] for row in head.split()] for head in (\n";
  for (int h = 0; h < heads; ++h) text += "    \"" + cells(mask, h, " ") + "\",\n";
  return text + ")])\n";
}

}  // namespace headscope
