#pragma once
#include <string>
#include <vector>

#include "app/panels/widgets/heard.h"

namespace headscope {

/// The items for app/window/page/mirror.js, which has an element for each. `way`: how one goes from one to
/// another.
std::string heard_json(const std::vector<HeardItem>& items, const std::string& table_button,
                       const std::string& way);

}  // namespace headscope
