#include "app/gl/heatmap_renderer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "app/gl/color_thresholds.h"
#include "app/gl/opengl.h"
#include "app/panels/widgets/imgui_calls.h"

namespace headscope::gl {
namespace {

constexpr long frames_kept = 240;  // of a slot that is not drawn, as in a view that was left

int integer_of(GLenum name) {
  int value = 0;
  glGetIntegerv(name, &value);
  return value;
}

/// For drawing a picture between ImGui's frames: the framebuffers are bound again on destruction. ImGui's
/// backend sets and restores whatever else of OpenGL's state it needs.
class DrawsPicture {
 public:
  DrawsPicture()
      : draw_framebuffer_(integer_of(GL_DRAW_FRAMEBUFFER_BINDING)),
        read_framebuffer_(integer_of(GL_READ_FRAMEBUFFER_BINDING)) {
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glActiveTexture(GL_TEXTURE0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  }
  ~DrawsPicture() {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, draw_framebuffer_);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, read_framebuffer_);
  }
  DrawsPicture(const DrawsPicture&) = delete;
  DrawsPicture& operator=(const DrawsPicture&) = delete;

 private:
  int draw_framebuffer_, read_framebuffer_;
};

/// For the bound texture: a pixel is one of its texels.
void sample_exactly() {
  constexpr std::array<GLenum, 2> filters{GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER};
  constexpr std::array<GLenum, 2> edges{GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T};
  for (const GLenum filter : filters) glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  for (const GLenum edge : edges) glTexParameteri(GL_TEXTURE_2D, edge, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
}

/// A texture that is only read by texelFetch, and whose size seldom changes.
struct DataTexture {
  Texture texture;
  int width = 0, height = 0;

  void upload(GLint internal, GLenum format, GLenum type, int new_width, int new_height, const void* data) {
    if (!texture) texture = Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture.id());
    if (new_width == width && new_height == height) {
      glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, format, type, data);
      return;
    }
    width = new_width;
    height = new_height;
    glTexImage2D(GL_TEXTURE_2D, 0, internal, width, height, 0, format, type, data);
    sample_exactly();
  }
};

/// Everything that determines a picture. The owner is held weakly: once drawn, a picture needs no values, and
/// an old trace must be freed.
struct Key {
  std::weak_ptr<const void> owner;
  HeatmapRequest request;
  std::array<Rgb, 256> colors{};
  long program = 0;
};

bool same_owner(const std::weak_ptr<const void>& a, const std::shared_ptr<const void>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

bool same(const ColorRange& a, const ColorRange& b) {
  return a.low == b.low && a.high == b.high && a.logarithm == b.logarithm && a.row_factors == b.row_factors;
}

bool same_picture(const Key& key, const HeatmapRequest& b, long program) {
  const HeatmapRequest& a = key.request;
  return key.program == program && same_owner(key.owner, b.owner) && a.values == b.values &&
         a.blocked == b.blocked && a.n_q == b.n_q && a.n_k == b.n_k && a.query_begin == b.query_begin &&
         a.query_end == b.query_end && a.key_begin == b.key_begin && a.key_end == b.key_end &&
         a.width == b.width && a.height == b.height && same(a.range, b.range) &&
         a.masked.background == b.masked.background && a.masked.line == b.masked.line && a.hatch == b.hatch &&
         a.pooling == b.pooling && key.colors == *b.colors;
}

bool drawable(const HeatmapRequest& request) {
  return request.values && request.colors && request.n_q > 0 && request.n_k > 0 && request.width > 0 &&
         request.height > 0;
}

ImTextureID texture_id(const Texture& texture) {
  return texture_of(texture.id());
}

void set_color(unsigned program, const char* name, Rgb color) {
  glUniform3f(glGetUniformLocation(program, name), static_cast<float>(color.r) / 255,
              static_cast<float>(color.g) / 255, static_cast<float>(color.b) / 255);
}

void set_range(unsigned program, const ColorRange& range) {
  const bool logarithm = range.logarithm && range.low > 0 && range.high > range.low;
  const float low = logarithm ? std::log2(range.low) : range.low;
  const float high = logarithm ? std::log2(range.high) : range.high;
  glUniform1i(glGetUniformLocation(program, "logarithm"), logarithm ? 1 : 0);
  glUniform1f(glGetUniformLocation(program, "low"), low);
  glUniform1f(glGetUniformLocation(program, "steps"), high > low ? 256 / (high - low) : 0);
}

}  // namespace

