#pragma once
#include <memory>
#include <string_view>

#include "core/source/trace.h"
#include "core/text/token_label.h"

namespace headscope {

/// A block whose heads have a sink (BlockShape::no_token), with one more key behind the others: no token,
/// whose weight is what the sink takes, so that each row sums to 1; its key and its value are vectors of
/// zeros. Every query sees it. `label`: how it is called. The block itself for others, for a rollout, and
/// without maps.
std::shared_ptr<const BlockTrace> with_no_token(std::shared_ptr<const BlockTrace> block,
                                                std::string_view label = no_token_label);

}  // namespace headscope
