#pragma once
#include <string_view>
#include <vector>

#include "app/state/app.h"

namespace headscope {

/// The signs used besides the words of the interface, included in every font atlas.
std::string_view signs_in_use();
/// The texts that are split into tokens.
std::vector<std::string_view> sentences_in_use(const Workspace& work);
/// Every text that may contain characters not in the interface, for the font atlas.
std::vector<std::string_view> texts_in_use(const App& app);

}  // namespace headscope
