#pragma once
#include <algorithm>

namespace headscope {

/// Frames still to be drawn. The window sleeps when there are none.
class DueFrames {
 public:
  /// Why frames are wanted; the value is how many it takes.
  enum Reason : int {
    measured = 1,  ///< the last frame has found a size, a cell or a font that only the next one can use
    arrived = 2,   ///< one frame takes over what has been computed or loaded, the next is laid out with it
    event = 3,     ///< as Dear ImGui needs: what a click opens is measured in the next, drawn in the third
  };
  void ask(Reason reason) { at_least(reason); }
  /// For what is wanted of a frame so many from now.
  void at_least(int frames) { count_ = std::max(count_, frames); }
  bool any() const { return count_ > 0; }
  void drawn() { count_ = std::max(count_ - 1, 0); }

 private:
  int count_ = event;
};

}  // namespace headscope
