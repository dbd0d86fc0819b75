#include "core/inputs/inputs.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/fields.h"
#include "core/text/boundaries.h"

namespace headscope {
namespace {

constexpr SourceTraits seeded_layer{
    .from_seed = true, .known_ahead = true, .computes = true, .ablates = true, .word_tokens = true};
constexpr SourceTraits trained_model{.computes = true,
                                     .predicts = true,
                                     .ablates = true,
                                     .own_mask = true,
                                     .has_vocabulary = true,
                                     .reads_pairs = true,
                                     .has_decoder = true,
                                     .several_blocks = true};
constexpr SourceTraits capture_file{.several_blocks = true};

// NaN and infinities are in no range.
template <typename Number>
void check_range(const char* field, Number value, double low, double high) {
  if (!(value >= low && value <= high))
    throw input_error("{} is {}; expected {} to {}", field, value, low, high);
}

void check_typed(const char* field, const std::vector<double>& matrix, int rows, int columns) {
  if (matrix.size() != rows * static_cast<std::size_t>(columns))
    throw input_error(
        counted("{} has {} number; expected {} × {}", "{} has {} numbers; expected {} × {}", matrix.size()),
        field, matrix.size(), rows, columns);
  for (double value : matrix) check_range(field, value, -Limits::max_typed_value, Limits::max_typed_value);
}

void check_shape(const Inputs& inputs) {
  if (inputs.d_model % inputs.heads != 0)
    throw input_error("d_model {} is not divisible by heads {}", inputs.d_model, inputs.heads);
  check_range("kv_heads", inputs.kv_heads, 0, inputs.heads);
  if (inputs.heads % inputs.key_value_heads() != 0)
    throw input_error("heads {} is not divisible by kv_heads {}", inputs.heads, inputs.kv_heads);
  if (inputs.weights == WeightKind::mha && inputs.key_value_heads() != inputs.heads)
    throw input_error("kv_heads is {}; nn.MultiheadAttention (weights mha) has as many as heads, {}",
                      inputs.kv_heads, inputs.heads);
}

void check_mask(const Inputs& inputs) {
  if (inputs.mask.size() > Limits::max_mask_parts)
    throw input_error("mask has {} parts; expected at most {}", inputs.mask.size(), Limits::max_mask_parts);
}

void check_typed(const Inputs& inputs) {
  if (inputs.d_model > Limits::max_typed_d_model)
    throw input_error("d_model is {}; expected at most {} with typed weights", inputs.d_model,
                      Limits::max_typed_d_model);
  const int d = inputs.d_model;
  const int d_kv = inputs.key_value_heads() * (d / inputs.heads);
  check_typed("typed.w_q", inputs.typed.w_q, d, d);
  check_typed("typed.w_k", inputs.typed.w_k, d_kv, d);
  check_typed("typed.w_v", inputs.typed.w_v, d_kv, d);
  check_typed("typed.w_o", inputs.typed.w_o, d, d);
}

// The required count is only known when the sentences are split.
void check_typed_x(const Inputs& inputs) {
  for (const auto& [field, values] :
       {std::pair{"typed.x", &inputs.typed.x}, {"typed.key_x", &inputs.typed.key_x}})
    for (const double value : *values)
      check_range(field, value, -Limits::max_typed_value, Limits::max_typed_value);
}

void check_boundaries(const char* field, const std::set<int>& boundaries, const std::string& sentence) {
  if (boundaries.size() > Limits::max_tokens)
    throw input_error("{} has {} numbers; expected at most {}", field, boundaries.size(), Limits::max_tokens);
  const int characters = boundaries.empty() ? 0 : count_characters(sentence);
  for (const int boundary : boundaries)
    if (boundary < 1 || boundary >= characters)
      throw input_error(
          counted("{} is {}; the sentence has only {} character",
                  "{} is {}; expected a place between two of the sentence's {} characters", characters),
          field, boundary, characters);
}

std::vector<Token> with_boundaries(std::vector<Token> words, const char* field, const std::string& sentence,
                                   const char* splits_field, const char* joins_field,
                                   const Boundaries& boundaries) {
  check_boundaries(splits_field, boundaries.splits, sentence);
  check_boundaries(joins_field, boundaries.joins, sentence);
  std::vector<Token> tokens = apply(boundaries, std::move(words), sentence);
  if (tokens.size() > Limits::max_tokens)
    throw input_error("{} has {} tokens; expected at most {}", field, tokens.size(), Limits::max_tokens);
  return tokens;
}

}  // namespace

std::vector<Token> sentence_tokens(const char* field, const std::string& sentence) {
  // For a text that is too long anyway, its start shows whether it has too many tokens or too many bytes.
  std::string_view start = std::string_view(sentence).substr(0, Limits::max_sentence_bytes);
  while (start.size() < sentence.size() && continues_character(sentence[start.size()]))
    start.remove_suffix(1);
  std::vector<Token> tokens = words(start);
  const bool whole = start.size() == sentence.size(), too_many = tokens.size() > Limits::max_tokens;
  if (too_many && whole)
    throw input_error("{} has {} tokens; expected at most {}", field, tokens.size(), Limits::max_tokens);
  if (too_many)
    throw input_error("{} has more than {} tokens; expected at most {}", field, tokens.size(),
                      Limits::max_tokens);
  if (!whole)
    throw input_error("{} has {} bytes; expected at most {}", field, sentence.size(),
                      Limits::max_sentence_bytes);
  return tokens;
}

InputTokens tokens_of(const Text& text) {
  InputTokens tokens{with_boundaries(sentence_tokens("sentence", text.sentence), "sentence", text.sentence,
                                     "splits", "joins", {text.splits, text.joins}),
                     {}};
  tokens.keys = text.cross() ? with_boundaries(sentence_tokens("key_sentence", *text.key_sentence),
                                               "key_sentence", *text.key_sentence, "key_splits", "key_joins",
                                               {text.key_splits, text.key_joins})
                             : tokens.queries;
  return tokens;
}

const SourceTraits& Inputs::about() const {
  return trained() ? trained_model : captured() ? capture_file : seeded_layer;
}

void validate(const Inputs& inputs) {
  for_each_input(inputs, [](const InputField& field, const auto& value) {
    if constexpr (has_limits<std::remove_cvref_t<decltype(value)>>)
      check_range(field.name, value, field.minimum, field.maximum);
  });
  check_mask(inputs);
  if (inputs.trained() && inputs.captured())
    throw input_error("model and capture are both given; expected one of them");
  for (const std::string* path : {&inputs.model, &inputs.capture})
    if (find_invalid_utf8(*path) != std::string::npos)
      throw input_error("{}: the path is not valid UTF-8, so no session or figure can name it; rename it",
                        printable(*path));
  if (!inputs.seeded()) return;
  check_shape(inputs);
  if (inputs.weights == WeightKind::manual) check_typed(inputs);
  if (inputs.vectors == VectorKind::typed) check_typed_x(inputs);
}

}  // namespace headscope