struct GlHeatmapPainter::Slot {
  Key key;
  Texture picture;
  Framebuffer framebuffer;
  DataTexture values, axes, thresholds, colors;
  int width = 0, height = 0;
  long frame = 0;
  long version = 0;  // unique among all pictures drawn
  bool drawn = false;
  bool by_shader = false;   // its textures are then those of the key
  bool one_to_one = false;  // one cell per pixel
  bool complete = false;    // the picture itself is there, not only its textures
  std::shared_ptr<const Picture> finished;

  void resize(int new_width, int new_height) {
    if (!picture) {
      picture = Texture::make();
      framebuffer = Framebuffer::make();
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    if (width == new_width && height == new_height) return;
    width = new_width;
    height = new_height;
    glBindTexture(GL_TEXTURE_2D, picture.id());
    // In the window's byte order, which a software renderer copies unchanged.
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, pixel_order, GL_UNSIGNED_BYTE, nullptr);
    sample_exactly();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture.id(), 0);
  }
};

GlHeatmapPainter::GlHeatmapPainter(std::string shaders)
    : program_("picture.vert", "heatmap.frag", shaders),
      copy_program_("copy.vert", "copy.frag", std::move(shaders)),
      vertex_array_(VertexArray::make()) {
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max_size_);
}

GlHeatmapPainter::~GlHeatmapPainter() = default;

bool GlHeatmapPainter::begin_frame() {
  ++frame_;
  fills_.clear();
  places_.clear();
  std::erase_if(slots_, [&](const auto& slot) { return slot.second->frame + frames_kept < frame_; });
  const bool copies_differ = copy_program_.reload(), pictures_differ = program_.reload();
  if (!copies_differ && !pictures_differ) return false;
  ++program_count_;
  return true;
}

GlHeatmapPainter::Slot* GlHeatmapPainter::prepare(int slot_number, const HeatmapRequest& wanted,
                                                  bool& fresh) {
  fresh = false;
  if (!drawable(wanted)) return nullptr;
  HeatmapRequest request = wanted;
  request.width = std::min(request.width, max_size_);
  request.height = std::min(request.height, max_size_);
  std::unique_ptr<Slot>& slot = slots_[slot_number];
  if (!slot) slot = std::make_unique<Slot>();
  slot->frame = frame_;
  if (slot->drawn && same_picture(slot->key, request, program_count_)) return slot.get();
  if (program_.id() == 0) return nullptr;

  const DrawsPicture draws;
  pool(request.colored_part(), pooled_);
  slot->complete = has_large_cells(pooled_, request);
  if (slot->complete) {
    slot->resize(request.width, request.height);
    fill_picture(pooled_, request, pixels_);
    glBindTexture(GL_TEXTURE_2D, slot->picture.id());
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, request.width, request.height, pixel_order, GL_UNSIGNED_BYTE,
                    pixels_.data());
  } else {
    upload(*slot, request);
  }
  slot->by_shader = !slot->complete;
  slot->one_to_one = pooled_.columns == request.width && pooled_.rows == request.height;
  slot->key = {request.owner, request, *request.colors, program_count_};
  slot->key.request.owner.reset();
  slot->drawn = true;
  slot->version = ++pictures_drawn_;
  fresh = true;
  return slot.get();
}

void GlHeatmapPainter::complete(Slot& slot) {
  if (slot.complete) return;
  const DrawsPicture draws;
  slot.resize(slot.key.request.width, slot.key.request.height);
  glViewport(0, 0, slot.width, slot.height);
  use_shader(slot, false);
  slot.complete = true;
}

