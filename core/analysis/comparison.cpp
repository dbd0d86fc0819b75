#include "core/analysis/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/analysis/long_part.h"

namespace headscope {
namespace {

// How many leading (or trailing) tokens are the same, at most `limit`.
template <typename A, typename B>
int common_length(A a, B b, int limit) {
  int length = 0;
  while (length < limit && (a + length)->text == (b + length)->text) ++length;
  return length;
}

// Length of the longest common subsequence of every pair of endings, [a + 1, b + 1].
class CommonEndings {
 public:
  CommonEndings(std::span<const Token> a, std::span<const Token> b)
      : columns_(b.size() + 1), length_((a.size() + 1) * columns_) {
    for (std::size_t i = a.size(); i-- > 0;)
      for (std::size_t j = b.size(); j-- > 0;)
        length_[i * columns_ + j] = a[i].text == b[j].text ? static_cast<std::uint16_t>(at(i + 1, j + 1) + 1)
                                                           : std::max(at(i + 1, j), at(i, j + 1));
  }
  std::uint16_t at(std::size_t i, std::size_t j) const { return length_[i * columns_ + j]; }

 private:
  std::size_t columns_;
  std::vector<std::uint16_t> length_;
};

// Tokens [a0, a1) of A and [b0, b1) of B that have nothing in common are paired in order.
void pair_changed(int a0, int a1, int b0, int b1, std::vector<AlignedToken>& aligned) {
  while (a0 < a1 && b0 < b1) aligned.push_back({a0++, b0++});
  while (a0 < a1) aligned.push_back({a0++, -1});
  while (b0 < b1) aligned.push_back({-1, b0++});
}

// The part between the common prefix and suffix; `offset` is where it begins in both.
void align_middle(std::span<const Token> a, std::span<const Token> b, int offset,
                  std::vector<AlignedToken>& aligned) {
  const CommonEndings common(a, b);
  std::size_t i = 0, j = 0, changed_a = 0, changed_b = 0;
  const auto at = [offset](std::size_t index) { return offset + static_cast<int>(index); };
  const auto flush = [&] { pair_changed(at(changed_a), at(i), at(changed_b), at(j), aligned); };
  while (i < a.size() && j < b.size()) {
    if (a[i].text == b[j].text) {
      flush();
      aligned.push_back({at(i++), at(j++)});
      changed_a = i;
      changed_b = j;
    } else if (common.at(i + 1, j) >= common.at(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
  i = a.size();
  j = b.size();
  flush();
}

CommonAxis common_axis(std::span<const AlignedToken> all, const std::vector<int>& shown_a,
                       const std::vector<int>& shown_b) {
  const auto place = [](const std::vector<int>& shown, int token) {
    const auto found = std::lower_bound(shown.begin(), shown.end(), token);
    return token >= 0 && found != shown.end() && *found == token ? static_cast<int>(found - shown.begin())
                                                                 : -1;
  };
  CommonAxis axis;
  for (const AlignedToken& token : all) {
    const int in_a = place(shown_a, token.a), in_b = place(shown_b, token.b);
    if (in_a < 0 && in_b < 0) continue;
    axis.tokens.push_back({in_a < 0 ? -1 : token.a, in_b < 0 ? -1 : token.b});
    axis.a.push_back(in_a);
    axis.b.push_back(in_b);
  }
  return axis;
}

// One side's cells of a head on the common axes.
void copy_side(const FilteredLayer& shown, int head, const std::vector<int>& rows,
               const std::vector<int>& columns, float* weights, std::uint8_t* states) {
  const float* from = shown.weights(head);
  const std::uint8_t* state = shown.state(head);
  for (const int row : rows) {
    for (const int column : columns) {
      if (row < 0 || column < 0) {
        *weights++ = 0;
        *states++ = cell_filtered;
        continue;
      }
      const Index at = row * shown.n_k() + column;
      *weights++ = from[at];
      *states++ = state ? state[at] : std::uint8_t{cell_shown};
    }
  }
}

void subtract(const CommonAxis& rows, const CommonAxis& columns, float rounding, ComparedHead& maps) {
  const float *a = maps.a.data(), *b = maps.b.data();
  float* difference = maps.difference.data();
  std::size_t i = 0;
  for (std::size_t row = 0; row < rows.tokens.size(); ++row) {
    const bool both = rows.a[row] >= 0 && rows.b[row] >= 0;
    for (std::size_t column = 0; column < columns.tokens.size(); ++column, ++i) {
      const bool partner = both && columns.a[column] >= 0 && columns.b[column] >= 0;
      const std::uint8_t in_a = maps.state_a[i], in_b = maps.state_b[i];
      std::uint8_t& state = maps.state_difference[i];
      state = !partner ? std::uint8_t{cell_filtered} : in_a == in_b ? in_a : std::uint8_t{cell_shown};
      const float x = in_a == cell_masked ? 0 : a[i], y = in_b == cell_masked ? 0 : b[i];
      difference[i] = state == cell_shown ? y - x : 0;
      if (std::abs(difference[i]) <= rounding) {
        maps.rounding = std::max(maps.rounding, std::abs(difference[i]));
        difference[i] = 0;
      }
      maps.largest = std::max(maps.largest, std::abs(difference[i]));
    }
  }
}

// The maps' memory is reused for every head.
void compare_head(const Comparison& c, int head, ComparedHead& maps) {
  const std::vector<Index> shape{c.rows(), c.columns()};
  const std::size_t cells = c.rows() * c.columns();
  for (Tensor* map : {&maps.a, &maps.b, &maps.difference})
    if (map->shape() != shape) *map = Tensor(shape);
  for (auto* states : {&maps.state_a, &maps.state_b, &maps.state_difference}) states->resize(cells);
  maps.largest = maps.rounding = 0;
  copy_side(*c.shown_a, head, c.queries.a, c.keys.a, maps.a.data(), maps.state_a.data());
  copy_side(*c.shown_b, head, c.queries.b, c.keys.b, maps.b.data(), maps.state_b.data());
  float rounding = std::max(rounding_of_weights(*c.shown_a->block, c.shown_a->layer),
                            rounding_of_weights(*c.shown_b->block, c.shown_b->layer));
  // Weights and shares are at most 1; what else cells show has a size of its own.
  if (!c.shown_a->block->cells_of(c.shown_a->layer).is_share)
    rounding *= static_cast<float>(std::max(largest_of(maps.a), largest_of(maps.b)));
  subtract(c.queries, c.keys, rounding, maps);
}

/// The upper end of its colours, if that is not the largest: see Comparison.
float end_of_difference(const Comparison& c, int head, const ComparedHead& maps) {
  const auto is_long = [](const FilteredLayer& shown) {
    return shown.block->pooled() || !shown.extents.empty();
  };
  if (!is_long(*c.shown_a) || !is_long(*c.shown_b)) return maps.largest;
  const std::vector<bool> in_a = rows_of_colors(*c.shown_a, head), in_b = rows_of_colors(*c.shown_b, head);
  CellSizes sizes;
  float largest = 0;
  std::vector<float> row_of(c.columns());
  for (Index row = 0; row < c.rows(); ++row) {
    const std::size_t at = row;
    const int a = c.queries.a[at], b = c.queries.b[at];
    if (a < 0 || b < 0 || !in_a[a] || !in_b[b]) continue;
    const float* difference = maps.difference.data() + row * c.columns();
    std::transform(difference, difference + c.columns(), row_of.begin(), [](float d) { return std::abs(d); });
    largest = std::max(largest, *std::ranges::max_element(row_of));
    sizes.add(row_of.data(), maps.state_difference.data() + row * c.columns(), c.columns());
  }
  return largest > 0 ? sizes.end_of_colors(largest) : maps.largest;
}

// Keeps the `count` cells that differ most, in a heap with the smallest difference at the front.
class Largest {
 public:
  explicit Largest(std::size_t count) : count_(count) {}

  void add(const ComparedHead& maps, int head, Index columns) {
    const float *a = maps.a.data(), *b = maps.b.data(), *difference = maps.difference.data();
    for (Index i = 0; i < maps.difference.size(); ++i) {
      if (difference[i] == 0) continue;
      if (found_.size() == count_ && (count_ == 0 || std::abs(difference[i]) <= size(found_.front())))
        continue;
      const std::size_t at = i;
      found_.push_back({head, static_cast<int>(i / columns), static_cast<int>(i % columns),
                        maps.state_a[at] == cell_masked ? 0 : a[i],
                        maps.state_b[at] == cell_masked ? 0 : b[i]});
      std::ranges::push_heap(found_, larger);
      if (found_.size() <= count_) continue;
      std::ranges::pop_heap(found_, larger);
      found_.pop_back();
    }
  }
  std::vector<LargestDifference> sorted() && {
    std::ranges::sort(found_, larger);
    return std::move(found_);
  }

 private:
  static float size(const LargestDifference& d) { return std::abs(d.b - d.a); }
  static bool larger(const LargestDifference& x, const LargestDifference& y) {
    if (size(x) != size(y)) return size(x) > size(y);
    return std::tie(x.head, x.row, x.column) < std::tie(y.head, y.row, y.column);
  }

  std::size_t count_;
  std::vector<LargestDifference> found_;
};

// Tokens of B that A's filter leaves out, found through their partners.
void follow(const std::vector<AlignedToken>& aligned, const std::set<int>& hidden_a,
            const std::optional<TokenRange>& kept_a, std::set<int>& hidden_b,
            std::optional<TokenRange>& kept_b) {
  hidden_b.clear();
  kept_b.reset();
  bool inside = false;
  for (const AlignedToken& token : aligned) {
    if (token.a >= 0) inside = kept_a && token.a >= kept_a->begin && token.a < kept_a->end;
    if (token.b < 0) continue;
    if (token.a >= 0 && hidden_a.contains(token.a)) hidden_b.insert(token.b);
    // A token that only B has follows the one before it.
    if (inside) kept_b = TokenRange{kept_b ? kept_b->begin : token.b, token.b + 1};
  }
}

}  // namespace

std::vector<AlignedToken> align_tokens(std::span<const Token> a, std::span<const Token> b) {
  const int n_a = static_cast<int>(a.size()), n_b = static_cast<int>(b.size());
  const int head = common_length(a.begin(), b.begin(), std::min(n_a, n_b));
  const int tail = common_length(a.rbegin(), b.rbegin(), std::min(n_a, n_b) - head);
  std::vector<AlignedToken> aligned;
  for (int i = 0; i < head; ++i) aligned.push_back({i, i});
  const auto middle = [&](std::span<const Token> all) {
    return all.subspan(head, all.size() - (head + tail));
  };
  align_middle(middle(a), middle(b), head, aligned);
  for (int i = tail; i > 0; --i) aligned.push_back({n_a - i, n_b - i});
  return aligned;
}

// A sum of n terms in float32 has an error of about u sqrt(n) times their size, u = 2^-24 (n roundings of
// random sign: Higham 2002, Accuracy and Stability of Numerical Algorithms, section 2.8), and each layer
// passes its rounding on to the next. A weight of layer l depends, in each of the l + 1 layers up to it, on
// sums over d_model (Q, K, V and W_O), over d_k (the scores) and over the keys (the softmax and the context).
// Weights are at most 1, and two of them are compared.
float rounding_of_weights(const BlockTrace& block, int layer) {
  constexpr double unit = std::numeric_limits<float>::epsilon() / 2;
  const BlockTrace& tokens = block.single ? *block.single : block;
  const double terms = 4.0 * block.shape.d_model + block.shape.d_k + 2.0 * static_cast<double>(tokens.n_k());
  return static_cast<float>(2 * unit * std::sqrt((layer + 1) * terms));
}

std::shared_ptr<const Comparison> compare_layers(std::shared_ptr<const FilteredLayer> a,
                                                 std::shared_ptr<const FilteredLayer> b) {
  auto result = std::make_shared<Comparison>();
  Comparison& c = *result;
  c.queries = common_axis(align_tokens(a->block->tokens, b->block->tokens), a->queries, b->queries);
  c.keys = common_axis(align_tokens(a->block->key_tokens, b->block->key_tokens), a->keys, b->keys);
  c.shown_a = std::move(a);
  c.shown_b = std::move(b);
  if (c.shown_a->cells() == 0 || c.shown_b->cells() == 0 || c.rows() * c.columns() == 0) return result;
  c.heads =
      std::min(c.shown_a->block->heads_of(c.shown_a->layer), c.shown_b->block->heads_of(c.shown_b->layer));
  ComparedHead maps;
  for (int head = 0; head < c.heads; ++head) {
    compare_head(c, head, maps);
    c.largest.push_back(maps.largest);
    c.rounding.push_back(maps.rounding);
    c.of_colors.push_back(end_of_difference(c, head, maps));
  }
  return result;
}

ComparedHead compare_head(const Comparison& comparison, int head) {
  ComparedHead maps;
  compare_head(comparison, head, maps);
  return maps;
}

Filter partner_filter(const Filter& filter, const BlockTrace& a, const BlockTrace& b) {
  Filter result = filter;
  if (!filter.queries && !filter.keys && filter.hidden_queries.empty() && filter.hidden_keys.empty())
    return result;
  follow(align_tokens(a.tokens, b.tokens), filter.hidden_queries, filter.queries, result.hidden_queries,
         result.queries);
  follow(align_tokens(a.key_tokens, b.key_tokens), filter.hidden_keys, filter.keys, result.hidden_keys,
         result.keys);
  return result;
}

std::vector<ChangedHead> changed_heads(const std::shared_ptr<const BlockTrace>& a,
                                       const std::shared_ptr<const BlockTrace>& b, const Filter& filter,
                                       const std::stop_token& stop) {
  std::vector<ChangedHead> changed;
  ComparedHead maps;
  const Filter of_b = partner_filter(filter, *a, *b);
  for (int layer = 0; layer < std::min(a->layer_count(), b->layer_count()); ++layer) {
    const auto c = compare_layers(filter_layer(a, layer, filter, stop), filter_layer(b, layer, of_b, stop));
    for (int head = 0; head < c->heads; ++head) {
      if (c->largest[head] == 0) continue;
      compare_head(*c, head, maps);
      double sum = 0;
      for (Index cell = 0; cell < maps.difference.size(); ++cell)
        sum += std::abs(maps.difference.data()[cell]);
      changed.push_back({layer, head, sum / 2 / static_cast<double>(c->rows())});
    }
  }
  std::ranges::stable_sort(changed, std::greater(), &ChangedHead::moved);
  return changed;
}

std::vector<LargestDifference> largest_differences(const Comparison& comparison, int head,
                                                   std::size_t count) {
  Largest largest(count);
  ComparedHead maps;
  const int first = std::max(head, 0), end = head < 0 ? comparison.heads : head + 1;
  for (int h = first; h < std::min(end, comparison.heads); ++h) {
    compare_head(comparison, h, maps);
    largest.add(maps, h, comparison.columns());
  }
  return std::move(largest).sorted();
}

}  // namespace headscope
