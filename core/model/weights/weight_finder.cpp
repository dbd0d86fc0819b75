#include "core/model/weights/weight_finder.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/base/stopped.h"
#include "core/model/weights/model_size.h"

namespace headscope {
namespace {

// The name with # replaced by the layer's number, or by its group's and % by its number in that.
std::string of_layer(std::string_view name, Index layer, Index layers_of_group) {
  std::string result(name);
  const auto put = [&](char mark, Index number) {
    if (const std::size_t at = result.find(mark); at != std::string::npos)
      result.replace(at, 1, std::to_string(number));
  };
  put('#', layer / layers_of_group);
  put('%', layer % layers_of_group);
  return result;
}

// The name of a norm's weight or bias in old files.
std::string old_name(const std::string& name) {
  static constexpr std::pair<std::string_view, std::string_view> ends[] = {{".weight", ".gamma"},
                                                                           {".bias", ".beta"}};
  for (const auto& [end, old] : ends)
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size()).append(old);
  return name;
}

// Index of the first of `size` numbers that is NaN or infinite, or -1: those have all exponent bits set.
template <typename Bits>
Index first_not_finite(const std::byte* data, Index size, Bits exponent) {
  constexpr Index at_once = 1024;
  std::array<Bits, at_once> numbers;
  for (Index begin = 0; begin < size; begin += at_once) {
    const Index count = std::min(at_once, size - begin);
    std::memcpy(numbers.data(), data + begin * static_cast<Index>(sizeof(Bits)), count * sizeof(Bits));
    Bits found = 0;
    for (Index i = 0; i < count; ++i)
      found = static_cast<Bits>(found | ((numbers[i] & exponent) == exponent ? 1 : 0));
    for (Index i = 0; found != 0 && i < count; ++i)
      if ((numbers[i] & exponent) == exponent) return begin + i;
  }
  return -1;
}

// The same for numbers [begin, end) of a tensor.
Index first_not_finite(const TensorView& view, Index begin, Index end) {
  if (view.dtype == Dtype::other) {  // of MXFP4: only a scale can be no number
    constexpr auto not_a_number = std::byte{0xFF};
    const auto scales = view.bytes.subspan(begin, view.shape.size() == 3 ? end - begin : 0);
    const auto found = std::ranges::find(scales, not_a_number);
    return found == scales.end() ? -1 : begin + (found - scales.begin());
  }
  if (is_widened_first(view.dtype)) {
    constexpr Index at_once = 1024;
    std::array<float, at_once> numbers;
    for (Index at = begin; at < end; at += at_once) {
      const Index count = std::min(at_once, end - at);
      dequantize(view.dtype, view.bytes.data(), at, count, numbers.data());
      const auto* const found = std::find_if_not(numbers.data(), numbers.data() + count,
                                                 [](float number) { return std::isfinite(number); });
      if (found != numbers.data() + count) return at + (found - numbers.data());
    }
    return -1;
  }
  const bool wide = view.dtype == Dtype::f32;
  const std::byte* data = view.bytes.data() + begin * (wide ? 4 : 2);
  const Index found =
      wide ? first_not_finite<std::uint32_t>(data, end - begin, 0x7F800000U)
           : first_not_finite<std::uint16_t>(
                 data, end - begin, view.dtype == Dtype::f16 ? std::uint16_t{0x7C00} : std::uint16_t{0x7F80});
  return found < 0 ? -1 : begin + found;
}

StoredMatrix stored(const TensorView& view, Index rows, Index columns) {
  return {view.bytes.data(), view.dtype, rows, columns, columns};
}

// Columns [first, first + out) of a fused matrix.
Dense part_of(const Dense& fused, Index first, Index out) {
  Dense dense = fused;
  dense.out = out;
  dense.weight.data += bytes_of(fused.weight.dtype, first * (fused.input_rows ? 1 : fused.weight.stride));
  (fused.input_rows ? dense.weight.columns : dense.weight.rows) = out;
  if (fused.bias.empty()) return dense;
  dense.bias = Tensor({out});
  std::copy_n(fused.bias.data() + first, out, dense.bias.data());
  return dense;
}

// Columns [first, first + out) of each group of `size` columns of a fused matrix.
Dense parts_of(const Dense& fused, Index size, Index first, Index out) {
  std::vector<Dense> pieces;
  for (Index group = 0; group < fused.out; group += size)
    pieces.push_back(part_of(fused, group + first, out));
  return joined(std::move(pieces));
}

/// One below another, each of which may be in pieces.
Dense stacked(std::initializer_list<Dense> parts) {
  std::vector<Dense> pieces;
  for (const Dense& part : parts) {
    if (part.pieces.empty()) pieces.push_back(part);
    pieces.insert(pieces.end(), part.pieces.begin(), part.pieces.end());
  }
  return joined(std::move(pieces));
}

Norm times(Norm norm, double factor) {
  if (factor == 1 || !norm.present()) return norm;
  const Tensor weight = norm.weight;
  norm.weight = Tensor(weight.shape());
  RowSpan(norm.weight.data(), weight.size()) =
      RowView(weight.data(), weight.size()) * static_cast<float>(factor);
  return norm;
}

}  // namespace

