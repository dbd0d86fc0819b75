#pragma once
#include <imgui.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/round_up.h"
namespace headscope::gl {

/// In framebuffer pixels, from the top left of the window.
struct PixelRect {
  int left = 0, top = 0, right = 0, bottom = 0;
  bool empty() const { return right <= left || bottom <= top; }
  bool operator==(const PixelRect&) const = default;
};
PixelRect intersect(const PixelRect& a, const PixelRect& b);

/// The content of an ImGui command that its vertices don't determine.
struct CommandContent {
  std::uint64_t version = 0;  ///< differs whenever the same command may give other pixels
  ImVec4 area{};              ///< of a callback: where it draws, as a clip rectangle
};
/// No value if it is not known.
using ContentOf = std::function<std::optional<CommandContent>(const ImDrawCmd&)>;

/// From ImGui's coordinates to pixels of the framebuffer, rounded as its OpenGL backend does.
class PixelSpace {
 public:
  explicit PixelSpace(const ImDrawData& data);
  PixelRect window() const { return {0, 0, width_, height_}; }
  /// The pixels inside a command's clip rectangle.
  PixelRect clip(const ImVec4& rect) const;
  /// A clip rectangle that contains exactly these pixels.
  ImVec4 clip_of(const PixelRect& pixels) const;
  /// A superset of the pixels that a rectangle or a triangle covers.
  PixelRect around(const ImVec4& rect) const;
  PixelRect around(const ImVec2& a, const ImVec2& b, const ImVec2& c) const;

 private:
  ImVec2 origin_, scale_;
  int width_, height_;
};

/// The window divided into squares, the unit in which changes are tracked.
struct Tiles {
  static constexpr int size = 32;  // pixels
  int columns = 0, rows = 0;

  Tiles() = default;
  explicit Tiles(const PixelRect& window)
      : columns(divide_up(window.right, size)), rows(divide_up(window.bottom, size)) {}
  std::size_t count() const { return columns * static_cast<std::size_t>(rows); }
  /// Calls use(tile) for each tile that meets `pixels`.
  template <typename Use>
  void meeting(const PixelRect& pixels, const Use& use) const {
    if (pixels.empty()) return;
    for (int y = pixels.top / size; y <= (pixels.bottom - 1) / size; ++y)
      for (int x = pixels.left / size; x <= (pixels.right - 1) / size; ++x)
        use(static_cast<std::size_t>(y * columns + x));
  }
  bool operator==(const Tiles&) const = default;
};

/// Finds the parts of the window that a frame changes: each tile has a hash of everything drawn on it, in
/// order. With the picture of the previous frame at hand only those parts need drawing.
class DamageTracker {
 public:
  /// Disjoint rectangles outside of which `data` on a background shows the same as the data of the previous
  /// call. The whole window if that is not known.
  std::vector<PixelRect> update(const ImDrawData& data, unsigned background, const ContentOf& content);
  /// The picture is lost, or something outside the hashes has changed: the next call returns everything.
  void forget() { tiles_.clear(); }

 private:
  bool hash_list(const ImDrawList& list, const PixelSpace& space, const ContentOf& content);

  PixelRect window_;
  unsigned background_ = 0;
  std::vector<std::uint64_t> tiles_, before_;
  std::vector<std::uint64_t> vertices_;  // of one list
};

}  // namespace headscope::gl
