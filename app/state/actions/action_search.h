#pragma once
#include <string>
#include <vector>

#include "app/state/action.h"

namespace headscope {

/// With small letters, of ASCII alone.
std::string lower(std::string text);

/// How well `query` names an action, by its name or by other words for it, in any language whatever the
/// window's: higher is better, below 0 is no match. Words match from their beginnings.
int match_score(const Action& action, const std::string& query);

/// Those of `actions` that match, each by its score; first what can be run now.
std::vector<const Action*> find_actions(const App& app, const std::vector<const Action*>& actions,
                                        const std::string& query);

}  // namespace headscope