WeightFinder::WeightFinder(const WeightFiles& files, const ModelConfig& config)
    : files_(files), config_(config), family_(family_of(config)) {}

std::vector<std::string_view> WeightFinder::other_prefixes() const {
  std::vector<std::string_view> prefixes(family_.other_prefixes.begin(), family_.other_prefixes.end());
  if (config_.text_part_of != nullptr)
    prefixes = {"model.language_model.", "language_model.model.", "language_model.", "model.text_model."};
  std::erase(prefixes, std::string_view());
  return prefixes;
}

std::vector<std::string> WeightFinder::names_of(std::string_view name, Index layer) const {
  const std::string bare = of_layer(name, layer, config_.layers_of_group);
  std::vector<std::string> candidates{std::string(family_.prefix) + bare};
  // By the name of a bare model's last norm, BEiT's guess of hidden patches has one of its own.
  const bool of_guess = config_.family == ModelFamily::beit && bare.starts_with("layernorm.") &&
                        files_.find("beit." + bare) != nullptr;
  if (!of_guess) candidates.push_back(bare);
  for (const std::string_view prefix : other_prefixes()) candidates.push_back(std::string(prefix) + bare);
  for (std::size_t i = 0, count = candidates.size(); i < count; ++i)
    candidates.push_back(old_name(candidates[i]));
  return candidates;
}

std::string WeightFinder::name_of(std::string_view name, Index layer) const {
  std::string found;
  for (const std::string& candidate : names_of(name, layer)) {
    const TensorView* view = files_.find(candidate);
    if (view == nullptr || candidate == found) continue;
    if (found.empty())
      found = candidate;
    else if (!same_numbers(*files_.find(found), *view))
      throw input_error("{}: the same tensor as {} by another name, with other numbers; expected one of them",
                        files_.where(candidate), found);
  }
  return found;
}

bool WeightFinder::has(std::string_view name, Index layer) const {
  return !name.empty() && !name_of(std::string(name) + ".weight", layer).empty();
}

std::string WeightFinder::usual_name(std::string_view name, Index layer) const {
  const HeadNames head = head_names(config_, config_.output.kind);
  const auto begins = [&](std::string_view part) { return !part.empty() && name.starts_with(part); };
  const bool of_head = (!head.body_transform && begins(head.transform)) || begins(head.norm) ||
                       begins(head.output) || std::ranges::any_of(head.biases, begins);
  if (of_head) return of_layer(name, layer, config_.layers_of_group);
  std::vector<std::string_view> prefixes = other_prefixes();
  prefixes.push_back(family_.prefix);
  for (const std::string_view prefix : prefixes) {
    const auto first = files_.tensors().lower_bound(prefix);
    if (!prefix.empty() && first != files_.tensors().end() && first->first.starts_with(prefix))
      return std::string(prefix) + of_layer(name, layer, config_.layers_of_group);
  }
  return of_layer(name, layer, config_.layers_of_group);
}

std::string WeightFinder::any_of(std::span<const std::string_view> names) const {
  for (const std::string_view name : names)
    if (std::string found = name.empty() ? std::string() : name_of(name); !found.empty()) return found;
  return {};
}

bool WeightFinder::same(const std::string& name, const std::string& other) const {
  const TensorView *one = files_.find(name), *two = files_.find(other);
  return one != nullptr && two != nullptr && same_numbers(*one, *two);
}

const TensorView& WeightFinder::expect(std::string_view name, Index layer, std::span<const Index> shape,
                                       const char* type) const {
  const std::string found = name_of(name, layer);
  if (found.empty())
    throw input_error("{}: the tensor is missing; {} needs it", files_.where(usual_name(name, layer)),
                      to_name(config_.family));
  const TensorView& view = *files_.find(found);
  if (type != nullptr && view.type_name != type)
    throw input_error("{}: numbers of type {}; expected {}", files_.where(found), view.type_name, type);
  if (type == nullptr && view.dtype == Dtype::other && files_.has_config())
    throw input_error("{}: numbers of type {}; expected {}", files_.where(found), view.type_name,
                      dtype_names());
  if (type == nullptr && view.dtype == Dtype::other)
    throw input_error("{}: numbers of type {}; expected float32, float16, bfloat16 or float64",
                      files_.where(found), view.type_name);
  const auto use = [&]() -> const TensorView& {
    for (std::string& same : names_of(name, layer))
      if (files_.find(same) != nullptr) found_.insert(std::move(same));
    return view;
  };
  // A vector or a matrix may have leading axes of size 1; a single number may have none.
  if (view.shape.empty() && shape.size() == 1 && shape[0] == 1) return use();
  const std::ptrdiff_t axes = std::max(view.shape.size(), shape.size()) - shape.size();
  const bool ones =
      std::all_of(view.shape.begin(), view.shape.begin() + axes, [](Index n) { return n == 1; });
  if (!ones || !std::ranges::equal(std::span(view.shape).subspan(axes), shape)) {
    const std::string has = fmt::format("{}", fmt::join(view.shape, ", ")),
                      wants = fmt::format("{}", fmt::join(shape, ", "));
    if (files_.has_config())
      throw input_error("{}: shape is [{}]; expected [{}], from the metadata", files_.where(found), has,
                        wants);
    throw input_error("{}: shape is [{}]; expected [{}], by config.json and its defaults",
                      files_.where(found), has, wants);
  }
  return use();
}

