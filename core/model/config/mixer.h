#pragma once
#include "core/base/enum_table.h"
#include "core/base/translate.h"

namespace headscope {

/// What of a layer reads other tokens than its own.
enum class Mixer {
  softmax,            ///< attention
  delta_rule,         ///< a state that decays and, for each key, forgets what it replaces (Yang et al. 2025)
  mamba2,             ///< a state that decays (Dao and Gu 2024)
  short_convolution,  ///< over the last tokens, each channel by itself, between two gates (LFM2)
};

/// In files.
constexpr const char* to_name(Mixer mixer) {
  constexpr const char* names[] = {"softmax", "delta_rule", "mamba2", "short_convolution"};
  return of_kind(names, mixer);
}
/// English, to be translated.
constexpr const char* to_label(Mixer mixer) {
  constexpr const char* labels[] = {TR("softmax attention"), TR("gated delta rule"), TR("Mamba-2"),
                                    TR("short convolution")};
  return of_kind(labels, mixer);
}

}  // namespace headscope
