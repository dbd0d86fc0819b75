#pragma once
#include "core/attention/forward.h"
#include "core/source/maps/map_source.h"

namespace headscope {

/// Whether every number is one: no infinity, no NaN.
bool finite(const Tensor& tensor);

/// Whether a layer whose Q, K and V are given stays finite for sure, up to its output: by a bound on what the
/// sums can come to, |q · k| <= d_k max |Q| max |K|, |context| <= max |V| / (1 - dropout) since a row of
/// weights sums to at most 1, and `o`'s own. False says nothing.
bool surely_finite(const LayerTrace& layer, const PackedLinear& o, double dropout);

/// Whether all scores of a layer are finite, its maps being those of layer `index`: looked at where the bound
/// above says nothing. One of -infinity would pass for a blocked one, and leave the output finite.
bool finite_scores(const LayerTrace& layer, const MapSource& maps, int index);

}  // namespace headscope
