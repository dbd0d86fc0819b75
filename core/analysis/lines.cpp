#include "core/analysis/lines.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

namespace headscope {
namespace {

// Calls use(head, row, weights, state) for the rows of the heads that are not hidden; state [n_k] or nullptr.
// Numbers of either sign are as wide.
template <typename Use>
void for_rows(const FilteredLayer& shown, const std::set<int>& hidden_heads, const Use& use) {
  const Index n_k = shown.n_k();
  const bool is_signed = shown.block->is_signed(shown.layer);
  std::vector<float> sizes(is_signed ? n_k : 0);
  for (int h = 0; h < shown.heads(); ++h) {
    const float* weights = shown.weights(h);
    if (weights == nullptr || hidden_heads.contains(h)) continue;
    const std::uint8_t* state = shown.state(h);
    for (int row = 0; row < shown.n_q(); ++row) {
      const float* of_row = weights + row * n_k;
      if (is_signed) {
        std::transform(of_row, of_row + n_k, sizes.begin(), [](float number) { return std::abs(number); });
        of_row = sizes.data();
      }
      use(h, row, of_row, state == nullptr ? nullptr : state + row * n_k);
    }
  }
}

bool is_shown(const std::uint8_t* state, Index k) {
  return state == nullptr || state[k] == cell_shown;
}

// A lower bound of the limit-th largest weight, found from some of the rows: among fewer cells the same rank
// can only be weaker. 0 if those have fewer lines.
float weight_to_reach(const FilteredLayer& shown, const std::set<int>& hidden_heads, std::size_t limit) {
  constexpr int step = 32;
  std::vector<float> weights;
  for_rows(shown, hidden_heads, [&](int, int row, const float* cells, const std::uint8_t* state) {
    if (row % step != 0) return;
    for (Index k = 0; k < shown.n_k(); ++k)
      if (cells[k] > 0 && is_shown(state, k)) weights.push_back(cells[k]);
  });
  if (limit == 0 || weights.size() < limit) return 0;
  const auto place = weights.begin() + (limit - 1);
  std::nth_element(weights.begin(), place, weights.end(), std::greater<>());
  return *place;
}

// Among `count` weights, how many are above 0, and whether any reaches `minimum`: hardly any cell does, so
// most are handled many at a time.
struct Reached {
  Index positive = 0;
  bool any = false;
};
Reached reached(const float* weights, Index count, float minimum) {
  int positive = 0, any = 0;
  for (Index k = 0; k < count; ++k) {
    positive += weights[k] > 0 ? 1 : 0;
    any |= weights[k] >= minimum ? 1 : 0;
  }
  return {positive, any != 0};
}

void add_cell(const FilteredLayer& shown, int head, int row, int column, LineSet& set) {
  const Index at = row * shown.n_k() + column;
  const float number = shown.weights(head)[at];
  const float weight = shown.block->is_signed(shown.layer) ? std::abs(number) : number;
  const std::uint8_t* state = shown.state(head);
  if (weight > 0 && is_shown(state, at)) set.lines.push_back({head, row, column, weight, number < 0});
}

bool weaker(const Line& a, const Line& b) {
  if (a.weight != b.weight) return a.weight < b.weight;
  // Of equal ones the first token's is kept.
  return std::tie(a.row, a.column, a.head) > std::tie(b.row, b.column, b.head);
}

void finish(LineSet& set, std::size_t limit) {
  if (set.lines.size() > limit) {
    const auto cut = set.lines.end() - limit;
    std::nth_element(set.lines.begin(), cut, set.lines.end(), weaker);
    set.left_out += set.lines.size() - limit;
    set.lines.erase(set.lines.begin(), cut);
  }
  std::sort(set.lines.begin(), set.lines.end(), weaker);
  if (!set.lines.empty()) set.largest = set.lines.back().weight;
}

}  // namespace

LineSet strongest_lines(const FilteredLayer& shown, const std::set<int>& hidden_heads, std::size_t limit) {
  constexpr Index block = 64;
  const float minimum = weight_to_reach(shown, hidden_heads, limit);
  LineSet set;
  std::size_t total = 0;
  for_rows(shown, hidden_heads, [&](int head, int row, const float* weights, const std::uint8_t* state) {
    for (Index begin = 0; begin < shown.n_k(); begin += block) {
      const Index end = std::min(begin + block, shown.n_k());
      if (state == nullptr) {
        const Reached found = reached(weights + begin, end - begin, minimum);
        total += found.positive;
        if (!found.any) continue;
      }
      for (Index k = begin; k < end; ++k) {
        if (!(weights[k] > 0) || !is_shown(state, k)) continue;
        if (state != nullptr) ++total;
        const bool negative = shown.weights(head)[row * shown.n_k() + k] < 0;
        if (weights[k] >= minimum)
          set.lines.push_back({head, row, static_cast<int>(k), weights[k], negative});
      }
    }
  });
  set.left_out = total - set.lines.size();
  finish(set, limit);
  if (!shown.block->pooled()) return set;
  // Next to a causal map's first queries, which have few keys, no other line would be visible: some of theirs
  // are as strong as lines get.
  constexpr std::size_t strongest_share = 40;
  if (!set.lines.empty())
    set.largest = set.lines[set.lines.size() - 1 - set.lines.size() / strongest_share].weight;
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
  // Opacity grows faster than width: weak lines must fade, or thousands of them cover the strong ones.
  return {0.03 + 0.19 * share, 0.03 + 0.87 * share * share};
}

}  // namespace headscope
