#pragma once
#include "core/base/forecast.h"
#include "core/inputs/inputs.h"
#include "core/source/trace.h"

namespace headscope {

/// Matrix products of `multiply_adds`.
Forecast forecast_of_products(double multiply_adds);
/// A run of a seeded layer whose mask leaves the share `allowed` of each map's cells; `draws_weights`: they
/// are not known from an earlier run. The maps of `maps` heads are kept.
Forecast forecast_of_run(const Inputs& inputs, Index n_q, Index n_k, double allowed, bool draws_weights,
                         double maps);
/// Whole maps of `heads` heads of a block, computed and drawn; pooled for a long text.
Forecast forecast_of_maps(const BlockTrace& block, double heads);
/// Reading `bytes` of weights, once for each generated token.
Forecast forecast_of_reading(double bytes);
/// All pairs of a block's heads.
Forecast forecast_of_similarity(const BlockTrace& block);
/// The statistics of the maps of `heads` heads.
Forecast forecast_of_statistics(const BlockTrace& block, double heads);
/// Arrays of `bytes`, computed and written, or formatted as text.
Forecast forecast_of_arrays(double bytes, bool as_text);

}  // namespace headscope
