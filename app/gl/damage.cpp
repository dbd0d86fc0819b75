#include "app/gl/damage.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace headscope::gl {
namespace {

// Fraction of the window; above it, drawing everything is as fast.
constexpr double max_damage = 0.7;

// A round of MurmurHash3 (Appleby), 64 bits.
std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= std::rotl(value * 0x87c37b91114253d5U, 31) * 0x4cf5ad432745937fU;
  return std::rotl(hash, 27) * 5 + 0x52dce729U;
}

template <typename T>
std::uint64_t bits(const T& value) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t all = 0;
  std::memcpy(&all, &value, sizeof(T));
  return all;
}

std::uint64_t hash_of(const ImDrawVert& vertex) {
  return mix(mix(mix(0, bits(vertex.pos)), bits(vertex.uv)), vertex.col);
}

std::uint64_t hash_of(const PixelRect& rect) {
  return mix(mix(0, bits(std::pair(rect.left, rect.top))), bits(std::pair(rect.right, rect.bottom)));
}

std::uint64_t hash_of(const ImVec4& area) {
  return mix(mix(0, bits(std::pair(area.x, area.y))), bits(std::pair(area.z, area.w)));
}

/// Joins rows of tiles into runs, and equal runs of consecutive rows into one rectangle.
std::vector<PixelRect> rectangles(const std::vector<bool>& damaged, const Tiles& tiles,
                                  const PixelRect& window) {
  std::vector<PixelRect> all;
  std::vector<std::size_t> above, now;  // indices of those that end with the row
  for (int y = 0; y < tiles.rows; ++y, above.swap(now), now.clear()) {
    for (int x = 0; x < tiles.columns; ++x) {
      const auto is_damaged = [&](int column) {
        return column < tiles.columns && damaged[y * tiles.columns + column];
      };
      if (!is_damaged(x)) continue;
      const int left = x;
      while (is_damaged(x)) ++x;
      const PixelRect run =
          intersect({left * Tiles::size, y * Tiles::size, x * Tiles::size, (y + 1) * Tiles::size}, window);
      const auto same = std::ranges::find_if(
          above, [&](std::size_t i) { return all[i].left == run.left && all[i].right == run.right; });
      if (same == above.end()) {
        now.push_back(all.size());
        all.push_back(run);
      } else {
        now.push_back(*same);
        all[*same].bottom = run.bottom;
      }
    }
  }
  return all;
}

}  // namespace

PixelRect intersect(const PixelRect& a, const PixelRect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

PixelSpace::PixelSpace(const ImDrawData& data)
    : origin_(data.DisplayPos),
      scale_(data.FramebufferScale),
      width_(static_cast<int>(data.DisplaySize.x * scale_.x)),
      height_(static_cast<int>(data.DisplaySize.y * scale_.y)) {}

// The backend truncates the rectangle's left and bottom edges and its size.
PixelRect PixelSpace::clip(const ImVec4& rect) const {
  const float left = (rect.x - origin_.x) * scale_.x, top = (rect.y - origin_.y) * scale_.y;
  const float right = (rect.z - origin_.x) * scale_.x, bottom = (rect.w - origin_.y) * scale_.y;
  if (right <= left || bottom <= top) return {};
  const int first = static_cast<int>(left);
  const int last = height_ - static_cast<int>(static_cast<float>(height_) - bottom);
  return intersect(
      {first, last - static_cast<int>(bottom - top), first + static_cast<int>(right - left), last}, window());
}

ImVec4 PixelSpace::clip_of(const PixelRect& pixels) const {
  // Offset from whole pixels, so that neither truncation nor rounding reaches the next one.
  const auto x = [&](int pixel, float more) {
    return (static_cast<float>(pixel) + more) / scale_.x + origin_.x;
  };
  const auto y = [&](int pixel, float more) {
    return (static_cast<float>(pixel) + more) / scale_.y + origin_.y;
  };
  return {x(pixels.left, 0.125F), y(pixels.top, -0.375F), x(pixels.right, 0.375F), y(pixels.bottom, -0.125F)};
}

PixelRect PixelSpace::around(const ImVec4& rect) const {
  // Clamp to the edge: far outside has the same effect, and the result fits an int.
  const auto within = [](float pixel, int end) {
    return static_cast<int>(std::clamp(pixel, 0.0F, static_cast<float>(end)));
  };
  return {within(std::floor((rect.x - origin_.x) * scale_.x), width_),
          within(std::floor((rect.y - origin_.y) * scale_.y), height_),
          within(std::ceil((rect.z - origin_.x) * scale_.x), width_),
          within(std::ceil((rect.w - origin_.y) * scale_.y), height_)};
}

PixelRect PixelSpace::around(const ImVec2& a, const ImVec2& b, const ImVec2& c) const {
  return around(ImVec4(std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::max({a.x, b.x, c.x}),
                       std::max({a.y, b.y, c.y})));
}

bool DamageTracker::hash_list(const ImDrawList& list, const PixelSpace& space, const ContentOf& content) {
  const Tiles grid(space.window());
  vertices_.clear();
  for (const ImDrawVert& vertex : list.VtxBuffer) vertices_.push_back(hash_of(vertex));
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback == ImDrawCallback_ResetRenderState) continue;
    const std::optional<CommandContent> known = content(command);
    if (!known) return false;
    const auto add = [&](const PixelRect& pixels, std::uint64_t hash) {
      grid.meeting(pixels, [&](std::size_t tile) { tiles_[tile] = mix(tiles_[tile], hash); });
    };
    if (command.UserCallback != nullptr) {
      add(intersect(space.around(known->area), space.around(command.ClipRect)),
          mix(mix(hash_of(known->area), hash_of(command.ClipRect)), known->version));
      continue;
    }
    const PixelRect clip = space.clip(command.ClipRect);
    const std::uint64_t base = mix(mix(hash_of(clip), known->version), bits(command.GetTexID()));
    for (unsigned i = 0; i < command.ElemCount; i += 3) {
      std::uint64_t hash = base;
      const ImDrawVert* corners[3];
      for (unsigned c = 0; c < 3; ++c) {
        const unsigned vertex = command.VtxOffset + list.IdxBuffer[command.IdxOffset + i + c];
        corners[c] = &list.VtxBuffer[vertex];
        hash = mix(hash, vertices_[vertex]);
      }
      add(intersect(space.around(corners[0]->pos, corners[1]->pos, corners[2]->pos), clip), hash);
    }
  }
  return true;
}

std::vector<PixelRect> DamageTracker::update(const ImDrawData& data, unsigned background,
                                             const ContentOf& content) {
  const PixelSpace space(data);
  const Tiles grid(space.window());
  before_.swap(tiles_);
  tiles_.assign(grid.count(), 0);
  const bool known =
      before_.size() == tiles_.size() && window_ == space.window() && background_ == background;
  window_ = space.window();
  background_ = background;
  for (int i = 0; i < data.CmdListsCount; ++i)
    if (!hash_list(*data.CmdLists[i], space, content)) {
      tiles_.clear();
      return {window_};
    }
  if (!known) return {window_};
  std::vector<bool> damaged(tiles_.size());
  for (std::size_t i = 0; i < tiles_.size(); ++i) damaged[i] = tiles_[i] != before_[i];
  const auto count = static_cast<double>(std::ranges::count(damaged, true));
  if (count > max_damage * static_cast<double>(tiles_.size())) return {window_};
  return rectangles(damaged, grid, window_);
}

}  // namespace headscope::gl
