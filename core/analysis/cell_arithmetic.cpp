#include "core/analysis/cell_arithmetic.h"

#include <cmath>

#include "core/analysis/softmax_row.h"
#include "core/base/no_such.h"
#include "core/source/source.h"

namespace headscope {
namespace {

void check(const char* name, int value, Index count) {
  if (value < 0 || value >= count) throw no_such(name, value, count);
}

void check(const BlockTrace& block, const CellPlace& place) {
  if (block.layer_count() == 0) throw input_error("the sentence has no tokens; expected at least one");
  check("layer", place.layer, block.layer_count());
  check("head", place.head, block.heads());
  check("query", place.query, block.n_q());
  check("key", place.key, block.n_k());
}

void take_row(const BlockTrace& block, CellArithmetic& cell) {
  SoftmaxRow row = softmax_row(block, cell.place.layer, cell.place.head, cell.place.query);
  cell.score = row.scores[cell.place.key];
  cell.scores = std::move(row.scores);
  cell.masked = std::move(row.masked);
  cell.row_max = row.row_max;
  cell.exponentials = std::move(row.exponentials);
  cell.row_sum = row.row_sum;
  cell.weights = std::move(row.weights);
}

void take_values(const BlockTrace& block, const LayerTrace& layer, Index kv_head, CellArithmetic& cell) {
  const auto& place = cell.place;
  Eigen::RowVectorXd factors = cell.weights;
  cell.dropout = dropout_row(block, place.layer, place.head, place.query);
  if (cell.dropout.size() > 0) factors = factors.cwiseProduct(cell.dropout.cast<double>());
  cell.weighted_values = factors.asDiagonal() * as_matrix(layer.v, kv_head).cast<double>();
}

void take_output(const Trace& trace, const BlockTrace& block, const LayerTrace& layer, CellArithmetic& cell) {
  const Index d_k = block.shape.d_k, query = cell.place.query;
  const Eigen::RowVectorXf context = as_matrix(layer.context).row(query);
  cell.concat = context;
  cell.context = context.segment(cell.place.head * d_k, d_k);
  cell.output = as_matrix(layer.output).row(query);
  const std::optional<Linear> o =
      trace.source ? trace.source->output_projection(cell.place.layer) : std::nullopt;
  if (!o) return;
  const MatrixView weight = as_matrix(o->weight);
  cell.b_o = RowView(o->bias.data(), o->bias.size());
  cell.w_o_terms.resize(block.heads(), weight.rows());
  for (Index h = 0; h < block.heads(); ++h)
    cell.w_o_terms.row(h) = context.segment(h * d_k, d_k).cast<double>() *
                            weight.middleCols(h * d_k, d_k).cast<double>().transpose();
}

/// LayerNorm as in residual.h, in double.
void normalize(AddAndNorm& step) {
  constexpr double epsilon = 1e-5;
  step.mean = step.sum.mean();
  step.deviation = std::sqrt((step.sum.array() - step.mean).square().mean() + epsilon);
  step.result = (step.sum.array() - step.mean) / step.deviation;
}

void take_next(const Trace& trace, const BlockTrace& block, CellArithmetic& cell) {
  const auto layer = static_cast<std::size_t>(cell.place.layer);
  if (block.shape.layers < 2) return;  // a layer's own output stays W_O's
  AddAndNorm& step = cell.add_and_norm.emplace();
  step.residual = trace.inputs.residual;
  step.layer_norm = trace.inputs.layer_norm;
  step.sum = cell.output.cast<double>();
  if (step.residual) step.sum += cell.x.cast<double>();
  step.result = step.sum;
  if (step.layer_norm) normalize(step);
  const bool last = layer + 1 == block.layers.size();
  const Tensor& next = last ? block.stack_output : block.layers[layer + 1].x;
  if (!next.empty()) step.next = as_matrix(next).row(cell.place.query);
}

}  // namespace

bool has_arithmetic(const BlockTrace& block, int layer) {
  if (layer < 0 || layer >= static_cast<int>(block.layers.size())) return false;
  const LayerTrace& trace = block.layers[static_cast<std::size_t>(layer)];
  return !trace.q.empty() && !trace.context.empty() && !trace.output.empty();
}

CellArithmetic cell_arithmetic(const Trace& trace, const BlockTrace& block, const CellPlace& place) {
  check(block, place);
  const LayerTrace& layer = block.layers[static_cast<std::size_t>(place.layer)];
  const Index kv_head = kv_head_of(block, place.head);
  CellArithmetic cell;
  cell.place = place;
  cell.x = as_matrix(layer.x).row(place.query);
  // A stack reads its own layers on both sides, in cross-attention the same keys again and again.
  cell.key_x = as_matrix(block.cross() ? trace.key_x : layer.x).row(place.key);
  cell.q = as_matrix(layer.q, place.head).row(place.query);
  cell.k = as_matrix(layer.k, kv_head).row(place.key);
  cell.products = cell.q.cast<double>().cwiseProduct(cell.k.cast<double>());
  cell.dot = cell.products.sum();
  cell.scale = block.what_if.scale ? 1 / std::sqrt(static_cast<double>(block.shape.d_k)) : 1;
  cell.temperature = block.what_if.temperature;
  take_row(block, cell);
  take_values(block, layer, kv_head, cell);
  take_output(trace, block, layer, cell);
  take_next(trace, block, cell);
  return cell;
}

}  // namespace headscope
