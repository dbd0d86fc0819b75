#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "app/gl/damage.h"
#include "app/gl/handles.h"
#include "app/gl/shader_program.h"
#include "app/panels/map/heatmap_painter.h"
#include "core/figure/canvas/pool.h"

namespace headscope::gl {

/// Draws heatmaps by shader into one texture a slot, again only where the request differs. What is uploaded
/// is never more than the picture can show (core/figure/canvas/pool.h), so no map is too large for the limits
/// of a graphics card. Needs a current OpenGL 3.3 context for its whole life; leaves the context's state as
/// it was.
class GlHeatmapPainter : public HeatmapPainter {
 public:
  explicit GlHeatmapPainter(std::string shaders = shader_folder());
  ~GlHeatmapPainter() override;

  ImTextureID draw(int slot, const HeatmapRequest& request) override;
  ImTextureID picture(int slot, const std::shared_ptr<const FigurePicture>& picture) override;
  /// Straight into the window: a picture of many cells need not exist by itself. Without blending, which
  /// costs a processor that draws as much as all else.
  void show(ImDrawList& list, int slot, const HeatmapRequest& request, ImVec2 from, ImVec2 to) override;
  /// By clearing: ImGui's own fill reads a texture and blends at every pixel, which costs a processor that
  /// draws more than all else in a frame.
  void fill(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color) override;

  /// Once a frame, before any draw: takes over changed shader files, gives back what was not shown for long.
  /// True if pictures have to be drawn again.
  bool begin_frame();
  /// What is wrong with a shader file, for the window to show; empty if nothing.
  const std::string& shader_error() const {
    return program_.error().empty() ? copy_program_.error() : program_.error();
  }
  /// What a command of this frame shows, its own callbacks among them; nothing for the callbacks of others.
  std::optional<CommandContent> content(const ImDrawCmd& command) const;
  /// How many pictures were drawn so far.
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
  /// The slot with what its picture is made of; nullptr: nothing can be drawn. `fresh`: that is new.
  Slot* prepare(int slot_number, const HeatmapRequest& request, bool& fresh);
  void complete(Slot& slot);
  void upload(Slot& slot, const HeatmapRequest& request);
  void use_shader(const Slot& slot, bool in_window);

  ShaderProgram program_, copy_program_;
  VertexArray vertex_array_;
  std::map<int, std::unique_ptr<Slot>> slots_;
  std::deque<Fill> fills_;    // of this frame, for ImGui to come back with
  std::deque<Place> places_;  // likewise
  PooledMap pooled_;
  std::vector<std::uint32_t> pixels_;  // of a picture that is filled
  int max_size_ = 0;
  long program_count_ = 0, pictures_drawn_ = 0, frame_ = 0;
};

}  // namespace headscope::gl
