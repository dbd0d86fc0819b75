#pragma once
#include <memory>
#include <stop_token>
#include <vector>

#include "core/inputs/side.h"
#include "core/scene/view.h"
#include "core/source/trace.h"

namespace headscope {

struct FilteredLayer;

/// The maps of a block that a view draws, as maps that hold a range.
HeldMap held_map(const BlockTrace& block, Side side);

/// The ranges that the maps of a layer have by themselves, whatever `view` holds; maps that are not there
/// have none.
std::vector<HeldRange> layer_ranges(const FilteredLayer& shown, const View& view, Side side);

/// The ranges of all maps of a trace, whichever the view shows: of its blocks, layers and heads and, of a
/// model with an encoder and a decoder, of the layers' means. Reads every map, but none of a long text's.
/// Throws Stopped.
std::vector<HeldRange> trace_ranges(const std::shared_ptr<const Trace>& trace, const View& view, Side side,
                                    const std::stop_token& stop = {});

}  // namespace headscope
