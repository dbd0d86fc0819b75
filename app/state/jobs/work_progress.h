#pragma once
#include <atomic>
#include <chrono>

#include "core/base/forecast.h"

namespace headscope {

/// Progress of background work: written by its thread, read by the window's.
class WorkProgress {
 public:
  void report(const Forecast& forecast) {
    bytes_ = forecast.bytes;
    expected_ = forecast.seconds;
  }
  void show(double share) { share_ = share; }
  /// Starts the measurement: earlier work is not part of the reported share.
  void begin() { begun_ = Clock::now(); }

  struct Now {
    double share = -1;         ///< 0 to 1; below 0: not known
    double seconds_left = 0;   ///< 0: not known
    double seconds_since = 0;  ///< since begin()
    double bytes = 0;          ///< memory that it needs, if known
  };
  Now now() const {
    constexpr double worth_a_guess = 0.02;
    Now now{share_, 0, std::chrono::duration<double>(Clock::now() - begun_.load()).count(), bytes_};
    if (now.share > worth_a_guess)
      now.seconds_left = now.seconds_since * (1 - now.share) / now.share;
    else if (expected_ > now.seconds_since)
      now.seconds_left = expected_ - now.seconds_since;
    return now;
  }
  /// Whether it takes so long, by forecast or already, that the window offers to stop it.
  bool is_long() const {
    constexpr double patience = 1;  // s
    return Forecast{expected_, 0}.is_long() || now().seconds_since >= patience;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<double> share_ = -1, expected_ = 0, bytes_ = 0;
  std::atomic<Clock::time_point> begun_ = Clock::now();
};

}  // namespace headscope
