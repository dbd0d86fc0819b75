#include "core/model/layer/pooled_rows.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/matrix.h"

namespace headscope {
namespace {

/// How many rows the layers of a block have.
Index rows_in_block(const Funnel& funnel, Index n, Index block) {
  for (Index i = 0; i < block; ++i)
    if (const auto pairs = pooled_pairs(funnel, n); !pairs.empty()) n = std::ssize(pairs);
  return n;
}

/// Whether a block's rows are placed as if the two before it were pooled.
bool misplaces(const Funnel& funnel, Index n) {
  if (!funnel.by_shifts || !funnel.first_apart || !funnel.last_left_out) return false;
  for (Index block = 1; block < funnel.blocks(); ++block)
    if (rows_in_block(funnel, n, block - 1) == 2) return true;
  return false;
}

}  // namespace

std::vector<std::array<Index, 2>> pooled_pairs(const Funnel& funnel, Index n) {
  std::vector<std::array<Index, 2>> pairs;
  if (n <= (funnel.first_apart ? 2 : 1)) return pairs;
  std::vector<Index> rows;
  if (funnel.first_apart) rows.push_back(0);
  for (Index row = 0; row < n; ++row) rows.push_back(row);
  if (funnel.first_apart && funnel.last_left_out) rows.pop_back();
  for (std::size_t i = 0; i < rows.size(); i += 2)
    pairs.push_back({rows[i], i + 1 < rows.size() ? rows[i + 1] : rows[i]});
  return pairs;
}

std::vector<PooledRow> rows_of_block(const Funnel& funnel, Index n, Index block) {
  std::vector<PooledRow> rows;
  for (Index token = 0; token < n; ++token) rows.push_back({token, token + 1});
  for (Index i = 0; i < block && block < funnel.blocks(); ++i) {
    std::vector<PooledRow> pooled;
    for (const auto& [first, second] : pooled_pairs(funnel, std::ssize(rows)))
      pooled.push_back({rows[first].begin, rows[second].end});
    if (!pooled.empty()) rows = std::move(pooled);
  }
  return rows;
}

Tensor pooled_rows(const Funnel& funnel, const Tensor& x, BufferPool& memory) {
  const auto pairs = pooled_pairs(funnel, x.dim(0));
  if (pairs.empty()) return x;
  Tensor pooled = memory.take({std::ssize(pairs), x.dim(1)});
  for (Index i = 0; i < pooled.dim(0); ++i) {
    const auto a = row_of(x, pairs[i][0]), b = row_of(x, pairs[i][1]);
    auto row = row_of(pooled, i);
    if (funnel.largest)
      row = a.max(b);
    else
      row = (a + b) / 2;
  }
  return pooled;
}

Index repeated_row(const Funnel& funnel, Index token, Index rows) {
  const Index times = Index{1} << (funnel.blocks() - 1);
  const Index row = !funnel.first_apart ? token / times : token == 0 ? 0 : 1 + (token - 1) / times;
  return row < rows ? row : -1;
}

Index added_behind(const ModelConfig& config) {
  return config.encoder.stored[config.funnel->layers.front() - 1] + 1;
}

Tensor upsampled_rows(const Funnel& funnel, const Tensor& last, const Tensor& first, BufferPool& memory) {
  Tensor sum = memory.take(first.shape());
  for (Index token = 0; token < first.dim(0); ++token) {
    auto row = row_of(sum, token);
    row = row_of(first, token);
    if (const Index from = repeated_row(funnel, token, last.dim(0)); from >= 0) row += row_of(last, from);
  }
  return sum;
}

void check_pooled_length(const Funnel& funnel, Index n) {
  if (n > 1 && !misplaces(funnel, n)) return;
  Index enough = n + 1;
  while (misplaces(funnel, enough)) ++enough;
  throw input_error(
      "the text has a length of {}, too short to be pooled for every block; expected at least {}", n, enough);
}

PositionTerms pooled_places(const Funnel& funnel, Index layer, Index n, const std::vector<Index>& types) {
  const Index block = funnel.block_of(layer), before = std::max<Index>(block - 1, 0);
  const bool pooling = funnel.pools(layer) && funnel.queries_alone &&
                       !pooled_pairs(funnel, rows_in_block(funnel, n, before)).empty();
  const Index of_keys = pooling ? before : block;
  PositionTerms terms;
  terms.first_apart = funnel.first_apart;
  terms.keys_of_query = pooling ? 2 : 1;
  terms.before = pooling && funnel.first_apart ? 1 : 0;
  Index rows = n;
  for (Index i = 0; i < of_keys && of_keys < funnel.blocks(); ++i)
    if (const auto pairs = pooled_pairs(funnel, rows); !pairs.empty()) {
      rows = std::ssize(pairs);
      terms.tokens_of_key *= 2;
    }
  const auto segments = [&](Index of_block) {
    std::vector<Index> list;
    for (const PooledRow& row : rows_of_block(funnel, n, of_block))
      list.push_back(row.begin < std::ssize(types) ? types[row.begin] : 0);
    return list;
  };
  constexpr Index type_of_cls = 2;
  terms.everyone = type_of_cls;
  terms.segments = segments(of_keys);
  if (pooling) terms.query_segments = segments(block);
  return terms;
}

}  // namespace headscope
