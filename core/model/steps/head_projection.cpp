#include "core/model/steps/head_projection.h"

#include <algorithm>
#include <vector>

#include "core/base/matrix.h"

namespace headscope {
namespace {

// The norm of row `row` of all heads at once, by way of `scratch`.
void norm_all_heads(const HeadProjection& p, Index row, Index d, std::vector<float>& scratch,
                    const Kernels& kernels) {
  scratch.resize(p.heads * d);
  float* const at = p.to + row * d;
  for (Index head = 0; head < p.heads; ++head)
    std::copy_n(at + head * p.stride, d, scratch.data() + head * d);
  apply_norm(*p.norm, scratch.data(), kernels);
  for (Index head = 0; head < p.heads; ++head)
    std::copy_n(scratch.data() + head * d, d, at + head * p.stride);
}

// Which norm a projection has.
QkNorm norm_of(const HeadProjection& p, const ModelConfig& config) {
  return p.norm != nullptr && p.norm->present() ? config.qk_norm : QkNorm::none;
}

// gain x Wᵀ + b, of `count` columns from `first` on.
Eigen::RowVectorXd product(const HeadProjection& p, Index first, Index count, const Eigen::RowVectorXd& x) {
  const Tensor rows = rows_of(*p.dense, first, count, best_kernels());
  Eigen::RowVectorXd y = static_cast<double>(p.gain) * x * as_matrix(rows).cast<double>().transpose();
  if (!p.dense->bias.empty())
    y += Eigen::Map<const Eigen::RowVectorXf>(p.dense->bias.data() + first, count).cast<double>();
  return y;
}

Eigen::RowVectorXd clamped(const Eigen::RowVectorXd& row, double limit) {
  return limit > 0 ? row.cwiseMax(-limit).cwiseMin(limit) : row;
}

}  // namespace

void project_heads(std::span<const HeadProjection> projections, const ModelConfig& config,
                   const ComputeContext& context, const std::stop_token& stop) {
  std::vector<DenseProduct> products;
  for (const HeadProjection& p : projections)
    products.push_back(
        {p.dense, p.from.y, p.from.n, p.dense->in, p.to, p.dense->out / p.heads, p.heads, p.stride, p.gain});
  multiply(products, context, stop);
  for (const HeadProjection& p : projections) {
    const QkNorm norm = norm_of(p, config);
    const auto limit = static_cast<float>(config.qkv_limit);
    if (norm == QkNorm::none && limit == 0 && p.turn == nullptr) continue;
    const Index d = p.dense->out / p.heads;
    context.threads.run(p.from.n, ThreadPool::Schedule::dynamic, [&](Index row, int) {
      std::vector<float> scratch;
      if (limit > 0)
        for (Index head = 0; head < p.heads; ++head) {
          RowSpan values(p.to + head * p.stride + row * d, d);
          values = values.max(-limit).min(limit);
        }
      if (norm == QkNorm::all_heads) norm_all_heads(p, row, d, scratch, context.kernels);
      for (Index head = 0; head < p.heads; ++head) {
        float* values = p.to + head * p.stride + row * d;
        if (norm == QkNorm::head) apply_norm(*p.norm, values, context.kernels);
        if (norm == QkNorm::own) apply_norm_part(*p.norm, head, d, values, context.kernels);
        if (p.turn == nullptr) continue;
        if (p.of_queries)
          rotate_query(*p.turn, p.from.turn_row + row, values, d);
        else
          rotate(*p.turn, p.from.turn_row + row, values);
      }
    });
  }
}

ProjectedRow projected_row(const HeadProjection& p, const ModelConfig& config, Index head,
                           const Eigen::RowVectorXd& x) {
  const Index d = p.dense->out / p.heads;
  const double limit = config.qkv_limit;
  ProjectedRow row;
  row.projected = product(p, head * d, d, x);
  row.before_turn = clamped(row.projected, limit);
  switch (norm_of(p, config)) {
    case QkNorm::none:
      return row;
    case QkNorm::all_heads:
      row.norm = normed_row(*p.norm, clamped(product(p, 0, p.dense->out, x), limit));
      row.before_turn = row.norm->y.segment(head * d, d);
      return row;
    case QkNorm::head:
      row.norm = normed_row(*p.norm, row.before_turn);
      break;
    case QkNorm::own: {
      Norm own = *p.norm;
      own.weight = p.norm->weight.part(head);
      row.norm = normed_row(own, row.before_turn);
    }
  }
  row.before_turn = row.norm->y;
  return row;
}

}  // namespace headscope
