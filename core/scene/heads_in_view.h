#pragma once
#include <optional>
#include <vector>

#include "core/scene/view.h"

namespace headscope {

/// The heads of a layer of `heads` heads whose maps a view needs, ascending: those that it shows, or every
/// one where colours are shared with the others. `single` is the head that the head view shows where the view
/// names none. None where a view has no map of its own (layers, head table).
std::vector<int> heads_in_view(const View& view, int heads, std::optional<int> single);

}  // namespace headscope
