#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "app/gl/damage.h"
#include "app/gl/handles.h"
#include "app/gl/shader_program.h"
#include "app/panels/ui/heatmap_painter.h"
#include "core/figure/canvas/pool.h"

namespace headscope::gl {

/// Draws heatmaps by shader into one texture per slot, redrawn only if the request differs. No more is
/// uploaded than the picture can show (core/figure/canvas/pool.h), so no map exceeds the limits of a graphics
/// card. Needs a current OpenGL 3.3 context for its whole lifetime; what is bound as framebuffer stays bound.
class GlHeatmapPainter : public HeatmapPainter {
 public:
  explicit GlHeatmapPainter(std::string shaders = shader_folder());
  ~GlHeatmapPainter() override;

  ImTextureID draw(int slot, const HeatmapRequest& request) override;
  ImTextureID picture(int slot, const std::shared_ptr<const Picture>& picture) override;
  /// Draws straight into the window: a picture of many cells needs no texture. Without blending, which costs
  /// a software renderer as much as everything else.
  void show(ImDrawList& list, int slot, const HeatmapRequest& request, ImVec2 from, ImVec2 to) override;
  /// By clearing: ImGui's own fill samples a texture and blends at every pixel, which costs a software
  /// renderer more than everything else in a frame.
  void fill(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color) override;

  /// Once a frame, before any draw: loads changed shader files and frees what was not shown for long. True if
  /// pictures have to be redrawn.
  bool begin_frame();
  /// What is wrong with a shader file, for display in the window; empty if nothing.
  const std::string& shader_error() const {
    return program_.error().empty() ? copy_program_.error() : program_.error();
  }
  /// The content of a command of this frame, the painter's own callbacks included; none for other callbacks.
  std::optional<CommandContent> content(const ImDrawCmd& command) const;
  /// Number of pictures drawn so far.
  long pictures_drawn() const { return pictures_drawn_; }

 private:
  struct Slot;
  struct Fill {
    ImVec2 from, to;
    ImU32 color;
  };
  struct Place {
    GlHeatmapPainter* painter;
    Slot* slot;
    ImVec2 from, to;
  };
  static void clear(const ImDrawList*, const ImDrawCmd* command);
  static void put(const ImDrawList*, const ImDrawCmd* command);
  /// The slot with its picture's textures; nullptr: nothing can be drawn. `fresh`: they are new.
  Slot* prepare(int slot_number, const HeatmapRequest& request, bool& fresh);
  void complete(Slot& slot);
  void upload(Slot& slot, const HeatmapRequest& request);
  void use_shader(const Slot& slot, bool in_window);

  ShaderProgram program_, copy_program_;
  VertexArray vertex_array_;
  std::map<int, std::unique_ptr<Slot>> slots_;
  std::deque<Fill> fills_;    // of this frame, passed to ImGui's callbacks
  std::deque<Place> places_;  // of this frame, passed to ImGui's callbacks
  PooledMap pooled_;
  std::vector<std::uint32_t> pixels_;  // of a filled picture
  int max_size_ = 0;
  long program_count_ = 0, pictures_drawn_ = 0, frame_ = 0;
};

}  // namespace headscope::gl