StoredMatrix WeightFinder::matrix(std::string_view name, Index rows, Index columns, Index layer) const {
  return stored(expect(name, layer, std::array{rows, columns}), rows, columns);
}

Tensor WeightFinder::vector(std::string_view name, Index size, Index layer) const {
  const TensorView& view = expect(name, layer, std::array{size});
  Tensor values({size});
  copy_as_float(view, values.data(), files_.where(name));
  return values;
}

Tensor WeightFinder::table(std::string_view name, Index rows, Index columns) const {
  const TensorView& view = expect(name, 0, std::array{rows, columns});
  Tensor values({rows, columns});
  copy_as_float(view, values.data(), files_.where(name));
  return values;
}

Dense WeightFinder::convolution(std::string_view name, std::span<const Index> shape, bool bias) const {
  Dense dense;
  dense.in = 1;
  for (const Index size : shape.subspan(1)) dense.in *= size;
  dense.out = shape[0];
  dense.weight = stored(expect(std::string(name) + ".weight", 0, shape), dense.out, dense.in);
  if (bias) dense.bias = vector(std::string(name) + ".bias", dense.out);
  return dense;
}

ConvolutionWeights WeightFinder::token_convolution(const StackNames& names,
                                                   const TokenConvolution& size) const {
  const Index d = config_.d_model, channels = d / size.groups;
  Dense all;
  all.in = channels * size.taps;
  all.out = d;
  const TensorView& view =
      expect(std::string(names.convolution) + ".weight", 0, std::array{d, channels, size.taps});
  all.weight = stored(view, all.out, all.in);
  all.bias = vector(std::string(names.convolution) + ".bias", d);
  ConvolutionWeights weights;
  for (Index first = 0; first < d; first += channels) weights.groups.push_back(part_of(all, first, channels));
  weights.norm = norm(names.convolution_norm, d);
  return weights;
}

Dense WeightFinder::dense(std::string_view name, Index in, Index out, bool bias, Index layer) const {
  const std::string weight = std::string(name) + ".weight";
  Dense dense;
  dense.in = in;
  dense.out = out;
  dense.input_rows = family_.input_rows && !config_.output_rows;
  dense.weight = dense.input_rows ? matrix(weight, in, out, layer) : matrix(weight, out, in, layer);
  if (bias) dense.bias = vector(std::string(name) + ".bias", out, layer);
  return dense;
}

Norm WeightFinder::norm(std::string_view name, Index size, Index layer) const {
  Norm norm{family_.norm, config_.norm_epsilon, {}, {}};
  if (name.empty()) return norm;
  if (!config_.norm_weights) {
    norm.weight = Tensor({size});
    std::fill_n(norm.weight.data(), size, 1.0F);
    return norm;
  }
  norm.weight = vector(std::string(name) + ".weight", size, layer);
  for (Index i = 0; i < size; ++i) norm.weight.data()[i] += static_cast<float>(config_.norm_offset);
  if (norm.kind == Norm::Kind::layer && config_.norm_bias)
    norm.bias = vector(std::string(name) + ".bias", size, layer);
  return norm;
}

Norm WeightFinder::qk_norm(std::string_view name, Index heads, Index d_k, Index layer) const {
  if (config_.qk_norm == QkNorm::none) return {};
  if (config_.qk_norm != QkNorm::own)
    return norm(name, config_.qk_norm == QkNorm::head ? d_k : heads * d_k, layer);
  Norm all{family_.norm, config_.norm_epsilon, Tensor({heads, d_k}), {}};
  const std::size_t number = name.find('@');
  if (number == std::string_view::npos) {
    const StoredMatrix stored = matrix(std::string(name) + ".weight", heads, d_k, layer);
    for (Index head = 0; head < heads; ++head) stored.copy_row(head, best_kernels(), all.weight.at(head));
    return all;
  }
  for (Index head = 0; head < heads; ++head) {
    const Tensor one =
        vector(std::string(name).replace(number, 1, std::to_string(head)) + ".weight", d_k, layer);
    std::copy_n(one.data(), d_k, all.weight.at(head));
  }
  return all;
}

