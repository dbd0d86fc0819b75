#pragma once
#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

/// What a family's files omit, and names of their own for it beside the usual ones.
struct RopeDefaults {
  double theta = 10'000;
  double partial = 1;  ///< the share of a head's dimensions that is rotated
  /// Whether a file may set it; other families ignore the field, which then is in their files by chance.
  bool reads_partial = false;
  bool grows_queries = false;  ///< Rope::query_growth is in the file
  bool has_axes = false;       ///< a file may say that patches' positions have several axes (mrope)
  const char* theta_name = "rope_theta";
  const char* partial_name = "partial_rotary_factor";
  const char* longrope_name = "longrope";  ///< or what a family calls it (the first Phi-3: yarn)
  /// In newer files of families with several, `rope_parameters` has an object for each type of layer (Gemma
  /// 3).
  const char* layer_type = nullptr;
  bool has_proportional = false;  ///< a file may say that few pairs turn, by the frequencies of all (Gemma 4)
  const char* local_theta_name = "rope_local_base_freq";  ///< of read_local_rope()
  /// Whether `rope_scaling` stretches layers with a window too.
  bool scales_windows = false;
  /// The scaling's older name of `rope_type`, or none: `rope_scaling` of families with several has only the
  /// newer one.
  const char* type_name = "type";
};

/// Rotary positions from `rope_parameters` (newer files) or `rope_scaling` and `rope_theta`, every default
/// filled in as transformers' modeling_rope_utils.py does. `positions` is max_position_embeddings.
Rope read_rope(const ConfigFields& config, Index head_dim, Index positions, const RopeDefaults& usual = {});
/// Those of layers with a window (Gemma 3, ModernBERT).
Rope read_local_rope(const ConfigFields& config, Index head_dim, Index positions, const RopeDefaults& usual);

}  // namespace headscope
