#pragma once
#include "core/attention/forward.h"
#include "core/source/maps/map_source.h"

namespace headscope {

/// Whether all numbers are finite: no infinity, no NaN.
bool finite(const Tensor& tensor);

/// Whether a layer with given Q, K and V is guaranteed to stay finite up to its output, by bounds on the
/// sums: |q · k| <= d_k max |Q| max |K|, |context| <= max |V| / (1 - dropout) since a row of weights sums to
/// at most 1, and `o`'s own. False is inconclusive.
bool surely_finite(const LayerTrace& layer, const PackedLinear& o, double dropout);

/// Whether all scores of a layer are finite; its maps are those of layer `index`. They are only read if the
/// bound above is inconclusive. A score of -infinity would look like a blocked one, and leave the output
/// finite.
bool finite_scores(const LayerTrace& layer, const MapSource& maps, int index);

}  // namespace headscope