AttentionWeights WeightFinder::attention(const AttentionNames& names, const LayerStack& size,
                                         Index layer) const {
  const Index d = config_.d_model, d_k = head_dim_of(config_, size, layer);
  const Index kv_heads = size.kv_heads_of(layer), queries = size.heads * d_k, keys = kv_heads * d_k;
  AttentionWeights weights;
  if (config_.family == ModelFamily::xlnet) {
    find_by_heads(names, size.heads, layer, weights);
    weights.norm = norm(names.norm, d, layer);
    return weights;
  }
  const Index values = config_.latent ? size.heads * config_.latent->d_v : queries;
  if (config_.latent) {
    find_latent(names, *config_.latent, size, layer, weights);
  } else if (names.fused.empty()) {
    weights.q = dense(names.q, d, config_.gated_heads ? 2 * queries : queries,
                      config_.qkv_bias && config_.query_bias && names.q_bias.empty(), layer);
    if (config_.gated_heads) {
      weights.gate = parts_of(weights.q, 2 * d_k, d_k, d_k);
      weights.q = parts_of(weights.q, 2 * d_k, 0, d_k);
    }
    if (size.has_own_keys(layer)) {
      weights.k = dense(names.k, d, keys, config_.qkv_bias && config_.key_bias, layer);
      weights.v = config_.values_are_keys(layer)
                      ? weights.k
                      : dense(names.v, d, keys, config_.qkv_bias && config_.value_bias, layer);
    }
  } else {
    const bool own_bias = !names.q_bias.empty();
    Dense fused = dense(names.fused, d, queries + 2 * keys, config_.qkv_bias && !own_bias, layer);
    const Index groups = config_.fused_groups;
    const Index of_q = queries / groups, of_k = keys / groups, all = of_q + 2 * of_k;
    if (own_bias) {
      fused.bias = Tensor({groups, all});
      as_matrix(fused.bias).setZero();
      const Tensor q = vector(names.q_bias, queries, layer), v = vector(names.v_bias, keys, layer);
      for (Index group = 0; group < groups; ++group) {
        std::copy_n(q.data() + group * of_q, of_q, fused.bias.at(group));
        std::copy_n(v.data() + group * of_k, of_k, fused.bias.at(group) + of_q + of_k);
      }
    }
    weights.q = parts_of(fused, all, 0, of_q);
    weights.k = parts_of(fused, all, of_q, of_k);
    weights.v = parts_of(fused, all, of_q + of_k, of_k);
    if (own_bias) weights.k.bias = {};  // that of its pieces is zeros
    if (config_.fused_values_first) std::swap(weights.k, weights.v);
  }
  if (!names.segments.empty()) {
    find_position_terms(names, size.heads, layer, weights);
  } else if (const auto& positions = config_.disentangled) {
    const bool own = !positions->shared;
    if (positions->from_position)
      weights.position_q = own ? dense(names.position_q, d, queries, true, layer) : weights.q;
    if (positions->to_position)
      weights.position_k = own ? dense(names.position_k, d, keys, names.fused.empty(), layer) : weights.k;
  }
  if (!names.q_global.empty()) {
    weights.q_global = dense(names.q_global, d, queries, config_.qkv_bias, layer);
    weights.k_global = dense(names.k_global, d, keys, config_.qkv_bias, layer);
    weights.v_global = dense(names.v_global, d, keys, config_.qkv_bias, layer);
  }
  weights.o = dense(names.o, values, d, config_.output_bias, layer);
  weights.q_norm = qk_norm(names.q_norm, size.heads, d_k, layer);
  if (size.has_own_keys(layer)) {
    weights.k_norm = qk_norm(names.k_norm, kv_heads, d_k, layer);
    if (config_.value_norm) {
      weights.v_norm = {family_.norm, config_.norm_epsilon, Tensor({d_k}), {}};
      std::fill_n(weights.v_norm.weight.data(), d_k, 1.0F);
    }
  }
  weights.norm = times(norm(names.norm, d, layer), config_.attention_input_factor);
  weights.output_norm = norm(names.output_norm, d, layer);
  if (!names.output_scale.empty())
    weights.output_norm = {Norm::Kind::scale, 0, vector(names.output_scale, d, layer), {}};
  if (config_.sinks) weights.sinks = vector(names.sinks, size.heads, layer);
  return weights;
}

Dense WeightFinder::from_model(std::string_view name, Index heads, Index layer) const {
  const Index d = config_.d_model, d_k = config_.head_dim, width = heads * d_k;
  Dense dense;
  dense.input_rows = true;
  dense.in = d;
  dense.out = width;
  dense.weight = stored(expect(name, layer, std::array{d, heads, d_k}), d, width);
  return dense;
}

void WeightFinder::find_by_heads(const AttentionNames& names, Index heads, Index layer,
                                 AttentionWeights& weights) const {
  weights.q = from_model(names.q, heads, layer);
  weights.k = from_model(names.k, heads, layer);
  weights.v = from_model(names.v, heads, layer);
  weights.o = from_model(names.o, heads, layer);
  weights.o.input_rows = false;
  std::swap(weights.o.in, weights.o.out);
  find_position_terms(names, heads, layer, weights);
}

