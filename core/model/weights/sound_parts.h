#pragma once
#include <stop_token>

#include "core/attention/dense.h"

namespace headscope {

constexpr Index sound_taps = 3;  // of each convolution

/// Whisper's first rows of a stream: two convolutions over the frames, each with its activation, of which the
/// second goes two frames at a time.
struct SoundEmbedding {
  Dense first, second;  // [d_model, 3 bands], [d_model, 3 d_model]
  Tensor positions;     // [frames / 2, d_model]
};

/// Rows [frames / 2, d_model] for a spectrogram [frames, bands].
Tensor embed_sound(const SoundEmbedding& embedding, const Tensor& spectrogram, const ComputeContext& context,
                   const std::stop_token& stop);

}  // namespace headscope
