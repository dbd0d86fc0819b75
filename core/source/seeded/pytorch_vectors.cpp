#include "core/source/seeded/pytorch_vectors.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/source/seeded/pytorch_text.h"

namespace headscope {
namespace {

/// embed_token() of core/model/token_vectors.h in Python.
std::string vector_function(const Inputs& inputs, const Translator& tr) {
  return fmt::format(R"(

def mix(state):  # SplitMix64
    z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def vector(token):  # {}
    step, start = 0x9E3779B97F4A7C15, 14695981039346656037
    for byte in token.encode():  # FNV-1a
        start = (start ^ byte) * 1099511628211 % 2**64
    start ^= mix(({} + step) % 2**64)
    count = -(-d_model // 16) * 16
    draws = [mix((start + (i + 1) * step) % 2**64) >> 40 for i in range(count)]
    u = torch.tensor(draws).view(-1, 2, 8) / 2**24  # Box–Muller
    radius, angle = (-2 * (1 - u[:, 0]).log()).sqrt(), 2 * math.pi * u[:, 1]
    return torch.stack([radius * angle.cos(), radius * angle.sin()], 1).flatten()[:d_model]


)",
                     tr("N(0, 1), of the token's text and the seed alone"), inputs.seed);
}

std::string positions_function() {
  return "def positions(n):\n"
         "    column = torch.arange(d_model, dtype=torch.float64)\n"
         "    angle = torch.arange(n)[:, None] / 10000 ** ((column - column % 2) / d_model)\n"
         "    return torch.where(column % 2 == 0, angle.sin(), angle.cos()).float()\n\n\n";
}

std::string token_list(const std::vector<Token>& tokens) {
  std::string list;
  for (const Token& token : tokens)
    // JSON's escapes are Python's.
    list += (list.empty() ? "" : ", ") +
            nlohmann::json(token.text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return "[" + list + "]";
}

std::string embedded_vectors(const Trace& trace, const Translator& tr) {
  const Inputs& inputs = trace.inputs;
  const BlockTrace& block = trace.blocks.front();
  const bool placed = inputs.positions == Positions::sinusoidal;
  std::string text = vector_function(inputs, tr);
  if (placed) text += positions_function();
  const auto line = [&](const char* name, const std::vector<Token>& tokens, const char* count) {
    text += fmt::format("{} = torch.stack([vector(t) for t in {}])[None]{}\n", name, token_list(tokens),
                        placed ? fmt::format(" + positions({})", count) : "");
  };
  line("x", block.tokens, "n_q");
  if (inputs.cross()) line("y", block.key_tokens, "n_k");
  return text;
}

std::string typed_vectors(const Trace& trace) {
  const bool cross = trace.inputs.cross();
  const Index numbers = trace.x.size() + (cross ? trace.key_x.size() : 0);
  if (numbers > PytorchLimits::max_numbers)
    throw input_error(
        "the token vectors are typed and have {} numbers; expected at most {} to write out: use a smaller "
        "d_model, fewer tokens, randn or embedding",
        numbers, PytorchLimits::max_numbers);
  const auto line = [](const char* name, const Tensor& x) {
    return fmt::format("{} = torch.tensor([{}], dtype=torch.float32)\n", name, pytorch_rows(as_matrix(x)));
  };
  return line("x", trace.x) + (cross ? line("y", trace.key_x) : "");
}

}  // namespace

std::string pytorch_vectors(const Trace& trace, const Translator& tr) {
  switch (trace.inputs.vectors) {
    case VectorKind::embedding:
      return embedded_vectors(trace, tr);
    case VectorKind::typed:
      return typed_vectors(trace);
    case VectorKind::randn:
      break;
  }
  return trace.inputs.cross() ? "x, y = torch.randn(1, n_q, d_model), torch.randn(1, n_k, d_model)\n"
                              : "x = torch.randn(1, n_q, d_model)\n";
}

}  // namespace headscope
