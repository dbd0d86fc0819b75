#include "core/model/layer/state_mixer.h"

#include <algorithm>
#include <cmath>

#include "core/base/matrix.h"
#include "core/base/stopped.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/steps/activation.h"

namespace headscope {
namespace {

const MixerWeights& mixer_of(const LanguageModel& model, Index layer) {
  return *model.stack(BlockKind::self).layers[layer].mixer;
}

/// Rows [n, channels] of a causal convolution of each channel by itself; in front of the text are zeros.
Tensor convolved(const MixerWeights& weights, const Tensor& x, const ComputeContext& context) {
  const Index n = x.dim(0), channels = x.dim(1), taps = weights.taps.dim(0);
  Tensor y = context.memory.take(x.shape());
  context.threads.run(n, ThreadPool::Schedule::dynamic, [&](Index row, int) {
    RowSpan sum = row_of(y, row);
    sum.setZero();
    if (!weights.taps_bias.empty()) sum = RowView(weights.taps_bias.data(), channels);
    for (Index tap = std::max<Index>(0, taps - 1 - row); tap < taps; ++tap)
      sum += row_of(weights.taps, tap) * row_of(x, row + tap + 1 - taps);
  });
  return y;
}

double number(const Tensor& rows, Index row, Index column) {
  return static_cast<double>(rows.at(row)[column]);
}

/// ln(1 + e^x)
double softplus(double x) {
  constexpr double linear = 20;  // as torch has it
  return x > linear ? x : std::log1p(std::exp(x));
}

/// Divides a vector by its length.
void to_unit(float* values, Index d, double factor) {
  constexpr double epsilon = 1e-6;
  RowSpan row(values, d);
  const double square = row.cast<double>().square().sum();
  row *= static_cast<float>(factor / std::sqrt(square + epsilon));
}

void norm_heads(const Norm& norm, Index parts, Tensor& rows, const ComputeContext& context) {
  const Index width = norm.weight.dim(norm.weight.shape().size() - 1), all = rows.dim(1) / width;
  context.threads.run(rows.dim(0), ThreadPool::Schedule::dynamic, [&](Index row, int) {
    for (Index part = 0; part < all; ++part)
      apply_norm_part(norm, part % parts, width, rows.at(row) + part * width, context.kernels);
  });
}

/// Times the activation of a gate.
void gate_heads(Tensor gate, Tensor& rows, const ComputeContext& context) {
  apply_activation(Activation::silu, gate, {}, context);
  in_parts(rows.size(), context, [&](Index begin, Index count) {
    RowSpan(rows.data() + begin, count) *= RowView(gate.data() + begin, count);
  });
}

void multiply_by(double factor, Tensor& rows) {
  if (factor != 1) as_matrix(rows) *= static_cast<float>(factor);
}

}  // namespace

StateHeads::StateHeads(const LanguageModel& model, Index layer, const Tensor& y,
                       const ComputeContext& context, const std::stop_token& stop)
    : size_(*model.config().state_mixer) {
  const MixerWeights& weights = mixer_of(model, layer);
  const Index n = y.dim(0), heads = size_.heads;
  const bool delta = replaces();
  k_ = delta ? size_.key_width() : size_.value_width();
  q_ = delta ? 0 : k_ + size_.key_width();
  v_ = delta ? 2 * size_.key_width() : 0;
  rows_ = convolved(weights, multiply(weights.mixed, y, context, stop), context);
  apply_activation(Activation::silu, rows_, {}, context);
  if (delta)
    context.threads.run(n, ThreadPool::Schedule::dynamic, [&](Index row, int) {
      for (Index group = 0; group < size_.groups; ++group) {
        to_unit(rows_.at(row) + q_ + group * size_.d_k, size_.d_k, 1 / std::sqrt(size_.d_k));
        to_unit(rows_.at(row) + k_ + group * size_.d_k, size_.d_k, 1);
      }
    });
  decay_ = multiply(weights.decay, y, context, stop);
  strength_ = delta ? multiply(weights.strength, y, context, stop) : context.memory.take({n, heads});
  const double factor = size_.factors.back();
  for (Index row = 0; row < n; ++row)
    for (Index head = 0; head < heads; ++head) {
      float &decay = decay_.at(row)[head], &strength = strength_.at(row)[head];
      double step =
          softplus(factor * number(decay_, row, head) + static_cast<double>(weights.step_bias.data()[head]));
      if (delta) {
        strength = 1 / (1 + std::exp(-strength));
      } else {
        step = std::max(step, size_.smallest_step);
        if (size_.largest_step > 0) step = std::min(step, size_.largest_step);
        strength = static_cast<float>(step);
      }
      decay = static_cast<float>(-std::exp(static_cast<double>(weights.rates.data()[head])) * step);
    }
  skip_ = weights.skip;
}

Eigen::RowVectorXd StateHeads::row(Index head, Index query) const {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(n());
  Eigen::VectorXd left = q(head, query).cast<double>();
  for (Index key = query; key >= 0; --key) {
    const Eigen::VectorXd of = k(head, key).cast<double>();
    const double weight = number(strength_, key, head) * of.dot(left);
    row[key] = weight;
    if (replaces()) left -= weight * of;
    left *= std::exp(number(decay_, key, head));
  }
  if (!skip_.empty()) row[query] += static_cast<double>(skip_.data()[head]);
  return row;
}

StateCell StateHeads::cell(Index head, Index query, Index key) const {
  StateCell cell;
  const auto in_double = [](const Vector& x) -> Eigen::VectorXd { return x.cast<double>(); };
  if (key > query) return cell;
  Eigen::VectorXd left = in_double(q(head, query));
  cell.product = left.dot(in_double(k(head, key)));
  for (Index at = query; at > key; --at) {
    const Eigen::VectorXd of = in_double(k(head, at));
    if (replaces()) left -= number(strength_, at, head) * of.dot(left) * of;
    const double decay = std::exp(number(decay_, at, head));
    left *= decay;
    cell.decay *= decay;
  }
  cell.strength = number(strength_, key, head);
  cell.left = left.dot(in_double(k(head, key)));
  if (key == query && !skip_.empty()) cell.skip = static_cast<double>(skip_.data()[head]);
  cell.value = cell.strength * cell.left + cell.skip;
  return cell;
}

Tensor StateHeads::values(Index head) const {
  Tensor values({n(), size_.d_v});
  for (Index row = 0; row < n(); ++row) std::copy_n(v(head, row).data(), size_.d_v, values.at(row));
  return values;
}

Tensor StateHeads::give(const ComputeContext& context, const std::stop_token& stop) const {
  Tensor all = context.memory.take({n(), size_.value_width()});
  context.threads.run(heads(), ThreadPool::Schedule::dynamic, [&](Index head, int) {
    // In doubles: the norm of heads enlarges what is rounded off here.
    Eigen::MatrixXd state = Eigen::MatrixXd::Zero(size_.d_k, size_.d_v);
    Eigen::RowVectorXd added(size_.d_v);
    for (Index row = 0; row < n() && !stop_requested(stop); ++row) {
      const Eigen::VectorXd of = k(head, row).cast<double>();
      state *= std::exp(number(decay_, row, head));
      added = v(head, row).transpose().cast<double>();
      if (replaces()) added -= of.transpose().lazyProduct(state);
      added *= number(strength_, row, head);
      state.noalias() += of * added;
      Eigen::Map<Eigen::RowVectorXf> y(all.at(row) + head * size_.d_v, size_.d_v);
      y = (q(head, row).transpose().cast<double>() * state).cast<float>();
      if (!skip_.empty()) y += skip_.data()[head] * v(head, row).transpose();
    }
  });
  return all;
}

Tensor mixed_rows(const LanguageModel& model, Index layer, const Tensor& y, const AttentionChange& change,
                  const ComputeContext& context, const std::stop_token& stop) {
  const StateMixer& size = *model.config().state_mixer;
  const MixerWeights& weights = mixer_of(model, layer);
  Tensor gate = multiply(weights.gate, y, context, stop);
  if (size.kind == Mixer::short_convolution) {
    Tensor x = multiply(weights.mixed, y, context, stop);
    const Tensor in_gate = multiply(weights.in_gate, y, context, stop);
    as_matrix(x).array() *= as_matrix(in_gate).array();
    Tensor rows = convolved(weights, x, context);
    as_matrix(rows).array() *= as_matrix(std::as_const(gate)).array();
    return rows;
  }
  Tensor rows = StateHeads(model, layer, y, context, stop).give(context, stop);
  multiply_by(size.factors.front(), gate);
  const bool norm_first = size.norm_before_gate;
  if (size.normed && norm_first) norm_heads(weights.heads_norm, size.norm_groups, rows, context);
  gate_heads(gate, rows, context);
  if (size.normed && !norm_first) norm_heads(weights.heads_norm, size.norm_groups, rows, context);
  switch_off(change, size.heads, rows);
  return rows;
}

Tensor mixer_output(const LanguageModel& model, Index layer, const Tensor& mixed,
                    const ComputeContext& context, const std::stop_token& stop) {
  const MixerWeights& weights = mixer_of(model, layer);
  if (weights.blocks.empty()) return multiply(weights.o, mixed, context, stop);
  const Index d_v = model.config().state_mixer->d_v;
  Tensor ordered = context.memory.take(mixed.shape());
  for (Index head = 0; head < std::ssize(weights.blocks); ++head)
    as_matrix(ordered).middleCols(weights.blocks[head] * d_v, d_v) =
        as_matrix(mixed).middleCols(head * d_v, d_v);
  return multiply(weights.o, ordered, context, stop);
}

}  // namespace headscope
