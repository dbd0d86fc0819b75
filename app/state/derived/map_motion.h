#pragma once
#include <memory>
#include <vector>

#include "core/analysis/filtered_layer.h"

namespace headscope {

/// Animates maps from what was shown before to what is shown now: for a third of a second pictures are
/// painted from interpolated numbers. Printed numbers are never interpolated: they wait until the maps rest.
class MapMotion {
 public:
  static constexpr double seconds = 1.0 / 3;

  bool animates = false;  ///< maps when a lesson step changes a single input
  bool reduced = false;   ///< the user asks for less motion, as the platform reports it

  /// The maps that are about to change.
  void leave(std::shared_ptr<const FilteredLayer> shown);
  /// In every frame: what it shows. The motion starts when maps of the same size have come.
  void follow(const std::shared_ptr<const FilteredLayer>& shown, double now);
  bool moving() const { return share_ < 1; }
  /// [n_q, n_k] of a head; nullptr while nothing moves.
  std::shared_ptr<const std::vector<float>> between(int head) const;

 private:
  std::shared_ptr<const FilteredLayer> from_, to_;
  double begin_ = 0, share_ = 1;  // of the motion
};

}  // namespace headscope
