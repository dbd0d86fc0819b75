#include "core/attention/equation.h"

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/flush_denormals.h"

namespace headscope {
namespace {

// x (gain W)ᵀ + b with the rows of W and b from `first` on: one head's W_iᵠ, W_iᴷ or W_iⱽ of section 3.2.2.
template <typename Scalar>
MatrixOf<Scalar> project(const MatrixOf<Scalar>& x, const Linear& linear, Index first, Index rows,
                         Scalar gain = 1) {
  const MatrixOf<Scalar> w = as_matrix(linear.weight).middleRows(first, rows).template cast<Scalar>();
  const auto b = RowView(linear.bias.data() + first, rows).matrix().transpose().template cast<Scalar>();
  return (gain * x * w.transpose()).rowwise() + b;
}

// softmax(x / T)_j = exp((x_j - max x) / T) / Σ; a row of nothing but -infinity becomes zeros.
template <typename Scalar, typename Row>
void softmax(Row&& x, Scalar inverse_temperature) {
  const Scalar largest = x.maxCoeff();
  if (largest == -std::numeric_limits<Scalar>::infinity()) {
    x.setZero();
    return;
  }
  x = ((x - largest) * inverse_temperature).exp();
  x /= x.sum();
}

}  // namespace

template <typename Scalar>
LayerMatrices<Scalar> attention_equation(const LayerWeights& layer, const AttentionRequest& request) {
  using Blocked = Eigen::Array<std::uint8_t, 1, Eigen::Dynamic>;
  const FlushDenormals flush;
  const MatrixOf<Scalar> x = as_matrix(request.x).cast<Scalar>();
  const MatrixOf<Scalar> key_x = as_matrix(request.key_x).cast<Scalar>();
  const Index heads = request.heads, kv_heads = request.kv_heads;
  const Index n_q = x.rows(), n_k = key_x.rows(), d_model = x.cols(), d_k = layer.q.weight.dim(0) / heads;
  const Scalar scale{request.scale}, fill{request.fill}, inverse_temperature{request.inverse_temperature};

  LayerMatrices<Scalar> m;
  m.k.resize(kv_heads * n_k, d_k);
  m.v.resize(kv_heads * n_k, d_k);
  for (Index g = 0; g < kv_heads; ++g) {
    m.k.middleRows(g * n_k, n_k) = project<Scalar>(key_x, layer.k, g * d_k, d_k, request.gain_k);
    m.v.middleRows(g * n_k, n_k) = project<Scalar>(key_x, layer.v, g * d_k, d_k);
  }

  m.q.resize(heads * n_q, d_k);
  m.scores.resize(heads * n_q, n_k);
  m.weights.resize(heads * n_q, n_k);
  m.context.resize(n_q, heads * d_k);
  for (Index h = 0; h < heads; ++h) {
    const Index g = h * kv_heads / heads;  // grouped-query attention: Ainslie et al. 2023
    auto Q = m.q.middleRows(h * n_q, n_q), scores = m.scores.middleRows(h * n_q, n_q);
    const auto K = m.k.middleRows(g * n_k, n_k), V = m.v.middleRows(g * n_k, n_k);
    auto weights = m.weights.middleRows(h * n_q, n_q);

    // Equation 1: Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, with mask and dropout.
    Q = project<Scalar>(x, layer.q, h * d_k, d_k, request.gain_q);
    scores.noalias() = scale * Q * K.transpose();
    weights = scores;
    std::vector<std::uint8_t> scratch;
    for (Index query = 0; query < n_q && request.mask != nullptr; ++query)
      if (const auto* blocked = request.mask->blocked_row(static_cast<int>(h), query, scratch))
        weights.row(query) = (Eigen::Map<const Blocked>(blocked, n_k) != 0).select(fill, scores.row(query));
    auto rows = weights.array();  // not a temporary: the loop's iterators refer to it
    for (auto row : rows.rowwise()) softmax(row, inverse_temperature);
    if (request.dropout) {
      Matrix factors(n_q, n_k);
      request.dropout(h, 0, n_q, factors.data());
      weights.array() *= factors.array().template cast<Scalar>();
    }
    m.context.middleCols(h * d_k, d_k).noalias() = weights * V;
  }

  switch_off(request.ablated, heads, m.context);
  // MultiHead(Q, K, V) = Concat(head_1, …, head_h) Wᴼ
  m.output = project<Scalar>(m.context, layer.o, 0, d_model);
  return m;
}

template LayerMatrices<float> attention_equation(const LayerWeights&, const AttentionRequest&);
template LayerMatrices<double> attention_equation(const LayerWeights&, const AttentionRequest&);

LayerTrace attend_by_equation(const LayerWeights& layer, const AttentionRequest& request) {
  LayerMatrices<float> m = attention_equation<float>(layer, request);
  const Index heads = request.heads, n_q = request.x.dim(0), n_k = request.key_x.dim(0);
  const auto as_tensor = [](Matrix& matrix, std::vector<Index> shape) {
    const auto memory = std::make_shared<Matrix>(std::move(matrix));
    return Tensor(std::move(shape), std::shared_ptr<float>(memory, memory->data()));
  };
  LayerTrace trace;
  trace.x = request.x;
  trace.q = as_tensor(m.q, {heads, n_q, m.q.cols()});
  trace.k = as_tensor(m.k, {request.kv_heads, n_k, m.k.cols()});
  trace.v = as_tensor(m.v, {request.kv_heads, n_k, m.v.cols()});
  trace.kept_heads = request.keep_heads.value_or(all_heads(request.heads));
  const Index kept = std::ssize(trace.kept_heads);
  for (Index i = 0; i < kept; ++i) {  // kept heads move up to the front, in place
    const int h = trace.kept_heads[i];
    if (h != i) {
      m.scores.middleRows(i * n_q, n_q) = m.scores.middleRows(h * n_q, n_q);
      m.weights.middleRows(i * n_q, n_q) = m.weights.middleRows(h * n_q, n_q);
    }
    std::vector<std::uint8_t> scratch;
    Extent& all = trace.extents.emplace_back();
    for (Index query = 0; query < n_q; ++query)
      all.extend(weight_extent(m.weights.row(i * n_q + query).data(),
                               request.mask ? request.mask->blocked_row(h, query, scratch) : nullptr, n_k,
                               request.fill));
  }
  if (kept > 0) {
    if (request.keep_scores) trace.scores = as_tensor(m.scores, {kept, n_q, n_k});
    trace.weights = as_tensor(m.weights, {kept, n_q, n_k});
  }
  trace.context = as_tensor(m.context, {n_q, m.context.cols()});
  trace.output = as_tensor(m.output, {n_q, m.output.cols()});
  return trace;
}

}  // namespace headscope
