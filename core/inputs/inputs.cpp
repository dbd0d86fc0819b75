#include "core/inputs/inputs.h"

#include <cmath>

#include "core/base/error.h"
#include "core/inputs/cost.h"

namespace headscope {
namespace {

// NaN and infinities are in no range.
void check_range(const char* field, double value, double low, double high) {
  if (!(value >= low && value <= high))
    throw input_error("{} is {}; expected {} to {}", field, value, low, high);
}

void check_range(const char* field, int value, int low, int high) {
  if (value < low || value > high) throw input_error("{} is {}; expected {} to {}", field, value, low, high);
}

void check_typed(const char* field, const std::vector<double>& matrix, int rows, int columns) {
  if (matrix.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns))
    throw input_error("{} has {} numbers; expected {} x {}", field, matrix.size(), rows, columns);
  for (double value : matrix) check_range(field, value, -Limits::max_typed_value, Limits::max_typed_value);
}

void check_shape(const Inputs& inputs) {
  check_range("d_model", inputs.d_model, 1, Limits::max_d_model);
  check_range("heads", inputs.heads, 1, Limits::max_heads);
  if (inputs.d_model % inputs.heads != 0)
    throw input_error("d_model {} is not divisible by heads {}", inputs.d_model, inputs.heads);
  check_range("kv_heads", inputs.kv_heads, 0, inputs.heads);
  if (inputs.heads % inputs.key_value_heads() != 0)
    throw input_error("heads {} is not divisible by kv_heads {}", inputs.heads, inputs.kv_heads);
  check_range("layers", inputs.layers, 1, Limits::max_layers);
  if (const auto parameters = parameter_count(inputs); parameters > Limits::max_parameters)
    throw input_error(
        "the layers have {} parameters; at most {} are possible: fewer layers, a smaller d_model or "
        "share_layers",
        parameters, Limits::max_parameters);
}

void check_typed(const Inputs& inputs) {
  if (inputs.d_model > Limits::max_typed_d_model)
    throw input_error("d_model is {}; typed weights need one of at most {}", inputs.d_model,
                      Limits::max_typed_d_model);
  const int d = inputs.d_model;
  const int d_kv = inputs.key_value_heads() * (d / inputs.heads);
  check_typed("typed.w_q", inputs.manual_weights.w_q, d, d);
  check_typed("typed.w_k", inputs.manual_weights.w_k, d_kv, d);
  check_typed("typed.w_v", inputs.manual_weights.w_v, d_kv, d);
  check_typed("typed.w_o", inputs.manual_weights.w_o, d, d);
}

}  // namespace

InputTokens tokens_of(const Inputs& inputs) {
  InputTokens tokens{words(inputs.sentence), {}};
  tokens.keys = inputs.cross() ? words(*inputs.key_sentence) : tokens.queries;
  return tokens;
}

void validate(const Inputs& inputs) {
  check_shape(inputs);
  check_range("temperature", inputs.temperature, Limits::min_temperature, Limits::max_temperature);
  check_range("dropout", inputs.dropout, 0.0, 1.0);
  check_range("gain_q", inputs.gain_q, -Limits::max_gain, Limits::max_gain);
  check_range("gain_k", inputs.gain_k, -Limits::max_gain, Limits::max_gain);
  check_range("sigma", inputs.sigma, 0.0, Limits::max_sigma);
  if (inputs.weights == WeightKind::manual) check_typed(inputs);
}

}  // namespace headscope
