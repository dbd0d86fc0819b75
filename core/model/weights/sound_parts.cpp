#include "core/model/weights/sound_parts.h"

#include "core/base/matrix.h"
#include "core/model/steps/activation.h"

namespace headscope {
namespace {

constexpr Index taps = sound_taps;

/// gelu of a convolution over rows [n, channels] and a row of zeros before and behind them, at every
/// `step`-th of them.
Tensor convolved(const Dense& weights, const Tensor& rows, Index step, const ComputeContext& context,
                 const std::stop_token& stop) {
  const Index n = rows.dim(0), channels = rows.dim(1), count = (n - 1) / step + 1;
  Tensor gathered = context.memory.take({count, channels * taps});
  for (Index i = 0; i < count; ++i)
    for (Index tap = 0; tap < taps; ++tap) {
      const Index from = i * step + tap - taps / 2;
      for (Index channel = 0; channel < channels; ++channel)
        gathered.at(i)[channel * taps + tap] = from >= 0 && from < n ? rows.at(from)[channel] : 0;
    }
  Tensor y = multiply(weights, gathered, context, stop);
  apply_activation(Activation::gelu, y, {}, context);
  return y;
}

}  // namespace

Tensor embed_sound(const SoundEmbedding& embedding, const Tensor& spectrogram, const ComputeContext& context,
                   const std::stop_token& stop) {
  constexpr Index frames_of_token = 2;
  Tensor x = convolved(embedding.second, convolved(embedding.first, spectrogram, 1, context, stop),
                       frames_of_token, context, stop);
  as_matrix(x) += as_matrix(embedding.positions).topRows(x.dim(0));
  return x;
}

}  // namespace headscope
