#pragma once
#include <span>

namespace headscope {

/// A key that works in one part of the window and belongs to no action; texts are English, to be translated.
struct PanelKey {
  const char* place;
  const char* keys;
  const char* what;
};

/// All of them, grouped by place: the list of keys shows them after those of the actions.
std::span<const PanelKey> panel_keys();

}  // namespace headscope