void WeightFinder::find_position_terms(const AttentionNames& names, Index heads, Index layer,
                                       AttentionWeights& weights) const {
  const Index d_k = config_.head_dim, width = heads * d_k;
  const auto rows = [&](std::string_view name) {
    const StoredMatrix stored = matrix(name, heads, d_k, layer);
    Tensor table({heads, d_k});
    for (Index head = 0; head < heads; ++head) stored.copy_row(head, best_kernels(), table.at(head));
    return table;
  };
  weights.position_k = from_model(names.position_k, heads, layer);
  const Tensor bias = rows(names.q_bias);
  weights.q.bias = Tensor({width});
  std::copy_n(bias.data(), width, weights.q.bias.data());
  weights.position_shift = rows(names.position_bias);
  weights.segment_shift = rows(names.segment_bias);
  for (Tensor* const shift : {&weights.position_shift, &weights.segment_shift})
    as_matrix(*shift) -= as_matrix(bias);
  // Of the same segment, and of another, which Funnel has first: a head's are apart.
  const TensorView& segments = expect(names.segments, layer, std::array{Index{2}, heads, d_k});
  Tensor both({2, heads, d_k});
  copy_as_float(segments, both.data(), files_.where(name_of(names.segments, layer)));
  weights.segments = Tensor({heads, 2, d_k});
  for (Index head = 0; head < heads; ++head)
    for (const Index other : {0, 1})
      std::copy_n(both.at(config_.funnel ? 1 - other : other) + head * d_k, d_k,
                  weights.segments.at(head) + other * d_k);
}

void WeightFinder::find_latent(const AttentionNames& names, const Latent& latent, const LayerStack& size,
                               Index layer, AttentionWeights& weights) const {
  const Index d = config_.d_model, d_k = config_.head_dim, own = d_k - latent.rotated, rank = latent.rank;
  // Their norms have their class's epsilon, whatever config.json says.
  const auto normed = [&](std::string_view name, Index width) {
    Norm norm = this->norm(name, width, layer);
    norm.epsilon = 1e-6;
    return norm;
  };
  if (latent.query_rank > 0)
    weights.query_latent = {dense(names.query_down, d, latent.query_rank, latent.biased, layer),
                            normed(names.query_down_norm, latent.query_rank),
                            {}};
  weights.q = latent.query_rank > 0 ? dense(names.query_up, latent.query_rank, size.heads * d_k, false, layer)
                                    : dense(names.q, d, size.heads * d_k, false, layer);
  const Dense both = dense(names.down, d, rank + latent.rotated, latent.biased, layer);
  weights.latent = {part_of(both, 0, rank), normed(names.down_norm, rank),
                    part_of(both, rank, latent.rotated)};
  if (has(names.key_up, layer)) {
    weights.k = of_heads(names.key_up, {size.heads, rank, own}, true, layer);
    weights.v = of_heads(names.value_up, {size.heads, latent.d_v, rank}, false, layer);
    return;
  }
  const Index of_head = own + latent.d_v;
  const Dense up = dense(names.up, rank, size.heads * of_head, false, layer);
  weights.k = parts_of(up, of_head, 0, own);
  weights.v = parts_of(up, of_head, own, latent.d_v);
}

Dense WeightFinder::of_heads(std::string_view name, const std::array<Index, 3>& shape, bool input_rows,
                             Index layer) const {
  const auto [heads, rows, columns] = shape;
  const StoredMatrix all = stored(expect(std::string(name) + ".weight", layer, shape), heads * rows, columns);
  std::vector<Dense> pieces;
  for (Index head = 0; head < heads; ++head) {
    Dense& one = pieces.emplace_back();
    one.input_rows = input_rows;
    one.in = input_rows ? rows : columns;
    one.out = input_rows ? columns : rows;
    one.weight = all;
    one.weight.rows = rows;
    one.weight.data += bytes_of(all.dtype, head * rows * all.stride);
  }
  return joined(std::move(pieces));
}

void WeightFinder::as_llama_cpp_has_them(const MixerNames& names, const StateMixer& size, Index layer,
                                         MixerWeights& weights) const {
  for (float& rate : std::span(weights.rates.data(), size.heads)) {
    if (!(rate < 0))
      throw input_error("{}: {}; expected negative numbers", files_.where(name_of(names.rates, layer)), rate);
    rate = std::log(-rate);
  }
  const Index each = size.heads / size.groups;
  if (names.strength.empty() || each == 1) return;
  for (Index head = 0; head < size.heads; ++head)
    weights.blocks.push_back(head % each * size.groups + head / each);
  const auto in_order = [&](Dense& dense, Index width) {
    std::vector<Dense> pieces;
    for (const Index block : weights.blocks) pieces.push_back(part_of(dense, block * width, width));
    dense = joined(std::move(pieces));
  };
  const auto columns_in_order = [&](Tensor& rows, Index first, Index width) {
    for (Index row = 0; row < rows.size() / rows.shape().back(); ++row) {
      float* const to = rows.data() + row * rows.shape().back() + first;
      const std::vector<float> before(to, to + size.heads * width);
      for (Index head = 0; head < size.heads; ++head)
        std::copy_n(before.data() + weights.blocks[head] * width, width, to + head * width);
    }
  };
  const Index keys = 2 * size.key_width();
  Dense of_values = part_of(weights.mixed, keys, size.value_width());
  in_order(of_values, size.d_v);
  weights.mixed = stacked({part_of(weights.mixed, 0, keys), of_values});
  in_order(weights.gate, size.d_v);
  in_order(weights.strength, 1);
  in_order(weights.decay, 1);
  columns_in_order(weights.taps, keys, size.d_v);
  columns_in_order(weights.rates, 0, 1);
  columns_in_order(weights.step_bias, 0, 1);
}

