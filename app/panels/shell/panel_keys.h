#pragma once
#include <span>

namespace headscope {

/// A key that works in one part of the window and belongs to no action; all English, to be translated.
struct PanelKey {
  const char* place;
  const char* keys;
  const char* what;
};

/// All of them, those of one place side by side: the list of keys shows them after those of the actions.
std::span<const PanelKey> panel_keys();

}  // namespace headscope
