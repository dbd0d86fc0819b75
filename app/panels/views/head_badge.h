#pragma once
#include <functional>

#include "app/panels/shell/ui.h"

namespace headscope {

/// What is known about a head's relations, in the longest form that `fits` accepts; empty if none fits.
std::string fitting_badge(const Ui& ui, int layer, int head,
                          const std::function<bool(const std::string& badge)>& fits);
/// The same for a head of the layer in view.
std::string fitting_badge(const Ui& ui, int head, const std::function<bool(const std::string& badge)>& fits);

}  // namespace headscope