ImTextureID GlHeatmapPainter::draw(int slot_number, const HeatmapRequest& request) {
  bool fresh = false;
  Slot* slot = prepare(slot_number, request, fresh);
  if (slot == nullptr) return {};
  complete(*slot);
  return texture_id(slot->picture);
}

ImTextureID GlHeatmapPainter::picture(int slot_number, const std::shared_ptr<const Picture>& picture) {
  if (!picture || picture->rgba.empty() || std::max(picture->width, picture->height) > max_size_) return {};
  std::unique_ptr<Slot>& slot = slots_[slot_number];
  if (!slot) slot = std::make_unique<Slot>();
  slot->frame = frame_;
  if (slot->finished != picture) {
    const DrawsPicture draws;
    slot->resize(picture->width, picture->height);
    glBindTexture(GL_TEXTURE_2D, slot->picture.id());
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, picture->width, picture->height, GL_RGBA, GL_UNSIGNED_BYTE,
                    picture->rgba.data());
    slot->finished = picture;
    slot->version = ++pictures_drawn_;
  }
  return texture_id(slot->picture);
}

void GlHeatmapPainter::show(ImDrawList& list, int slot_number, const HeatmapRequest& request, ImVec2 from,
                            ImVec2 to) {
  bool fresh = false;
  Slot* slot = prepare(slot_number, request, fresh);
  if (slot == nullptr) return;
  list.AddCallback(&put, &places_.emplace_back(Place{this, slot, from, to}));
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void GlHeatmapPainter::fill(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color) {
  list.AddCallback(&clear, &fills_.emplace_back(Fill{from, to, color}));
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

namespace {

/// An area in framebuffer pixels from the bottom left of the window.
struct Area {
  int left, bottom, right, top;
};
Area area_of(ImVec2 from, ImVec2 to) {
  const ImDrawData& data = *ImGui::GetDrawData();
  const ImVec2 scale = data.FramebufferScale, origin = data.DisplayPos;
  const auto pixel = [](float points, float by) { return static_cast<int>(std::lround(points * by)); };
  const float floor = data.DisplaySize.y + origin.y;
  return {pixel(from.x - origin.x, scale.x), pixel(floor - to.y, scale.y), pixel(to.x - origin.x, scale.x),
          pixel(floor - from.y, scale.y)};
}
/// Sets the scissor to the intersection of a command's clip with [from, to); false if it is empty.
bool set_scissor(ImVec2 from, ImVec2 to, const ImVec4& clip) {
  const Area area = area_of({std::max(from.x, clip.x), std::max(from.y, clip.y)},
                            {std::min(to.x, clip.z), std::min(to.y, clip.w)});
  if (area.right <= area.left || area.top <= area.bottom) return false;
  glEnable(GL_SCISSOR_TEST);
  glScissor(area.left, area.bottom, area.right - area.left, area.top - area.bottom);
  return true;
}

}  // namespace

void GlHeatmapPainter::clear(const ImDrawList*, const ImDrawCmd* command) {
  const Fill& fill = *static_cast<const Fill*>(command->UserCallbackData);
  if (!set_scissor(fill.from, fill.to, command->ClipRect)) return;
  const ImVec4 color = ImGui::ColorConvertU32ToFloat4(fill.color);
  glClearColor(color.x, color.y, color.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void GlHeatmapPainter::put(const ImDrawList*, const ImDrawCmd* command) {
  const Place& place = *static_cast<const Place*>(command->UserCallbackData);
  if (!set_scissor(place.from, place.to, command->ClipRect)) return;
  const Slot& slot = *place.slot;
  const Area area = area_of(place.from, place.to);
  const int width = slot.key.request.width, height = slot.key.request.height;
  glDisable(GL_BLEND);
  glViewport(area.left, area.top - height, width, height);
  const unsigned program = slot.complete ? place.painter->copy_program_.id() : place.painter->program_.id();
  glUseProgram(program);
  if (slot.complete) {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, slot.picture.id());
    glUniform1i(glGetUniformLocation(program, "picture"), 0);
    glBindVertexArray(place.painter->vertex_array_.id());
    glDrawArrays(GL_TRIANGLES, 0, 6);
  } else {
    glUniform2i(glGetUniformLocation(program, "corner"), area.left, area.top - 1);
    place.painter->use_shader(slot, true);
    glActiveTexture(GL_TEXTURE0);
  }
}

std::optional<CommandContent> GlHeatmapPainter::content(const ImDrawCmd& command) const {
  const auto area = [](ImVec2 from, ImVec2 to) { return ImVec4(from.x, from.y, to.x, to.y); };
  if (command.UserCallback == &clear) {
    const Fill& fill = *static_cast<const Fill*>(command.UserCallbackData);
    return CommandContent{fill.color, area(fill.from, fill.to)};
  }
  if (command.UserCallback == &put) {
    const Place& place = *static_cast<const Place*>(command.UserCallbackData);
    return CommandContent{static_cast<std::uint64_t>(place.slot->version), area(place.from, place.to)};
  }
  if (command.UserCallback != nullptr) return {};
  const auto shown = std::ranges::find_if(
      slots_, [&](const auto& slot) { return texture_id(slot.second->picture) == command.GetTexID(); });
  return CommandContent{shown == slots_.end() ? 0 : static_cast<std::uint64_t>(shown->second->version), {}};
}

void GlHeatmapPainter::upload(Slot& slot, const HeatmapRequest& request) {
  glActiveTexture(GL_TEXTURE0);
  if (!pooled_.values.empty())
    slot.values.upload(GL_R32F, GL_RED, GL_FLOAT, pooled_.columns, pooled_.rows, pooled_.values.data());
  const std::size_t width = std::max(request.width, request.height);
  std::vector<int> axes(2 * width, -1);
  std::copy(pooled_.pixel_column.begin(), pooled_.pixel_column.end(), axes.begin());
  std::copy(pooled_.pixel_row.begin(), pooled_.pixel_row.end(), axes.begin() + width);
  slot.axes.upload(GL_R32I, GL_RED_INTEGER, GL_INT, static_cast<int>(width), 2, axes.data());
  if (!slot.by_shader || !same(slot.key.request.range, request.range)) {
    const std::array<float, 256> thresholds = color_thresholds(request.range);
    std::array<float, 512> pairs;  // own threshold, and the next colour's
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      pairs[2 * i] = thresholds[i];
      pairs[2 * i + 1] =
          i + 1 < thresholds.size() ? thresholds[i + 1] : std::numeric_limits<float>::infinity();
    }
    slot.thresholds.upload(GL_RG32F, GL_RG, GL_FLOAT, 256, 1, pairs.data());
  }
  if (!slot.by_shader || slot.key.colors != *request.colors)
    slot.colors.upload(GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, 256, 1, request.colors->data());
}

void GlHeatmapPainter::use_shader(const Slot& slot, bool in_window) {
  const HeatmapRequest& request = slot.key.request;
  const unsigned program = program_.id();
  glUseProgram(program);
  const std::pair<const char*, const DataTexture*> textures[] = {{"values", &slot.values},
                                                                 {"axes", &slot.axes},
                                                                 {"thresholds", &slot.thresholds},
                                                                 {"colors", &slot.colors}};
  int unit = 0;
  for (const auto& [name, texture] : textures) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture->texture.id());
    glUniform1i(glGetUniformLocation(program, name), unit++);
  }
  glUniform1i(glGetUniformLocation(program, "one_to_one"), slot.one_to_one ? 1 : 0);
  set_range(program, request.range);
  set_color(program, "masked_background", request.masked.background);
  set_color(program, "masked_line", request.masked.line);
  glUniform1i(glGetUniformLocation(program, "hatch"), request.hatch);
  glUniform1i(glGetUniformLocation(program, "hatch_line"), request.hatch_line());
  glUniform1i(glGetUniformLocation(program, "in_window"), in_window ? 1 : 0);
  glBindVertexArray(vertex_array_.id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace headscope::gl