MixerWeights WeightFinder::mixer(const MixerNames& names, const StateMixer& size, Index layer) const {
  const Index d = config_.d_model, keys = size.key_width(), values = size.value_width();
  const bool short_one = size.kind == Mixer::short_convolution;
  const Index channels = short_one ? d : size.channels();
  MixerWeights weights;
  weights.norm = times(norm(names.norm, d, layer), size.input_factor);
  if (short_one) {
    const Dense all = dense(names.in, d, 3 * d, size.bias, layer);
    weights.in_gate = part_of(all, 0, d);
    weights.gate = part_of(all, d, d);
    weights.mixed = part_of(all, 2 * d, d);
  } else if (size.kind == Mixer::mamba2) {
    const Dense all = dense(names.in, d, values + channels + size.heads, size.bias, layer);
    weights.gate = part_of(all, 0, values);
    weights.mixed = part_of(all, values, channels);
    weights.decay = part_of(all, values + channels, size.heads);
    weights.skip = vector(names.skip, size.heads, layer);
  } else {
    const Index each = size.heads / size.groups, of_values = each * size.d_v,
                group = 2 * (size.d_k + of_values);
    if (has(names.gate, layer)) {
      weights.mixed = dense(names.in, d, channels, false, layer);
      weights.gate = dense(names.gate, d, values, false, layer);
    } else {
      const Dense all = dense(names.in, d, size.groups * group, false, layer);
      weights.mixed = stacked({parts_of(all, group, 0, size.d_k), parts_of(all, group, size.d_k, size.d_k),
                               parts_of(all, group, 2 * size.d_k, of_values)});
      weights.gate = parts_of(all, group, 2 * size.d_k + of_values, of_values);
    }
    if (names.strength_and_decay.empty()) {
      weights.strength = dense(names.strength, d, size.heads, false, layer);
      weights.decay = dense(names.decay, d, size.heads, false, layer);
    } else {
      const Dense both = dense(names.strength_and_decay, d, 2 * size.heads, false, layer);
      weights.strength = parts_of(both, 2 * each, 0, each);
      weights.decay = parts_of(both, 2 * each, each, each);
    }
  }
  const std::string convolution = std::string(names.convolution) + ".weight";
  Tensor taps({channels, size.taps});
  copy_as_float(expect(convolution, layer, std::array{channels, Index{1}, size.taps}), taps.data(),
                files_.where(name_of(convolution, layer)));
  weights.taps = Tensor({size.taps, channels});
  for (Index channel = 0; channel < channels; ++channel) {
    const double factor = channel < values ? size.factors[1] : size.factors[channel < values + keys ? 2 : 3];
    for (Index tap = 0; tap < size.taps; ++tap)
      weights.taps.at(tap)[channel] = taps.data()[channel * size.taps + tap] * static_cast<float>(factor);
  }
  if (size.taps_bias) weights.taps_bias = vector(std::string(names.convolution) + ".bias", channels, layer);
  weights.o = dense(names.o, short_one ? d : values, d, size.output_bias, layer);
  if (short_one) return weights;
  weights.rates = vector(names.rates, size.heads, layer);
  weights.step_bias = vector(names.step_bias, size.heads, layer);
  if (files_.has_config()) as_llama_cpp_has_them(names, size, layer, weights);
  if (!size.normed) return weights;
  const Index width = size.kind == Mixer::delta_rule ? size.d_v : values;
  // Its weights are as they are, whatever is added to those of other norms.
  const Tensor norms = vector(std::string(names.heads_norm) + ".weight", width, layer);
  weights.heads_norm = {
      family_.norm, config_.norm_epsilon, Tensor({size.norm_groups, width / size.norm_groups}), {}};
  std::copy_n(norms.data(), width, weights.heads_norm.weight.data());
  return weights;
}

LayerEmbeddingWeights WeightFinder::layer_embedding(const StackNames& names, const LayerStack& size,
                                                    Index layer) const {
  const auto& [width, vocabulary] = *config_.layer_embeddings;
  const EmbeddingNames& tables = family_.embedding;
  const Index d = config_.d_model, all = size.layers * width;
  LayerEmbeddingWeights weights;
  weights.table = matrix(tables.of_layers, vocabulary, all);
  weights.table.columns = width;
  weights.table.data += bytes_of(weights.table.dtype, layer * width);
  weights.from_words = part_of(dense(tables.to_layers, d, all, false), layer * width, width);
  weights.norm = norm(tables.layers_norm, width);
  weights.gate = dense(names.layer_embedding.gate, d, width, false, layer);
  weights.project = dense(names.layer_embedding.project, width, d, false, layer);
  weights.output_norm = norm(names.layer_embedding.output_norm, d, layer);
  return weights;
}

