#pragma once
#include <atomic>
#include <cstddef>
#include <stop_token>

namespace headscope {

/// Progress of opening a model, for another thread that waits for it.
struct LoadProgress {
  std::atomic<std::size_t> done{0}, total{0};  ///< bytes of weights; total is 0 until it is known
  std::stop_source stop;                       ///< if stopped, opening ends in an Error
  double share() const { return total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0.0; }
};

}  // namespace headscope
