#include "core/model/seeded/seeded_layer.h"

#include <algorithm>
#include <cmath>

#include "core/base/matrix.h"
#include "core/model/rows/norm.h"
#include "core/model/steps/activation.h"

namespace headscope {
namespace {

Linear make_linear(Index out, Index in) {
  Linear linear{Tensor({out, in}), Tensor({out})};
  std::fill_n(linear.bias.data(), out, 0.0F);
  return linear;
}

// torch.nn.Linear.reset_parameters: kaiming_uniform_(weight, a = sqrt(5)), then the bias in ±1/sqrt(in); the
// bounds computed in double, in its order.
Linear draw_default(Index out, Index in, TorchRandom& random) {
  Linear linear = make_linear(out, in);
  const auto fan_in = static_cast<double>(in);
  const double deviation = std::sqrt(2.0 / (1.0 + 5.0)) / std::sqrt(fan_in);
  const double bound = std::sqrt(3.0) * deviation;
  random.uniform(linear.weight.data(), linear.weight.size(), -bound, bound);
  const double bias_bound = 1.0 / std::sqrt(fan_in);
  random.uniform(linear.bias.data(), out, -bias_bound, bias_bound);
  return linear;
}

// torch.nn.init.xavier_uniform_ (Glorot and Bengio 2010): ±sqrt(6 / (in + out)), in its order.
double xavier_bound(Index out, Index in) {
  return std::sqrt(3.0) * std::sqrt(2.0 / static_cast<double>(in + out));
}

Linear draw_uniform(Index out, Index in, double bound, TorchRandom& random) {
  Linear linear = make_linear(out, in);
  random.uniform(linear.weight.data(), linear.weight.size(), -bound, bound);
  return linear;
}

Linear draw_normal(Index out, Index in, double sigma, TorchRandom& random) {
  Linear linear = make_linear(out, in);
  random.normal(linear.weight.data(), linear.weight.size(), 0.0, sigma);
  return linear;
}

Linear draw_linear(const Inputs& inputs, Index out, Index in, TorchRandom& random) {
  if (inputs.weights == WeightKind::xavier) return draw_uniform(out, in, xavier_bound(out, in), random);
  if (inputs.weights == WeightKind::normal) return draw_normal(out, in, inputs.sigma, random);
  return draw_default(out, in, random);
}

// The rows of `all` [heads d_k, in] that belong to each group's first head: [kv_heads d_k, in].
Linear first_of_groups(const Linear& all, const Inputs& inputs) {
  const Index in = all.weight.dim(1);
  const Index d_k = inputs.d_model / inputs.heads;
  const Index groups = inputs.key_value_heads();
  const Index heads_per_group = inputs.heads / groups;
  Linear some = make_linear(groups * d_k, in);
  for (Index g = 0; g < groups; ++g) {
    const Index row = g * heads_per_group * d_k;
    as_matrix(some.weight).middleRows(g * d_k, d_k) = as_matrix(all.weight).middleRows(row, d_k);
    std::copy_n(all.bias.data() + row, d_k, some.bias.data() + g * d_k);
  }
  return some;
}

Linear identity(Index size) {
  Linear linear = make_linear(size, size);
  as_matrix(linear.weight).setIdentity();
  return linear;
}

Linear typed(const std::vector<double>& values, MatrixOrder order, Index in) {
  const Index out = std::ssize(values) / in;
  Linear linear = make_linear(out, in);
  if (order == MatrixOrder::out_in)
    as_matrix(linear.weight) = Eigen::Map<const MatrixOf<double>>(values.data(), out, in).cast<float>();
  else
    as_matrix(linear.weight) =
        Eigen::Map<const MatrixOf<double>>(values.data(), in, out).transpose().cast<float>();
  return linear;
}

// torch.nn.MultiheadAttention: its constructor makes out_proj, an nn.Linear, before _reset_parameters draws
// in_proj_weight [3 d, d], whose thirds follow each other, and sets both biases to 0.
LayerWeights draw_multihead_attention(Index d, TorchRandom& random) {
  LayerWeights layer;
  layer.o = draw_default(d, d, random);
  std::fill_n(layer.o.bias.data(), d, 0.0F);
  const double bound = xavier_bound(3 * d, d);
  for (Linear* part : {&layer.q, &layer.k, &layer.v}) *part = draw_uniform(d, d, bound, random);
  return layer;
}

LayerWeights attention_weights(const Inputs& inputs, TorchRandom& random) {
  const Index d = inputs.d_model;
  if (inputs.weights == WeightKind::identity) {
    const Linear full = identity(d);
    const Linear some = first_of_groups(full, inputs);
    return {full, some, some, full, {}, {}};
  }
  if (inputs.weights == WeightKind::manual) {
    const TypedMatrices& matrices = inputs.typed;
    const auto linear = [&](const std::vector<double>& values) { return typed(values, matrices.order, d); };
    return {linear(matrices.w_q), linear(matrices.w_k), linear(matrices.w_v), linear(matrices.w_o), {}, {}};
  }
  if (inputs.weights == WeightKind::mha) return draw_multihead_attention(d, random);
  const Index d_kv = inputs.key_value_heads() * (d / inputs.heads);
  LayerWeights layer;
  layer.q = draw_linear(inputs, d, d, random);
  layer.k = draw_linear(inputs, d_kv, d, random);
  layer.v = draw_linear(inputs, d_kv, d, random);
  layer.o = draw_linear(inputs, d, d, random);
  if (inputs.weights == WeightKind::similarity) layer.k = first_of_groups(layer.q, inputs);
  return layer;
}

// LayerNorm(x + y), each part if enabled.
Tensor add_and_norm(const Tensor& x, const Tensor& y, const Inputs& inputs, const ComputeContext& context) {
  Norm norm;
  norm.weight = Tensor({y.dim(1)});
  std::fill_n(norm.weight.data(), norm.weight.size(), 1.0F);
  Tensor result = context.memory.take(y.shape());
  context.threads.run(y.dim(0), ThreadPool::Schedule::dynamic, [&](Index i, int) {
    RowSpan row = row_of(result, i);
    row = row_of(y, i);
    if (inputs.residual) row += row_of(x, i);
    if (inputs.layer_norm) apply_norm(norm, row.data(), context.kernels);
  });
  return result;
}

}  // namespace

LayerWeights draw_layer(const Inputs& inputs, TorchRandom& random) {
  LayerWeights layer = attention_weights(inputs, random);
  if (inputs.feed_forward) {
    const Index d = inputs.d_model;
    layer.up = draw_linear(inputs, 4 * d, d, random);
    layer.down = draw_linear(inputs, d, 4 * d, random);
  }
  return layer;
}

Tensor next_input(const LayerTrace& layer, const PackedLayer& weights, const Inputs& inputs,
                  const ComputeContext& context, const std::stop_token& stop) {
  Tensor x = add_and_norm(layer.x, layer.output, inputs, context);
  if (!weights.up) return x;
  Tensor wide = multiply(*weights.up, x, context, stop);
  apply_activation(Activation::relu, wide, {}, context);
  return add_and_norm(x, multiply(*weights.down, wide, context, stop), inputs, context);
}

}  // namespace headscope
