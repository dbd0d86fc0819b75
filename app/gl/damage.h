#pragma once
#include <imgui.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace headscope::gl {

/// In framebuffer pixels, from the upper left of the window.
struct PixelRect {
  int left = 0, top = 0, right = 0, bottom = 0;
  bool empty() const { return right <= left || bottom <= top; }
  bool operator==(const PixelRect&) const = default;
};
PixelRect intersect(const PixelRect& a, const PixelRect& b);

/// What a command of ImGui's shows that its vertices don't tell.
struct CommandContent {
  std::uint64_t version = 0;  ///< another whenever other pixels may come of the same command
  ImVec4 area{};              ///< of a callback: where it draws, as a clip rectangle
};
/// Nothing where that is not known.
using ContentOf = std::function<std::optional<CommandContent>(const ImDrawCmd&)>;

/// From ImGui's coordinates to pixels of the framebuffer, rounded as its OpenGL backend does.
class PixelSpace {
 public:
  explicit PixelSpace(const ImDrawData& data);
  PixelRect window() const { return {0, 0, width_, height_}; }
  /// The pixels that a command's clip rectangle lets through.
  PixelRect clip(const ImVec4& rect) const;
  /// A clip rectangle that lets through just these pixels.
  ImVec4 clip_of(const PixelRect& pixels) const;
  /// At least the pixels that a rectangle or a triangle covers.
  PixelRect around(const ImVec4& rect) const;
  PixelRect around(const ImVec2& a, const ImVec2& b, const ImVec2& c) const;

 private:
  ImVec2 origin_, scale_;
  int width_, height_;
};

/// The window in squares, by which is told what of it changes.
struct Tiles {
  static constexpr int size = 32;  // pixels
  int columns = 0, rows = 0;

  Tiles() = default;
  explicit Tiles(const PixelRect& window)
      : columns((window.right + size - 1) / size), rows((window.bottom + size - 1) / size) {}
  std::size_t count() const { return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows); }
  /// Calls use(tile) for each one that meets some pixels of the window.
  template <typename Use>
  void meeting(const PixelRect& pixels, const Use& use) const {
    if (pixels.empty()) return;
    for (int y = pixels.top / size; y <= (pixels.bottom - 1) / size; ++y)
      for (int x = pixels.left / size; x <= (pixels.right - 1) / size; ++x)
        use(static_cast<std::size_t>(y * columns + x));
  }
  bool operator==(const Tiles&) const = default;
};

/// Tells which parts of the window a frame changes by what is to be drawn there: each tile has a hash of all
/// that meets it, in order. Whoever has the picture of the frame before draws no more than those.
class DamageTracker {
 public:
  /// The rectangles, apart from each other, outside of which `data` on a background shows what the data of
  /// the call before did. All of the window where that is not known.
  std::vector<PixelRect> update(const ImDrawData& data, unsigned background, const ContentOf& content);
  /// The picture is gone, or what the hashes can't tell has changed: all is new in the next call.
  void forget() { tiles_.clear(); }

 private:
  bool hash_list(const ImDrawList& list, const PixelSpace& space, const ContentOf& content);

  PixelRect window_;
  unsigned background_ = 0;
  std::vector<std::uint64_t> tiles_, before_;
  std::vector<std::uint64_t> vertices_;  // of one list
};

}  // namespace headscope::gl
