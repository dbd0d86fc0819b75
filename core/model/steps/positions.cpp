#include "core/model/steps/positions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/base/matrix.h"

namespace headscope {
namespace {

using Frequencies = Eigen::ArrayXd;

// theta^(-2i / d) (Su et al. 2021).
Frequencies plain_frequencies(double theta, Index d) {
  const Index half = d / 2;
  const Frequencies i = Frequencies::LinSpaced(half, 0, static_cast<double>(half - 1));
  return (-2 * i / static_cast<double>(d) * std::log(theta)).exp();
}

// Wavelengths beyond old / low are stretched, those below old / high unchanged, those between interpolated.
Frequencies llama3_frequencies(const Rope& rope, Frequencies f) {
  const double old = static_cast<double>(rope.original_positions);
  const double low = rope.low_frequency_factor, high = rope.high_frequency_factor;
  for (double& frequency : f) {
    const double wavelength = 2 * std::numbers::pi / frequency;
    if (wavelength < old / high) continue;
    const double share = wavelength > old / low ? 0 : (old / wavelength - low) / (high - low);
    frequency *= (1 - share) / rope.factor + share;
  }
  return f;
}

// Peng et al. 2023: a ramp from the dimensions that rotate beta_fast times over the old length, which are
// unchanged, to those that rotate beta_slow times, which are stretched.
Frequencies yarn_frequencies(const Rope& rope, const Frequencies& f, Index d) {
  const double old = static_cast<double>(rope.original_positions), width = static_cast<double>(d);
  const auto dimension_of = [&](double turns) {
    return width * std::log(old / (turns * 2 * std::numbers::pi)) / (2 * std::log(rope.theta));
  };
  double low = dimension_of(rope.beta_fast), high = dimension_of(rope.beta_slow);
  if (rope.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, width - 1);
  if (low == high) high += 0.001;
  const Frequencies i = Frequencies::LinSpaced(f.size(), 0, static_cast<double>(f.size() - 1));
  const Frequencies ramp = ((i - low) / (high - low)).max(0).min(1);
  return f / rope.factor * ramp + f * (1 - ramp);
}

Frequencies longrope_frequencies(const Rope& rope, Frequencies f, Index n) {
  const std::vector<double>& factors = n > rope.original_positions ? rope.long_factors : rope.short_factors;
  for (Index i = 0; i < f.size() && i < std::ssize(factors); ++i) f[i] /= factors[i];
  return f;
}

Frequencies scaled_frequencies(const Rope& rope, Index d, Index n) {
  const double width = static_cast<double>(d);
  Frequencies f = plain_frequencies(rope.theta, d);
  switch (rope.scaling) {
    case RopeScaling::none:
      break;
    case RopeScaling::linear:
      return f / rope.factor;
    case RopeScaling::dynamic:
      if (n > rope.original_positions && d > 2) {
        const double longer = static_cast<double>(n) / static_cast<double>(rope.original_positions);
        const double growth = rope.factor * longer - (rope.factor - 1);
        return plain_frequencies(rope.theta * std::pow(growth, width / (width - 2)), d);
      }
      break;
    case RopeScaling::llama3:
      return llama3_frequencies(rope, std::move(f));
    case RopeScaling::yarn:
      return yarn_frequencies(rope, f, d);
    case RopeScaling::longrope:
      return longrope_frequencies(rope, std::move(f), n);
    case RopeScaling::proportional:
      f.tail(f.size() - rope.turned_pairs).setZero();
      return f / rope.factor;
  }
  return f;
}

}  // namespace

std::vector<double> rotary_frequencies(const Rope& rope, Index head_dim, Index n) {
  if (rope.of_patches) {
    const Frequencies of_axis = plain_frequencies(rope.theta, rope.dimensions / 2);
    std::vector<double> both(of_axis.begin(), of_axis.end());
    both.insert(both.end(), of_axis.begin(), of_axis.end());
    return both;
  }
  const Frequencies f = scaled_frequencies(rope, rope.dimensions > 0 ? rope.dimensions : head_dim, n);
  return {f.begin(), f.end()};
}

double query_scale(const Rope& rope, Index position) {
  if (rope.query_growth == 0) return 1;
  const Index whole = position / rope.original_positions;
  return 1 + rope.query_growth * std::log1p(static_cast<double>(whole));
}

Eigen::RowVectorXd rotary_places(const Rope& rope, Index pairs, Index position,
                                 const PicturePatches& patches) {
  if (!rope.of_patches)
    return Eigen::RowVectorXd::Constant(pairs, static_cast<double>(rope.first_position + position));
  const Index patch = position - patches.first;
  if (patch < 0) return Eigen::RowVectorXd::Zero(pairs);
  const auto centre = [](Index place, Index count) {
    return 2 * std::numbers::pi * (2 * (static_cast<double>(place) + 0.5) / static_cast<double>(count) - 1);
  };
  Eigen::RowVectorXd places(pairs);
  places.head(pairs / 2).setConstant(centre(patch / patches.columns, patches.rows));
  places.tail(pairs / 2).setConstant(centre(patch % patches.columns, patches.columns));
  return places;
}

RotaryTable rotary_table(const Rope& rope, const std::vector<double>& frequencies, Index begin, Index end,
                         const PicturePatches& patches) {
  const Index half = std::ssize(frequencies);
  RotaryTable table{
      Tensor({end - begin, half}), Tensor({end - begin, half}), {}, rope.in_pairs, rope.first_dimension};
  const Eigen::Map<const Frequencies> f(frequencies.data(), half);
  for (Index position = begin; position < end; ++position) {
    const Frequencies angle = f * rotary_places(rope, half, position, patches).transpose().array();
    row_of(table.cosine, position - begin) = (angle.cos() * rope.attention_factor).cast<float>();
    row_of(table.sine, position - begin) = (angle.sin() * rope.attention_factor).cast<float>();
    if (rope.query_growth > 0) table.query_scale.push_back(static_cast<float>(query_scale(rope, position)));
  }
  return table;
}

void rotate(const RotaryTable& table, Index position, float* row) {
  const Index half = table.cosine.dim(1);
  const float *cosine = table.cosine.at(position), *sine = table.sine.at(position);
  const Index step = table.in_pairs ? 2 : 1, other = table.in_pairs ? 1 : half;
  for (Index i = 0; i < half; ++i) {
    float* const first = row + table.first_dimension + i * step;
    const float a = first[0], b = first[other];
    first[0] = a * cosine[i] - b * sine[i];
    first[other] = b * cosine[i] + a * sine[i];
  }
}

void rotate_query(const RotaryTable& table, Index position, float* row, Index d) {
  rotate(table, position, row);
  if (!table.query_scale.empty()) RowSpan(row, d) *= table.query_scale[position];
}

RotatedRow rotated_row(const Rope& rope, const std::vector<double>& frequencies, Index position,
                       const Eigen::RowVectorXd& before, double scale, const PicturePatches& patches) {
  RotatedRow row;
  row.in_pairs = rope.in_pairs;
  row.first_dimension = rope.first_dimension;
  row.position = rope.first_position + position;
  row.first_position = rope.first_position;
  row.frequency = Eigen::Map<const Eigen::RowVectorXd>(frequencies.data(), std::ssize(frequencies));
  row.place = rotary_places(rope, std::ssize(frequencies), position, patches);
  row.of_patches = rope.of_patches;
  row.angle = row.place.cwiseProduct(row.frequency);
  row.cosine = row.angle.array().cos() * rope.attention_factor * scale;
  row.sine = row.angle.array().sin() * rope.attention_factor * scale;
  row.before = before;
  return row;
}

Index relative_bucket(Index key_minus_query, bool two_sided, Index buckets, Index max_distance) {
  Index first = 0;
  Index distance = std::max<Index>(-key_minus_query, 0);
  if (two_sided) {
    buckets /= 2;
    first = key_minus_query > 0 ? buckets : 0;
    distance = std::abs(key_minus_query);
  }
  const Index exact = buckets / 2;
  if (distance < exact) return first + distance;
  // In float32, in this order, as in training: at bucket boundaries the last bit decides.
  const auto near = static_cast<float>(exact);
  const float steps =
      std::log(static_cast<float>(distance) / near) /
      static_cast<float>(std::log(static_cast<double>(max_distance) / static_cast<double>(exact))) *
      static_cast<float>(buckets - exact);
  return first + std::min(exact + static_cast<Index>(steps), buckets - 1);
}

Index log_bucket(Index distance, Index buckets, Index farthest) {
  const Index middle = buckets / 2, size = std::abs(distance);
  if (size <= middle) return distance;
  const double share = std::log(static_cast<double>(size) / static_cast<double>(middle)) /
                       std::log(static_cast<double>(farthest - 1) / static_cast<double>(middle));
  const auto bucket = middle + static_cast<Index>(std::ceil(share * static_cast<double>(middle - 1)));
  return distance < 0 ? -bucket : bucket;
}

void set_sinusoid(Index position, bool to_end, float* row, Index d) {
  const Index half = d / 2;
  const double steps = static_cast<double>(to_end ? std::max<Index>(half - 1, 1) : half);
  const Eigen::ArrayXd i = Eigen::ArrayXd::LinSpaced(half, 0, static_cast<double>(half - 1));
  const Eigen::ArrayXd angle = static_cast<double>(position) * (-i / steps * std::log(10000.0)).exp();
  RowSpan(row, half) = angle.sin().cast<float>();
  RowSpan(row + half, half) = angle.cos().cast<float>();
}

Index Disentangled::row_of(Index distance) const {
  if (computed) return farthest > 0 ? std::clamp(distance, -farthest, farthest) : distance;
  const Index half = rows() / 2;
  return std::clamp<Index>((buckets > 0 ? log_bucket(distance, buckets, farthest) : distance) + half, 0,
                           rows() - 1);
}

Tensor relative_bias(const Tensor& table, Index n_q, Index n_k, bool two_sided, Index max_distance) {
  const Index heads = table.dim(1), distances = n_q + n_k - 1;
  Tensor bias({heads, distances});
  for (Index i = 0; i < distances; ++i) {
    const float* row = table.at(relative_bucket(i - (n_q - 1), two_sided, table.dim(0), max_distance));
    for (Index head = 0; head < heads; ++head) bias.at(head)[i] = row[head];
  }
  return bias;
}

namespace {

// To the nearest, ties to even.
float as_bfloat16(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return std::bit_cast<float>((bits + 0x7FFFU + (bits >> 16 & 1U)) & 0xFFFF0000U);
}

}  // namespace

Tensor linear_bias(const Tensor& slopes, Index n_q, Index n_k) {
  Tensor bias({slopes.size(), n_q + n_k - 1});
  for (Index head = 0; head < slopes.size(); ++head)
    for (Index i = 0; i < bias.dim(1); ++i)
      bias.at(head)[i] = slopes.data()[head] * static_cast<float>(i - (n_q - 1));
  return bias;
}

Tensor rounded_linear_bias(const Tensor& slopes, float factor, Index n_k) {
  Tensor bias({slopes.size(), n_k});
  for (Index head = 0; head < slopes.size(); ++head)
    for (Index key = 0; key < n_k; ++key)
      bias.at(head)[key] =
          factor * as_bfloat16(as_bfloat16(slopes.data()[head]) * as_bfloat16(static_cast<float>(key)));
  return bias;
}

}  // namespace headscope
