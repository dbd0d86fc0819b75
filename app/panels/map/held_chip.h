#pragma once
#include <optional>
#include <string>

#include "app/panels/ui/ui.h"

namespace headscope {

/// While an experiment holds the ranges of colours: a chip that says so and how many of the drawn cells are
/// beyond them, and on a click lets the ranges follow the weights again.
class HeldChip {
 public:
  /// In the longest form that is no wider than `room`, otherwise in the shortest.
  HeldChip(Ui& ui, float room);
  bool any() const { return !text_.empty(); }
  /// 0 if there is none.
  float width() const;
  /// At the cursor, as high as a button with its text.
  void draw();

 private:
  Ui& ui_;
  std::int64_t beyond_ = 0;
  std::string text_;
};

}  // namespace headscope
