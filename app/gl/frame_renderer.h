#pragma once
#include "app/gl/damage.h"

namespace headscope::gl {

/// Draws ImGui's frames with its OpenGL backend: the whole frame, or only what differs from the previous one
/// if the framebuffer still holds it. With a software renderer drawing takes most of a frame's time.
class FrameRenderer {
 public:
  /// Draws to the bound framebuffer. `kept`: it still holds what the previous call drew.
  void draw(ImDrawData& data, unsigned background, bool kept, const ContentOf& content);
  /// The content of a texture has changed, such as a font: the next frame is drawn in full.
  void forget() { damage_.forget(); }

 private:
  DamageTracker damage_;
};

}  // namespace headscope::gl
