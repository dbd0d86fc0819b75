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
Eigen::RowVectorXd product(const Dense& dense, double gain, Index first, Index count,
                           const Eigen::RowVectorXd& x) {
  const Tensor rows = rows_of(dense, first, count, best_kernels());
  Eigen::RowVectorXd y = gain * x * as_matrix(rows).cast<double>().transpose();
  if (!dense.bias.empty())
    y += Eigen::Map<const Eigen::RowVectorXf>(dense.bias.data() + first, count).cast<double>();
  return y;
}
Eigen::RowVectorXd product(const HeadProjection& p, Index first, Index count, const Eigen::RowVectorXd& x) {
  return product(*p.dense, static_cast<double>(p.gain), first, count, x);
}

/// The short rows of some projections, of which several may have the same.
class LatentRows {
 public:
  LatentRows(const ComputeContext& context, const std::stop_token& stop) : context_(context), stop_(stop) {}

  const float* of(const HeadProjection& p) {
    if (p.latent == nullptr) return p.from.y;
    for (const auto& [latent, y, rows] : known_)
      if (latent == p.latent && y == p.from.y) return rows.data();
    Tensor rows = product_of(p.latent->down, p, 1);
    apply_norm(p.latent->norm, rows.data(), p.from.n, context_);
    known_.push_back({p.latent, p.from.y, rows});
    return rows.data();
  }
  /// Puts what all heads share behind the rows of each.
  void share(const HeadProjection& p) const {
    if (p.shared == 0) return;
    const Tensor rows = product_of(p.latent->shared, p, p.gain);
    const Index own = p.width() - p.shared;
    for (Index head = 0; head < p.heads; ++head)
      for (Index row = 0; row < p.from.n; ++row)
        std::copy_n(rows.at(row), p.shared, p.to + head * p.stride + row * p.width() + own);
  }

 private:
  struct Known {
    const LatentProjection* latent;
    const float* y;
    Tensor rows;
  };
  Tensor product_of(const Dense& dense, const HeadProjection& p, float gain) const {
    Tensor rows = context_.memory.take({p.from.n, dense.out});
    const DenseProduct product{&dense, p.from.y, p.from.n, dense.in, rows.data(), dense.out, 1, 0, gain};
    multiply({&product, 1}, context_, stop_);
    return rows;
  }

  const ComputeContext& context_;
  const std::stop_token& stop_;
  std::vector<Known> known_;
};

Eigen::RowVectorXd clamped(const Eigen::RowVectorXd& row, double limit) {
  return limit > 0 ? row.cwiseMax(-limit).cwiseMin(limit) : row;
}

}  // namespace

void project_heads(std::span<const HeadProjection> projections, const ModelConfig& config,
                   const ComputeContext& context, const std::stop_token& stop) {
  std::vector<DenseProduct> products;
  LatentRows latents(context, stop);
  for (const HeadProjection& p : projections)
    products.push_back(
        {p.dense, latents.of(p), p.from.n, p.dense->in, p.to, p.width(), p.heads, p.stride, p.gain});
  multiply(products, context, stop);
  for (const HeadProjection& p : projections) latents.share(p);
  for (const HeadProjection& p : projections) {
    const QkNorm norm = norm_of(p, config);
    const auto limit = static_cast<float>(config.qkv_limit);
    if (norm == QkNorm::none && limit == 0 && p.turn == nullptr) continue;
    const Index d = p.width();
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
  if (p.latent != nullptr)
    row.latent = normed_row(p.latent->norm, product(p.latent->down, 1, 0, p.latent->down.out, x));
  row.projected = product(p, head * d, d, row.latent ? row.latent->y : x);
  if (p.latent != nullptr && p.shared > 0) {
    row.projected.conservativeResize(d + p.shared);
    row.projected.tail(p.shared) = product(p.latent->shared, static_cast<double>(p.gain), 0, p.shared, x);
  }
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