AltUpWeights WeightFinder::alt_up(const AltUpNames& names, Index layer) const {
  const Index d = config_.d_model, streams = config_.alt_up->streams, rank = config_.laurel_rank;
  AltUpWeights weights;
  weights.prediction = dense(names.prediction, streams, streams * streams, false, layer);
  weights.correction = dense(names.correction, streams, streams, false, layer);
  weights.router = dense(names.router, d, streams, false, layer);
  weights.router_norm = times(norm(names.router_norm, d, layer), 1 / static_cast<double>(d));
  if (config_.alt_up->scaled) weights.scale = {Norm::Kind::scale, 0, vector(names.scale, d, layer), {}};
  weights.left = dense(names.left, d, rank, false, layer);
  weights.right = dense(names.right, rank, d, false, layer);
  weights.norm = norm(names.norm, d, layer);
  weights.half = {Norm::Kind::scale, 0, Tensor({d}), {}};
  std::fill_n(weights.half.weight.data(), d, std::numbers::sqrt2_v<float> / 2);
  return weights;
}

Norm WeightFinder::factor(std::string_view name, Index layer) const {
  Norm norm{Norm::Kind::scale, 0, Tensor({config_.d_model}), {}};
  std::fill_n(norm.weight.data(), config_.d_model, *vector(name, 1, layer).data());
  return norm;
}

