#pragma once
#include <functional>

#include "app/panels/shell/ui.h"

namespace headscope {

/// What is told of a head's relations, in the longest way for which `fits` has room; empty where none has.
std::string fitting_badge(const Ui& ui, int layer, int head,
                          const std::function<bool(const std::string& badge)>& fits);
/// Of a head of the layer in view.
std::string fitting_badge(const Ui& ui, int head, const std::function<bool(const std::string& badge)>& fits);

}  // namespace headscope
