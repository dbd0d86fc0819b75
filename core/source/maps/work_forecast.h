#pragma once
#include "core/base/forecast.h"
#include "core/inputs/inputs.h"
#include "core/source/trace.h"

namespace headscope {

/// So many multiply-adds of matrix products.
Forecast forecast_of_products(double multiply_adds);
/// A run of a seeded layer whose mask leaves the share `allowed` of each map's cells; `draws_weights`: they
/// are not known from a run before. Of its maps `maps` heads' are kept.
Forecast forecast_of_run(const Inputs& inputs, Index n_q, Index n_k, double allowed, bool draws_weights,
                         double maps);
/// Whole maps of so many heads of a block, computed and drawn; of a long text in groups.
Forecast forecast_of_maps(const BlockTrace& block, double heads);
/// So many bytes of weights, read once for each token that is generated.
Forecast forecast_of_reading(double bytes);
/// All pairs of a block's heads.
Forecast forecast_of_similarity(const BlockTrace& block);
/// The statistics of so many heads' maps.
Forecast forecast_of_statistics(const BlockTrace& block, double heads);
/// So many bytes of arrays, computed and written, or spelled out as text.
Forecast forecast_of_arrays(double bytes, bool as_text);

}  // namespace headscope
