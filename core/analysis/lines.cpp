#include "core/analysis/lines.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>

namespace headscope {
namespace {

// Positive floats order as their bits do, so the upper half of the bits is a histogram's bin of even relative
// width.
constexpr std::size_t bins = 1 << 15;
std::size_t bin(float weight) {
  return std::bit_cast<std::uint32_t>(weight) >> 16;
}

template <typename Use>
void for_cells(const FilteredLayer& shown, const std::set<int>& hidden_heads, const Use& use) {
  for (int h = 0; h < shown.heads(); ++h) {
    const float* weights = shown.weights(h);
    if (weights == nullptr || hidden_heads.contains(h)) continue;
    const std::uint8_t* state = shown.state(h);
    const Index cells = shown.n_q() * shown.n_k();
    for (Index i = 0; i < cells; ++i)
      if (weights[i] > 0 && (!state || state[i] == cell_shown)) use(h, i, weights[i]);
  }
}

void add_cell(const FilteredLayer& shown, int head, int row, int column, LineSet& set) {
  const Index at = row * shown.n_k() + column;
  const float weight = shown.weights(head)[at];
  const std::uint8_t* state = shown.state(head);
  if (weight > 0 && (!state || state[at] == cell_shown)) set.lines.push_back({head, row, column, weight});
}

bool weaker(const Line& a, const Line& b) {
  if (a.weight != b.weight) return a.weight < b.weight;
  // Of equal ones the first token's stay.
  return std::tie(a.row, a.column, a.head) > std::tie(b.row, b.column, b.head);
}

void finish(LineSet& set, std::size_t limit) {
  if (set.lines.size() > limit) {
    const auto cut = set.lines.end() - static_cast<std::ptrdiff_t>(limit);
    std::nth_element(set.lines.begin(), cut, set.lines.end(), weaker);
    set.left_out += set.lines.size() - limit;
    set.lines.erase(set.lines.begin(), cut);
  }
  std::sort(set.lines.begin(), set.lines.end(), weaker);
  if (!set.lines.empty()) set.largest = set.lines.back().weight;
}

}  // namespace

LineSet strongest_lines(const FilteredLayer& shown, const std::set<int>& hidden_heads, std::size_t limit) {
  std::vector<std::size_t> histogram(bins);
  std::size_t total = 0;
  for_cells(shown, hidden_heads, [&](int, Index, float weight) {
    ++histogram[bin(weight)];
    ++total;
  });
  std::size_t lowest = bins, kept = 0;
  while (lowest > 0 && kept < limit) kept += histogram[--lowest];
  LineSet set;
  set.left_out = total - kept;
  set.lines.reserve(kept);
  for_cells(shown, hidden_heads, [&](int h, Index i, float weight) {
    if (bin(weight) < lowest) return;
    set.lines.push_back({h, static_cast<int>(i / shown.n_k()), static_cast<int>(i % shown.n_k()), weight});
  });
  finish(set, limit);
  return set;
}

LineSet lines_of_token(const FilteredLayer& shown, const std::set<int>& hidden_heads, int row, int column,
                       std::size_t limit) {
  LineSet set;
  for (int h = 0; h < shown.heads(); ++h) {
    if (shown.weights(h) == nullptr || hidden_heads.contains(h)) continue;
    if (row >= 0)
      for (int k = 0; k < shown.n_k(); ++k) add_cell(shown, h, row, k, set);
    else
      for (int q = 0; q < shown.n_q(); ++q) add_cell(shown, h, q, column, set);
  }
  finish(set, limit);
  return set;
}

LineLook line_look(float weight, float largest) {
  const double share = largest > 0 ? std::clamp(static_cast<double>(weight / largest), 0.0, 1.0) : 0;
  // Opacity grows faster than width: what is weak must fade or thousands of lines cover the strong ones.
  return {0.03 + 0.19 * share, 0.03 + 0.87 * share * share};
}

}  // namespace headscope
