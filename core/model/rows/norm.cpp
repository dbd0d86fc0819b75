#include "core/model/rows/norm.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/matrix.h"
#include "core/base/round_up.h"

namespace headscope {
namespace {

void normalize(const Norm& norm, const float* x, float* y, const Kernels& kernels) {
  if (norm.kind == Norm::Kind::scale) {
    const Index d = norm.weight.dim(0);
    RowSpan(y, d) = RowView(x, d) * RowView(norm.weight.data(), d);
    return;
  }
  kernels.normalize(x, norm.weight.dim(0), norm.kind != Norm::Kind::rms, norm.epsilon, norm.weight.data(),
                    norm.bias.empty() ? nullptr : norm.bias.data(), y);
}

// Normalizes rows of x to y, which may be x.
void apply_norm(const Norm& norm, const float* x, float* y, Index count, const ComputeContext& context) {
  constexpr Index at_once = 16;
  const ProfiledStep profiled(context, ComputeStep::sums);
  const Index d = norm.weight.dim(0);
  context.threads.run(divide_up(count, at_once), ThreadPool::Schedule::dynamic, [&](Index piece, int) {
    for (Index i = piece * at_once; i < std::min(count, (piece + 1) * at_once); ++i)
      normalize(norm, x + i * d, y + i * d, context.kernels);
  });
}

}  // namespace

void apply_norm(const Norm& norm, float* row, const Kernels& kernels) {
  normalize(norm, row, row, kernels);
}

void apply_norm_part(const Norm& norm, Index part, Index d, float* row, const Kernels& kernels) {
  kernels.normalize(row, d, norm.kind != Norm::Kind::rms, norm.epsilon, norm.weight.data() + part * d,
                    norm.bias.empty() ? nullptr : norm.bias.data() + part * d, row);
}

void apply_norm(const Norm& norm, float* rows, Index count, const ComputeContext& context) {
  apply_norm(norm, rows, rows, count, context);
}

Tensor normed(const Norm& norm, const float* x, Index n, const ComputeContext& context) {
  Tensor y = context.memory.take({n, norm.weight.dim(0)});
  apply_norm(norm, x, y.data(), n, context);
  return y;
}

NormedRow normed_row(NormedRow row) {
  if (!row.scale) {
    row.mean = row.rms ? 0 : row.x.mean();
    row.deviation = std::sqrt((row.x.array() - row.mean).square().mean() + row.epsilon);
  }
  row.y = (row.x.array() - row.mean) / row.deviation;
  if (row.weight.size() > 0) row.y = row.y.cwiseProduct(row.weight);
  if (row.bias.size() > 0) row.y += row.bias;
  return row;
}

NormedRow normed_row(const Norm& norm, const Eigen::RowVectorXd& x) {
  const auto in_double = [](const Tensor& vector) -> Eigen::RowVectorXd {
    return Eigen::Map<const Eigen::RowVectorXf>(vector.data(), vector.size()).cast<double>();
  };
  NormedRow row;
  row.rms = norm.kind == Norm::Kind::rms;
  row.scale = norm.kind == Norm::Kind::scale;
  row.epsilon = norm.epsilon;
  row.x = x;
  row.weight = in_double(norm.weight);
  if (!norm.bias.empty()) row.bias = in_double(norm.bias);
  return normed_row(std::move(row));
}

}  // namespace headscope
