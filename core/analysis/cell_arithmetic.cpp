#include "core/analysis/cell_arithmetic.h"

#include <cmath>

#include "core/analysis/softmax_row.h"
#include "core/base/error.h"
#include "core/model/rows/norm.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/source.h"

namespace headscope {
namespace {

void check(const char* name, int value, Index count) {
  if (value < 0 || value >= count) throw out_of_range(name, value, count);
}

void check(const BlockTrace& block, const CellPlace& place) {
  if (block.layer_count() == 0) throw input_error("the sentence has no tokens; expected at least one");
  check("layer", place.layer, block.layer_count());
  check("head", place.head, block.heads_of(place.layer));
  check("query", place.query, block.n_q());
  check("key", place.key, block.n_k());
}

void take_row(const BlockTrace& block, CellArithmetic& cell) {
  if (cell.way.state) {
    cell.weights = cell.way.map_row;
    return;
  }
  static_cast<SoftmaxRow&>(cell) = softmax_row(block, cell.place.layer, cell.place.head, cell.place.query);
  if (cell.scores.size() > 0) cell.score = cell.scores[cell.place.key];
}

void take_values(const BlockTrace& block, CellArithmetic& cell) {
  const auto& place = cell.place;
  if (cell.way.v.empty()) return;
  Eigen::RowVectorXd factors = cell.weights;
  cell.dropout = dropout_row(block, place.layer, place.head, place.query);
  if (cell.dropout.size() > 0) factors = factors.cwiseProduct(cell.dropout.cast<double>());
  cell.weighted_values = factors.asDiagonal() * as_matrix(cell.way.v).cast<double>();
}

void take_output(const Trace& trace, const BlockTrace& block, CellArithmetic& cell) {
  const Index d_v = block.shape.d_v_of(cell.place.layer);
  cell.concat = cell.way.concat;
  const bool apart = cell.way.head_off || cell.concat.size() == 0 || cell.way.gate.size() > 0;
  cell.context = apart ? Eigen::RowVectorXf(cell.weighted_values.colwise().sum().cast<float>())
                       : cell.concat.segment(cell.place.head * d_v, d_v).eval();
  cell.output = cell.way.output;
  const std::optional<Linear> o = output_projection(trace, block, cell.place.layer);
  if (!o || cell.concat.size() == 0) return;
  const MatrixView weight = as_matrix(o->weight);
  cell.b_o = Eigen::RowVectorXf::Zero(weight.rows());
  if (!o->bias.empty()) cell.b_o = RowView(o->bias.data(), o->bias.size());
  const Index heads = block.heads_of(cell.place.layer);
  cell.w_o_terms.resize(heads, weight.rows());
  for (Index h = 0; h < heads; ++h)
    cell.w_o_terms.row(h) = cell.concat.segment(h * d_v, d_v).cast<double>() *
                            weight.middleCols(h * d_v, d_v).cast<double>().transpose();
}

/// LayerNorm as in seeded_layer.h.
NormedRow plain_layer_norm(const Eigen::RowVectorXd& sum) {
  NormedRow row;
  row.epsilon = 1e-5;
  row.x = sum;
  return normed_row(std::move(row));
}

void take_next(const Trace& trace, const BlockTrace& block, CellArithmetic& cell) {
  if (cell.output.size() == 0) return;
  if (block.computed_layers) {
    AddAndNorm& step = cell.add_and_norm.emplace();
    step.residual = true;
    const Eigen::RowVectorXd output = cell.output.cast<double>();
    step.added = cell.way.added_factor * (cell.way.added_norm ? cell.way.added_norm->y : output);
    step.sum = step.added + cell.x.cast<double>();
    if (cell.way.beside.size() > 0) step.sum += cell.way.beside;
    step.norm = cell.way.output_norm;
    step.next = cell.way.next;
    return;
  }
  if (block.shape.layers < 2) return;  // a layer's own output stays W_O's
  const std::size_t layer = cell.place.layer;
  AddAndNorm& step = cell.add_and_norm.emplace();
  step.residual = trace.inputs.residual;
  step.sum = step.added = cell.output.cast<double>();
  if (step.residual) step.sum += cell.x.cast<double>();
  if (trace.inputs.layer_norm) step.norm = plain_layer_norm(step.sum);
  const bool last = layer + 1 == block.layers.size();
  const Tensor& next = last ? block.stack_output : block.layers[layer + 1].x;
  if (!next.empty()) step.next = as_matrix(next).row(cell.place.query);
}

bool head_is_off(const BlockTrace& block, int layer, int head) {
  return block.interventions.ablated_heads.contains({block.shape.kind, layer, head});
}

/// The mean of a head's context over all queries.
Eigen::RowVectorXf mean_context(const BlockTrace& block, const LayerTrace& layer, int index, int head) {
  const MatrixView v = as_matrix(layer.v, block.kv_head_of(index, head));
  Matrix contexts(block.n_q(), v.cols());
  for (Index begin = 0; begin < block.n_q(); begin += MapSource::rows_at_once) {
    const Index end = std::min(begin + MapSource::rows_at_once, block.n_q());
    const MapRows rows(*block.maps, index, head, begin, end);
    for (Index query = begin; query < end; ++query)
      contexts.row(query) = Eigen::Map<const Eigen::RowVectorXf>(rows.row(query), block.n_k()) * v;
  }
  return contexts.cast<double>().colwise().mean().cast<float>();
}

/// Computes the concatenated contexts and the output of a query, for a layer that was run for its maps only.
void add_row_output(const Trace& trace, const BlockTrace& block, const CellPlace& place,
                    CellIntermediates& way) {
  const LayerTrace& layer = block.layers[place.layer];
  const Index d_k = block.shape.d_k_of(place.layer);
  using Row = Eigen::Map<const Eigen::RowVectorXf>;
  way.concat.resize(block.heads() * d_k);
  for (int head = 0; head < block.heads(); ++head) {
    auto context = way.concat.segment(head * d_k, d_k);
    if (head_is_off(block, place.layer, head)) {
      context.setZero();
      if (block.interventions.ablation == Ablation::mean)
        context = mean_context(block, layer, place.layer, head);
      continue;
    }
    const MapRows rows(*block.maps, place.layer, head, place.query, place.query + 1);
    context =
        Row(rows.row(place.query), block.n_k()) * as_matrix(layer.v, block.kv_head_of(place.layer, head));
  }
  const std::optional<Linear> o = output_projection(trace, block, place.layer);
  if (!o) return;
  way.output = way.concat * as_matrix(o->weight).transpose();
  if (!o->bias.empty()) way.output += Row(o->bias.data(), o->bias.size());
}

/// For a layer that the trace keeps.
CellIntermediates kept_intermediates(const Trace& trace, const BlockTrace& block, const CellPlace& place) {
  const LayerTrace& layer = block.layers[place.layer];
  const Index kv_head = block.kv_head_of(place.layer, place.head);
  CellIntermediates way;
  way.x = layer.x;
  // Self-attention reads the layer's own input on both sides, cross-attention the same keys in every layer.
  way.key_x = block.cross() ? trace.key_x : layer.x;
  way.v = layer.v.part(kv_head);
  way.q = as_matrix(layer.q, place.head).row(place.query);
  way.k = as_matrix(layer.k, kv_head).row(place.key);
  way.q_projected = way.q.cast<double>();
  way.k_projected = way.k.cast<double>();
  way.head_off = head_is_off(block, place.layer, place.head);
  if (layer.context.empty()) {
    add_row_output(trace, block, place, way);
    return way;
  }
  way.concat = as_matrix(layer.context).row(place.query);
  way.output = as_matrix(layer.output).row(place.query);
  return way;
}

}  // namespace

std::optional<Linear> output_projection(const Trace& trace, const BlockTrace& block, int layer) {
  return trace.source ? trace.source->output_projection(block.shape.kind, layer) : std::nullopt;
}

bool has_arithmetic(const BlockTrace& block, int layer) {
  if (layer < 0 || layer >= block.layer_count()) return false;
  if (block.computed_layers) return block.computed_layers->has_arithmetic();
  if (layer >= std::ssize(block.layers)) return false;
  const LayerTrace& trace = block.layers[layer];
  const bool complete = !trace.context.empty() && !trace.output.empty();
  return !trace.q.empty() && (complete || needs_pooling(block));
}

CellArithmetic cell_arithmetic(const Trace& trace, const BlockTrace& block, const CellPlace& place) {
  check(block, place);
  CellArithmetic cell;
  cell.place = place;
  cell.kv_head = block.kv_head_of(place.layer, place.head);
  cell.way = block.computed_layers
                 ? block.computed_layers->way(place.layer, place.head, place.query, place.key)
                 : kept_intermediates(trace, block, place);
  cell.rule = row_rule(block, place.layer, place.head, place.query);
  if (!cell.way.x.empty()) cell.x = as_matrix(cell.way.x).row(place.query);
  if (!cell.way.key_x.empty()) cell.key_x = as_matrix(cell.way.key_x).row(place.key);
  cell.q = cell.way.q;
  cell.k = cell.way.k;
  cell.products = cell.q.cast<double>().cwiseProduct(cell.k.cast<double>());
  cell.dot = cell.products.sum();
  cell.scale = cell.rule.scale;
  cell.temperature = block.interventions.temperature;
  take_row(block, cell);
  take_values(block, cell);
  take_output(trace, block, cell);
  take_next(trace, block, cell);
  return cell;
}

}  // namespace headscope
