#pragma once
#include <span>

#include "core/base/matrix.h"
#include "core/inputs/inputs.h"
#include "core/model/seeded/torch_random.h"
#include "core/text/words.h"

namespace headscope {

/// The input of the first layer.
struct TokenVectors {
  Tensor x;      // [n_q, d_model]
  Tensor key_x;  // [n_k, d_model]  shares x in self-attention
};

/// `random` must be in the state after drawing the parameters, as in PyTorch when a layer is created before
/// its input: `randn` draws the queries' X from it, then in cross-attention the keys'. `embedding` and
/// `typed` draw nothing from it; `typed` throws Error (input) unless the count of numbers matches the tokens.
TokenVectors draw_token_vectors(const Inputs& inputs, std::span<const Token> queries,
                                std::span<const Token> keys, TorchRandom& random);

/// Resizes the typed X to n_q (in cross-attention also n_k) tokens: drops rows of removed tokens; new ones
/// have a 1 in the column of their number.
void fit_typed_x(Inputs& inputs, Index n_q, Index n_k);

/// The vector of a token for `embedding`: d_model values of N(0, 1) that depend only on seed and text.
void embed_token(std::string_view text, std::uint64_t seed, float* out, Index d_model);

/// Adds the sinusoidal positions of Vaswani et al. 2017, section 3.5, to x [n, d_model]:
/// PE(pos, 2i) = sin(pos / 10000^(2i / d_model)), PE(pos, 2i + 1) = cos of the same.
void add_sinusoidal_positions(MatrixSpan x);

}  // namespace headscope
