#pragma once
#include <imgui.h>

#include "app/panels/shell/ui.h"

namespace headscope {

struct App;

/// The colours of the window beyond those ImGui's own style has.
struct Palette {
  ImU32 background;  ///< behind everything
  ImU32 panel;       ///< sections, cards
  ImU32 border;
  ImU32 text;
  ImU32 muted;   ///< labels, hints
  ImU32 accent;  ///< what is chosen
  ImU32 accent_soft;
  ImU32 on_accent;
  ImU32 warning;
  ImU32 error;
  ImU32 field;  ///< inside of edit boxes
};
const Palette& palette(WindowTheme theme);

/// Colours as they are chosen, and whether the view is presented.
void set_style(Style& style, const App& app);

/// Colours and sizes of ImGui's style, from scratch: nothing adds up when it is called again.
void apply_theme(const Style& style);

ImVec4 to_vec4(ImU32 color);
ImU32 with_alpha(ImU32 color, float alpha);

}  // namespace headscope
