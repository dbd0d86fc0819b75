#pragma once
#include "app/gl/damage.h"

namespace headscope::gl {

/// Draws ImGui's frames with its OpenGL backend: all of a frame, or what of it differs from the one before,
/// where the framebuffer still holds that one. A processor that draws takes most of a frame's time for it.
class FrameRenderer {
 public:
  /// Draws to the bound framebuffer. `kept`: it holds what the call before has drawn.
  void draw(ImDrawData& data, unsigned background, bool kept, const ContentOf& content);
  /// What textures hold has changed, as of a font: the next frame is drawn whole.
  void forget() { damage_.forget(); }

 private:
  DamageTracker damage_;
};

}  // namespace headscope::gl
