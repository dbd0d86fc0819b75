#include "core/inputs/inputs.h"

#include "core/base/error.h"
#include "core/inputs/cost.h"
#include "core/inputs/fields.h"

namespace headscope {
namespace {

// NaN and infinities are in no range.
template <typename Number>
void check_range(const char* field, Number value, double low, double high) {
  if (!(value >= low && value <= high))
    throw input_error("{} is {}; expected {} to {}", field, value, low, high);
}

void check_typed(const char* field, const std::vector<double>& matrix, int rows, int columns) {
  if (matrix.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns))
    throw input_error("{} has {} numbers; expected {} x {}", field, matrix.size(), rows, columns);
  for (double value : matrix) check_range(field, value, -Limits::max_typed_value, Limits::max_typed_value);
}

void check_shape(const Inputs& inputs) {
  if (inputs.d_model % inputs.heads != 0)
    throw input_error("d_model {} is not divisible by heads {}", inputs.d_model, inputs.heads);
  check_range("kv_heads", inputs.kv_heads, 0, inputs.heads);
  if (inputs.heads % inputs.key_value_heads() != 0)
    throw input_error("heads {} is not divisible by kv_heads {}", inputs.heads, inputs.kv_heads);
  if (const auto parameters = parameter_count(inputs); parameters > Limits::max_parameters)
    throw input_error(
        "the layers have {} parameters; at most {} are possible: fewer layers, a smaller d_model or "
        "share_layers",
        parameters, Limits::max_parameters);
}

void check_mask(const Inputs& inputs) {
  if (inputs.mask.size() > Limits::max_mask_parts)
    throw input_error("mask has {} parts; at most {} are possible", inputs.mask.size(),
                      Limits::max_mask_parts);
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

std::vector<Token> sentence_tokens(const char* field, const std::string& sentence) {
  // Of a text that is too long in any case the start tells whether it is its words or its letters.
  std::string_view start = std::string_view(sentence).substr(0, Limits::max_sentence_bytes);
  while (start.size() < sentence.size() &&
         (static_cast<unsigned char>(sentence[start.size()]) & 0xC0U) == 0x80U)
    start.remove_suffix(1);
  std::vector<Token> tokens = words(start);
  const bool whole = start.size() == sentence.size(), too_many = tokens.size() > Limits::max_tokens;
  if (too_many && whole)
    throw input_error("{} has {} tokens; at most {} can be shown", field, tokens.size(), Limits::max_tokens);
  if (too_many)
    throw input_error("{} has more than {} tokens; at most {} can be shown", field, tokens.size(),
                      Limits::max_tokens);
  if (!whole)
    throw input_error("{} has {} bytes; at most {} are possible", field, sentence.size(),
                      Limits::max_sentence_bytes);
  return tokens;
}

InputTokens tokens_of(const Inputs& inputs) {
  InputTokens tokens{sentence_tokens("sentence", inputs.sentence), {}};
  tokens.keys = inputs.cross() ? sentence_tokens("key_sentence", *inputs.key_sentence) : tokens.queries;
  return tokens;
}

void validate(const Inputs& inputs) {
  for_each_input(inputs, [](const InputField& field, const auto& value) {
    if constexpr (has_limits<std::remove_cvref_t<decltype(value)>>)
      check_range(field.name, value, field.least, field.most);
  });
  check_shape(inputs);
  check_mask(inputs);
  if (inputs.weights == WeightKind::manual) check_typed(inputs);
}

}  // namespace headscope
