#include "core/source/maps/no_token.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headscope {
namespace {

/// The maps of a block with the column of no token.
class NoTokenMaps : public MapSource {
 public:
  /// Writes the cells of rows [begin, end) in that column.
  using Column = bool (*)(const BlockTrace& block, int layer, int head, Index begin, Index end, float* out);

  NoTokenMaps(std::shared_ptr<const BlockTrace> block, std::shared_ptr<const MapSource> maps, Column column)
      : MapSource({maps->size().layers, maps->size().heads, maps->size().n_q, maps->size().n_k + 1}),
        block_(std::move(block)),
        maps_(std::move(maps)),
        column_(column) {}

  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    const MapRows rows(*maps_, layer, head, begin, end);
    put(
        layer, head, begin, end, column_, [&](Index query) { return rows.row(query); }, out);
  }
  bool score_rows(int layer, int head, Index begin, Index end, float* out) const override {
    Tensor scores({end - begin, size().n_k - 1});
    if (!maps_->score_rows(layer, head, begin, end, scores.data())) return false;
    put(
        layer, head, begin, end, of_scores, [&](Index query) { return scores.at(query - begin); }, out);
    return true;
  }
  bool given() const override { return maps_->given(); }
  std::optional<Error> warning() const override { return maps_->warning(); }
  std::optional<Error> error() const override { return maps_->error(); }

  static bool of_weights(const BlockTrace& block, int layer, int head, Index begin, Index end, float* out) {
    return block.maps->no_token(layer, head, begin, end, out);
  }
  static bool of_scores(const BlockTrace& block, int layer, int head, Index begin, Index end, float* out) {
    std::fill_n(out, end - begin, static_cast<float>(*block.computed_layers->rule(layer, head, begin).sink));
    return true;
  }
  /// What its value, a vector of zeros, adds.
  static bool of_value(const BlockTrace& /*block*/, int /*layer*/, int /*head*/, Index begin, Index end,
                       float* out) {
    std::fill_n(out, end - begin, 0.0F);
    return true;
  }

 private:
  template <typename Row>
  void put(int layer, int head, Index begin, Index end, Column column_of, const Row& row, float* out) const {
    std::vector<float> column(end - begin);
    column_of(*block_, layer, head, begin, end, column.data());
    for (Index query = begin; query < end; ++query) {
      out = std::copy_n(row(query), size().n_k - 1, out);
      *out++ = column[query - begin];
    }
  }

  std::shared_ptr<const BlockTrace> block_;
  std::shared_ptr<const MapSource> maps_;
  Column column_;
};

/// Rows [heads,] n, d with one of zeros behind them.
Tensor with_zeros(const Tensor& rows) {
  const std::size_t axes = rows.shape().size();
  std::vector<Index> shape = rows.shape();
  if (rows.empty()) return rows;
  const Index d = shape[axes - 1], n = shape[axes - 2], parts = axes == 3 ? shape[0] : 1;
  ++shape[axes - 2];
  Tensor more(shape);
  float* to = more.data();
  for (Index part = 0; part < parts; ++part) {
    to = std::copy_n(rows.data() + part * n * d, n * d, to);
    to = std::fill_n(to, d, 0.0F);
  }
  return more;
}

class NoTokenLayers : public LayerSource {
 public:
  explicit NoTokenLayers(std::shared_ptr<const BlockTrace> block) : block_(std::move(block)) {}
  LayerTrace layer(int index) const override {
    LayerTrace trace = of().layer(index);
    trace.k = with_zeros(trace.k);
    trace.v = with_zeros(trace.v);
    return trace;
  }
  bool has_arithmetic() const override { return of().has_arithmetic(); }
  CellIntermediates way(int layer, int head, Index query, Index key) const override {
    const bool no_token = key == block_->n_k();
    CellIntermediates way = of().way(layer, head, query, no_token ? query : key);
    way.key_x = with_zeros(way.key_x);
    way.v = with_zeros(way.v);
    if (way.uncapped.size() > 0) {
      way.uncapped.conservativeResize(way.uncapped.size() + 1);
      way.uncapped.tail(1).setZero();
    }
    if (!no_token) return way;
    way.k.setZero();
    way.k_projected.setZero();
    way.k_before_turn.setZero();
    way.key_norm.reset();
    return way;
  }
  Tensor values(int layer, Index kv_head) const override { return with_zeros(of().values(layer, kv_head)); }
  RowRule rule(int layer, int head, Index query) const override {
    RowRule rule = of().rule(layer, head, query);
    if (rule.bias.size() > 0) {
      rule.bias.conservativeResize(rule.bias.size() + 1);
      rule.bias.tail(1).setZero();
    }
    rule.sink_is_key = true;
    return rule;
  }

 private:
  const LayerSource& of() const { return *block_->computed_layers; }

  std::shared_ptr<const BlockTrace> block_;
};

/// Each row of which sees the column, too.
Mask with_column(const Mask& mask, int heads) {
  Mask result(mask.n_q(), mask.n_k() + 1);
  if (!mask.any()) return result;
  const auto seen_by = [&](int head) {
    const int column = static_cast<int>(mask.n_k());
    RowSpans seen(mask.n_k() + 1);
    KeySpans scratch;
    for (Index query = 0; query < mask.n_q(); ++query) {
      const auto before = mask.row(head, query, scratch);
      KeySpans row(before.begin(), before.end());
      if (!row.empty() && row.back().end == column)
        ++row.back().end;
      else
        row.push_back({column, column + 1});
      seen.add_row(row);
    }
    return seen;
  };
  bool common = true;
  for (int head = 1; head < heads; ++head) common = common && mask.same(head, 0);
  for (int head = 0; head < heads && !common; ++head)
    if (mask.any(head)) result.set_own(head, seen_by(head));
  if (common && mask.any(0)) result.set_common(seen_by(0));
  return result;
}

}  // namespace

std::shared_ptr<const BlockTrace> with_no_token(std::shared_ptr<const BlockTrace> block,
                                                std::string_view label) {
  if (!block->shape.no_token || !block->maps || block->rolled) return block;
  auto more = std::make_shared<BlockTrace>(*block);
  more->key_tokens.emplace_back();
  more->key_tokens.back().text = label;
  more->key_tokens.back().special = true;
  more->mask = with_column(block->mask, block->heads());
  for (Mask& mask : more->layer_masks) mask = with_column(mask, block->heads());
  more->maps = std::make_shared<const NoTokenMaps>(block, block->maps, NoTokenMaps::of_weights);
  if (block->cells.maps)
    more->cells.maps = std::make_shared<const NoTokenMaps>(
        block, block->cells.maps,
        block->cells.value == CellValue::score ? NoTokenMaps::of_scores : NoTokenMaps::of_value);
  more->computed_layers = std::make_shared<const NoTokenLayers>(block);
  more->tokens_alone = std::move(block);
  return more;
}

}  // namespace headscope
