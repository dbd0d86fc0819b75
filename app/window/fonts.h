#pragma once
#include <memory>
#include <set>
#include <string>

#include "app/panels/widgets/style.h"
#include "app/state/app.h"
#include "app/window/glfw_input.h"

namespace headscope {

/// The window's fonts: each character is found among the fonts on this machine and rasterized when it is
/// first drawn in a size. They must outlive the ImGui context.
class Fonts {
 public:
  Fonts() = default;
  virtual ~Fonts() = default;
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  /// While the window opens, in any thread: prepares what its first frames show.
  virtual void open(Language language, const TextSizes& sizes) = 0;
  /// Before a frame of `app` after these events: makes them those of the current ImGui context. Returns
  /// whether texts may have other widths than in the last frame.
  virtual bool show(const App& app, WindowEvents& events, const TextSizes& sizes) = 0;
  /// Takes characters that no other font has from this file, too. Returns whether it can be read as a font.
  virtual bool add(const std::string& path) = 0;
  /// Characters in use that no font has.
  virtual const std::set<char32_t>& missing() const = 0;
};

std::unique_ptr<Fonts> make_fonts();

}  // namespace headscope