namespace {

/// The z that a normally distributed number is below with this probability.
double normal_quantile(double share) {
  double low = -40, high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::numbers::sqrt2) / 2 < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

FeedForwardWeights WeightFinder::feed_forward(const FeedForwardNames& names, Index d_ff, Index layer) const {
  const Index d = config_.d_model;
  FeedForwardWeights weights;
  const bool routed = config_.experts && config_.experts->in_layer(layer);
  if (!config_.shared_norm && !(routed && config_.experts->normed_apart))
    weights.norm = norm(names.norm, d, layer);
  weights.output_norm = norm(names.output_norm, d, layer);
  if (!names.output_scale.empty())
    weights.output_norm = {Norm::Kind::scale, 0, vector(names.output_scale, d, layer), {}};
  if (!config_.sparsity.empty() && config_.sparsity[layer] > 0)
    weights.cutoff = normal_quantile(static_cast<double>(static_cast<float>(config_.sparsity[layer])));
  if (routed) {
    weights.experts = std::make_shared<const RoutedExperts>(experts(names, *config_.experts, d_ff, layer));
    return weights;
  }
  if (!names.fused.empty() && !has(names.gate, layer)) {
    const Dense fused = dense(names.fused, d, 2 * d_ff, config_.mlp_bias, layer);
    weights.gate = part_of(fused, 0, d_ff);
    weights.up = part_of(fused, d_ff, d_ff);
  } else {
    weights.up = dense(config_.gated ? names.other_up : names.up, d, d_ff, config_.mlp_bias, layer);
    if (config_.gated) weights.gate = dense(names.gate, d, d_ff, config_.mlp_bias, layer);
  }
  weights.down = dense(names.down, d_ff, d, config_.mlp_bias, layer);
  return weights;
}

Dense WeightFinder::expert_of(std::string_view name, Index count, Index expert, Index in, Index out,
                              Index layer) const {
  Dense dense;
  dense.in = in;
  dense.out = out;
  const std::string blocks = std::string(name) + "_blocks", scales = std::string(name) + "_scales";
  if (config_.experts->biased && !name_of(blocks, layer).empty()) {
    const DtypeBlock& block = block_of(Dtype::mxfp4_apart);
    const Index groups = in / block.numbers;
    const std::array shape{count, out, groups, block.bytes};
    dense.weight = {expect(blocks, layer, shape, "uint8").bytes.data(), Dtype::mxfp4_apart, out, in, in};
    dense.weight.scales =
        expect(scales, layer, std::span(shape).first<3>(), "uint8").bytes.data() + expert * out * groups;
  } else {
    dense.input_rows = config_.experts->biased;
    const Index rows = dense.input_rows ? in : out, columns = dense.input_rows ? out : in;
    dense.weight = stored(expect(name, layer, std::array{count, rows, columns}), rows, columns);
  }
  dense.weight.data += bytes_of(dense.weight.dtype, expert * out * in);
  if (!config_.experts->biased) return dense;
  const StoredMatrix biases = matrix(std::string(name) + "_bias", count, out, layer);
  dense.bias = Tensor({out});
  biases.copy_row(expert, best_kernels(), dense.bias.data());
  return dense;
}

RoutedExperts WeightFinder::experts(const FeedForwardNames& names, const Experts& experts, Index d_ff,
                                    Index layer) const {
  const Index d = config_.d_model;
  RoutedExperts weights;
  // gpt-oss's are stored apart in a GGUF file alone, Gemma 4's never.
  const bool fused = experts.limit > 0 ? !files_.has_config()
                                       : experts.normed_apart || !name_of(names.experts_fused, layer).empty();
  weights.router = dense(fused ? names.fused_router : names.router, d, experts.count, experts.biased, layer);
  if (experts.sigmoid) weights.bias = vector(names.router_bias, experts.count, layer);
  if (experts.normed_apart) {
    weights.router_norm = times(
        {family_.norm, config_.norm_epsilon, vector(names.router_scale, d, layer), {}}, 1 / std::sqrt(d));
    weights.factors = vector(names.expert_scales, experts.count, layer);
    weights.norm = norm(names.experts_norm, d, layer);
    weights.output_norm = norm(names.experts_output_norm, d, layer);
  }
  for (Index expert = 0; expert < experts.count; ++expert) {
    const auto of_expert = [&](std::string_view name) {
      return std::string(name).replace(name.find('@'), 1, std::to_string(expert));
    };
    FeedForwardWeights& one = weights.each.emplace_back();
    if (fused && experts.limit > 0) {
      one.up = expert_of(names.experts_fused, experts.count, expert, d, 2 * experts.d_ff, layer);
      one.down = expert_of(names.experts_down, experts.count, expert, experts.d_ff, d, layer);
      continue;
    }
    if (fused) {
      const Dense both = expert_of(names.experts_fused, experts.count, expert, d, 2 * experts.d_ff, layer);
      one.gate = part_of(both, 0, experts.d_ff);
      one.up = part_of(both, experts.d_ff, experts.d_ff);
      one.down = expert_of(names.experts_down, experts.count, expert, experts.d_ff, d, layer);
      continue;
    }
    one.up = dense(of_expert(names.expert_up), d, experts.d_ff, experts.biased, layer);
    one.gate = dense(of_expert(names.expert_gate), d, experts.d_ff, experts.biased, layer);
    one.down = dense(of_expert(names.expert_down), experts.d_ff, d, experts.biased, layer);
  }
  if (experts.shared_d_ff == 0) return weights;
  FeedForwardWeights& shared = weights.shared.emplace();
  const Index shared_d_ff = experts.normed_apart ? d_ff : experts.shared_d_ff;
  if (experts.normed_apart) {
    shared.norm = norm(names.norm, d, layer);
    shared.output_norm = norm(names.shared_output_norm, d, layer);
  }
  if (!names.shared_fused.empty() && !has(names.shared_gate, layer)) {
    const Dense both = dense(names.shared_fused, d, 2 * experts.shared_d_ff, config_.mlp_bias, layer);
    shared.gate = part_of(both, 0, experts.shared_d_ff);
    shared.up = part_of(both, experts.shared_d_ff, experts.shared_d_ff);
  } else {
    shared.up = dense(names.shared_up, d, shared_d_ff, config_.mlp_bias, layer);
    shared.gate = dense(names.shared_gate, d, shared_d_ff, config_.mlp_bias, layer);
  }
  shared.down = dense(names.shared_down, shared_d_ff, d, config_.mlp_bias, layer);
  if (!experts.shared_plain) weights.shared_router = dense(names.shared_router, d, 1, false, layer);
  return weights;
}

void WeightFinder::check_finite(const ComputeContext& context, LoadProgress* progress) const {
  constexpr Index at_once = Index{1} << 18;
  struct Piece {
    const std::string* name;
    const TensorView* view;
    Index begin;
  };
  std::vector<Piece> pieces;
  for (const std::string& name : found_) {
    const TensorView* view = files_.find(name);
    if (progress != nullptr) progress->total += view->bytes.size();
    for (Index begin = 0; begin < view->size(); begin += at_once) pieces.push_back({&name, view, begin});
  }
  // The first piece in the order of names, independent of thread timing.
  std::atomic<Index> first = std::ssize(pieces);
  const auto place_in = [&](Index i) {
    const Piece& piece = pieces[i];
    return first_not_finite(*piece.view, piece.begin, std::min(piece.begin + at_once, piece.view->size()));
  };
  context.threads.run(std::ssize(pieces), ThreadPool::Schedule::dynamic, [&](Index i, int) {
    if (progress != nullptr && stop_requested(progress->stop.get_token())) return;
    const bool whole = place_in(i) < 0;
    if (progress != nullptr) {
      const TensorView& view = *pieces[i].view;
      const std::size_t numbers = std::max<Index>(1, view.size());
      const std::size_t checked = std::min(at_once, view.size() - pieces[i].begin);
      progress->done += view.bytes.size() / numbers * checked;
    }
    if (whole) return;
    for (Index before = first; i < before && !first.compare_exchange_weak(before, i);) {
    }
  });
  if (progress != nullptr && stop_requested(progress->stop.get_token()))
    throw unable_error("opening the model was cancelled");
  if (first == std::ssize(pieces)) return;
  const std::string& name = *pieces[first].name;
  throw input_error("{}: number {} is not finite; a model has no NaN and no infinity in its weights",
                    files_.where(name), place_in(first));
}

}  // namespace headscope
